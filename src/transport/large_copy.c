/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of a megabyte and more. The C library's memmove leaves the processor's string instruction
 * above the size of its second cache. AMD's Zen 5 copies 1.05 to 1.3 times as fast with it, as it
 * does not read the lines that it is going to write; processors on which that was not measured, or
 * whose memmove takes the instruction anyway, are left to memmove.
 */
#include "transport/large_copy.h"

#include <stdatomic.h>
#include <string.h>

#if defined(__x86_64__)

#include <cpuid.h>

#define FAMILY_ZEN_5 0x1a
#define FEATURE_FAST_STRINGS (1u << 9) /* "ERMS", leaf 7, ebx */

enum choice { CHOICE_OPEN, CHOICE_MEMMOVE, CHOICE_STRING };

static bool is_amd(unsigned ebx, unsigned ecx, unsigned edx)
{
    return ebx == signature_AMD_ebx && ecx == signature_AMD_ecx && edx == signature_AMD_edx;
}

static unsigned family_of(unsigned eax)
{
    unsigned base = eax >> 8 & 0xf;

    return base == 0xf ? base + (eax >> 20 & 0xff) : base;
}

static enum choice choose(void)
{
    unsigned eax, ebx, ecx, edx;

    if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx) || !is_amd(ebx, ecx, edx) ||
        !__get_cpuid(1, &eax, &ebx, &ecx, &edx) || family_of(eax) < FAMILY_ZEN_5)
        return CHOICE_MEMMOVE;
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || (ebx & FEATURE_FAST_STRINGS) == 0)
        return CHOICE_MEMMOVE;
    return CHOICE_STRING;
}

bool shm_copy_has_string(void)
{
    static _Atomic unsigned char string_copy; /* threads that come at once find the same */
    enum choice choice = atomic_load_explicit(&string_copy, memory_order_relaxed);

    if (choice == CHOICE_OPEN) {
        choice = choose();
        atomic_store_explicit(&string_copy, (unsigned char)choice, memory_order_relaxed);
    }
    return choice == CHOICE_STRING;
}

/* Its stores may become visible in any order among themselves, as those of memmove may, and stay
 * before the stores that follow. */
void shm_copy_by_string(void *to, const void *from, size_t bytes)
{
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

#else

bool shm_copy_has_string(void)
{
    return false;
}

void shm_copy_by_string(void *to, const void *from, size_t bytes)
{
    memmove(to, from, bytes);
}

#endif

void shm_copy_large(void *to, const void *from, size_t bytes)
{
    /* upwards is right unless dest begins inside of source */
    if (shm_copy_has_string() && (uintptr_t)to - (uintptr_t)from >= bytes)
        shm_copy_by_string(to, from, bytes);
    else
        memmove(to, from, bytes);
}
