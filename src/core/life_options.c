/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_internal.h"

#include "base/clock.h"
#include "base/log.h"

static uint64_t seconds_to_ns(double seconds)
{
    return (uint64_t)(seconds * 1e9);
}

static void attach_log(const struct shm_start *start)
{
    struct shm_instance *instance = start->instance;
    int my_pe = start->request->my_pe;
    struct shm_log_settings settings = {
        .threshold = (enum shm_log_level)instance->options.log_level,
        .is_stdout = instance->options.log_to_stdout,
        .folder = instance->options.log_path,
        .pe = my_pe,
    };
    int level = 0;

    settings.is_threshold_set = shm_options_has_log_level(&level);
    shm_log_attach(&settings);
    instance->has_log = true;
    if (my_pe == 0 && start->is_first)
        shm_options_warn_of_misspelt();
}

/* Every other text than the number of a PE stands for PE 0. */
static int choose_profiled_pe(const struct shm_start *start)
{
    const char *text = start->instance->options.profiled_pe;
    int last = start->request->n_pes - 1;
    int64_t pe = 0;

    if (text == NULL)
        return -1;
    if (shm_parse_integer(text, 0, last, &pe) != SHM_OK && start->request->my_pe == 0)
        shm_log(SHM_LOG_WARN, "init", "SHMEM_CYCLE_PROF_PE=%s, expected 0 to %d: PE 0 is meant",
                text, last);
    return (int)pe;
}

/* Only a wish is checked here: what the processor has is found out by the first reduction, since to
 * ask it takes a while in a virtual machine. */
static enum shm_status choose_vector(struct shm_instance *instance)
{
    enum shm_vector vector = (enum shm_vector)instance->options.vector;
    enum shm_status status = SHM_OK;

    if (vector != SHM_VECTOR_AUTO)
        status = shm_vector_choose(vector, &vector);
    atomic_store(&instance->vector, vector);
    return status;
}

enum shm_status shm_start_load_options(struct shm_start *start)
{
    struct shm_instance *instance = start->instance;
    const struct shm_start_request *request = start->request;
    enum shm_status status = shm_options_load(&instance->options);

    if (status == SHM_OK)
        status = choose_vector(instance);
    if (status != SHM_OK)
        return status;
    if (request->init_timeout_s > 0)
        instance->options.init_timeout_s = request->init_timeout_s;
    if (request->control_timeout_s > 0)
        instance->options.control_timeout_s = request->control_timeout_s;
    attach_log(start);
    start->deadline_ns = shm_now_ns() + seconds_to_ns(instance->options.init_timeout_s);
    instance->finalize_timeout_ns = seconds_to_ns(request->control_timeout_s);
    instance->control_timeout_ns = seconds_to_ns(instance->options.control_timeout_s);
    instance->profiled_pe = choose_profiled_pe(start);
    instance->thread_level = request->thread_level;
    instance->has_threads = request->has_threads;
    return SHM_OK;
}
