/* SPDX-License-Identifier: BSD-3-Clause */
/** A pause inside a spin loop. */
#ifndef SHM_BASE_RELAX_H
#define SHM_BASE_RELAX_H

static inline void shm_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
