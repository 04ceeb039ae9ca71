/* SPDX-License-Identifier: BSD-3-Clause */
#include "face.h"

/* The user's word counts more than the program's. */
int face_set_log_level(const char *call, int level)
{
    int level_of_user = 0;

    if (shm_options_has_log_level(&level_of_user)) {
        shm_log_set_threshold((enum shm_log_level)level_of_user);
        return ACLSHMEM_SUCCESS;
    }
    if (level < SHM_LOG_DEBUG || level > SHM_LOG_FATAL)
        return aclshmem_refuse(
            call,
            shm_fail(SHM_INVALID_VALUE, "level = %d, expected 0 (debug) to 4 (fatal)", level));
    shm_log_choose_threshold((enum shm_log_level)level);
    return ACLSHMEM_SUCCESS;
}

int face_set_extern_logger(const char *call, aclshmemx_log_handler func)
{
    (void)call;
    shm_log_set_function(func);
    return ACLSHMEM_SUCCESS;
}
