/* SPDX-License-Identifier: BSD-3-Clause */
/** One PE, and what it has told the launcher. */
#ifndef SHMEMRUN_PE_H
#define SHMEMRUN_PE_H

#include "records.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum pe_phase {
    PE_PLAIN,        /* has not called init */
    PE_INITIALISING, /* in init */
    PE_JOINED,       /* init is through */
    PE_FINALIZED
};

struct pe {
    pid_t pid;       /* 0 = not started */
    int control_fd;  /* its messages; -1 = closed */
    int lifeline_fd; /* at its end when the process that called init has ended; -1 = none */
    enum pe_phase phase;
    uint64_t phase_since_ns;
    struct records records; /* of the PEs on its node, when it is the one that shares them */
    bool has_ended;
    bool asked_exit;
    bool has_complaint; /* it sent a wrong message; said once */
    int wait_status;    /* when it has ended, as waitpid() gives it */
    int end_order;      /* how many ended before it */
};

/** What came of reading the messages of a PE. */
struct pe_news {
    bool asked_exit;
    int exit_status;
    bool has_lifeline;                /* that is to be watched from now on */
    bool is_off_board;                /* it enters init and cannot meet the others at the board */
    char complaint[SHM_DETAIL_BYTES]; /* what was wrong with its first wrong message; or "" */
};

/** Has no process and no messages yet. */
void pe_init(struct pe *pe);

void pe_fini(struct pe *pe);

void pe_close_lifeline(struct pe *pe);

/** Reads all messages that have come, passing over wrong ones. */
void pe_receive(struct pe *pe, int n_pes, struct pe_news *out_news);

/** Whether the PE takes part in the job now: others may wait for it. */
static inline bool pe_is_member(const struct pe *pe)
{
    return pe->phase == PE_INITIALISING || pe->phase == PE_JOINED;
}

#endif
