/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/vector.h"

#if defined(__x86_64__)
#include <cpuid.h>

/* Registers that the system saves, without which programs may not use the instructions: those of
 * SSE and AVX, and the three of AVX-512. */
#define SAVED_AVX 0x06u
#define SAVED_AVX512 0xe6u

static unsigned saved_registers(void)
{
    unsigned eax, ebx, ecx, edx;

    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || (ecx & bit_OSXSAVE) == 0)
        return 0;
    __asm__("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
    return eax;
}

static bool has_feature(unsigned features, unsigned saved)
{
    unsigned eax, ebx, ecx, edx;

    return (saved_registers() & saved) == saved &&
           __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ebx & features) == features;
}

bool shm_vector_is_there(enum shm_vector vector)
{
    if (vector == SHM_VECTOR_AVX2)
        return has_feature(bit_AVX2, SAVED_AVX);
    if (vector == SHM_VECTOR_AVX512)
        return has_feature(bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL, SAVED_AVX512);
    return vector == SHM_VECTOR_AUTO || vector == SHM_VECTOR_BASELINE;
}
#else
bool shm_vector_is_there(enum shm_vector vector)
{
    return vector == SHM_VECTOR_AUTO || vector == SHM_VECTOR_BASELINE;
}
#endif

enum shm_status shm_vector_choose(enum shm_vector wish, enum shm_vector *out_vector)
{
    enum shm_vector vector = wish;

    if (!shm_vector_is_there(wish))
        return shm_fail(SHM_INVALID_VALUE,
                        "SHMEM_VECTOR = %s, expected instructions that this processor has",
                        wish == SHM_VECTOR_AVX2 ? "avx2" : "avx512");
    if (wish == SHM_VECTOR_AUTO) {
        vector = SHM_VECTOR_AVX512;
        while (!shm_vector_is_there(vector))
            vector--;
    }
    *out_vector = vector;
    return SHM_OK;
}
