/* SPDX-License-Identifier: BSD-3-Clause */
/** Pauses that grow, with jitter: many who failed at once do not come again at once. */
#ifndef SHM_BASE_BACKOFF_H
#define SHM_BASE_BACKOFF_H

#include "base/clock.h"
#include "base/random.h"

struct shm_backoff {
    uint64_t ms; /* of the next pause, at most */
    uint64_t most_ms;
};

/** Gives half of the pause to all of it. */
SHM_MUST_CHECK static inline enum shm_status shm_backoff_draw(const struct shm_backoff *backoff,
                                                              uint64_t *out_ns)
{
    uint64_t half_ns = backoff->ms * SHM_NS_PER_MS / 2;
    uint32_t random = 0;
    enum shm_status status = shm_random_fill(&random, sizeof random);

    *out_ns = half_ns + random % (half_ns + 1);
    return status;
}

/** Sleeps until `end_ns`, but not past the deadline. */
static inline void shm_sleep_until(uint64_t end_ns, uint64_t deadline_ns)
{
    uint64_t first_ns = shm_deadline_min(end_ns, deadline_ns);
    struct timespec end = {.tv_sec = (time_t)(first_ns / SHM_NS_PER_SECOND),
                           .tv_nsec = (long)(first_ns % SHM_NS_PER_SECOND)};

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR)
        continue;
}

/** Sleeps, but not past the deadline; the next pause is longer. */
SHM_MUST_CHECK static inline enum shm_status shm_backoff_sleep(struct shm_backoff *backoff,
                                                               uint64_t deadline_ns)
{
    uint64_t pause_ns;
    enum shm_status status = shm_backoff_draw(backoff, &pause_ns);

    if (status != SHM_OK)
        return status;
    shm_sleep_until(shm_now_ns() + pause_ns, deadline_ns);
    backoff->ms = 2 * backoff->ms < backoff->most_ms ? 2 * backoff->ms : backoff->most_ms;
    return SHM_OK;
}

#endif
