/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/reduce_kernel.h"

#include "reduce_loops_internal.h"

#include <complex.h>

const struct shm_reduce_kernel *
shm_reduce_kernel(enum shm_vector vector, enum shm_reduction reduction, enum shm_element element)
{
    bool is_complex = element == SHM_ELEMENT_C32 || element == SHM_ELEMENT_C64;
    const struct shm_reduce_table *table;
    const struct shm_reduce_kernel *kernel;

    if ((unsigned)reduction >= SHM_REDUCTIONS || (unsigned)element >= SHM_ELEMENTS)
        return NULL;
    table = is_complex ? shm_reduce_complex_table(vector) : shm_reduce_table(vector);
    kernel = &table->kernels[reduction][element];
    return kernel->into != NULL ? kernel : NULL;
}

size_t shm_element_bytes(enum shm_element element)
{
    static const unsigned char bytes[SHM_ELEMENTS] = {
        [SHM_ELEMENT_I8] = 1,
        [SHM_ELEMENT_I16] = 2,
        [SHM_ELEMENT_I32] = 4,
        [SHM_ELEMENT_I64] = 8,
        [SHM_ELEMENT_U8] = 1,
        [SHM_ELEMENT_U16] = 2,
        [SHM_ELEMENT_U32] = 4,
        [SHM_ELEMENT_U64] = 8,
        [SHM_ELEMENT_F32] = sizeof(float),
        [SHM_ELEMENT_F64] = sizeof(double),
        [SHM_ELEMENT_F80] = sizeof(long double),
        [SHM_ELEMENT_C32] = sizeof(float complex),
        [SHM_ELEMENT_C64] = sizeof(double complex),
    };

    return bytes[element];
}

const char *shm_reduction_name(enum shm_reduction reduction)
{
    static const char *const names[SHM_REDUCTIONS] = {"and", "or",  "xor",    "min",
                                                      "max", "sum", "product"};

    return (unsigned)reduction < SHM_REDUCTIONS ? names[reduction] : "?";
}

const char *shm_element_name(enum shm_element element)
{
    static const char *const names[SHM_ELEMENTS] = {
        "int8",   "int16", "int32",  "int64",       "uint8",         "uint16",        "uint32",
        "uint64", "float", "double", "long double", "complex float", "complex double"};

    return (unsigned)element < SHM_ELEMENTS ? names[element] : "?";
}
