/* SPDX-License-Identifier: BSD-3-Clause */
/* Engine UDMA: process_vm_readv() and process_vm_writev(), which copy once, without a mapping. */
#include "transport/transport.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/uio.h>

#define BLOCKS_AT_ONCE 64
#define BYTES_AT_ONCE (1ul << 30) /* of one block: the kernel stops short of 2^31 bytes anyway */

/* Blocks side by side, as the kernel takes them. */
struct pieces {
    struct iovec to[BLOCKS_AT_ONCE];
    struct iovec from[BLOCKS_AT_ONCE];
    size_t count;
};

static size_t block_bytes(const struct shm_strided *copy)
{
    return copy->block * copy->element_bytes;
}

static void *place_of(const void *first, ptrdiff_t stride, size_t element_bytes, size_t block)
{
    return (void *)((uintptr_t)first + block * (size_t)stride * element_bytes);
}

/* The pieces that follow `position`, a number of bytes that have been copied. */
static void find_pieces(const struct shm_strided *copy, uint64_t position, struct pieces *pieces)
{
    size_t bytes = block_bytes(copy);
    size_t block = position / bytes;
    size_t skipped = position % bytes;

    for (pieces->count = 0; pieces->count < BLOCKS_AT_ONCE && block < copy->count; block++) {
        char *to = place_of(copy->to, copy->to_stride, copy->element_bytes, block);
        char *from = place_of(copy->from, copy->from_stride, copy->element_bytes, block);
        size_t rest = bytes - skipped;

        if (rest > BYTES_AT_ONCE)
            rest = BYTES_AT_ONCE;
        pieces->to[pieces->count] = (struct iovec){to + skipped, rest};
        pieces->from[pieces->count++] = (struct iovec){from + skipped, rest};
        if (skipped + rest < bytes)
            return; /* the next piece is of the same block */
        skipped = 0;
    }
}

static ssize_t copy_pieces(pid_t pid, const struct pieces *pieces, bool is_get)
{
    if (is_get)
        return process_vm_readv(pid, pieces->to, pieces->count, pieces->from, pieces->count, 0);
    return process_vm_writev(pid, pieces->from, pieces->count, pieces->to, pieces->count, 0);
}

static enum shm_status explain(const struct shm_kernel_peer *peer, const struct shm_strided *copy,
                               bool is_get, int error)
{
    if (error == ESRCH)
        return shm_fail(SHM_PEER_LOST, "PE %d failed: it ended without calling finalize", peer->pe);
    if (error == EPERM || error == EACCES || error == ENOSYS)
        return shm_fail_errno(SHM_NOT_SUPPORTED, error,
                              "engine udma: the kernel no longer copies %s PE %d",
                              is_get ? "from" : "to", peer->pe);
    return shm_fail_errno(SHM_INVALID_VALUE, error,
                          "engine udma: cannot copy %zu blocks of %zu bytes from %p to %p (%s of "
                          "PE %d)",
                          copy->count, block_bytes(copy), copy->from, copy->to,
                          is_get ? "the former is" : "the latter is", peer->pe);
}

enum shm_status shm_kernel_copy(const struct shm_kernel_peer *peer, const struct shm_strided *copy,
                                bool is_get)
{
    struct shm_strided shifted = *copy;
    uint64_t bytes = (uint64_t)block_bytes(copy) * copy->count;
    struct pieces pieces;

    if (is_get)
        shifted.from = (const void *)((uintptr_t)copy->from + (uintptr_t)peer->shift);
    else
        shifted.to = (void *)((uintptr_t)copy->to + (uintptr_t)peer->shift);
    for (uint64_t position = 0; position < bytes;) {
        ssize_t copied;

        find_pieces(&shifted, position, &pieces);
        copied = copy_pieces(peer->pid, &pieces, is_get);
        if (copied < 0 && errno == EINTR)
            continue;
        if (copied <= 0)
            return explain(peer, &shifted, is_get, copied < 0 ? errno : EFAULT);
        position += (uint64_t)copied; /* part of it when a page was missing: then the next fails */
    }
    return SHM_OK;
}

void shm_kernel_copy_permit(void)
{
    (void)prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* without Yama there is no need */
}

int shm_kernel_copy_try(const struct shm_kernel_peer *peer, _Atomic uint64_t *word)
{
    uint64_t expected = atomic_load(word);
    uint64_t found = 0;
    struct iovec here = {&found, sizeof found};
    struct iovec there = {(char *)(uintptr_t)word + peer->shift, sizeof found};

    if (process_vm_readv(peer->pid, &here, 1, &there, 1, 0) != (ssize_t)sizeof found)
        return errno;
    if (found != expected)
        return ESRCH;
    if (process_vm_writev(peer->pid, &here, 1, &there, 1, 0) != (ssize_t)sizeof found)
        return errno;
    return 0;
}
