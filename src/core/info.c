/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_internal.h"

#include "transport/transport.h"

#include <stdio.h>

static const struct shm_info fixed_items[] = {
    {"version", "library", SHM_VERSION_TEXT, NULL, "version of this library"},
    {"version", "openshmem", "1.6", NULL, "edition of the OpenSHMEM specification"},
    {"version", "aclshmem", "1.1.1", NULL, "version of the ACLSHMEM interface"},
    {"build", "compiler", __VERSION__, NULL, "compiler that built the library"},
    {"build", "type", SHM_BUILD_TYPE, NULL, "kind of build: release, debugoptimized or debug"},
    {"build", "sanitizers", SHM_SANITIZERS, NULL, "run-time checkers compiled in"},
};

#define FIXED_ITEMS (sizeof fixed_items / sizeof *fixed_items)

static bool engine_item(size_t index, struct shm_info *out_item)
{
    size_t count;
    const struct shm_engine_description *engines = shm_engine_list(&count);

    if (index >= count)
        return false;
    *out_item = (struct shm_info){"engine", engines[index].name,
                                  engines[index].is_built ? "available" : "not built", NULL,
                                  engines[index].summary};
    return true;
}

/* From init to finalize of instance 0, which the function of the list means as all of OpenSHMEM do.
 */
static bool topology_item(size_t index, struct shm_info *out_item)
{
    const struct shm_instance *instance = shm_default();
    size_t count;
    const struct shm_engine_description *engines = shm_engine_list(&count);

    if (instance == NULL || index >= count)
        return false;
    *out_item = (struct shm_info){"topology", engines[index].name, instance->topology_texts[index],
                                  NULL, "PEs that this engine reaches from the calling PE"};
    return true;
}

static bool bootstrap_item(size_t index, struct shm_info *out_item)
{
    static const char *const helps[SHM_BOOTSTRAP_KINDS] = {
        [SHM_BOOTSTRAP_ALONE] = "a job of one PE, without a launcher",
        [SHM_BOOTSTRAP_CONFIG_STORE] = "the PEs meet at a key-value store that PE 0 serves",
        [SHM_BOOTSTRAP_MPI] = "the PEs are the processes of an MPI communicator",
        [SHM_BOOTSTRAP_BOARD] = "the PEs meet at memory that their launcher made"};
    enum shm_bootstrap_kind kind = (enum shm_bootstrap_kind)index;

    if (index >= SHM_BOOTSTRAP_KINDS)
        return false;
    *out_item = (struct shm_info){"bootstrap", shm_bootstrap_name(kind),
                                  shm_bootstrap_is_available(kind) ? "available" : "not found",
                                  NULL, helps[index]};
    return true;
}

static bool variable_item(size_t index, struct shm_info *out_item)
{
    size_t count;
    const struct shm_option *options = shm_options_list(&count);

    if (index >= count)
        return false;
    *out_item =
        (struct shm_info){"variable", options[index].name, shm_option_setting(&options[index]),
                          options[index].default_text, options[index].help};
    return true;
}

bool shm_info_item(size_t index, struct shm_info *out_item)
{
    size_t engines, variables;

    if (index < FIXED_ITEMS) {
        *out_item = fixed_items[index];
        return true;
    }
    index -= FIXED_ITEMS;
    shm_engine_list(&engines);
    if (index < engines)
        return engine_item(index, out_item);
    index -= engines;
    if (index < SHM_BOOTSTRAP_KINDS)
        return bootstrap_item(index, out_item);
    index -= SHM_BOOTSTRAP_KINDS;
    shm_options_list(&variables);
    if (index < variables)
        return variable_item(index, out_item);
    return topology_item(index - variables, out_item);
}

static void print_variables(void)
{
    size_t count;
    const struct shm_option *options = shm_options_list(&count);

    for (size_t i = 0; i < count; i++) {
        const char *setting = shm_option_setting(&options[i]);

        printf("%s=%s (%s): %s\n", options[i].name,
               setting != NULL ? setting
                               : (options[i].default_text != NULL ? options[i].default_text : ""),
               setting != NULL ? "set" : "default", options[i].help);
    }
}

void shm_info_print(const struct shm_instance *instance)
{
    if (instance->reach.my_pe != 0)
        return;
    if (instance->options.version)
        printf("SHMEM library %s, OpenSHMEM 1.6\n", SHM_VERSION_TEXT);
    if (instance->options.info)
        print_variables();
    if (instance->options.version || instance->options.info)
        fflush(stdout);
}
