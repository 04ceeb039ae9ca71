/* SPDX-License-Identifier: BSD-3-Clause */
/** The library's settings, one field per environment variable; read once per init. */
#ifndef SHM_INSTANCE_OPTIONS_H
#define SHM_INSTANCE_OPTIONS_H

#include "base/option.h"

#include <stdbool.h>

struct shm_options {
    bool version;               /* SHMEM_VERSION */
    bool info;                  /* SHMEM_INFO */
    bool debug;                 /* SHMEM_DEBUG */
    uint64_t symmetric_bytes;   /* SHMEM_SYMMETRIC_SIZE */
    bool overcommit;            /* SHMEM_OVERCOMMIT */
    int huge_pages;             /* SHMEM_HUGE_PAGES: enum shm_huge_pages */
    bool static_data;           /* SHMEM_STATIC_DATA */
    double init_timeout_s;      /* SHMEM_INIT_TIMEOUT */
    double control_timeout_s;   /* SHMEM_CONTROL_TIMEOUT */
    double wait_timeout_s;      /* SHMEM_WAIT_TIMEOUT; 0 = none */
    double hang_report_s;       /* SHMEM_HANG_REPORT; 0 = none */
    int waiting;                /* SHMEM_WAITING: enum shm_waiting_policy */
    int vector;                 /* SHMEM_VECTOR: enum shm_vector */
    const char *engines;        /* SHMEM_ENGINES */
    uint64_t sdma_threshold;    /* SHMEM_SDMA_THRESHOLD */
    int log_level;              /* SHMEM_LOG_LEVEL: enum shm_log_level */
    bool log_to_stdout;         /* SHMEM_LOG_TO_STDOUT */
    const char *log_path;       /* SHMEM_LOG_PATH: folder; NULL = none */
    const char *node_id;        /* SHMEM_NODE_ID */
    const char *instance_ports; /* SHMEM_INSTANCE_PORT_RANGE: read by init of ACLSHMEM */
    const char *session_id;     /* SHMEM_UID_SESSION_ID: read when a unique id is made */
    const char *interface;      /* SHMEM_UID_SOCK_IFNAME: the same */
    const char *profiled_pe;    /* SHMEM_CYCLE_PROF_PE; NULL = none */
};

enum shm_waiting_policy { SHM_WAITING_AUTO = 0, SHM_WAITING_SPIN = 1, SHM_WAITING_SLEEP = 2 };

/** All options, in the order in which help shows them. */
const struct shm_option *shm_options_list(size_t *out_count);

/** Reads them from the environment. */
SHM_MUST_CHECK enum shm_status shm_options_load(struct shm_options *out_options);

/** True when the environment sets the size of the heap. */
bool shm_options_has_symmetric_size(void);

/** True when the environment sets from how many bytes SDMA is taken. */
bool shm_options_has_sdma_threshold(void);

/** True when the environment sets the level of the log, to one that there is. */
bool shm_options_has_log_level(int *out_level);

/** Warns in the log of variables that look like one of these written wrongly. */
void shm_options_warn_of_misspelt(void);

#endif
