/* SPDX-License-Identifier: BSD-3-Clause */
#include "transport/transport.h"

static const struct shm_engine_description engines[] = {
    {SHM_ENGINE_MTE, "mte", "load and store by the caller on memory mapped from PEs of its node"},
};

const struct shm_engine_description *shm_engine_list(size_t *out_count)
{
    *out_count = sizeof engines / sizeof *engines;
    return engines;
}

uint8_t shm_engines_reaching(bool is_mapped)
{
    return is_mapped ? SHM_ENGINE_MTE : 0;
}
