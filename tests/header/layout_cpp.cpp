/* SPDX-License-Identifier: BSD-3-Clause */
#include "layout.h"

#include <cstdio>
#include <cstring>
#include <new>
#include <type_traits>

/* the same call as in C, where the last argument is a pointer */
static_assert(
    std::is_same<aclshmem_decrypt_handler, int (*)(const char *, size_t, char *, size_t &)>::value,
    "aclshmem_decrypt_handler");

int main()
{
    /* memory that was something else before: the defaults must come from the constructor */
    alignas(aclshmemx_init_attr_t) char memory[sizeof(aclshmemx_init_attr_t)];
    std::memset(memory, 0x5a, sizeof(memory));
    const aclshmemx_init_attr_t *attr = new (memory) aclshmemx_init_attr_t;
    const char *wrong = find_wrong_default(attr);
    aclshmemx_uniqueid_t uid = ACLSHMEM_UNIQUEID_INITIALIZER;

    if (wrong == NULL && (uid.version != 65672 || uid.my_pe != 0 || uid.internal[123] != 0))
        wrong = "unique id";
    if (wrong != NULL)
        std::printf("wrong default: %s\n", wrong);
    return wrong != NULL;
}
