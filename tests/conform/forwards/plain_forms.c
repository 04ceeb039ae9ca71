/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that exist on a context too, without one. */
#define FUNCTION(name) shmem_##name
#define NAME(name) "shmem_" #name
#define FIRST
#define IN_CONTEXT SHMEM_CTX_INVALID
#include "forms_tests.h"

int run_plain_forms(void)
{
    return run_forms("without a context");
}
