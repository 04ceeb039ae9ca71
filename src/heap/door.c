/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/door_internal.h"

#include "base/random.h"
#include "base/socket.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

enum shm_status shm_heap_door_open(struct shm_heap_door *door)
{
    struct shm_heap_door opened = {.listen_fd = -1};
    uint64_t random;
    enum shm_status status = shm_random_fill(&random, sizeof random);

    if (status != SHM_OK)
        return status;
    snprintf(opened.name, sizeof opened.name, "shmem-%016" PRIx64, random);
    status = shm_abstract_listen(opened.name, &opened.listen_fd);
    if (status != SHM_OK)
        return status;
    *door = opened;
    return SHM_OK;
}

void shm_heap_door_close(struct shm_heap_door *door)
{
    if (door->listen_fd >= 0)
        close(door->listen_fd);
    *door = (struct shm_heap_door){.listen_fd = -1};
}

static off_t token_offset(const struct shm_heap_layout *layout)
{
    return (off_t)(layout->control_bytes - SHM_HEAP_TOKEN_BYTES);
}

bool shm_door_write_token(int fd, const struct shm_heap_layout *layout,
                          const uint8_t token[SHM_HEAP_TOKEN_BYTES])
{
    return pwrite(fd, token, SHM_HEAP_TOKEN_BYTES, token_offset(layout)) == SHM_HEAP_TOKEN_BYTES;
}

bool shm_door_read_token(int fd, const struct shm_heap_layout *layout,
                         uint8_t out_token[SHM_HEAP_TOKEN_BYTES])
{
    return pread(fd, out_token, SHM_HEAP_TOKEN_BYTES, token_offset(layout)) == SHM_HEAP_TOKEN_BYTES;
}

bool shm_door_is_equal(const void *one, const void *other, size_t bytes)
{
    const volatile uint8_t *a = one;
    const volatile uint8_t *b = other;
    uint8_t difference = 0;

    for (size_t i = 0; i < bytes; i++)
        difference |= (uint8_t)(a[i] ^ b[i]);
    return difference == 0;
}
