/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the PEs of a job get to one memory: they join the bootstrap, introduce themselves, check
 * that they agree, find out who is on their node, and the first PE of each node hands its memory
 * to the others. That a passed descriptor maps is the proof of being on one node; boot id and
 * name space only say whom to ask.
 */
#include "core_internal.h"

#include "agree.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory_limit.h"
#include "base/processors.h"
#include "base/random.h"
#include "transport/transport.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MEMORY_DOMAINS 256     /* instances that share one are placed elsewhere */
#define DEFAULT_HEAP_SHARE 0.9 /* of what memory a node has left: the program needs some itself */

/* What a PE tells all others once it is through with its memory, or why it is not. */
struct outcome {
    int32_t status;
    int32_t leader; /* PE whose memory it maps */
};

/* What it tells besides when some PE is not through. */
struct reason {
    char detail[240];
};

/* What the first PE of a node tells of its memory; 0 from the others. */
struct budget {
    uint64_t memory_available;
    uint32_t limiter;
    uint32_t reserved;
};

struct meeting {
    struct shm_start *start;
    struct shm_instance *instance;
    struct shm_heap_door door;
    struct shm_introduction *introductions; /* of all PEs */
    struct outcome *outcomes;               /* of all PEs */
    struct reason *reasons;                 /* of all PEs, when some PE failed; NULL otherwise */
    int *candidates;                        /* PEs that may be on this node, ascending */
    int candidate_count;
};

/* Equal for processes that run on one kernel, can reach each other's sockets and were not told
 * apart by SHMEM_NODE_ID. */
static uint64_t node_digest(const struct shm_instance *instance)
{
    const char *node_id = instance->options.node_id;
    uint64_t value = SHM_HASH_START;
    auto_fd int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    char boot_id[64];
    struct stat space;
    ssize_t bytes = fd < 0 ? 0 : read(fd, boot_id, sizeof boot_id);

    if (bytes > 0)
        value = shm_hash_add(value, boot_id, (size_t)bytes);
    if (stat("/proc/self/ns/net", &space) == 0)
        value = shm_hash_add(value, &space.st_ino, sizeof space.st_ino);
    if (node_id != NULL)
        value = shm_hash_add(value, node_id, strlen(node_id));
    return value;
}

/* A host heap is as large as the symmetric heap. */
static bool has_host_room(const struct meeting *meeting, uint64_t heap_bytes)
{
    const struct shm_start_request *request = meeting->start->request;
    struct shm_heap_layout layout;

    return request->wants_host_heap &&
           shm_heap_layout_make(SHM_CONTROL_BYTES, meeting->instance->static_data.bytes, heap_bytes,
                                request->n_pes, &layout) == SHM_OK &&
           shm_heap_layout_add_host(&layout, layout.heap_bytes, request->n_pes) &&
           shm_heap_has_room(&layout, request->n_pes);
}

/* To look it up takes a while: PE 0, which is the first of its node, does so before the others are
 * there, and the first ones of further nodes when they know that they are. */
static struct budget look_up_budget(void)
{
    struct budget budget = {0};
    enum shm_memory_limiter limiter;

    budget.memory_available = shm_memory_available(&limiter);
    budget.limiter = (uint32_t)limiter;
    return budget;
}

static void set_budget(struct shm_introduction *introduction, const struct budget *budget)
{
    introduction->memory_available = budget->memory_available;
    introduction->limiter = (uint8_t)budget->limiter;
}

