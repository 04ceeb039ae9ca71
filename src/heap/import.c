/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/door_internal.h"

#include "base/cleanup.h"
#include "base/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* Whatever keeps the socket from connecting, the leader cannot be reached from here. */
static enum shm_status knock(const char *door_name, int *out_fd)
{
    enum shm_status status = shm_abstract_connect(door_name, out_fd);

    if (status == SHM_INNER_ERROR)
        return shm_fail(SHM_NOT_FOUND, "%s", shm_error_detail());
    return status;
}

static enum shm_status say_hello(int fd, int my_pe, uint64_t job_id)
{
    struct shm_door_hello hello = {.magic = SHM_DOOR_HELLO_MAGIC, .pe = my_pe, .job_id = job_id};

    return shm_socket_send_descriptor(fd, &hello, sizeof hello, -1);
}

/* What the leader sent. */
struct gift {
    struct shm_door_offer offer;
    int memory_fd;
    int huge_fd;
};

static void drop_gift(struct gift *gift)
{
    shm_cleanup_fd(&gift->memory_fd);
    shm_cleanup_fd(&gift->huge_fd);
}

static enum shm_status check_offer(const struct gift *gift, size_t bytes)
{
    const struct shm_door_offer *offer = &gift->offer;

    if (bytes != sizeof *offer || offer->magic != SHM_DOOR_OFFER_MAGIC)
        return shm_fail(SHM_PROTOCOL,
                        "%zu bytes at the door of the node's memory, expected an offer of %zu",
                        bytes, sizeof *offer);
    if (offer->status != SHM_OK)
        return shm_fail(SHM_REFUSED, "the node's leader refused: it serves another job, or does "
                                     "not expect this PE");
    if (gift->memory_fd < 0)
        return shm_fail(SHM_PROTOCOL, "the node's leader sent no memory");
    return SHM_OK;
}

static enum shm_status receive_huge_pages(int fd, uint64_t deadline_ns, struct gift *gift)
{
    char letter;
    size_t bytes = 0;
    enum shm_status status =
        shm_socket_receive_descriptor(fd, &letter, 1, deadline_ns, &bytes, &gift->huge_fd);

    if (status == SHM_OK && gift->huge_fd < 0)
        return shm_fail(SHM_PROTOCOL, "the node's leader sent no huge pages");
    return status;
}

static enum shm_status receive_gift(int fd, uint64_t deadline_ns, struct gift *gift)
{
    size_t bytes = 0;
    enum shm_status status = shm_socket_receive_descriptor(fd, &gift->offer, sizeof gift->offer,
                                                           deadline_ns, &bytes, &gift->memory_fd);

    if (status == SHM_OK)
        status = check_offer(gift, bytes);
    if (status == SHM_OK && gift->offer.has_huge_pages != 0)
        status = receive_huge_pages(fd, deadline_ns, gift);
    return status;
}

/* A file that can shrink could kill this process, one of another size is of another layout. */
static enum shm_status check_file(int fd, uint64_t bytes)
{
    struct stat info;
    int seals = fcntl(fd, F_GET_SEALS);

    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0)
        return shm_fail(SHM_PROTOCOL, "the node's leader sent memory whose size is not sealed");
    if (fstat(fd, &info) != 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "fstat of the node's memory");
    if ((uint64_t)info.st_size != bytes)
        return shm_fail(SHM_MISMATCH,
                        "the node's memory has %lld bytes, this PE expects %" PRIu64
                        ": the PEs differ in their settings or executables",
                        (long long)info.st_size, bytes);
    return SHM_OK;
}

static enum shm_status check_files(const struct shm_heap *heap, const struct gift *gift)
{
    uint32_t slices = gift->offer.slices;
    enum shm_status status;

    if (slices < 1 || slices > (uint32_t)heap->n_pes)
        return shm_fail(SHM_MISMATCH, "the node's memory is for %u PEs, the job has %d", slices,
                        heap->n_pes);
    status = check_file(gift->memory_fd, heap->layout.stride * slices);
    if (status == SHM_OK && gift->huge_fd >= 0)
        status = check_file(gift->huge_fd, shm_heap_huge_bytes(&heap->layout) * slices);
    return status;
}

