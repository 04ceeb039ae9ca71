/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting at the launcher's board. */
#include "bootstrap/board_internal.h"

#include <stdio.h>

#define LOOK_NS SHM_NS_PER_SECOND /* a sleeper looks up that often, though nothing is missed */
#define NAMED_MAX 16

enum shm_status shm_place_what_happened(const struct shm_place *place)
{
    uint64_t event = atomic_load(&place->board->event);
    uint64_t broken = atomic_load(&place->board->broken);
    int pe = (int)(shm_upper_half(event) & 0xffffff);

    if (event >> 56 == SHM_BOOTSTRAP_ABORT)
        return shm_fail(SHM_ABORTED, "PE %d asked the job to exit with status %d", pe,
                        (int)shm_lower_half(event));
    if (event != 0)
        return shm_fail(SHM_PEER_LOST, "PE %d failed", pe);
    if (place->session != 0 && shm_upper_half(broken) == place->session)
        return shm_fail(SHM_PEER_LOST, "PE %u failed: it gave the job up",
                        shm_lower_half(broken) - 1);
    if (place->session != 0 && shm_upper_half(atomic_load(&place->board->gate)) != place->session)
        return shm_fail(SHM_PEER_LOST, "PE 0 failed: it began anew");
    return SHM_OK;
}

/* PEs that have not come as far as this one. */
static enum shm_status name_missing(const struct shm_place *place)
{
    uint64_t own = (uint64_t)place->session << 32 | (place->round + 1);
    char names[NAMED_MAX * 7 + 1] = "";
    size_t used = 0;
    uint32_t missing = 0;

    for (uint32_t pe = 0; pe < place->n_pes; pe++) {
        if (atomic_load(&place->board->steps[pe]) < own && missing++ < NAMED_MAX)
            used += (size_t)snprintf(names + used, sizeof names - used, " %u", pe);
    }
    return shm_fail(SHM_TIMEOUT_ERROR, "the time limit passed: PE%s%s%s %s missing",
                    missing == 1 ? "" : "s", names, missing > NAMED_MAX ? " ..." : "",
                    missing == 1 ? "is" : "are");
}

static uint64_t time_to_sleep_ns(uint64_t deadline_ns)
{
    uint64_t now = shm_now_ns();

    if (deadline_ns == 0 || deadline_ns > now + LOOK_NS)
        return LOOK_NS;
    return deadline_ns > now ? deadline_ns - now : 1;
}

/* Waits until `is_done` says so, which it is asked before anything else is looked at. */
enum shm_status shm_place_wait_until(const struct shm_place *place,
                                     bool (*is_done)(const struct shm_place *place),
                                     uint64_t deadline_ns)
{
    for (;;) {
        uint32_t bell = atomic_load(&place->board->bell);
        enum shm_status status;

        if (is_done(place))
            return SHM_OK;
        status = shm_place_what_happened(place);
        if (status == SHM_OK && shm_deadline_passed(deadline_ns))
            status = name_missing(place);
        if (status != SHM_OK)
            return status;
        shm_futex_wait(&place->board->bell, bell, time_to_sleep_ns(deadline_ns));
    }
}

/* Adds one to a word of the session; gives the sum. */
enum shm_status shm_place_count_in(const struct shm_place *place, _Atomic uint64_t *word,
                                   uint32_t *out_sum)
{
    uint64_t seen = atomic_load(word);

    do {
        if (shm_upper_half(seen) != place->session)
            return shm_fail(SHM_PEER_LOST, "PE 0 failed: it began anew");
    } while (!atomic_compare_exchange_weak(word, &seen, seen + 1));
    *out_sum = shm_lower_half(seen) + 1;
    return SHM_OK;
}