static void introduce(struct meeting *meeting, struct shm_introduction *mine)
{
    const struct shm_start_request *request = meeting->start->request;
    struct shm_instance *instance = meeting->instance;

    *mine = (struct shm_introduction){
        .byte_order = SHM_INTRODUCTION_BYTE_ORDER,
        .abi = SHM_INTRODUCTION_ABI,
        .heap_bytes =
            request->heap_bytes != 0 ? request->heap_bytes : instance->options.symmetric_bytes,
        .static_bytes = instance->static_data.bytes,
        .static_digest = instance->static_data.digest,
        .node_digest = node_digest(instance),
        .has_own_heap_size = request->heap_bytes != 0 || shm_options_has_symmetric_size(),
        .is_overcommitted = instance->options.overcommit,
        .is_debugging = instance->options.debug,
        .waiting = (uint8_t)instance->options.waiting,
        .engines = instance->engines,
    };
    mine->has_host_room = has_host_room(meeting, mine->heap_bytes);
    if (request->my_pe == 0) {
        struct budget budget = look_up_budget();

        set_budget(mine, &budget);
        meeting->start->processor_quota = shm_processors_quota();
    }
    snprintf(mine->version, sizeof mine->version, "%s", SHM_VERSION_TEXT);
    memcpy(mine->door, meeting->door.name, sizeof mine->door);
}

static enum shm_status exchange_introductions(struct meeting *meeting)
{
    int n_pes = meeting->start->request->n_pes;
    struct shm_introduction mine;
    enum shm_status status = shm_heap_door_open(&meeting->door);

    if (status != SHM_OK)
        return status;
    introduce(meeting, &mine);
    status = shm_random_fill(&mine.secret, sizeof mine.secret);
    if (status != SHM_OK)
        return status;
    /* not cleared, which would touch each page twice: the exchanges fill them */
    meeting->introductions = malloc((size_t)n_pes * sizeof *meeting->introductions);
    meeting->outcomes = malloc((size_t)n_pes * sizeof *meeting->outcomes);
    meeting->candidates = malloc((size_t)n_pes * sizeof *meeting->candidates);
    if (meeting->introductions == NULL || meeting->outcomes == NULL || meeting->candidates == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for a table of %d PEs", n_pes);
    status = shm_bootstrap_allgather(meeting->instance->bootstrap, &mine, sizeof mine,
                                     meeting->introductions, meeting->start->deadline_ns);
    if (status != SHM_OK)
        return status;
    status = shm_agree_on_program(meeting->introductions, n_pes);
    meeting->start->is_failure_shared = status != SHM_OK;
    meeting->start->secret = meeting->introductions[0].secret;
    return status;
}

static void find_candidates(struct meeting *meeting)
{
    const struct shm_start_request *request = meeting->start->request;
    uint64_t mine = meeting->introductions[request->my_pe].node_digest;

    for (int pe = 0; pe < request->n_pes; pe++) {
        if (meeting->introductions[pe].node_digest == mine)
            meeting->candidates[meeting->candidate_count++] = pe;
    }
}

static bool is_one_node(const struct meeting *meeting)
{
    int n_pes = meeting->start->request->n_pes;

    for (int pe = 1; pe < n_pes; pe++) {
        if (meeting->introductions[pe].node_digest != meeting->introductions[0].node_digest)
            return false;
    }
    return true;
}

/* The first PE of each node tells how much memory that has left. */
static enum shm_status exchange_budgets(struct meeting *meeting)
{
    const struct shm_start_request *request = meeting->start->request;
    auto_free struct budget *budgets = NULL;
    struct budget mine = {0};
    enum shm_status status;

    if (is_one_node(meeting))
        return SHM_OK; /* PE 0 has told it */
    budgets = calloc((size_t)request->n_pes, sizeof *budgets);
    if (budgets == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for a table of %d PEs", request->n_pes);
    if (meeting->candidates[0] == request->my_pe)
        mine = look_up_budget();
    status = shm_bootstrap_allgather(meeting->instance->bootstrap, &mine, sizeof mine, budgets,
                                     meeting->start->deadline_ns);
    for (int pe = 0; pe < request->n_pes && status == SHM_OK; pe++)
        set_budget(&meeting->introductions[pe], &budgets[pe]);
    return status;
}

static enum shm_status choose_layout(struct meeting *meeting, struct shm_heap_layout *out_layout)
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
    struct meeting *meeting = argument;
    struct shm_bootstrap_event event = {.kind = SHM_BOOTSTRAP_NOTHING};
    enum shm_status status = shm_bootstrap_poll(meeting->instance->bootstrap, &event);

