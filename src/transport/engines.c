/* SPDX-License-Identifier: BSD-3-Clause */
#include "transport/transport.h"

#include <string.h>
#include <strings.h>

/* In the order in which they are preferred. */
static const struct shm_engine_description engines[] = {
    {SHM_ENGINE_MTE, "mte", "load and store by the caller on memory mapped from PEs of its node",
     true},
    {SHM_ENGINE_SDMA, "sdma", "copies of mapped memory by a thread of the PE in the background",
     true},
    {SHM_ENGINE_UDMA, "udma", "copies by the kernel between processes of a node", true},
    {SHM_ENGINE_ROCE, "roce", "network between nodes", false},
};

_Static_assert(sizeof engines / sizeof *engines == SHM_ENGINES, "all engines are listed");

const struct shm_engine_description *shm_engine_list(size_t *out_count)
{
    *out_count = SHM_ENGINES;
    return engines;
}

uint8_t shm_engines_of_data_operations(unsigned mask)
{
    static const uint8_t by_bit[] = {SHM_ENGINE_MTE, SHM_ENGINE_SDMA, SHM_ENGINE_ROCE,
                                     SHM_ENGINE_UDMA};
    uint8_t found = 0;

    for (unsigned bit = 0; bit < sizeof by_bit; bit++) {
        if ((mask >> bit & 1) != 0)
            found |= by_bit[bit];
    }
    return found;
}

static uint8_t engine_named(const char *name, size_t bytes)
{
    for (size_t i = 0; i < SHM_ENGINES; i++) {
        if (strlen(engines[i].name) == bytes && strncasecmp(engines[i].name, name, bytes) == 0)
            return (uint8_t)engines[i].engine;
    }
    return 0;
}

enum shm_status shm_engines_parse(const char *text, uint8_t *out_engines)
{
    uint8_t found = 0;

    if (strcasecmp(text, "any") == 0) {
        *out_engines = SHM_ENGINES_ALL | SHM_ENGINES_THAT_WORK;
        return SHM_OK;
    }
    for (const char *name = text;; name++) {
        size_t bytes = strcspn(name, ",");
        uint8_t engine = engine_named(name, bytes);

        if (engine == 0)
            return shm_fail(SHM_INVALID_VALUE,
                            "SHMEM_ENGINES: \"%.80s\"; expected any, or a list of mte, sdma, udma "
                            "and roce, such "
                            "as mte,sdma",
                            text);
        found |= engine;
        name += bytes;
        if (*name == '\0')
            break;
    }
    *out_engines = found;
    return SHM_OK;
}

enum shm_engine shm_engine_first(uint8_t usable)
{
    for (size_t i = 0; i < SHM_ENGINES; i++) {
        if ((usable & engines[i].engine) != 0)
            return engines[i].engine;
    }
    return SHM_ENGINE_NONE;
}
