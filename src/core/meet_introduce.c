/* SPDX-License-Identifier: BSD-3-Clause */
#include "meet_internal.h"

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/memory_limit.h"
#include "base/processors.h"
#include "base/random.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the first PE of a node tells of its memory; 0 from the others. */
struct budget {
    uint64_t memory_available;
    uint32_t limiter;
    uint32_t reserved;
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
static bool has_host_room(const struct shm_meet *meeting, uint64_t heap_bytes)
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

static void introduce(struct shm_meet *meeting, struct shm_introduction *mine)
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

enum shm_status shm_meet_exchange_introductions(struct shm_meet *meeting)
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

static bool is_one_node(const struct shm_meet *meeting)
{
    int n_pes = meeting->start->request->n_pes;

    for (int pe = 1; pe < n_pes; pe++) {
        if (meeting->introductions[pe].node_digest != meeting->introductions[0].node_digest)
            return false;
    }
    return true;
}

enum shm_status shm_meet_exchange_budgets(struct shm_meet *meeting)
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
