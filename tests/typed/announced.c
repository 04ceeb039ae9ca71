/* SPDX-License-Identifier: BSD-3-Clause */
/* Data that takes a while to copy is there, to the last element, when its signal is. */
#include "check.h"

#include <stdint.h>

enum { ROUNDS = 40, ELEMENTS = 1 << 15 };

typedef void send_function(uint64_t *dest, const uint64_t *source, size_t nelems,
                           uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);

static uint64_t sent[ELEMENTS];
static uint64_t received[ELEMENTS];
static uint64_t signals;

/* From the end to the beginning, as the copy may not have come that far. */
static void check_received(uint64_t expected)
{
    for (size_t i = ELEMENTS; i-- > 0;)
        CHECK(received[i] == expected, "element %zu is %llu in round %llu", i,
              (unsigned long long)received[i], (unsigned long long)expected);
}

static void send_rounds(send_function *send)
{
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    uint64_t first = signals;

    for (uint64_t round = first + 1; round <= first + ROUNDS; round++) {
        for (size_t i = 0; i < ELEMENTS; i++)
            sent[i] = round;
        shmem_barrier_all(); /* all have looked at what came before */
        send(received, sent, ELEMENTS, &signals, 1, SHMEM_SIGNAL_ADD, next);
        CHECK(shmem_signal_wait_until(&signals, SHMEM_CMP_GE, round) == round, "%llu signals",
              (unsigned long long)signals);
        check_received(round);
    }
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    send_rounds(shmem_uint64_put_signal);
    send_rounds(shmem_uint64_put_signal_nbi);
    shmem_finalize();
    return 0;
}
