// SPDX-License-Identifier: BSD-3-Clause
// Host program for CANN SHMEM: every PE puts its numbers into the memory of all PEs.
//
//   c++ -std=c++17 allgather.cpp $(pkg-config --cflags --libs aclshmem) -o allgather
//   for pe in 0 1; do ./allgather 2 $pe tcp://127.0.0.1:8899 & done; wait
#include "job.hpp"

#include <vector>

static const int COUNT = 16; // numbers of a PE

// Returns how many of the numbers that arrived are wrong.
static int gather(int pe, int n_pes)
{
    size_t count = static_cast<size_t>(n_pes) * COUNT;
    auto *all = static_cast<int32_t *>(shmem_calloc(count, sizeof(int32_t)));
    std::vector<int32_t> mine(COUNT), arrived(count);
    int wrong = 0;

    for (int i = 0; i < COUNT; i++)
        mine[static_cast<size_t>(i)] = 1000 * pe + i;
    for (int other = 0; other < n_pes; other++)
        shmem_put_int32_mem(all + COUNT * pe, mine.data(), COUNT, other);
    aclrtSynchronizeStream(nullptr);
    aclshmem_barrier_all();
    aclrtMemcpy(arrived.data(), count * sizeof(int32_t), all, count * sizeof(int32_t),
                ACL_MEMCPY_DEVICE_TO_HOST);
    for (size_t i = 0; i < count; i++)
        wrong += arrived[i] != static_cast<int32_t>(1000 * (i / COUNT) + i % COUNT);
    std::printf("PE %d of %d: %zu numbers, last %d, %d wrong\n", pe, n_pes, count, arrived.back(),
                wrong);
    shmem_free(all);
    return wrong;
}

int main(int argc, char **argv)
{
    Job job = read_command_line("allgather", argc, argv);

    if (start("allgather", job, 1024 * 1024 * 4) != 0)
        return 1;
    int wrong = gather(job.pe, job.n_pes);
    return !end() || wrong > 0;
}
