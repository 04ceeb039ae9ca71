/* SPDX-License-Identifier: BSD-3-Clause */
#include "face.h"

/* Init calls nest: each needs its finalize, and the last one ends the job (1.6, section 9.1). */
static enum shm_status join(int thread_level, int *out_provided)
{
    struct shm_instance *instance = shm_default();
    struct shm_start_request request;
    enum shm_status status;

    if (instance != NULL) {
        instance->references++;
        *out_provided = instance->thread_level;
        return SHM_OK;
    }
    status = shm_launch_request(&request);
    if (status != SHM_OK)
        return status;
    request.thread_level = thread_level;
    request.has_threads = thread_level != SHMEM_THREAD_SINGLE;
    status = shm_start(&request);
    if (status == SHM_OK)
        *out_provided = thread_level;
    return status;
}

static enum shm_status join_locked(int thread_level, int *out_provided)
{
    enum shm_status status;

    pthread_mutex_lock(&shm_process.lock);
    status = join(thread_level, out_provided);
    pthread_mutex_unlock(&shm_process.lock);
    return status;
}

void openshmem_init(const char *call)
{
    int provided;
    enum shm_status status = join_locked(SHMEM_THREAD_SINGLE, &provided);

    if (status != SHM_OK)
        shm_fatal_life(status, call, shm_launched_pe());
}

/* The old call has no counterpart in finalize, so a repeated one has no effect. */
void openshmem_start_pes(const char *call)
{
    if (shm_default() == NULL)
        openshmem_init(call);
}

int openshmem_init_thread(const char *call, int requested, int *provided)
{
    enum shm_status status = SHM_OK;

    if (requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE)
        status = shm_fail(SHM_INVALID_VALUE,
                          "requested = %d, expected SHMEM_THREAD_SINGLE (%d) to "
                          "SHMEM_THREAD_MULTIPLE (%d)",
                          requested, SHMEM_THREAD_SINGLE, SHMEM_THREAD_MULTIPLE);
    if (status == SHM_OK)
        status = join_locked(requested, provided);
    if (status == SHM_OK)
        return 0;
    shm_report_life(status, call, shm_launched_pe());
    return (int)status;
}

void openshmem_finalize(const char *call)
{
    struct shm_instance *instance;
    enum shm_status status = SHM_OK;
    int pe = -1;

    pthread_mutex_lock(&shm_process.lock);
    instance = shm_default();
    if (instance != NULL && --instance->references == 0) {
        pe = instance->reach.my_pe;
        status = shm_stop(0);
    }
    pthread_mutex_unlock(&shm_process.lock);
    if (instance == NULL)
        shm_fatal_not_initialised(call);
    if (status != SHM_OK)
        shm_fatal_life(status, call, pe);
}

void face_query_initialized(const char *call, int *initialized)
{
    (void)call;
    *initialized = shm_default() != NULL;
}

void face_query_thread(const char *call, int *provided)
{
    *provided = face_instance(call)->thread_level;
}

int face_info_item(const char *call, size_t index, shmemx_info_item_t *item)
{
    struct shm_info info;

    (void)call;
    if (item == NULL || !shm_info_item(index, &info))
        return 0;
    *item =
        (shmemx_info_item_t){info.category, info.name, info.value, info.default_value, info.help};
    return 1;
}
