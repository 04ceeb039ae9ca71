/* SPDX-License-Identifier: BSD-3-Clause */
/* Before init, so that no launcher is needed; valid as C11 and as C++17. */
#include <aclshmem.h>
#include <stdio.h>

int main(void)
{
    printf("%d\n", aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
    return 0;
}
