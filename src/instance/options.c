/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/options.h"

#include <string.h>

#define AT(field) offsetof(struct shm_options, field)

/* clang-format off */
static const struct shm_option options[] = {
    {"SHMEM_VERSION", "SMA_VERSION", SHM_OPTION_FLAG, AT(version), "0", 0, 0, NULL,
     "PE 0 prints the library's version while starting"},
    {"SHMEM_INFO", "SMA_INFO", SHM_OPTION_FLAG, AT(info), "0", 0, 0, NULL,
     "PE 0 prints every variable with its value and meaning while starting"},
    {"SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE", SHM_OPTION_BYTES, AT(symmetric_bytes), "512M",
     0, 70368744177664.0, NULL,
     "bytes of symmetric heap per PE, with an optional fraction and suffix K, M, G or T; unset, it "
     "is lowered where the PEs of a node together would not fit in its memory"},
    {"SHMEM_DEBUG", "SMA_DEBUG", SHM_OPTION_FLAG, AT(debug), "0", 0, 0, NULL,
     "checks what costs time to check: that PEs make the same collective calls with the same "
     "arguments, and do not write behind blocks; set on one PE, it holds for all"},
    {"SHMEM_OVERCOMMIT", NULL, SHM_OPTION_FLAG, AT(overcommit), "0", 0, 0, NULL,
     "accepts heaps that do not fit in memory; touching more than there is then ends the job"},
    {"SHMEM_HUGE_PAGES", NULL, SHM_OPTION_CHOICE, AT(huge_pages), "off", 0, 0, "off|auto|require",
     "backs the heap with 2 MiB pages: off, auto (where all can be had) or require"},
    {"SHMEM_STATIC_DATA", NULL, SHM_OPTION_FLAG, AT(static_data), "1", 0, 0, NULL,
     "makes the executable's global and static variables symmetric"},
    {"SHMEM_NODE_ID", NULL, SHM_OPTION_TEXT, AT(node_id), NULL, 0, 0, NULL,
     "any text; PEs with different texts never share memory, which splits one machine for tests"},
    {"SHMEM_INIT_TIMEOUT", NULL, SHM_OPTION_SECONDS, AT(init_timeout_s), "120", 0.001, 86400, NULL,
     "seconds within which all PEs must have joined"},
    {"SHMEM_CONTROL_TIMEOUT", NULL, SHM_OPTION_SECONDS, AT(control_timeout_s), "120", 0.001, 86400,
     NULL, "seconds that the PEs' goodbyes may take when all have entered finalize"},
    {"SHMEM_WAIT_TIMEOUT", NULL, SHM_OPTION_SECONDS, AT(wait_timeout_s), "0", 0, 86400, NULL,
     "seconds after which a wait of the program (barrier, wait_until, ...) ends the job with a "
     "report; 0 = never"},
    {"SHMEM_HANG_REPORT", NULL, SHM_OPTION_SECONDS, AT(hang_report_s), "60", 0, 86400, NULL,
     "seconds after which a wait prints once who waits where; 0 = never"},
    {"SHMEM_WAITING", NULL, SHM_OPTION_CHOICE, AT(waiting), "auto", 0, 0, "auto|spin|sleep",
     "how PEs wait: auto (sleep where a node has more PEs than processors), spin or sleep"},
    {"SHMEM_VECTOR", NULL, SHM_OPTION_CHOICE, AT(vector), "auto", 0, 0, "auto|baseline|avx2|avx512",
     "vector instructions with which reductions combine: auto (the widest that the processor has) or "
     "these, for measurements and tests; results are the same"},
    {"SHMEM_ENGINES", NULL, SHM_OPTION_TEXT, AT(engines), "mte", 0, 0, NULL,
     "engines that move data: mte, sdma, udma or several with commas between them, or any (all that "
     "work here); the first of them in this order that reaches a PE is taken; with ACLSHMEM data_op_engine_type decides"},
    {"SHMEM_SDMA_THRESHOLD", NULL, SHM_OPTION_BYTES, AT(sdma_threshold), "8M", 1,
     70368744177664.0, NULL,
     "bytes from which non-blocking transfers go to SDMA where MTE may be taken, too; unset, none "
     "do on a node that has no processor to spare"},
    {"SHMEM_INSTANCE_PORT_RANGE", NULL, SHM_OPTION_TEXT, AT(instance_ports), NULL, 0, 0, NULL,
     "start:end, the ports of instances other than 0 that meet at an address with port 0: instance "
     "i takes port start + i"},
    {"SHMEM_UID_SESSION_ID", NULL, SHM_OPTION_TEXT, AT(session_id), NULL, 0, 0, NULL,
     "host:port or [ipv6]:port at which the PE that makes a unique id listens; port 1024 or above"},
    {"SHMEM_UID_SOCK_IFNAME", NULL, SHM_OPTION_TEXT, AT(interface), NULL, 0, 0, NULL,
     "interface whose address a unique id takes, for instance eth0, eth0:inet4 or eth0:inet6"},
    {"SHMEM_CYCLE_PROF_PE", NULL, SHM_OPTION_TEXT, AT(profiled_pe), NULL, 0, 0, NULL,
     "number of the PE whose kernels' cycles aclshmemx_get_prof shows; another text means PE 0"},
    {"SHMEM_LOG_LEVEL", NULL, SHM_OPTION_CHOICE, AT(log_level), "ERROR", 0, 0,
     "DEBUG|INFO|WARN|ERROR|FATAL",
     "least severity of log lines, which go to standard error unless a setting says otherwise"},
    {"SHMEM_LOG_TO_STDOUT", NULL, SHM_OPTION_FLAG, AT(log_to_stdout), "0", 0, 0, NULL,
     "log lines go to standard output, and to no file"},
    {"SHMEM_LOG_PATH", NULL, SHM_OPTION_TEXT, AT(log_path), NULL, 0, 0, NULL,
     "folder for log files, which is made when it is missing; it must belong to the user, and nobody "
     "else may write to it"},
};

/* clang-format on */

const struct shm_option *shm_options_list(size_t *out_count)
{
    *out_count = sizeof options / sizeof *options;
    return options;
}

enum shm_status shm_options_load(struct shm_options *out_options)
{
    return shm_options_read(options, sizeof options / sizeof *options, out_options);
}

static const struct shm_option *option_at(size_t offset)
{
    const struct shm_option *option = options;

    while (option->offset != offset)
        option++;
    return option;
}

bool shm_options_has_symmetric_size(void)
{
    return shm_option_setting(option_at(AT(symmetric_bytes))) != NULL;
}

bool shm_options_has_log_level(int *out_level)
{
    const struct shm_option *option = option_at(AT(log_level));
    struct shm_options values;

    if (shm_option_setting(option) == NULL || shm_options_read(option, 1, &values) != SHM_OK)
        return false;
    *out_level = values.log_level;
    return true;
}

bool shm_options_has_sdma_threshold(void)
{
    return shm_option_setting(option_at(AT(sdma_threshold))) != NULL;
}
