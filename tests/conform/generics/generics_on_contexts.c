/* SPDX-License-Identifier: BSD-3-Clause */
/* The generics with a context as first argument. */
#define FIRST A_CONTEXT,
#define IN_CONTEXT A_CONTEXT
#include "generics_forms.h"

int run_generics_on_contexts(void)
{
    return run_forms("on a context");
}
