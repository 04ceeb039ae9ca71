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

/** An instance of this process; belongs to the library, and lives as long as the instance. */
typedef struct aclshmem_instance_ctx {
    uint64_t id;    /**< instance_id of its attributes; 0 also when there is no instance */
    void *instance; /**< the library's; NULL when there is no instance */
} aclshmem_instance_ctx;

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

/** Word for a barrier of kernels, alone in its cache line. */
typedef int32_t aclshmemx_sync_bit[ACLSHMEM_SYNCBIT_SIZE / 4];
#define aclshmemi_sync_bit aclshmemx_sync_bit

/** Scratch memory of an engine in a kernel. */
typedef struct aclshmem_ub_config_t {
    int64_t aclshmem_ub; /**< offset */
    uint32_t ub_size;    /**< bytes */
    uint32_t sync_id;    /**< event by which copies are waited for */
} aclshmem_ub_config_t;

typedef aclshmem_ub_config_t aclshmem_mte_config_t;
typedef aclshmem_ub_config_t aclshmem_sdma_config_t;
typedef aclshmem_ub_config_t aclshmem_rdma_config_t;
typedef aclshmem_ub_config_t aclshmem_udma_config_t;

/** What the marks ("frames") of one block of a kernel counted. */
typedef struct aclshmem_prof_block_t {
    int64_t ccount[ACLSHMEM_CYCLE_PROF_FRAME_CNT]; /**< times that a frame was passed */
    int64_t cycles[ACLSHMEM_CYCLE_PROF_FRAME_CNT]; /**< in it, altogether */
} aclshmem_prof_block_t;

/** Profile of the kernels of one PE. */
typedef struct aclshmem_prof_pe_t {
    int32_t pe_id; /**< -1: no PE is profiled */
    aclshmem_prof_block_t block_prof[ACLSHMEM_CYCLE_PROF_MAX_BLOCK];
} aclshmem_prof_pe_t;

/** A team as kernels see it. */
typedef struct aclshmemx_team_t {
    int mype;
    int start;
    int stride;
    int size;
    int team_idx;
    aclshmem_team_config_t config;
    int32_t pe_mapping[2 * ACLSHMEM_MAX_PES]; /**< by rank the PE, behind them by PE the rank */
} aclshmemx_team_t;

/** What kernels know of the job. The layout is fixed; the library itself does not use it. */
typedef struct aclshmem_device_host_state_t {
    int version; /**< (1 << 16) + size of this struct */
    int mype;    /**< -1 before init */
    int npes;    /**< -1 before init */
    void *heap_base;
    void *host_heap_base;
    void **p2p_device_heap_base;
    void **rdma_device_heap_base;
    void **sdma_device_heap_base;
    void **p2p_host_heap_base;
    void **rdma_host_heap_base;
    void **sdma_host_heap_base;
    uint8_t topo_list[ACLSHMEM_MAX_PES]; /**< bits of aclshmem_transport_t that reach a PE */
    size_t heap_size;                    /**< SIZE_MAX before init */
    aclshmemx_team_t *team_pools[ACLSHMEM_MAX_TEAMS];
    uint64_t sync_pool;
    uint64_t sync_counter;
    uint64_t core_sync_pool;
    uint64_t core_sync_counter;
    bool is_aclshmem_initialized;
    bool is_aclshmem_created;
    aclshmem_mte_config_t mte_config;
    aclshmem_sdma_config_t sdma_config;
    aclshmem_rdma_config_t rdma_config;
    aclshmem_udma_config_t udma_config;
    uint64_t qp_info;
    uint64_t sdma_workspace_addr;
    aclshmem_prof_pe_t *profs;
    uint64_t signal_addr;
} aclshmem_device_host_state_t;

/** What the host keeps for kernels. */
typedef struct aclshmem_host_state_t {
    void *default_stream;
    int8_t default_event_id;
    uint32_t default_block_num;
    void *notify_arr[ACLSHMEM_MAX_AIV_PER_NPU];
} aclshmem_host_state_t;

#endif