    if (status == SHM_OK && event.kind == SHM_BOOTSTRAP_PE_FAILED)
        return shm_fail(SHM_PEER_LOST, "PE %d failed during init", event.pe);
    if (status == SHM_OK && event.kind == SHM_BOOTSTRAP_ABORT)
        return shm_fail(SHM_ABORTED, "PE %d asked the job to exit with status %d", event.pe,
                        event.status);
    return status;
}

static enum shm_status lead(struct meeting *meeting)
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
static enum shm_status get_memory(struct meeting *meeting, struct outcome *mine)
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
static void step_aside(struct meeting *meeting, enum shm_status status, const char *detail)
{
    const struct shm_start_request *request = meeting->start->request;
    int leader = meeting->candidates[0];

    if (leader == request->my_pe)
        shm_heap_door_close(&meeting->door);
    else
        shm_heap_decline(request->my_pe, meeting->introductions[leader].door,
                         meeting->start->secret, meeting->start->deadline_ns, status, detail);
}

static enum shm_status fail_as(struct meeting *meeting, int pe)
{
    struct reason *reason = &meeting->reasons[pe];

    reason->detail[sizeof reason->detail - 1] = '\0';
    return shm_fail((enum shm_status)meeting->outcomes[pe].status, "PE %d: %s", pe, reason->detail);
}

/* A shut door is not the reason: the leader's is. */
static bool is_leaders_failure(const struct meeting *meeting, enum shm_status own)
{
    int leader = meeting->candidates[0];

    return (own == SHM_NOT_FOUND || own == SHM_CLOSED) &&
           leader != meeting->start->request->my_pe && meeting->outcomes[leader].status != SHM_OK;
}

/* The first PE that failed, -1 = none did. */
static int first_failed(const struct meeting *meeting)
{
    for (int pe = 0; pe < meeting->start->request->n_pes; pe++) {
        if (meeting->outcomes[pe].status != SHM_OK)
            return pe;
    }
    return -1;
}

/* Reasons are long, and seldom there. */
static enum shm_status exchange_reasons(struct meeting *meeting, const struct reason *mine)
{
    meeting->reasons = calloc((size_t)meeting->start->request->n_pes, sizeof *meeting->reasons);
    if (meeting->reasons == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for a table of %d PEs",
                        meeting->start->request->n_pes);
    return shm_bootstrap_allgather(meeting->instance->bootstrap, mine, sizeof *mine,
                                   meeting->reasons, meeting->start->deadline_ns);
}

/* Everybody hears how everybody fared, so that all go on or all give up. */
static enum shm_status exchange_outcomes(struct meeting *meeting)
{
    struct outcome mine = {0};
    struct reason reason = {""};
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

static enum shm_status map_node(struct meeting *meeting)
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

static enum shm_status check_reach(const struct meeting *meeting)
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

/* Whoever forks looks at it. */
static void find_static_data(struct shm_instance *instance)
{
    struct shm_static_data found;

    shm_static_data_find(&found);
    pthread_mutex_lock(&shm_process.fork_lock);
    instance->static_data = found;
    pthread_mutex_unlock(&shm_process.fork_lock);
}

enum shm_status shm_meet(struct shm_start *start)
{
    struct meeting meeting = {
        .start = start, .instance = start->instance, .door = {.listen_fd = -1}};
    enum shm_status status;

    if (start->instance->options.static_data && start->request->instance_id == 0)
        find_static_data(start->instance);
    status = join(start);
    if (status == SHM_OK)
        status = exchange_introductions(&meeting);
    if (status == SHM_OK) {
        find_candidates(&meeting);
        status = exchange_budgets(&meeting);
    }
    if (status == SHM_OK)
        status = exchange_outcomes(&meeting);
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
