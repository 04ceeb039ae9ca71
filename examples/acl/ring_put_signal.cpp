// SPDX-License-Identifier: BSD-3-Clause
// Host program for CANN SHMEM: a sum travels round the ring of PEs. Each PE waits for the signal
// that comes with it, adds its own number, and puts the sum and a signal into the next PE.
//
//   c++ -std=c++17 ring_put_signal.cpp $(pkg-config --cflags --libs aclshmem) -o ring_put_signal
//   for pe in 0 1; do ./ring_put_signal 2 $pe tcp://127.0.0.1:8899 & done; wait
#include "job.hpp"

static const int ROUNDS = 10;

struct Station {
    int64_t *sum;    // in symmetric memory
    int32_t *signal; // the round in which the sum has arrived
    aclrtStream stream;
};

static void pass_on(const Station &station, int64_t sum, int round, int pe)
{
    shmem_put_int64_mem_signal(station.sum, &sum, 1, reinterpret_cast<uint8_t *>(station.signal),
                               round, ACLSHMEM_SIGNAL_SET, pe);
}

// Waits in the stream, as a kernel's host does, and fetches the sum from the device.
static int64_t receive(const Station &station, int round)
{
    int64_t sum = 0;

    shmem_signal_wait_until_on_stream(station.signal, ACLSHMEM_CMP_EQ, round, station.stream);
    aclrtMemcpyAsync(&sum, sizeof sum, station.sum, sizeof sum, ACL_MEMCPY_DEVICE_TO_HOST,
                     station.stream);
    aclrtSynchronizeStream(station.stream);
    return sum;
}

// The sum after all rounds, on PE 0.
static int64_t go_round(const Station &station, int pe, int n_pes)
{
    int next = (pe + 1) % n_pes;
    int64_t sum = 0;

    for (int round = 1; round <= ROUNDS; round++) {
        if (pe == 0)
            pass_on(station, sum, round, next);
        sum = receive(station, round);
        if (pe > 0)
            pass_on(station, sum + pe, round, next);
    }
    return sum;
}

int main(int argc, char **argv)
{
    Job job = read_command_line("ring_put_signal", argc, argv);

    if (start("ring_put_signal", job, 1024 * 1024) != 0)
        return 1;
    Station station = {static_cast<int64_t *>(shmem_calloc(1, sizeof(int64_t))),
                       static_cast<int32_t *>(shmem_calloc(1, sizeof(int32_t))), nullptr};
    if (aclrtCreateStream(&station.stream) != ACL_SUCCESS)
        return 1;
    int64_t sum = go_round(station, job.pe, job.n_pes);

    if (job.pe == 0)
        std::printf("%d PEs, %d rounds, sum %lld\n", job.n_pes, ROUNDS,
                    static_cast<long long>(sum));
    aclrtDestroyStream(station.stream);
    shmem_free(station.signal);
    shmem_free(station.sum);
    return !end();
}
