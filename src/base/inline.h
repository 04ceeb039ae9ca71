/* SPDX-License-Identifier: BSD-3-Clause */
/** For hot paths that must be compiled into their caller, where their arguments are constants, and
 *  for what must stay out of them. */
#ifndef SHM_BASE_INLINE_H
#define SHM_BASE_INLINE_H

#define SHM_ALWAYS_INLINE static inline __attribute__((always_inline))
#define SHM_COLD static __attribute__((cold, noinline, unused))

#endif
