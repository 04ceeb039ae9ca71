/* SPDX-License-Identifier: BSD-3-Clause */
#include "team_internal.h"

#include "base/cleanup.h"

#include <stdlib.h>

static const long all_options = SHM_CONTEXT_PRIVATE | SHM_CONTEXT_SERIALIZED | SHM_CONTEXT_NOSTORE;

static struct shm_context *allocate(const struct shm_team *team, long options)
{
    struct shm_context *context = malloc(sizeof *context);

    if (context == NULL)
        return NULL;
    *context = (struct shm_context){.instance = team->instance,
                                    .start = team->group->start,
                                    .stride = team->group->stride,
                                    .size = team->group->size,
                                    .team = team->handled.handle,
                                    .options = options,
                                    .owner = pthread_self()};
    return context;
}

enum shm_status shm_context_create(struct shm_team *team, long options,
                                   struct shm_context **out_context)
{
    auto_free struct shm_context *context = NULL;
    enum shm_status status;

    if ((options & ~all_options) != 0)
        return shm_fail(SHM_INVALID_VALUE,
                        "options = %#lx, expected private (%d), serialized (%d), nostore (%d) or a "
                        "combination of them",
                        (unsigned long)options, SHM_CONTEXT_PRIVATE, SHM_CONTEXT_SERIALIZED,
                        SHM_CONTEXT_NOSTORE);
    context = allocate(team, options);
    if (context == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for a context (%zu bytes)", sizeof *context);
    status = shm_handle_table_add(&team->instance->teams->contexts, &context->handled);
    if (status == SHM_OK)
        *out_context = take_pointer(&context);
    return status;
}

void shm_context_destroy(struct shm_context *context)
{
    shm_quiet(context->instance);
    shm_handle_table_remove(&context->instance->teams->contexts, &context->handled);
    free(context);
}

static bool is_of_team(const struct shm_handled *object, const void *argument)
{
    const struct shm_context *context = (const struct shm_context *)object;
    const struct shm_team *team = argument;

    return context->team == team->handled.handle;
}

void shm_contexts_destroy_of(const struct shm_team *team)
{
    shm_handle_table_remove_if(&team->instance->teams->contexts, is_of_team, team,
                               shm_handled_free);
}
