/* SPDX-License-Identifier: BSD-3-Clause */
/* Made by api/generate.py. Included by <shmem.h>, not by programs. */
#ifndef SHMEM_OPENSHMEM_CONSTANTS_H
#define SHMEM_OPENSHMEM_CONSTANTS_H

/* Edition of the specification, and the name of the library */
#define SHMEM_MAJOR_VERSION 1 /**< major number of the edition */
#define SHMEM_MINOR_VERSION 6 /**< minor number of the edition */
#define SHMEM_MAX_NAME_LEN 256 /**< bytes that shmem_info_get_name writes at most, with the final zero */
#define SHMEM_VENDOR_STRING "SHMEM for Linux" /**< what shmem_info_get_name returns */

/* Thread levels, weakest first */
#define SHMEM_THREAD_SINGLE 0 /**< the process has one thread */
#define SHMEM_THREAD_FUNNELED 1 /**< only the thread that called shmem_init_thread makes SHMEM calls */
#define SHMEM_THREAD_SERIALIZED 2 /**< any thread makes SHMEM calls, one at a time */
#define SHMEM_THREAD_MULTIPLE 3 /**< any thread makes SHMEM calls at any time */

/* Comparisons of shmem_wait_until and shmem_test */
#define SHMEM_CMP_EQ 0 /**< equal */
#define SHMEM_CMP_NE 1 /**< not equal */
#define SHMEM_CMP_GT 2 /**< greater than */
#define SHMEM_CMP_GE 3 /**< greater than or equal */
#define SHMEM_CMP_LT 4 /**< less than */
#define SHMEM_CMP_LE 5 /**< less than or equal */

/* Handles */
#define SHMEM_TEAM_INVALID ((shmem_team_t)0L) /**< no team */
#define SHMEM_TEAM_WORLD ((shmem_team_t)1L) /**< the team of all PEs */
#define SHMEM_TEAM_SHARED ((shmem_team_t)2L) /**< the team of the PEs whose memory this PE reaches by load and store */
#define SHMEM_CTX_INVALID ((shmem_ctx_t)0L) /**< no context */
#define SHMEM_CTX_DEFAULT ((shmem_ctx_t)1L) /**< the context of calls that name none */

/* Masks of configurations */
#define SHMEM_TEAM_NUM_CONTEXTS (1L << 0) /**< num_contexts of shmem_team_config_t counts */
#define SHMEM_CTX_SESSION_TOTAL_OPS (1L << 0) /**< total_ops of shmem_ctx_session_config_t counts */

/* Options of contexts */
#define SHMEM_CTX_PRIVATE (1L << 0) /**< only the thread that created it uses it */
#define SHMEM_CTX_SERIALIZED (1L << 1) /**< threads use it one at a time */
#define SHMEM_CTX_NOSTORE (1L << 2) /**< fence and quiet need not order stores of the program itself */

/* Options of sessions */
#define SHMEM_CTX_SESSION_BATCH (1L << 0) /**< many operations follow, of which single ones may be late */

/* Updates of signals */
#define SHMEM_SIGNAL_SET 0 /**< the signal becomes the value */
#define SHMEM_SIGNAL_ADD 1 /**< the value is added to the signal */

/* Hints of shmem_malloc_with_hints; 0 is no hint */
#define SHMEM_MALLOC_ATOMICS_REMOTE (1L << 0) /**< other PEs will use atomics on the memory */
#define SHMEM_MALLOC_SIGNAL_REMOTE (1L << 1) /**< other PEs will signal the memory */

/* Work arrays of the active-set collectives, in elements */
#define SHMEM_SYNC_VALUE 0L /**< value every element of pSync must hold at the start */
#define SHMEM_SYNC_SIZE 64 /**< pSync of any collective */
#define SHMEM_BCAST_SYNC_SIZE 64 /**< pSync of one kind of collective */
#define SHMEM_REDUCE_SYNC_SIZE 64 /**< pSync of one kind of collective */
#define SHMEM_BARRIER_SYNC_SIZE 64 /**< pSync of one kind of collective */
#define SHMEM_COLLECT_SYNC_SIZE 64 /**< pSync of one kind of collective */
#define SHMEM_ALLTOALL_SYNC_SIZE 64 /**< pSync of one kind of collective */
#define SHMEM_ALLTOALLS_SYNC_SIZE 64 /**< pSync of one kind of collective */
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 64 /**< pWrk of a reduction: max(nreduce / 2 + 1, this) */

/* Old spellings, deprecated since 1.3 */
#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_LE SHMEM_CMP_LE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_GE SHMEM_CMP_GE

#endif
