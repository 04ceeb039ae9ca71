/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations in streams. Arguments are checked, and addresses translated, when the program calls;
 * the stream does the rest when it comes to it, on the instance that was current then. Finalize
 * waits for that, so the instance outlives its tasks.
 */
#include "base/futex.h"
#include "device/device.h"
#include "face.h"

/* Under the lock of the queue, which finalize takes after it has begun: it meets the task there, or
 * the task is refused here. */
static enum shm_status check_open(const void *owner)
{
    const struct shm_instance *instance = owner;

    if (atomic_load(&instance->is_ending))
        return shm_fail(SHM_NOT_INITED, "instance %llu is in finalize",
                        (unsigned long long)instance->context.id);
    return SHM_OK;
}

static void add(struct shm_instance *instance, const char *call, void *stream,
                const struct shm_task_request *request)
{
    struct shm_task_request task = *request;
    enum shm_status status;

    if (!instance->has_threads)
        instance->has_threads = true; /* that of the stream */
    task.check = check_open;
    task.name = call;
    task.owner = instance;
    status = shm_stream_add(stream, &task);
    if (status != SHM_OK)
        face_refuse(instance, call, status);
}

#define TASK(function, task)                                                                       \
    &(struct shm_task_request)                                                                     \
    {                                                                                              \
        .run = function, .payload = &(task), .payload_bytes = sizeof(task)                         \
    }

/* ---- transfers ---- */

struct transfer_task {
    struct shm_instance *instance;
    const char *call;
    struct shm_transfer transfer;
};

static void run_transfer(void *payload)
{
    const struct transfer_task *task = payload;
    enum shm_status status = shm_transfer(task->instance, &task->transfer, false);

    if (status != SHM_OK)
        face_refuse(task->instance, task->call, status);
}

void face_put_on_stream(const char *call, void *dest, const void *source, size_t bytes, int pe,
                        void *stream)
{
    struct transfer_task task = {.instance = face_instance(call), .call = call};
    void *remote;

    if (task.instance == NULL || bytes == 0)
        return;
    remote = face_remote(task.instance, call, "dst", dest, bytes, pe);
    task.transfer = shm_transfer_of(remote, source, bytes, pe, false);
    if (remote != NULL && face_may_put(task.instance, call, remote, source, bytes))
        add(task.instance, call, stream, TASK(run_transfer, task));
}

void face_get_on_stream(const char *call, void *dest, const void *source, size_t bytes, int pe,
                        void *stream)
{
    struct transfer_task task = {.instance = face_instance(call), .call = call};
    const void *remote;

    if (task.instance == NULL || bytes == 0)
        return;
    remote = face_remote(task.instance, call, "src", source, bytes, pe);
    task.transfer = shm_transfer_of(dest, remote, bytes, pe, true);
    if (remote != NULL && face_may_put(task.instance, call, dest, remote, bytes))
        add(task.instance, call, stream, TASK(run_transfer, task));
}

static void run_quiet(void *payload)
{
    struct shm_instance *const *instance = payload;

    shm_quiet(*instance);
}

void face_quiet_on_stream(const char *call, void *stream)
{
    struct shm_instance *instance = face_instance(call);

    if (instance != NULL)
        add(instance, call, stream, TASK(run_quiet, instance));
}

/* The same for all transfers that were issued before. */
void face_handle_wait(const char *call, aclshmem_handle_t handle, void *stream)
{
    struct shm_instance *instance = face_instance(call);

    if (instance == NULL)
        return;
    if (aclshmem_team(instance, handle.team_id) == NULL)
        face_refuse(
            instance, call,
            shm_fail(SHM_INVALID_PARAM, "handle.team_id = %d, expected a team", handle.team_id));
    else
        add(instance, call, stream, TASK(run_quiet, instance));
}

/* ---- signals ---- */

struct signal_task {
    struct shm_instance *instance;
    void *word;
    enum shm_signal_operator signal_operator;
    int32_t signal;
    int pe;
};

static void run_signal(void *payload)
{
    const struct signal_task *task = payload;

    shm_signal(task->instance, task->word, sizeof task->signal, task->signal_operator,
               (uint64_t)task->signal, task->pe);
}

