/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which engines the instance may take: those that were asked for. One that cannot work here is an
 * error, on all PEs. Whether the kernel copies between processes only a copy can tell; it is tried
 * when some PE asks for it.
 */
#include "core_internal.h"

#include "base/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES 400

enum shm_status shm_engines_choose(struct shm_start *start)
{
    struct shm_instance *instance = start->instance;
    uint8_t asked = 0;
    enum shm_status status = shm_engines_parse(instance->options.engines, &asked);

    if (status != SHM_OK)
        return status;
    if (start->request->engines != 0)
        asked = start->request->engines;
    start->is_lenient = (asked & SHM_ENGINES_THAT_WORK) != 0;
    if ((asked & SHM_ENGINE_ROCE) != 0 && !start->is_lenient)
        return shm_fail(SHM_NOT_SUPPORTED,
                        "engine roce was asked for, and this build has no network between nodes; "
                        "expected mte, sdma or udma");
    instance->engines = asked & (SHM_ENGINE_MTE | SHM_ENGINE_SDMA | SHM_ENGINE_UDMA);
    return SHM_OK;
}

/* ---- UDMA ---- */

enum shm_status shm_engines_show(const struct shm_start *start)
{
    struct shm_control *control = start->instance->control;
    uint64_t word = 0;
    enum shm_status status = SHM_OK;

    if (!start->is_kernel_copy_asked)
        return SHM_OK;
    status = shm_random_fill(&word, sizeof word);
    atomic_store(&control->slice_address, (uintptr_t)control);
    atomic_store(&control->kernel_copy_word, word);
    shm_kernel_copy_permit();
    return status;
}

/* errno of the kernel for a PE, 0 when it copies. */
static int try_peer(const struct shm_instance *instance, int pe)
{
    struct shm_control *control = shm_instance_control(instance, pe);
    struct shm_kernel_peer peer = shm_kernel_peer_of(instance, pe);

    return shm_kernel_copy_try(&peer, &control->kernel_copy_word);
}

static void try_peers(const struct shm_start *start)
{
    struct shm_instance *instance = start->instance;

    for (int i = 0; i < instance->node_count; i++) {
        int pe = instance->node_pes[i];
        int error = try_peer(instance, pe);

        if (error == 0) {
            instance->topology[pe] |= SHM_ENGINE_UDMA;
        } else if (!start->is_lenient) {
            atomic_store(&instance->control->kernel_copy_errno, error);
            atomic_store(&instance->control->kernel_copy_refused, pe + 1);
            return;
        }
    }
}

static enum shm_status explain_refusal(const struct shm_instance *instance, int pe)
{
    const struct shm_control *control = shm_instance_control(instance, pe);

    return shm_fail(SHM_NOT_SUPPORTED,
                    "engine udma was asked for, and the kernel refuses PE %d to copy memory of PE "
                    "%d (process_vm_readv, process_vm_writev: %s): Yama, a seccomp filter, another "
                    "user or process name space",
                    pe, atomic_load(&control->kernel_copy_refused) - 1,
                    strerror(atomic_load(&control->kernel_copy_errno)));
}

enum shm_status shm_engines_try(struct shm_start *start)
{
    struct shm_instance *instance = start->instance;
    enum shm_status status;

    if (!start->is_kernel_copy_asked)
        return SHM_OK;
    if ((instance->engines & SHM_ENGINE_UDMA) != 0)
        try_peers(start);
    status = shm_barrier_until(instance, &instance->life, "init", start->deadline_ns);
    for (int i = 0; status == SHM_OK && i < instance->node_count; i++) {
        int pe = instance->node_pes[i];

        if (atomic_load(&shm_instance_control(instance, pe)->kernel_copy_refused) == 0)
            continue;
        start->is_failure_shared = true;
        return explain_refusal(instance, pe);
    }
    return status;
}

/* ---- for people ---- */

struct reached {
    const struct shm_instance *instance;
    enum shm_engine engine;
};

static bool is_reached(const void *argument, int pe)
{
    const struct reached *reached = argument;

    return (reached->instance->topology[pe] & reached->engine) != 0;
}

static enum shm_status write_texts(struct shm_instance *instance)
{
    size_t count;
    const struct shm_engine_description *engines = shm_engine_list(&count);

    for (size_t i = 0; i < count; i++) {
        struct reached reached = {instance, engines[i].engine};
        char text[TEXT_BYTES] = "";

        shm_pe_list(text, sizeof text, instance->reach.n_pes, is_reached, &reached);
        instance->topology_texts[i] = strdup(text[0] != '\0' ? text : "none");
        if (instance->topology_texts[i] == NULL)
            return shm_fail(SHM_MALLOC_FAILED, "no memory for a text of %zu bytes", strlen(text));
    }
    return SHM_OK;
}

/* ---- ready ---- */

enum shm_status shm_engines_make_ready(struct shm_instance *instance, bool has_spare_processor)
{
    instance->sdma_threshold = instance->options.sdma_threshold;
    if (!has_spare_processor && !shm_options_has_sdma_threshold())
        instance->sdma_threshold = UINT64_MAX;
    if ((instance->engines & SHM_ENGINE_SDMA) != 0) {
        enum shm_status status =
            shm_copy_worker_create(shm_transfer_by_load_store, instance, &instance->copy_worker);

        if (status != SHM_OK)
            return status;
    }
    return write_texts(instance);
}
