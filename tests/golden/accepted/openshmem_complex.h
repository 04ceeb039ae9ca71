/* SPDX-License-Identifier: BSD-3-Clause */
/* Made by api/generate.py. Included by <shmem.h> in C++, not by programs. */
#ifndef SHMEM_OPENSHMEM_COMPLEX_H
#define SHMEM_OPENSHMEM_COMPLEX_H

#include <complex>

inline int shmem_complexf_sum_reduce(shmem_team_t team, std::complex<float> *dest,
    const std::complex<float> *source, size_t nreduce)
{
    return shmem_complexf_sum_reduce(team, reinterpret_cast<SHMEM_COMPLEX(float) *>(dest),
        reinterpret_cast<const SHMEM_COMPLEX(float) *>(source), nreduce);
}

inline void shmem_complexf_sum_to_all(std::complex<float> *dest, const std::complex<float> *source,
    int nreduce, int PE_start, int logPE_stride, int PE_size, std::complex<float> *pWrk,
    long *pSync)
{
    shmem_complexf_sum_to_all(reinterpret_cast<SHMEM_COMPLEX(float) *>(dest),
        reinterpret_cast<const SHMEM_COMPLEX(float) *>(source), nreduce, PE_start, logPE_stride,
        PE_size, reinterpret_cast<SHMEM_COMPLEX(float) *>(pWrk), pSync);
}

#endif
