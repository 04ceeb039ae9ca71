/* SPDX-License-Identifier: BSD-3-Clause */
/** How static data is copied: into the slice that it shares, and out of it for a forked child. */
#ifndef SHM_STATIC_DATA_INTERNAL_H
#define SHM_STATIC_DATA_INTERNAL_H

#include "heap/heap_internal.h"

/** The data of a program includes the red zones of its sanitizer, and in a statically linked one
 *  the state of libc and sanitizer. So pages are copied by loops that no sanitizer watches and
 *  that the compiler cannot turn into library calls. */
#define SHM_UNWATCHED __attribute__((no_sanitize("address"))) __attribute__((no_sanitize("thread")))

/** Where a copy goes: memory that is zero, and the file behind it, through which pages get there
 *  without being mapped and brought in one by one; -1 = none, or a limit of file sizes forbids it.
 */
struct shm_copy_target {
    char *memory;
    int fd;
    uint64_t offset;
};

/** Copies private data into the slice. `page_map` is the kernel's map of this process's pages; -1
 *  when there is none: all pages are looked at. */
void shm_static_data_copy_private(const struct shm_copy_target *to,
                                  const struct shm_static_data *data, int page_map);

/** A private copy of the shared data, elsewhere; NULL without memory for it. */
char *shm_static_data_take_snapshot(const struct shm_static_data *data);

#endif
