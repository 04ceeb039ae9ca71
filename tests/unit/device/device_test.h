/* SPDX-License-Identifier: BSD-3-Clause */
/** What the tests of streams and events share: a task that waits until the test lets it go on. */
#ifndef TESTS_UNIT_DEVICE_TEST_H
#define TESTS_UNIT_DEVICE_TEST_H

#include "base/clock.h"
#include "device/device.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <semaphore.h>
#include <stdbool.h>
#include <string.h>

#define LATE_NS (shm_now_ns() + 30 * SHM_NS_PER_SECOND) /* a hang, not a slow machine */
#define SOON_NS (shm_now_ns() + 20 * SHM_NS_PER_MS)

/* What a task writes down. */
struct note {
    int *list;
    int *count; /* of the list; only tasks of one stream at a time change it */
    int value;
};

static inline void run_note(void *payload)
{
    const struct note *note = payload;

    note->list[(*note->count)++] = note->value;
}

static inline void run_gate(void *payload)
{
    sem_wait(*(sem_t **)payload);
}

static inline enum shm_status add_note(void *stream, int *list, int *count, int value)
{
    struct note note = {list, count, value};

    return shm_stream_add(stream, &(struct shm_task_request){.run = run_note,
                                                             .payload = &note,
                                                             .payload_bytes = sizeof note,
                                                             .name = "a note"});
}

/* The stream goes no further until sem_post(gate). */
static inline enum shm_status add_gate(void *stream, sem_t *gate, const void *owner)
{
    return shm_stream_add(stream, &(struct shm_task_request){.run = run_gate,
                                                             .payload = &gate,
                                                             .payload_bytes = sizeof gate,
                                                             .name = "a gate",
                                                             .owner = owner});
}

static inline void expect_detail(const char *part)
{
    if (strstr(shm_error_detail(), part) == NULL)
        fail_msg("'%s' is not in '%s'", part, shm_error_detail());
}

#endif
