/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Structs of the ACLSHMEM interface; included by <aclshmem.h> and <shmem.h>. Their layout is the
 * same in C and C++, and fixed.
 */
#ifndef SHMEM_ACLSHMEM_TYPES_H
#define SHMEM_ACLSHMEM_TYPES_H

#include <shmem/aclshmem_constants.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ACLSHMEM_DEFAULT_TIMEOUT 120

/* in C++ members carry their defaults; in C, ACLSHMEMX_INIT_ATTR_INITIALIZER does */
#ifdef __cplusplus
#define ACLSHMEM_MEMBER(declaration, ...) declaration = __VA_ARGS__
#else
#define ACLSHMEM_MEMBER(declaration, ...) declaration
#endif

/* in C++ the last argument of some functions may be left out */
#ifdef __cplusplus
#define ACLSHMEM_UNLESS_GIVEN(value) = value
#else
#define ACLSHMEM_UNLESS_GIVEN(value)
#endif

/** Attributes with good defaults. */
typedef struct aclshmem_init_optional_attr_t {
    /** (1 << 16) + size of this struct */
    ACLSHMEM_MEMBER(int version, 65560);
    /** engines that may move data, an "or" of bits */
    ACLSHMEM_MEMBER(data_op_engine_type_t data_op_engine_type, ACLSHMEM_DATA_OP_MTE);
    /** seconds that the PEs have to meet, at least 1 */
    ACLSHMEM_MEMBER(uint32_t shm_init_timeout, ACLSHMEM_DEFAULT_TIMEOUT);
    /** not used */
    ACLSHMEM_MEMBER(uint32_t shm_create_timeout, ACLSHMEM_DEFAULT_TIMEOUT);
    /** seconds that an operation on all PEs may take, at least 1 */
    ACLSHMEM_MEMBER(uint32_t control_operation_timeout, ACLSHMEM_DEFAULT_TIMEOUT);
    /** PE 0: a socket that is bound to ip_port already; -1: the library binds */
    ACLSHMEM_MEMBER(int32_t sockFd, -1);
} aclshmem_init_optional_attr_t;

/** What aclshmemx_init_attr() needs to know. */
typedef struct aclshmemx_init_attr_t {
    /** 0 .. n_pes - 1 */
    ACLSHMEM_MEMBER(int my_pe, 0);
    /** 1 .. ACLSHMEM_MAX_PES */
    ACLSHMEM_MEMBER(int n_pes, 0);
    /** where PE 0 listens: "tcp://host:port" or "tcp6://[host]:port" */
    ACLSHMEM_MEMBER(char ip_port[ACLSHMEM_MAX_IP_PORT_LEN], {0});
    /** bytes of symmetric heap of each PE, 1 .. ACLSHMEM_MAX_LOCAL_SIZE */
    ACLSHMEM_MEMBER(uint64_t local_mem_size, 0);
    /** attributes with defaults */
    aclshmem_init_optional_attr_t option_attr;
    /** NULL, or an aclshmemx_uniqueid_t or an MPI_Comm, according to the flags */
    ACLSHMEM_MEMBER(void *comm_args, NULL);
    /** number of the instance; 0 is the default one */
    ACLSHMEM_MEMBER(uint64_t instance_id, 0);
} aclshmemx_init_attr_t;

#ifndef __cplusplus
/** Attributes of nothing yet: set my_pe, n_pes, local_mem_size and how the PEs meet. */
#define ACLSHMEMX_INIT_ATTR_INITIALIZER                                                            \
    {                                                                                              \
        0, 0, {0}, 0,                                                                              \
            {65560,                                                                                \
             ACLSHMEM_DATA_OP_MTE,                                                                 \
             ACLSHMEM_DEFAULT_TIMEOUT,                                                             \
             ACLSHMEM_DEFAULT_TIMEOUT,                                                             \
             ACLSHMEM_DEFAULT_TIMEOUT,                                                             \
             -1},                                                                                  \
            NULL, 0                                                                                \
    }
#endif

/** Where the PEs of an instance meet; made by aclshmemx_get_uniqueid() on one PE. */
typedef struct aclshmemx_uniqueid_t {
    int32_t version; /**< ACLSHMEM_UNIQUEID_VERSION */
    int my_pe;       /**< set by aclshmemx_set_attr_uniqueid_args() */
    int n_pes;       /**< set by aclshmemx_set_attr_uniqueid_args() */
    char internal[ACLSHMEM_UNIQUE_ID_INNER_LEN];
} aclshmemx_uniqueid_t;

/**
 * Turns an encrypted password into clear text: gets the bytes of room in plainText in
 * plainTextLen, leaves the bytes written there; returns 0, or anything else for "cannot".
 */
#ifdef __cplusplus
extern "C" {
typedef int (*aclshmem_decrypt_handler)(const char *cipherText, size_t cipherTextLen,
                                        char *plainText, size_t &plainTextLen);
}
#else
typedef int (*aclshmem_decrypt_handler)(const char *cipherText, size_t cipherTextLen,
                                        char *plainText, size_t *plainTextLen);
#endif

/** Gets each message of the log: its level, 0 (debug) to 4 (fatal), and its text. */
#ifdef __cplusplus
extern "C" {
#endif
typedef void (*aclshmemx_log_handler)(int level, const char *msg);
#ifdef __cplusplus
}
#endif

#define ACLSHMEM_UNIQUEID_INITIALIZER                                                              \
    {                                                                                              \
        ACLSHMEM_UNIQUEID_VERSION, 0, 0,                                                           \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

/** A stream of acl/acl.h; NULL is the default stream. */
#ifndef SHMEM_ACLRT_STREAM
#define SHMEM_ACLRT_STREAM
typedef void *aclrtStream;
#endif

/** Number of a team: ACLSHMEM_TEAM_WORLD, or one that a split gave. */
typedef int aclshmem_team_t;

typedef uint64_t aclshmemx_team_uniqueid_t;

/** Names transfers that a stream can wait for: those of a team. */
typedef struct aclshmem_handle_t {
    aclshmem_team_t team_id;
} aclshmem_handle_t;

#define TEAM_CONFIG_PADDING 48

/** Configuration of a team: nothing can be set, all members read 0. */
typedef struct aclshmem_team_config_t {
    int32_t version;
    int32_t num_contexts;
    aclshmemx_team_uniqueid_t uniqueid;
    char padding[TEAM_CONFIG_PADDING];
} aclshmem_team_config_t;

#endif
