/* SPDX-License-Identifier: BSD-3-Clause */
#include "layout.h"

#include <stdio.h>

int main(void)
{
    aclshmemx_init_attr_t attr = ACLSHMEMX_INIT_ATTR_INITIALIZER;
    aclshmemx_uniqueid_t uid = ACLSHMEM_UNIQUEID_INITIALIZER;
    const char *wrong = find_wrong_default(&attr);

    if (wrong == NULL && (uid.version != 65672 || uid.my_pe != 0 || uid.internal[123] != 0))
        wrong = "unique id";
    if (wrong != NULL)
        printf("wrong default: %s\n", wrong);
    return wrong != NULL;
}
