/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the PEs of a job get to one memory: they join the bootstrap, introduce themselves, check
 * that they agree, find out who is on their node, and the first PE of each node hands its memory
 * to the others. That a passed descriptor maps is the proof of being on one node; boot id and
 * name space only say whom to ask.
 */
#include "meet_internal.h"

#include "base/cleanup.h"
#include "transport/transport.h"

#include <string.h>

/* Whoever forks looks at it. */
static void find_static_data(struct shm_instance *instance)
{
    struct shm_static_data found;

    shm_static_data_find(&found);
    pthread_mutex_lock(&shm_process.fork_lock);
    instance->static_data = found;
    pthread_mutex_unlock(&shm_process.fork_lock);
}

/* Where all PEs of the launcher meet; SHM_NOT_SUPPORTED when some cannot come there. */
static enum shm_status join_at_board(struct shm_start *start, struct shm_bootstrap_request *joining)
{
    enum shm_status status;

    if (!start->request->is_launchers_job || shm_process.lifeline_fd < 0)
        return SHM_NOT_SUPPORTED;
    joining->board_fd = shm_process.board_fd;
    status = shm_bootstrap_open(SHM_BOOTSTRAP_BOARD, joining, &start->instance->bootstrap);
    if (status == SHM_OK)
        shm_cleanup_fd(&start->listen_fd);
    if (status == SHM_OK)
        start->listen_fd = -1;
    return status;
}

static enum shm_status join(struct shm_start *start)
{
    const struct shm_start_request *request = start->request;
    struct shm_bootstrap_request joining = {.bytes = sizeof joining,
                                            .my_pe = request->my_pe,
                                            .n_pes = request->n_pes,
                                            .address = request->address,
                                            .listen_fd = -1,
                                            .job_id = request->job_id,
                                            .deadline_ns = start->deadline_ns,
                                            .tls = request->tls,
                                            .communicator = request->communicator};
    enum shm_status status = join_at_board(start, &joining);

    if (status != SHM_NOT_SUPPORTED)
        return status;
    joining.listen_fd = take_fd(&start->listen_fd);
    return shm_bootstrap_open(request->kind, &joining, &start->instance->bootstrap);
}

static void find_candidates(struct shm_meet *meeting)
{
    const struct shm_start_request *request = meeting->start->request;
    uint64_t mine = meeting->introductions[request->my_pe].node_digest;

    for (int pe = 0; pe < request->n_pes; pe++) {
        if (meeting->introductions[pe].node_digest == mine)
            meeting->candidates[meeting->candidate_count++] = pe;
    }
}

static enum shm_status map_node(struct shm_meet *meeting)
{
    struct shm_instance *instance = meeting->instance;
    int n_pes = meeting->start->request->n_pes;
    enum shm_status status = SHM_OK;

    instance->topology = calloc((size_t)n_pes, 1);
    instance->node_pes = take_pointer(&meeting->candidates);
    instance->node_count = meeting->candidate_count;
    if (instance->topology == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for a table of %d PEs", n_pes);
    for (int i = 0, run; status == SHM_OK && i < instance->node_count; i += run) {
        int first = instance->node_pes[i];

        for (run = 1; i + run < instance->node_count; run++) {
            if (instance->node_pes[i + run] != first + run)
                break;
        }
        status = shm_heap_map(&instance->heap, first, (uint32_t)i, (uint32_t)run);
        if (status == SHM_OK)
            memset(instance->topology + first, SHM_ENGINE_MTE | SHM_ENGINE_SDMA, (size_t)run);
    }
    return status;
}

static enum shm_status check_reach(const struct shm_meet *meeting)
{
    const struct shm_instance *instance = meeting->instance;
    int n_pes = meeting->start->request->n_pes;

    for (int pe = 0; pe < n_pes; pe++) {
        if (instance->topology[pe] == 0)
            return shm_fail(SHM_NOT_SUPPORTED,
                            "PE %d shares no memory with PE %d (another machine, network name "
                            "space or SHMEM_NODE_ID), and no engine of this build reaches it",
                            pe, meeting->start->request->my_pe);
    }
    return SHM_OK;
}

enum shm_status shm_meet(struct shm_start *start)
{
    struct shm_meet meeting = {
        .start = start, .instance = start->instance, .door = {.listen_fd = -1}};
    enum shm_status status;

    if (start->instance->options.static_data && start->request->instance_id == 0)
        find_static_data(start->instance);
    status = join(start);
    if (status == SHM_OK)
        status = shm_meet_exchange_introductions(&meeting);
    if (status == SHM_OK) {
        find_candidates(&meeting);
        status = shm_meet_exchange_budgets(&meeting);
    }
    if (status == SHM_OK)
        status = shm_meet_exchange_outcomes(&meeting);
    if (status == SHM_OK)
        status = map_node(&meeting);
    if (status == SHM_OK) {
        status = check_reach(&meeting); /* who does not reach somebody is not reached by him */
        start->is_failure_shared = status != SHM_OK;
    }
    shm_heap_door_close(&meeting.door);
    free(meeting.introductions);
    free(meeting.outcomes);
    free(meeting.reasons);
    free(meeting.candidates);
    return status;
}
