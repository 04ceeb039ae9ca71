/* SPDX-License-Identifier: BSD-3-Clause */
/* Made by api/generate.py. Included by <shmem.h> and <aclshmem.h>, not by programs. */
#ifndef SHMEM_ACLSHMEM_CONSTANTS_H
#define SHMEM_ACLSHMEM_CONSTANTS_H

/* Edition of the interface */
#define ACLSHMEM_MAJOR_VERSION 1 /**< major number */
#define ACLSHMEM_MINOR_VERSION 1 /**< minor number */
#define ACLSHMEM_VENDOR_MAJOR_VER 1 /**< major number in the name */
#define ACLSHMEM_VENDOR_MINOR_VER 1 /**< minor number in the name */
#define ACLSHMEM_VENDOR_PATCH_VER 1 /**< patch number in the name */

/* Limits */
#define ACLSHMEM_MAX_NAME_LEN 256 /**< bytes that aclshmem_info_get_name writes at most, with the final zero */
#define ACLSHMEM_MAX_IP_PORT_LEN 64 /**< bytes of an address "tcp://host:port", with the final zero */
#define ACLSHMEM_MAX_PES 16384 /**< PEs of an instance */
#define ACLSHMEM_MAX_LOCAL_SIZE 42949672960UL /**< bytes of heap per PE: 40 GiB */
#define ACLSHMEM_UNIQUE_ID_INNER_LEN 124 /**< opaque bytes of a unique id */
#define ACLSHMEM_UNIQUEID_VERSION 65672 /**< version of aclshmemx_uniqueid_t: (1 << 16) + its size */
#define ACLSHMEM_MAX_TEAMS 2048 /**< teams that a PE can be in at a time, with that of all PEs */
#define ACLSHMEM_SIGNAL_SIZE 8 /**< bytes between two signals of the library */

/* Memory */
#define ACLSHMEM_PAGE_SIZE 2097152UL /**< bytes of a page of devices: 2 MiB */
#define ACLSHMEM_HEAP_ALIGNMENT_SIZE 1073741824UL /**< bytes of which the distance of two heaps is a multiple on devices: 1 GiB */
#define ACLSHMEM_EXTRA_SIZE_UNALIGNED 5242880 /**< bytes that devices keep for themselves in a heap */
#define ACLSHMEM_EXTRA_SIZE_UNALIGHED 5242880 /**< the same; old name */
#define ACLSHMEM_EXTRA_SIZE 6291456UL /**< the same, in whole pages */

/* Scratch memory of kernels */
#define ACLSHMEM_SDMA_FLAG_LENGTH 64 /**< bytes that SDMA needs at least */
#define ACLSHMEM_RDMA_MTE_STAGING_UB_SIZE 128U /**< bytes that RDMA needs at least */
#define ACLSHMEM_UDMA_MTE_STAGING_UB_SIZE 128U /**< bytes that UDMA needs at least */
#define ACLSHMEM_STARS_NOTIFY_ADDR_OFFSET 14336 /**< offset of the hardware's notifications */

/* Barriers of kernels */
#define ACLSHMEM_SYNCBIT_SIZE 64 /**< bytes of aclshmemx_sync_bit */
#define ACLSHMEMI_SYNCBIT_SIZE 64 /**< the same; old name */
#define ACLSHMEM_BARRIER_TG_DISSEM_KVAL 8 /**< PEs that a PE signals in a round */
#define ACLSHMEM_MAX_AIV_PER_NPU 48 /**< vector cores of a device */
#define ACLSHMEM_LOG_MAX_AIV_PER_NPU 6 /**< rounds in which they meet */
#define ACLSHMEM_CORE_SYNC_POOL_SIZE 18432 /**< bytes in which they meet */
#define ACLSHMEM_CORE_SYNC_COUNTER_SIZE 64 /**< bytes of their counter */

/* Profiling */
#define ACLSHMEM_CYCLE_PROF_MAX_BLOCK 64 /**< blocks of a profile */
#define ACLSHMEM_CYCLE_PROF_FRAME_CNT 1024 /**< frames of a block */

typedef enum aclshmem_error_code_t {
    ACLSHMEM_SUCCESS = 0,
    ACLSHMEM_INVALID_PARAM = -1, /**< an argument that makes no sense */
    ACLSHMEM_INVALID_VALUE = -2, /**< an argument out of its range */
    ACLSHMEM_SMEM_ERROR = -3, /**< the memory layer or the store */
    ACLSHMEM_INNER_ERROR = -4, /**< inside the library or a system call */
    ACLSHMEM_NOT_INITED = -5, /**< before init or after finalize */
    ACLSHMEM_BOOTSTRAP_ERROR = -6, /**< the PEs could not meet */
    ACLSHMEM_TIMEOUT_ERROR = -7, /**< a time limit passed */
    ACLSHMEM_MALLOC_FAILED = -8, /**< no memory */
    ACLSHMEM_DL_FUNC_FAILED = -9, /**< a plug-in lacks its entry point */
    ACLSHMEM_INNER_TIMEOUT = -10, /**< a time limit inside one step passed */
    ACLSHMEM_UNDER_API_UNLOAD = -11, /**< a library that is needed is not loaded */
    ACLSHMEM_NOT_SUPPORTED = -100 /**< not offered here */
} aclshmem_error_code_t;

