/* SPDX-License-Identifier: BSD-3-Clause */
/* Complex numbers in C++: std::complex and the compilers' _Complex are the same memory. */
#include "check.h"

#include <complex>

#define COUNT 5

static std::complex<double> doubles[COUNT], sums[COUNT], products[COUNT], before[COUNT];
static std::complex<float> floats[COUNT], float_sums[COUNT];
static shmem_complex_double plain[COUNT], plain_sums[COUNT];
static long sync_words[SHMEM_REDUCE_SYNC_SIZE];
static std::complex<double> work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + COUNT];

static std::complex<double> value(int pe, int i)
{
    return std::complex<double>(pe + 1, i - pe);
}

static void fill()
{
    for (int i = 0; i < COUNT; i++) {
        std::complex<double> mine = value(shmem_my_pe(), i);

        doubles[i] = mine;
        floats[i] = std::complex<float>(mine);
        reinterpret_cast<std::complex<double> &>(plain[i]) = mine;
    }
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
        sync_words[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
}

/* Small whole numbers: exact in both widths, and in any order. */
static void check(int i)
{
    std::complex<double> sum = 0, product = 1, sum_before = 0;

    for (int pe = 0; pe < shmem_n_pes(); pe++) {
        sum_before += pe < shmem_my_pe() ? value(pe, i) : 0;
        sum += value(pe, i);
        product *= value(pe, i);
    }
    CHECK(sums[i] == sum, "sum %d is %g + %gi", i, sums[i].real(), sums[i].imag());
    CHECK(products[i] == product, "product %d is %g + %gi", i, products[i].real(),
          products[i].imag());
    CHECK(before[i] == sum_before, "sum %d before is %g + %gi", i, before[i].real(),
          before[i].imag());
    CHECK(std::complex<double>(float_sums[i]) == sum, "float sum %d is %g + %gi", i,
          double(float_sums[i].real()), double(float_sums[i].imag()));
    CHECK(reinterpret_cast<std::complex<double> &>(plain_sums[i]) == sum, "plain sum %d", i);
}

int main()
{
    shmem_init();
    fill();
    CHECK(shmem_complexd_sum_reduce(SHMEM_TEAM_WORLD, sums, doubles, COUNT) == 0, "sum");
    CHECK(shmem_complexd_sum_exscan(SHMEM_TEAM_WORLD, before, doubles, COUNT) == 0, "exscan");
    CHECK(shmem_complexf_sum_reduce(SHMEM_TEAM_WORLD, float_sums, floats, COUNT) == 0, "float");
    CHECK(shmem_complexd_sum_reduce(SHMEM_TEAM_WORLD, plain_sums, plain, COUNT) == 0, "plain");
    shmem_complexd_prod_to_all(products, doubles, COUNT, 0, 0, shmem_n_pes(), work, sync_words);
    for (int i = 0; i < COUNT; i++)
        check(i);
    shmem_finalize();
    return 0;
}