void face_signal_on_stream(const char *call, int32_t *sig_addr, int32_t signal, int sig_op, int pe,
                           void *stream)
{
    struct signal_task task = {face_instance(call), NULL, (enum shm_signal_operator)sig_op, signal,
                               pe};

    if (task.instance == NULL)
        return;
    if (sig_op != SHM_SIGNAL_SET && sig_op != SHM_SIGNAL_ADD) {
        face_refuse(task.instance, call, shm_explain_signal_operator(sig_op));
        return;
    }
    task.word = face_signal_word(task.instance, call, sig_addr, sizeof *sig_addr, pe);
    if (task.word != NULL)
        add(task.instance, call, stream, TASK(run_signal, task));
}

struct wait_task {
    struct shm_instance *instance;
    const char *call;
    struct shm_word_test test;
};

static void run_wait(void *payload)
{
    const struct wait_task *task = payload;
    enum shm_status status = shm_wait_until(task->instance, &task->test, task->call);

    if (status != SHM_OK)
        face_refuse(task->instance, task->call, status);
}

void face_signal_wait_on_stream(const char *call, const struct shm_word_test *test, void *stream)
{
    struct wait_task task = {face_instance(call), call, *test};
    enum shm_status status;

    if (task.instance == NULL)
        return;
    status = shm_check_word(task.instance, "sig_addr", test);
    if (status != SHM_OK)
        face_refuse(task.instance, call, status);
    else
        add(task.instance, call, stream, TASK(run_wait, task));
}

/* ---- barriers: those of one team draw turns, so that two streams keep the order of the calls ----
 */

struct barrier_task {
    struct shm_instance *instance;
    struct shm_group *group;
    const char *call;
    uint32_t turn; /* so many are over when it begins */
};

static bool has_turn(const struct shm_wait *wait)
{
    const struct barrier_task *task = wait->argument;

    /* acquire: pairs with the release in end_turn() */
    return (int32_t)(atomic_load_explicit(&task->group->turns_over, memory_order_acquire) -
                     task->turn) >= 0;
}

static enum shm_status wait_for_turn(const struct barrier_task *task)
{
    struct shm_wait wait = {.is_over = has_turn,
                            .argument = task,
                            .futex = &task->group->turns_over,
                            .call = task->call,
                            .peer = -1};

    return shm_wait(task->instance, &wait);
}

static void end_turn(struct shm_group *group)
{
    atomic_fetch_add_explicit(&group->turns_over, 1, memory_order_release);
    shm_futex_wake(&group->turns_over, INT32_MAX);
}

static void run_barrier(void *payload)
{
    const struct barrier_task *task = payload;
    enum shm_status status = wait_for_turn(task);

    if (status == SHM_OK)
        status = shm_collective_barrier(task->instance, task->group, SHM_COLL_BARRIER, task->call);
    if (status != SHM_OK)
        face_refuse(task->instance, task->call, status);
    end_turn(task->group);
}

/* With its place in the stream, so that the turns of a stream are in the order of its tasks. */
static void draw_turn(void *payload)
{
    struct barrier_task *task = payload;

    task->turn = atomic_fetch_add_explicit(&task->group->turns_drawn, 1, memory_order_relaxed);
}

void face_barrier_on_stream(const char *call, aclshmem_team_t number, void *stream)
{
    struct shm_instance *instance = face_instance(call);
    struct shm_team *team = aclshmem_team(instance, number);
    struct barrier_task task = {instance, NULL, call, 0};
    struct shm_task_request request = {
        .run = run_barrier, .prepare = draw_turn, .payload = &task, .payload_bytes = sizeof task};

    if (team == NULL)
        return;
    task.group = team->group;
    add(instance, call, stream, &request);
}

void aclshmem_finish_turns(struct shm_instance *instance, struct shm_group *group, const char *call)
{
    struct barrier_task all = {instance, group, call,
                               atomic_load_explicit(&group->turns_drawn, memory_order_relaxed)};
    enum shm_status status = wait_for_turn(&all);

    if (status != SHM_OK)
        face_refuse(instance, call, status);
}
