/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that work on a context: it is handed on, and translates the number of the PE. */
#define FUNCTION(name) shmem_ctx_##name
#define NAME(name) "shmem_ctx_" #name
#define FIRST A_CONTEXT,
#define IN_CONTEXT A_CONTEXT
#include "forms_tests.h"

int run_forms_on_contexts(void)
{
    return run_forms("on a context");
}
