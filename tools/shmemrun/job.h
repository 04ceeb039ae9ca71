/* SPDX-License-Identifier: BSD-3-Clause */
/** A running job: the struct that owns all of it, and its life from the first PE to the last. */
#ifndef SHMEMRUN_JOB_H
#define SHMEMRUN_JOB_H

#include "arguments.h"
#include "base/address.h"
#include "board.h"
#include "guardian.h"
#include "input.h"
#include "output.h"
#include "pe.h"
#include "program.h"
#include "report.h"

#include <signal.h>
#include <sys/resource.h>

#define JOB_ID_BYTES 17 /* 16 hexadecimal digits and the NUL */

enum ending_stage {
    ENDING_NOT,
    ENDING_SETTLING, /* something failed: deaths that come now may be its cause */
    ENDING_ASKED,    /* the PEs were sent a signal and have until the deadline */
    ENDING_KILLED
};

/** How the job ends; see ending.h. */
struct ending {
    enum ending_stage stage;
    uint64_t deadline_ns; /* of the stage; at first, when to look at who left */
    int first_failed;     /* PE that failed first; -1 = none */
    bool has_absent;      /* a PE ended well without ever calling init, some time ago */
    bool is_exit;         /* a PE asked for a global exit with exit_status */
    int exit_status;
    int status; /* exit status of the launcher */
    int last_signal;
    uint64_t last_signal_ns;
};

struct job {
    const struct arguments *arguments;
    const struct program *program;
    char id[JOB_ID_BYTES];
    int store_fd; /* socket for PE 0, watched in case that somebody connects; -1 = not any more */
    char store_address[SHM_ADDRESS_TEXT_BYTES];
    struct board board;
    struct guardian guardian;
    int n_pes;
    struct pe *pes;
    struct doing *doings; /* of each PE, when last collected */
    int n_started;
    int n_ended;
    int *processors; /* that PEs are pinned to in turn; NULL = they are not */
    int n_processors;
    int signal_fd;
    int start_errors_fd;  /* what keeps PEs from starting; -1 = all have started */
    int start_errors_end; /* the end that PEs write to */
    int control_epoll_fd;
    sigset_t outer_mask;
    struct sigaction outer_pipe_action;
    struct rlimit outer_descriptor_limit;
    struct output output;
    struct input input;
    struct ending ending;
    uint64_t timeout_ns; /* deadline; 0 = none */
    uint64_t drain_ns;   /* deadline for the pipes after the last PE; 0 = not there yet */
    bool is_over;        /* all processes are gone, only output may be left */
};

/** Runs the job to its end. The exit status for the shell comes out of it. */
SHM_MUST_CHECK enum shm_status job_run(const struct arguments *arguments,
                                       const struct program *program, int *out_status);

#endif
