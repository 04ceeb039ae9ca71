/* SPDX-License-Identifier: BSD-3-Clause */
/** The command line of shmemrun. */
#ifndef SHMEMRUN_ARGUMENTS_H
#define SHMEMRUN_ARGUMENTS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PES_MAX 16384

struct arguments {
    int n_pes;
    int gdb_pe;          /* -1 = none */
    uint64_t timeout_ms; /* 0 = none */
    uint64_t grace_ms;
    bool bind_core;
    bool tag;
    bool valgrind;
    bool verbose;
    bool help;
    bool version;
    const char **env; /* NAME=VALUE; room for argc entries */
    size_t n_env;
    char **program; /* its name and arguments, NULL at the end */
};

/** Reads the command line; the strings of `out_arguments` point into it. SHM_INVALID_PARAM. */
SHM_MUST_CHECK enum shm_status arguments_read(int argc, char **argv,
                                              struct arguments *out_arguments);

void arguments_fini(struct arguments *arguments);

/** Prints the help text to standard output. */
void arguments_print_help(void);

#endif
