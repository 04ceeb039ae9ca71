/* SPDX-License-Identifier: BSD-3-Clause */
/** For hot paths that must be compiled into their caller, where their arguments are constants. */
#ifndef SHM_BASE_INLINE_H
#define SHM_BASE_INLINE_H

#define SHM_ALWAYS_INLINE static inline __attribute__((always_inline))

#endif
