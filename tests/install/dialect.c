/* SPDX-License-Identifier: BSD-3-Clause */
/* With the dialect's folder in front, the short names are those of ACLSHMEM. */
#include "acl/acl.h"
#include "shmem.h"

#include <stdio.h>

int main(void)
{
    printf("%d\n", shmem_my_pe == aclshmem_my_pe);
    return 0;
}
