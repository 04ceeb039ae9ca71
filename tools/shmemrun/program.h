/* SPDX-License-Identifier: BSD-3-Clause */
/** What a PE executes: the program itself, or a tool that runs it. */
#ifndef SHMEMRUN_PROGRAM_H
#define SHMEMRUN_PROGRAM_H

#include "arguments.h"

/** A command: the file to execute and the argument list, NULL at the end. */
struct command {
    char *path;
    char **argv;
};

struct program {
    struct command plain; /* under valgrind when that was asked for */
    struct command gdb;   /* of the PE that runs under gdb; path NULL = none does */
};

/**
 * Finds the program, and the tools the arguments ask for, in PATH. SHM_NOT_FOUND when the program
 * does not exist, SHM_REFUSED when it cannot be executed, SHM_INVALID_PARAM when a tool is missing.
 */
SHM_MUST_CHECK enum shm_status program_init(struct program *program,
                                            const struct arguments *arguments);

void program_fini(struct program *program);

#endif
