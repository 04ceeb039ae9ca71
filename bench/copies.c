/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bandwidth of put and get as a share of memcpy's, which copies between the same two places: PE
 * 0 takes turns between both, so that a change in the machine's speed meets both alike. The others
 * wait. Prints "put_of_memcpy<TAB>bytes<TAB>share<TAB>times", the median of pairs, and the same of
 * get, up to 16 MiB. Needs shmem_ptr(). Argument: bytes of the first copies, a power of two
 * (default 64 KiB).
 */
#include "program.h"

#include <string.h>

#define PAIRS 41
#define AREA_BYTES ((size_t)32 << 20) /* gone through from one copy to the next */
#define TURN_BYTES ((size_t)16 << 20) /* copied in a turn */

/* Where one side copies from and the other to; theirs is the memory of PE `pe` at `symmetric`. */
struct copies {
    char *mine;
    char *symmetric;
    char *theirs;
    int pe;
    size_t bytes;
    size_t at; /* of the next copy in both */
};

typedef void copy_function(const struct copies *copies);

static void put(const struct copies *copies)
{
    shmem_putmem_nbi(copies->symmetric + copies->at, copies->mine + copies->at, copies->bytes,
                     copies->pe);
}

static void get(const struct copies *copies)
{
    shmem_getmem_nbi(copies->mine + copies->at, copies->symmetric + copies->at, copies->bytes,
                     copies->pe);
}

static void copy_out(const struct copies *copies)
{
    memcpy(copies->theirs + copies->at, copies->mine + copies->at, copies->bytes);
}

static void copy_in(const struct copies *copies)
{
    memcpy(copies->mine + copies->at, copies->theirs + copies->at, copies->bytes);
}

static double time_turn(struct copies *copies, copy_function *copy)
{
    double begin = now_s();

    for (size_t done = 0; done < TURN_BYTES; done += copies->bytes) {
        copy(copies);
        copies->at = (copies->at + copies->bytes) % AREA_BYTES;
    }
    shmem_quiet();
    return now_s() - begin;
}

static void compare(struct copies *copies, const char *name, copy_function *ours,
                    copy_function *theirs)
{
    double shares[PAIRS];

    copies->at = 0;
    for (int i = 0; i < PAIRS; i++) {
        /* who comes first changes, so that neither always finds what the other left in the cache */
        double first = time_turn(copies, i % 2 == 0 ? ours : theirs);
        double second = time_turn(copies, i % 2 == 0 ? theirs : ours);

        shares[i] = i % 2 == 0 ? second / first : first / second;
    }
    qsort(shares, PAIRS, sizeof *shares, compare_numbers);
    printf("%s\t%zu\t%.3f\ttimes\n", name, copies->bytes, shares[PAIRS / 2]);
}

int main(int argc, char **argv)
{
    struct copies copies = {0};
    size_t least;

    shmem_init();
    least = problem_size(argc, argv, (size_t)64 << 10);
    if (least == 0 || (least & (least - 1)) != 0) {
        fprintf(stderr, "bytes = %zu, expected a power of two\n", least);
        shmem_global_exit(1);
    }
    copies.symmetric = take(AREA_BYTES);
    copies.mine = take(AREA_BYTES);
    memset(copies.symmetric, 1, AREA_BYTES);
    memset(copies.mine, 2, AREA_BYTES);
    copies.pe = shmem_n_pes() - 1;
    copies.theirs = shmem_ptr(copies.symmetric, copies.pe);
    insist(copies.theirs != NULL, "the memory of the last PE is out of reach");
    shmem_barrier_all();
    for (copies.bytes = least; shmem_my_pe() == 0 && copies.bytes <= TURN_BYTES;
         copies.bytes *= 4) {
        compare(&copies, "put_of_memcpy", put, copy_out);
        compare(&copies, "get_of_memcpy", get, copy_in);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
