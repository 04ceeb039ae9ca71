/* SPDX-License-Identifier: BSD-3-Clause */
/* All PEs at once update one word of PE 0: no update may be lost. Operations on types of the same
 * width are the same ones, so one type of each width is enough. */
#include "check.h"

#include <stdint.h>

enum { ROUNDS = 20001 };

static uint64_t total; /* what the PEs have to add up, on PE 0 */

static uint64_t add_up(uint64_t mine)
{
    uint64_t sum;

    shmem_barrier_all();
    shmem_uint64_atomic_add(&total, mine, 0);
    shmem_barrier_all();
    sum = shmem_uint64_g(&total, 0);
    shmem_barrier_all();
    total = 0;
    shmem_barrier_all();
    return sum;
}

/* One bit of the word belongs to this PE: an old value shows it as this PE left it. */
#define CHECK_OWN_BIT(type)                                                                        \
    do {                                                                                           \
        static type##_t word;                                                                      \
        type##_t own = (type##_t)1 << shmem_my_pe();                                               \
        type##_t all = ((type##_t)1 << shmem_n_pes()) - 1;                                         \
        shmem_barrier_all();                                                                       \
        for (int i = 0; i < ROUNDS; i++) {                                                         \
            type##_t old = shmem_##type##_atomic_fetch_or(&word, own, 0);                          \
            CHECK((old & own) == 0, "round %d: an and was lost", i);                               \
            old = shmem_##type##_atomic_fetch_and(&word, (type##_t) ~own, 0);                      \
            CHECK((old & own) != 0, "round %d: an or was lost", i);                                \
            shmem_##type##_atomic_or(&word, own, 0);                                               \
            shmem_##type##_atomic_xor(&word, own, 0);                                              \
            old = shmem_##type##_atomic_fetch_xor(&word, own, 0);                                  \
            CHECK((old & own) == 0, "round %d: an or or a xor was lost", i);                       \
            shmem_##type##_atomic_and(&word, (type##_t) ~own, 0);                                  \
        }                                                                                          \
        shmem_##type##_atomic_xor(&word, own, 0);                                                  \
        shmem_barrier_all();                                                                       \
        CHECK(shmem_my_pe() != 0 || word == all, "bits 0x%llx", (unsigned long long)word);         \
    } while (0)

#define CHECK_COUNT(type)                                                                          \
    do {                                                                                           \
        static type##_t word;                                                                      \
        uint64_t n = (uint64_t)shmem_n_pes() * ROUNDS;                                             \
        uint64_t sum = 0;                                                                          \
        shmem_barrier_all();                                                                       \
        for (int i = 0; i < ROUNDS; i++)                                                           \
            sum += shmem_##type##_atomic_fetch_inc(&word, 0);                                      \
        sum = add_up(sum);                                                                         \
        CHECK(sum == n * (n - 1) / 2, "fetch_inc returned %llu in all", (unsigned long long)sum);  \
        for (int i = 0; i < ROUNDS; i++) {                                                         \
            shmem_##type##_atomic_add(&word, 5, 0);                                                \
            shmem_##type##_atomic_inc(&word, 0);                                                   \
            shmem_##type##_atomic_fetch_add(&word, 3, 0);                                          \
        }                                                                                          \
        shmem_barrier_all();                                                                       \
        CHECK(shmem_my_pe() != 0 || word == 10 * n, "%llu", (unsigned long long)word);             \
    } while (0)

/* What was swapped in comes out once, or stays. A word that compare_swap counts has all counts. */
#define CHECK_SWAP(type)                                                                           \
    do {                                                                                           \
        static type##_t word;                                                                      \
        static type##_t counter;                                                                   \
        uint64_t taken = 0;                                                                        \
        uint64_t given = 0;                                                                        \
        type##_t seen = 0;                                                                         \
        shmem_barrier_all();                                                                       \
        for (int i = 0; i < ROUNDS; i++) {                                                         \
            type##_t token = (type##_t)(i * shmem_n_pes() + shmem_my_pe() + 1);                    \
            type##_t before = seen;                                                                \
            given += token;                                                                        \
            taken += shmem_##type##_atomic_swap(&word, token, 0);                                  \
            while ((seen = shmem_##type##_atomic_compare_swap(&counter, before, before + 1, 0)) != \
                   before)                                                                         \
                before = seen;                                                                     \
        }                                                                                          \
        taken = add_up(taken) + shmem_##type##_atomic_fetch(&word, 0);                             \
        given = add_up(given);                                                                     \
        CHECK(taken == given, "%llu came out of %llu", (unsigned long long)taken,                  \
              (unsigned long long)given);                                                          \
        CHECK(shmem_my_pe() != 0 || counter == (uint64_t)shmem_n_pes() * ROUNDS, "%llu counted",   \
              (unsigned long long)counter);                                                        \
    } while (0)

int main(void)
{
    shmem_init();
    CHECK(shmem_n_pes() < 32, "this test is for fewer than 32 PEs");
    CHECK_OWN_BIT(uint32);
    CHECK_OWN_BIT(uint64);
    CHECK_COUNT(uint32);
    CHECK_COUNT(uint64);
    CHECK_SWAP(uint32);
    CHECK_SWAP(uint64);
    shmem_finalize();
    return 0;
}
