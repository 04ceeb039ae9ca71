/* SPDX-License-Identifier: BSD-3-Clause */
/** Scope-bound clean-up: `auto_fd int fd = ...;` closes on every way out; take_fd(&fd) keeps it. */
#ifndef SHM_BASE_CLEANUP_H
#define SHM_BASE_CLEANUP_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void shm_cleanup_free(void *pointer)
{
    free(*(void **)pointer);
}

static inline void shm_cleanup_fd(const int *fd)
{
    if (*fd >= 0)
        close(*fd);
}

static inline void shm_cleanup_file(FILE **file)
{
    if (*file != NULL)
        fclose(*file);
}

#define auto_free __attribute__((cleanup(shm_cleanup_free)))
#define auto_fd __attribute__((cleanup(shm_cleanup_fd)))
#define auto_file __attribute__((cleanup(shm_cleanup_file)))

/** Hands the descriptor over: returns it and leaves -1 behind. */
static inline int take_fd(int *fd)
{
    int taken = *fd;

    *fd = -1;
    return taken;
}

/** Hands the pointer over: returns it and leaves NULL behind. */
static inline void *take_pointer(void *pointer)
{
    void *taken = *(void **)pointer;

    *(void **)pointer = NULL;
    return taken;
}

#endif
