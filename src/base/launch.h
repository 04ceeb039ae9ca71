/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What the launcher and a PE know of each other: environment variables that the launcher sets,
 * messages that a PE sends over the socket it was given, and the public record of each PE.
 *
 * The socket is a SOCK_SEQPACKET pair; each message is one struct shm_launch_message.
 */
#ifndef SHM_BASE_LAUNCH_H
#define SHM_BASE_LAUNCH_H

#include <stdatomic.h>
#include <stdint.h>

/* Variables. All numbers are decimal except the job id (16 hexadecimal digits). */
#define SHM_LAUNCH_PE "SHMEM_PE"                   /* 0 .. n-1 */
#define SHM_LAUNCH_N_PES "SHMEM_N_PES"             /* PEs in the job */
#define SHM_LAUNCH_LOCAL_PE "SHMEM_LOCAL_PE"       /* number on this machine */
#define SHM_LAUNCH_LOCAL_N_PES "SHMEM_LOCAL_N_PES" /* PEs on this machine */
#define SHM_LAUNCH_STORE "SHMEM_STORE_ADDRESS"     /* tcp://... where PE 0 serves the store */
#define SHM_LAUNCH_STORE_FD "SHMEM_STORE_FD"       /* PE 0: socket that listens there */
#define SHM_LAUNCH_JOB_ID "SHMEM_JOB_ID"           /* secret of the job */
#define SHM_LAUNCH_FD "SHMEM_LAUNCHER_FD"          /* socket to the launcher */
#define SHM_LAUNCH_BOARD_FD "SHMEM_BOARD_FD"       /* memory at which all PEs meet (base/board.h) */
/* Set by a PE itself: id of the process that has its place, which its children have not. */
#define SHM_LAUNCH_OWNER "SHMEM_PE_PROCESS"

enum shm_launch_message_kind {
    SHM_LAUNCH_INITIALISING = 1, /* the PE entered init; if it can meet the others at the board, */
                                 /* the first of these sends along a pipe whose other end the PE */
                                 /* has until it dies */
    SHM_LAUNCH_RECORDS = 2,      /* init is through; the node's first PE sends along the memory */
                                 /* that holds the records of all PEs of the node */
    SHM_LAUNCH_FINALIZED = 3,    /* the PE left the job in order */
    SHM_LAUNCH_EXIT = 4          /* this PE asked the whole job to exit with `status` */
};

struct shm_launch_message {
    uint32_t kind;          /* enum shm_launch_message_kind */
    int32_t status;         /* EXIT: exit status of the job */
    uint64_t record_offset; /* RECORDS: where the record of node PE 0 starts in the memory */
    uint64_t record_stride; /* RECORDS: bytes from one PE's record to the next one's */
    uint32_t record_count;  /* RECORDS: PEs on the node, in the order of SHMEM_LOCAL_PE */
    uint32_t reserved;
};

/* What a PE does, as far as others need to know. */
enum shm_activity_state {
    SHM_ACTIVITY_STARTING = 0,   /* in init */
    SHM_ACTIVITY_RUNNING = 1,    /* in the program's own code, or about to wait */
    SHM_ACTIVITY_WAITING = 2,    /* waits; operation, sequence, peer and since say for what */
    SHM_ACTIVITY_FINALIZING = 3, /* in finalize */
    SHM_ACTIVITY_FINISHED = 4    /* left the job */
};

#define SHM_ACTIVITY_NAME_BYTES 48

/**
 * The public record of one PE: written by its owner, read by peers and the launcher. Words are
 * atomic on their own; a reader may see a mix of two moments, which a report can live with.
 */
struct shm_activity {
    _Atomic uint32_t state;    /* enum shm_activity_state */
    _Atomic int32_t peer;      /* WAITING: the PE waited for, -1 = any */
    _Atomic uint64_t sequence; /* WAITING in a collective: its number, from 1; 0 = in none */
    _Atomic uint64_t since_ns; /* CLOCK_MONOTONIC time at which the state began */
    _Atomic int32_t pid;       /* process id, in the namespace of the PE */
    _Atomic int32_t pe;        /* number in the job */
    char operation[SHM_ACTIVITY_NAME_BYTES]; /* the call, for example "shmem_barrier_all" */
};

#endif
