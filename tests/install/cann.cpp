// SPDX-License-Identifier: BSD-3-Clause
// Before init, so that no launcher is needed: short names, found as CANN SHMEM's are.
#include "host/init/shmem_host_init.h"
#include "shmem.h"

#include <cstdio>

int main()
{
    shmem_init_attr_t attributes;

    std::printf("%d %u\n", shmem_init_status(), attributes.option_attr.shm_init_timeout);
    return 0;
}
