/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/door_internal.h"

#include "base/random.h"
#include "base/socket.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum shm_status shm_heap_door_open(struct shm_heap_door *door)
{
    struct shm_heap_door opened = {.listen_fd = -1};
    uint64_t random[2];
    enum shm_status status = shm_random_fill(random, sizeof random);

    if (status != SHM_OK)
        return status;
    snprintf(opened.name, sizeof opened.name, "shmem-heap-%016" PRIx64 "%016" PRIx64, random[0],
             random[1]);
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

bool shm_door_page_map(int fd, const struct shm_heap_layout *layout, struct shm_door_page *page)
{
    size_t bytes = shm_heap_page_bytes();
    void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                        (off_t)(layout->control_bytes - bytes));

    if (mapped == MAP_FAILED)
        return false;
    *page = (struct shm_door_page){mapped, (uint8_t *)mapped + bytes - SHM_HEAP_TOKEN_BYTES};
    return true;
}

void shm_door_page_unmap(const struct shm_door_page *page)
{
    munmap(page->mapped, shm_heap_page_bytes());
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
