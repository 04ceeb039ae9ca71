/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that can do without a job goes on after an init that failed, and ends with status 0:
 * for the launcher nothing went wrong. */
#include <aclshmem.h>
#include <stdio.h>

int main(void)
{
    aclshmemx_init_attr_t attributes = ACLSHMEMX_INIT_ATTR_INITIALIZER;
    int code;

    attributes.n_pes = 1;
    attributes.local_mem_size = 1 << 20;
    snprintf(attributes.ip_port, sizeof attributes.ip_port, "tcp://127.0.0.1:29999");
    attributes.option_attr.data_op_engine_type =
        ACLSHMEM_DATA_OP_ROCE; /* there is no such engine */
    code = aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes);
    if (code == ACLSHMEM_NOT_SUPPORTED &&
        aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED)
        return 0;
    fprintf(stderr, "init_refused: code %d, expected %d\n", code, ACLSHMEM_NOT_SUPPORTED);
    return 1;
}