static enum shm_status try_huge_pages(int fd)
{
    void *mapped = mmap(NULL, SHM_HEAP_HUGE_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    if (mapped == MAP_FAILED)
        return shm_fail_errno(SHM_NOT_FOUND, errno, "mapping the node's huge pages");
    munmap(mapped, SHM_HEAP_HUGE_PAGE_BYTES);
    return SHM_OK;
}

/* Looks for the leader's token in the memory. */
static enum shm_status check_token(const struct shm_heap *heap, const struct gift *gift,
                                   uint8_t *out_half)
{
    uint8_t token[SHM_HEAP_TOKEN_BYTES];

    if (!shm_door_read_token(gift->memory_fd, &heap->layout, token))
        return shm_fail_errno(SHM_NOT_FOUND, errno, "reading the node's memory");
    if (!shm_door_is_equal(token, gift->offer.half, SHM_DOOR_HALF_BYTES))
        return shm_fail(SHM_NOT_FOUND, "the node's memory does not show the leader's token here");
    memcpy(out_half, token + SHM_DOOR_HALF_BYTES, SHM_DOOR_HALF_BYTES);
    return SHM_OK;
}

static enum shm_status check_gift(const struct shm_heap *heap, const struct gift *gift,
                                  uint8_t *out_half)
{
    enum shm_status status = check_files(heap, gift);

    if (status == SHM_OK && gift->huge_fd >= 0)
        status = try_huge_pages(gift->huge_fd);
    if (status == SHM_OK)
        status = check_token(heap, gift, out_half);
    return status;
}

/* Tells the leader how it went. Its own failure matters only when all went well. */
static enum shm_status send_verdict(int fd, enum shm_status status, const uint8_t *half)
{
    struct shm_door_verdict verdict = {.magic = SHM_DOOR_VERDICT_MAGIC, .status = status};
    char reason[SHM_DETAIL_BYTES] = "";
    enum shm_status sent;

    memcpy(verdict.half, half, sizeof verdict.half);
    if (status != SHM_OK)
        snprintf(reason, sizeof reason, "%s", shm_error_detail());
    memcpy(verdict.reason, reason, sizeof verdict.reason - 1);
    sent = shm_socket_send_descriptor(fd, &verdict, sizeof verdict, -1);
    return status == SHM_OK ? sent : shm_fail(status, "%s", reason);
}

enum shm_status shm_heap_import(struct shm_heap *heap, const char *door_name, uint64_t job_id,
                                uint64_t deadline_ns)
{
    struct gift gift = {.memory_fd = -1, .huge_fd = -1};
    uint8_t half[SHM_DOOR_HALF_BYTES] = {0};
    auto_fd int fd = -1;
    enum shm_status status;

    if (heap->gva == NULL || heap->memory_fd >= 0)
        return shm_fail(SHM_INVALID_PARAM,
                        "the heap must have its addresses and no memory before it gets memory");
    status = knock(door_name, &fd);
    if (status == SHM_OK)
        status = say_hello(fd, heap->my_pe, job_id);
    if (status == SHM_OK)
        status = receive_gift(fd, deadline_ns, &gift);
    if (status == SHM_OK) {
        status = check_gift(heap, &gift, half);
        status = send_verdict(fd, status, half);
    }
    if (status != SHM_OK) {
        drop_gift(&gift);
        return status;
    }
    heap->memory_fd = gift.memory_fd;
    heap->huge_fd = gift.huge_fd;
    heap->has_huge_pages = gift.huge_fd >= 0;
    heap->slices = gift.offer.slices;
    return SHM_OK;
}

void shm_heap_decline(int my_pe, const char *door_name, uint64_t job_id, uint64_t deadline_ns,
                      enum shm_status status, const char *detail)
{
    struct gift gift = {.memory_fd = -1, .huge_fd = -1};
    const uint8_t half[SHM_DOOR_HALF_BYTES] = {0};
    auto_fd int fd = -1;

    if (knock(door_name, &fd) == SHM_OK && say_hello(fd, my_pe, job_id) == SHM_OK &&
        receive_gift(fd, deadline_ns, &gift) == SHM_OK) {
        shm_error_restore(detail);
        if (send_verdict(fd, status, half) != status)
            shm_error_restore(detail);
    }
    drop_gift(&gift);
}
