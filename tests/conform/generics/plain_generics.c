/* SPDX-License-Identifier: BSD-3-Clause */
/* The generics that take a context too, without one. */
#define FIRST
#define IN_CONTEXT SHMEM_CTX_INVALID
#include "generics_forms.h"

int run_plain_generics(void)
{
    return run_forms("without a context");
}
