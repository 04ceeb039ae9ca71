/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/clock.h"
#include "sync/sync.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void shm_activity_set(struct shm_instance *instance, enum shm_activity_state state)
{
    struct shm_activity *activity = &instance->control->activity;

    atomic_store_explicit(&activity->since_ns, shm_now_ns(), memory_order_relaxed);
    atomic_store_explicit(&activity->state, (uint32_t)state, memory_order_release);
}

__attribute__((format(printf, 3, 4))) static void append(char *text, size_t bytes,
                                                         const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + used, bytes - used, format, arguments);
    va_end(arguments);
}

void shm_pe_list(char *text, size_t bytes, int n_pes, bool (*has)(const void *argument, int pe),
                 const void *argument)
{
    const char *separator = "";
    int members = 0;

    for (int pe = 0; pe < n_pes && members < 2; pe++)
        members += has(argument, pe);
    if (members != 0)
        append(text, bytes, members == 1 ? "PE " : "PEs ");
    for (int pe = 0; pe < n_pes; pe++) {
        int first = pe;

        if (!has(argument, pe))
            continue;
        while (pe + 1 < n_pes && has(argument, pe + 1))
            pe++;
        append(text, bytes, pe == first ? "%s%d" : "%s%d-%d", separator, first, pe);
        separator = ", ";
    }
}

/* A copy of a record, with a text that is sure to end. */
struct snapshot {
    uint32_t state;
    uint64_t sequence;
    char operation[SHM_ACTIVITY_NAME_BYTES];
};

static void take_snapshot(const struct shm_instance *instance, int pe, struct snapshot *out)
{
    const struct shm_activity *activity = &shm_instance_control(instance, pe)->activity;

    *out = (struct snapshot){.state = atomic_load_explicit(&activity->state, memory_order_acquire)};
    if (out->state != SHM_ACTIVITY_WAITING)
        return;
    out->sequence = atomic_load_explicit(&activity->sequence, memory_order_relaxed);
    for (size_t i = 0; i < sizeof out->operation - 1; i++)
        out->operation[i] = __atomic_load_n(&activity->operation[i], __ATOMIC_RELAXED);
}

struct group {
    const struct shm_instance *instance;
    struct snapshot snapshot;
};

static bool does_the_same(const void *argument, int pe)
{
    const struct group *group = argument;
    struct snapshot other;

    take_snapshot(group->instance, pe, &other);
    return other.state == group->snapshot.state && other.sequence == group->snapshot.sequence &&
           strcmp(other.operation, group->snapshot.operation) == 0;
}

static void append_what(char *text, size_t bytes, const struct snapshot *snapshot)
{
    static const char *const states[] = {"in init", "in the program's own code", "waiting in",
                                         "in finalize", "finished"};

    append(text, bytes, " %s", states[snapshot->state % (sizeof states / sizeof *states)]);
    if (snapshot->state != SHM_ACTIVITY_WAITING)
        return;
    append(text, bytes, " %s", snapshot->operation);
    if (snapshot->sequence != 0)
        append(text, bytes, " (number %llu)", (unsigned long long)snapshot->sequence);
}

void shm_activity_report(const struct shm_instance *instance, char *text, size_t bytes)
{
    int n_pes = instance->reach.n_pes;

    text[0] = '\0';
    for (int pe = 0; pe < n_pes; pe++) {
        struct group group = {.instance = instance};
        bool is_told = false;

        take_snapshot(instance, pe, &group.snapshot);
        for (int before = 0; before < pe && !is_told; before++)
            is_told = does_the_same(&group, before);
        if (is_told)
            continue;
        append(text, bytes, "%s", pe == 0 ? "" : "; ");
        shm_pe_list(text, bytes, n_pes, does_the_same, &group);
        append_what(text, bytes, &group.snapshot);
    }
}
