/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What travels over a door. Messages have fixed sizes and stay on one machine.
 *
 *     member                                leader
 *     hello: PE and job id          ->
 *                                   <-      offer with the memory: first half of the token
 *                                   <-      one byte with the huge pages, if there are any
 *     verdict: second half of the   ->
 *     token, as read in the memory
 *
 * Each half proves to one side that both look at the same memory.
 */
#ifndef SHM_HEAP_DOOR_INTERNAL_H
#define SHM_HEAP_DOOR_INTERNAL_H

#include "heap/heap_internal.h"

#define SHM_DOOR_HELLO_MAGIC 0x68656c31u
#define SHM_DOOR_OFFER_MAGIC 0x6f666631u
#define SHM_DOOR_VERDICT_MAGIC 0x76657231u

#define SHM_DOOR_HALF_BYTES (SHM_HEAP_TOKEN_BYTES / 2)
#define SHM_DOOR_REASON_BYTES 240

struct shm_door_hello {
    uint32_t magic;
    int32_t pe;
    uint64_t job_id;
};

struct shm_door_offer {
    uint32_t magic;
    int32_t status; /* enum shm_status; not SHM_OK: refused, nothing came along */
    uint32_t slices;
    uint32_t has_huge_pages;
    uint8_t half[SHM_DOOR_HALF_BYTES];
};

struct shm_door_verdict {
    uint32_t magic;
    int32_t status; /* enum shm_status */
    uint8_t half[SHM_DOOR_HALF_BYTES];
    char reason[SHM_DOOR_REASON_BYTES];
};

/** Writes the token to the memory, or reads it there; false and errno when that fails. Not through
 * a mapping: to map a page, touch it and unmap it again takes longer than all the rest. */
bool shm_door_write_token(int fd, const struct shm_heap_layout *layout,
                          const uint8_t token[SHM_HEAP_TOKEN_BYTES]);
bool shm_door_read_token(int fd, const struct shm_heap_layout *layout,
                         uint8_t out_token[SHM_HEAP_TOKEN_BYTES]);

/** Compares secrets in a time that does not depend on where they differ. */
bool shm_door_is_equal(const void *one, const void *other, size_t bytes);

#endif
