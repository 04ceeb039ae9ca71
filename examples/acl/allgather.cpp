// SPDX-License-Identifier: BSD-3-Clause
// Host program for CANN SHMEM: every PE puts its numbers into the memory of all PEs.
//
//   c++ -std=c++17 allgather.cpp $(pkg-config --cflags --libs aclshmem) -o allgather
//   for pe in 0 1; do ./allgather 2 $pe tcp://127.0.0.1:8899 & done; wait
#include "job.hpp"

static const int COUNT = 16; // numbers of a PE

// Returns how many of the numbers that arrived are wrong.
static int gather(int pe, int n_pes)
{
    auto *all = static_cast<int32_t *>(shmem_calloc(static_cast<size_t>(n_pes) * COUNT, 4));
    int32_t mine[COUNT];
    int wrong = 0;

    if (all == nullptr)
        return COUNT;
    for (int i = 0; i < COUNT; i++)
        mine[i] = 1000 * pe + i;
    for (int other = 0; other < n_pes; other++)
        shmem_put_int32_mem(all + COUNT * pe, mine, COUNT, other);
    aclshmem_barrier_all();
    for (int i = 0; i < n_pes * COUNT; i++)
        wrong += all[i] != 1000 * (i / COUNT) + i % COUNT;
    std::printf("PE %d of %d: %d numbers, last %d, %d wrong\n", pe, n_pes, n_pes * COUNT,
                all[n_pes * COUNT - 1], wrong);
    shmem_free(all);
    return wrong;
}

int main(int argc, char **argv)
{
    Job job = read_command_line("allgather", argc, argv);
    int status = start(job, 1024 * 1024);

    if (status != ACLSHMEM_SUCCESS) {
        std::fprintf(stderr, "allgather: PE %d cannot start: %d\n", job.pe, status);
        return 1;
    }
    int wrong = gather(job.pe, job.n_pes);
    return shmem_finalize() != ACLSHMEM_SUCCESS || wrong > 0;
}
