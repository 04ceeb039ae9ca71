/* SPDX-License-Identifier: BSD-3-Clause */
#include "meet_internal.h"

#include "base/log.h"
#include "transport/transport.h"

#include <stdio.h>
#include <stdlib.h>

#define MEMORY_DOMAINS 256     /* instances that share one are placed elsewhere */
#define DEFAULT_HEAP_SHARE 0.9 /* of what memory a node has left: the program needs some itself */

static enum shm_status choose_layout(struct shm_meet *meeting, struct shm_heap_layout *out_layout)
{
    const struct shm_start_request *request = meeting->start->request;
    uint64_t heap_bytes = 0;
    enum shm_status status =
        shm_agree_on_heap(meeting->introductions, request->n_pes, DEFAULT_HEAP_SHARE, &heap_bytes);

    if (status != SHM_OK)
        return status;
    meeting->instance->options.waiting = (int)meeting->introductions[0].waiting;
    for (int pe = 0; pe < request->n_pes; pe++) {
        meeting->instance->options.debug |= meeting->introductions[pe].is_debugging != 0;
        meeting->start->is_kernel_copy_asked |=
            (meeting->introductions[pe].engines & SHM_ENGINE_UDMA) != 0;
    }
    status = shm_heap_layout_make(SHM_CONTROL_BYTES, meeting->instance->static_data.bytes,
                                  heap_bytes, request->n_pes, out_layout);
    if (status == SHM_OK && shm_agree_on_host(meeting->introductions, request->n_pes) &&
        !shm_heap_layout_add_host(out_layout, out_layout->heap_bytes, request->n_pes))
        shm_log(SHM_LOG_INFO, "init", "no addresses for host heaps");
    return status;
}

static enum shm_status check_members(void *argument)
{
    struct shm_meet *meeting = argument;
    struct shm_bootstrap_event event = {.kind = SHM_BOOTSTRAP_NOTHING};
    enum shm_status status = shm_bootstrap_poll(meeting->instance->bootstrap, &event);

    if (status == SHM_OK && event.kind == SHM_BOOTSTRAP_PE_FAILED)
        return shm_fail(SHM_PEER_LOST, "PE %d failed during init", event.pe);
    if (status == SHM_OK && event.kind == SHM_BOOTSTRAP_ABORT)
        return shm_fail(SHM_ABORTED, "PE %d asked the job to exit with status %d", event.pe,
                        event.status);
    return status;
}

static enum shm_status lead(struct shm_meet *meeting)
{
    struct shm_instance *instance = meeting->instance;
    enum shm_status status = shm_heap_create(&instance->heap, (uint32_t)meeting->candidate_count,
                                             (enum shm_huge_pages)instance->options.huge_pages);

    if (status != SHM_OK)
        return status;
    return shm_heap_export(&instance->heap, &meeting->door, meeting->start->secret,
                           meeting->candidates + 1, meeting->candidate_count - 1,
                           meeting->start->deadline_ns, check_members, meeting);
}

/* Leads or follows; tells in `mine` whose memory it is. */
static enum shm_status get_memory(struct shm_meet *meeting, struct shm_outcome *mine)
{
    const struct shm_start_request *request = meeting->start->request;
    struct shm_instance *instance = meeting->instance;
    struct shm_heap_layout layout;
    enum shm_status status = choose_layout(meeting, &layout);

    if (status == SHM_OK)
        status = shm_heap_reserve(&instance->heap, &layout, request->my_pe, request->n_pes,
                                  (uint32_t)(request->instance_id % MEMORY_DOMAINS));
    mine->leader = meeting->candidates[0];
    if (status != SHM_OK)
        return status;
    if (mine->leader == request->my_pe)
        return lead(meeting);
    return shm_heap_import(&instance->heap, meeting->introductions[mine->leader].door,
                           meeting->start->secret, meeting->start->deadline_ns);
}

/* Nobody on the node may wait for a PE that has given up: a leader shuts its door, a member tells
 * the leader. */
static void step_aside(struct shm_meet *meeting, enum shm_status status, const char *detail)
{
    const struct shm_start_request *request = meeting->start->request;
    int leader = meeting->candidates[0];

    if (leader == request->my_pe)
        shm_heap_door_close(&meeting->door);
    else
        shm_heap_decline(request->my_pe, meeting->introductions[leader].door,
                         meeting->start->secret, meeting->start->deadline_ns, status, detail);
}

static enum shm_status fail_as(struct shm_meet *meeting, int pe)
{
    struct shm_reason *reason = &meeting->reasons[pe];

    reason->detail[sizeof reason->detail - 1] = '\0';
    return shm_fail((enum shm_status)meeting->outcomes[pe].status, "PE %d: %s", pe, reason->detail);
}

/* A shut door is not the reason: the leader's is. */
static bool is_leaders_failure(const struct shm_meet *meeting, enum shm_status own)
{
    int leader = meeting->candidates[0];

    return (own == SHM_NOT_FOUND || own == SHM_CLOSED) &&
           leader != meeting->start->request->my_pe && meeting->outcomes[leader].status != SHM_OK;
}

/* The first PE that failed, -1 = none did. */
static int first_failed(const struct shm_meet *meeting)
{
    for (int pe = 0; pe < meeting->start->request->n_pes; pe++) {
        if (meeting->outcomes[pe].status != SHM_OK)
            return pe;
    }
    return -1;
}

/* Reasons are long, and seldom there. */
static enum shm_status exchange_reasons(struct shm_meet *meeting, const struct shm_reason *mine)
{
    meeting->reasons = calloc((size_t)meeting->start->request->n_pes, sizeof *meeting->reasons);
    if (meeting->reasons == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for a table of %d PEs",
                        meeting->start->request->n_pes);
    return shm_bootstrap_allgather(meeting->instance->bootstrap, mine, sizeof *mine,
                                   meeting->reasons, meeting->start->deadline_ns);
}

enum shm_status shm_meet_exchange_outcomes(struct shm_meet *meeting)
{
    struct shm_outcome mine = {0};
    struct shm_reason reason = {""};
    enum shm_status own = get_memory(meeting, &mine);
    enum shm_status status;

    mine.status = (int32_t)own;
    if (own != SHM_OK) {
        snprintf(reason.detail, sizeof reason.detail, "%s", shm_error_detail());
        step_aside(meeting, own, reason.detail);
    }
    status = shm_bootstrap_allgather(meeting->instance->bootstrap, &mine, sizeof mine,
                                     meeting->outcomes, meeting->start->deadline_ns);
    if (status == SHM_OK && first_failed(meeting) < 0)
        return SHM_OK;
    if (status == SHM_OK)
        status = exchange_reasons(meeting, &reason);
    if (status != SHM_OK && own == SHM_OK)
        return status;
    meeting->start->is_failure_shared = status == SHM_OK;
    if (status == SHM_OK && is_leaders_failure(meeting, own))
        return fail_as(meeting, meeting->candidates[0]);
    if (own != SHM_OK)
        return shm_fail(own, "%s", reason.detail);
    return fail_as(meeting, first_failed(meeting));
}