#ifdef __cplusplus
typedef enum aclshmemx_bootstrap_t : unsigned int {
    ACLSHMEMX_INIT_WITH_DEFAULT = 1, /**< by ip_port, else by the unique id in comm_args */
    ACLSHMEMX_INIT_WITH_MPI = 2, /**< by the MPI communicator comm_args points to */
    ACLSHMEMX_INIT_WITH_UNIQUEID = 8, /**< by the unique id in comm_args */
    ACLSHMEMX_INIT_MAX = 2147483648
} aclshmemx_bootstrap_t;
#else
typedef unsigned int aclshmemx_bootstrap_t;
#define ACLSHMEMX_INIT_WITH_DEFAULT 1u /**< by ip_port, else by the unique id in comm_args */
#define ACLSHMEMX_INIT_WITH_MPI 2u /**< by the MPI communicator comm_args points to */
#define ACLSHMEMX_INIT_WITH_UNIQUEID 8u /**< by the unique id in comm_args */
#define ACLSHMEMX_INIT_MAX 2147483648u
#endif

typedef enum aclshmemx_init_status_t {
    ACLSHMEM_STATUS_NOT_INITIALIZED = 0, /**< before init or after finalize */
    ACLSHMEM_STATUS_SHM_CREATED = 1, /**< the heap is there, the rest not yet */
    ACLSHMEM_STATUS_IS_INITIALIZED = 2, /**< ready */
    ACLSHMEM_STATUS_INVALID = 2147483647
} aclshmemx_init_status_t;

typedef enum data_op_engine_type_t {
    ACLSHMEM_DATA_OP_MTE = 1, /**< load and store by the caller */
    ACLSHMEM_DATA_OP_SDMA = 2, /**< asynchronous copy */
    ACLSHMEM_DATA_OP_ROCE = 4, /**< network between nodes */
    ACLSHMEM_DATA_OP_UDMA = 8, /**< copy by the kernel */
    ACLSHMEM_DATA_OP_MAX = 8 /**< same value as UDMA; a valid mask is 1 .. 15 */
} data_op_engine_type_t;

#ifdef __cplusplus
typedef enum aclshmem_transport_t : unsigned char {
    ACLSHMEM_TRANSPORT_MTE = 1, /**< load and store */
    ACLSHMEM_TRANSPORT_ROCE = 2, /**< network between nodes */
    ACLSHMEM_TRANSPORT_SDMA = 4, /**< asynchronous copy */
    ACLSHMEM_TRANSPORT_UDMA = 8 /**< copy by the kernel */
} aclshmem_transport_t;
#else
typedef unsigned char aclshmem_transport_t;
#define ACLSHMEM_TRANSPORT_MTE 1u /**< load and store */
#define ACLSHMEM_TRANSPORT_ROCE 2u /**< network between nodes */
#define ACLSHMEM_TRANSPORT_SDMA 4u /**< asynchronous copy */
#define ACLSHMEM_TRANSPORT_UDMA 8u /**< copy by the kernel */
#endif

typedef enum aclshmem_team_index_t {
    ACLSHMEM_TEAM_INVALID = -1, /**< no team */
    ACLSHMEM_TEAM_WORLD = 0 /**< the team of all PEs */
} aclshmem_team_index_t;

typedef enum aclshmem_mem_type_t {
    HOST_SIDE = 0, /**< the host heap */
    DEVICE_SIDE = 1, /**< the symmetric heap which devices have */
} aclshmem_mem_type_t;

typedef enum aclshmem_signal_op_type_t {
    ACLSHMEM_SIGNAL_SET = 0, /**< the signal becomes the value */
    ACLSHMEM_SIGNAL_ADD = 1 /**< the value is added to the signal */
} aclshmem_signal_op_type_t;

typedef enum aclshmem_cmp_op_type_t {
    ACLSHMEM_CMP_EQ = 0, /**< equal */
    ACLSHMEM_CMP_NE = 1, /**< not equal */
    ACLSHMEM_CMP_GT = 2, /**< greater than */
    ACLSHMEM_CMP_GE = 3, /**< greater than or equal */
    ACLSHMEM_CMP_LT = 4, /**< less than */
    ACLSHMEM_CMP_LE = 5 /**< less than or equal */
} aclshmem_cmp_op_type_t;

#endif
