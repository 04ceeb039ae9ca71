/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Names of the ACLSHMEM interface that are too common for <shmem.h>; included by <aclshmem.h>.
 */
#ifndef SHMEM_ACLSHMEM_PLAIN_NAMES_H
#define SHMEM_ACLSHMEM_PLAIN_NAMES_H

#include <shmem/aclshmem_types.h>

/** Marks the functions of the interface. */
#define ACLSHMEM_HOST_API __attribute__((visibility("default")))

/** Seconds of each time limit in default attributes. */
#define DEFAULT_TIMEOUT ACLSHMEM_DEFAULT_TIMEOUT

/** Result of a function: 0 or a negative value of aclshmem_error_code_t. */
typedef int32_t Result;

/** Whether an operation may be complete only after a quiet. */
typedef enum { NO_NBI = 0, NBI = 1 } aclshmem_block_mode_t;

/* Sizes of caches, and of what barriers of kernels keep in a heap. */
#define SCALAR_DATA_CACHELINE_SIZE 64
#define L2_CACHELINE_SIZE 512
#define SYNC_LOG_MAX_PES 5 /**< rounds for all PEs, of 8 signals each */
#define SYNC_ARRAY_SIZE (ACLSHMEM_SYNCBIT_SIZE * SYNC_LOG_MAX_PES * ACLSHMEM_BARRIER_TG_DISSEM_KVAL)
#define SYNC_COUNTER_SIZE ACLSHMEM_SYNCBIT_SIZE
#define SYNC_POOL_SIZE (ACLSHMEM_MAX_TEAMS * SYNC_ARRAY_SIZE)
#define SYNC_COUNTERS_SIZE (ACLSHMEM_MAX_TEAMS * SYNC_COUNTER_SIZE)

/** The multiple of `page` from `size` on upwards, for any `page`. */
#define ALIGN_TO(size, page) (((size) + (page)-1) / (page) * (page))
#define ALIGH_TO ALIGN_TO

/** The same for a power of two. */
#ifndef ALIGN_UP
#define ALIGN_UP(val, al) (((val) + ((al)-1)) & ~((al)-1))
#endif

/* Each names its argument, a macro, once for every size or type. */
#define ACLSHMEM_SIZE_FUNC(FUNC)                                                                   \
    FUNC(8);                                                                                       \
    FUNC(16);                                                                                      \
    FUNC(32);                                                                                      \
    FUNC(64);                                                                                      \
    FUNC(128)

#define ACLSHMEM_P2P_SYNC_TYPE_FUNC(FUNC)                                                          \
    FUNC(float, float);                                                                            \
    FUNC(int8, int8_t);                                                                            \
    FUNC(int16, int16_t);                                                                          \
    FUNC(int32, int32_t);                                                                          \
    FUNC(int64, int64_t);                                                                          \
    FUNC(uint8, uint8_t);                                                                          \
    FUNC(uint16, uint16_t);                                                                        \
    FUNC(uint32, uint32_t);                                                                        \
    FUNC(uint64, uint64_t);                                                                        \
    FUNC(char, char)

#define ACLSHMEM_TYPE_FUNC(FUNC)                                                                   \
    FUNC(double, double);                                                                          \
    ACLSHMEM_P2P_SYNC_TYPE_FUNC(FUNC)

#endif
