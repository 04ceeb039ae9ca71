/* SPDX-License-Identifier: BSD-3-Clause */
/** Jobs with several instances; each meets at the port that its number gives. */
#ifndef INSTANCES_H
#define INSTANCES_H

#include "own_pes.h"

#define PORTS 40

static inline bool is_free(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool is_bound = bind(fd, (struct sockaddr *)&address, sizeof address) == 0;

    close(fd);
    return is_bound;
}

/* PORTS ports that were free a moment ago, below those that the kernel hands out; the first one is
 * in no instance's way. Processes that run at the same time begin at different places. */
static inline int find_ports(void)
{
    int first = 10000 + getpid() % 400 * PORTS;

    for (int i = 0; i < PORTS; i++) {
        if (!is_free(first + i)) {
            first = 10000 + (first + PORTS - 10000) % (400 * PORTS);
            i = -1;
        }
    }
    return first;
}

static inline void set_port_range(int first)
{
    char text[32];

    snprintf(text, sizeof text, "%d:%d", first, first + PORTS - 1);
    assert_int_equal(setenv("SHMEM_INSTANCE_PORT_RANGE", text, 1), 0);
}

static inline aclshmemx_init_attr_t instance_attributes(uint64_t id, int pe, int n_pes)
{
    aclshmemx_init_attr_t attributes = attributes_for(pe, n_pes, "tcp://127.0.0.1:0");
    const char *first = getenv("SHMEM_INSTANCE_PORT_RANGE");

    attributes.instance_id = id;
    if (id == 0)
        snprintf(attributes.ip_port, sizeof attributes.ip_port, "tcp://127.0.0.1:%d", atoi(first));
    return attributes;
}

static inline int start_instance(uint64_t id, int pe, int n_pes)
{
    aclshmemx_init_attr_t attributes = instance_attributes(id, pe, n_pes);

    return aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes);
}

/* Puts, gets, signals, teams and barriers in the instance that this thread means. */
static inline void use_instance(int pe, int n_pes, int salt)
{
    int *block = aclshmem_calloc((size_t)n_pes + 2, sizeof *block);
    int value = salt + pe;
    int left = (pe + n_pes - 1) % n_pes;
    aclshmem_team_t even = ACLSHMEM_TEAM_INVALID;

    EXPECT(aclshmem_my_pe() == pe && aclshmem_n_pes() == n_pes);
    EXPECT(block != NULL);
    aclshmemx_putmem_signal(block + pe, &value, sizeof value, block + n_pes, 1, ACLSHMEM_SIGNAL_ADD,
                            (pe + 1) % n_pes);
    aclshmem_int32_wait_until(block + n_pes, ACLSHMEM_CMP_EQ, 1);
    EXPECT(block[left] == salt + left);
    for (int other = 0; other < n_pes; other++) /* one counter, all PEs add to it */
        aclshmemx_putmem_signal(block, &value, 0, block + n_pes + 1, 1, ACLSHMEM_SIGNAL_ADD, other);
    aclshmem_int32_wait_until(block + n_pes + 1, ACLSHMEM_CMP_EQ, n_pes);
    aclshmem_barrier_all();
    EXPECT(aclshmem_int32_g(block + left, pe) == salt + left);
    EXPECT(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 2, (n_pes + 1) / 2, &even) == 0);
    EXPECT((even != ACLSHMEM_TEAM_INVALID) == (pe % 2 == 0));
    if (even != ACLSHMEM_TEAM_INVALID) {
        EXPECT(aclshmem_team_my_pe(even) == pe / 2);
        aclshmem_barrier(even);
        aclshmem_team_destroy(even);
    }
    aclshmem_barrier_all();
    aclshmem_free(block);
}

#endif
