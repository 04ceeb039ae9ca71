/* SPDX-License-Identifier: BSD-3-Clause */
#include "environment.h"

#include "base/launch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const reserved[] = {
    SHM_LAUNCH_PE,    SHM_LAUNCH_N_PES,    SHM_LAUNCH_LOCAL_PE, SHM_LAUNCH_LOCAL_N_PES,
    SHM_LAUNCH_STORE, SHM_LAUNCH_STORE_FD, SHM_LAUNCH_JOB_ID,   SHM_LAUNCH_FD,
    SHM_LAUNCH_OWNER, SHM_LAUNCH_BOARD_FD,
};

#define N_RESERVED (sizeof reserved / sizeof reserved[0])

bool environment_is_reserved(const char *name, size_t bytes)
{
    for (size_t i = 0; i < N_RESERVED; i++)
        if (strlen(reserved[i]) == bytes && memcmp(reserved[i], name, bytes) == 0)
            return true;
    return false;
}

static enum shm_status set_text(const char *name, const char *value)
{
    if (setenv(name, value, 1) != 0)
        return shm_fail_errno(SHM_MALLOC_FAILED, errno, "setting the variable %s", name);
    return SHM_OK;
}

static enum shm_status set_number(const char *name, int value)
{
    char text[16];

    snprintf(text, sizeof text, "%d", value);
    return set_text(name, text);
}

static enum shm_status set_of_user(const char *setting)
{
    size_t name_bytes = strcspn(setting, "=");
    char *name = strndup(setting, name_bytes);
    enum shm_status status;

    if (name == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for the variable %.80s", setting);
    status = set_text(name, setting + name_bytes + 1);
    free(name);
    return status;
}

enum shm_status environment_prepare(int n_pes, const char *store_address, const char *job_id,
                                    int board_fd, const char *const *env, size_t n_env)
{
    enum shm_status status = SHM_OK;

    for (size_t i = 0; i < N_RESERVED; i++)
        unsetenv(reserved[i]);
    for (size_t i = 0; i < n_env && status == SHM_OK; i++)
        status = set_of_user(env[i]);
    if (status == SHM_OK)
        status = set_number(SHM_LAUNCH_N_PES, n_pes);
    if (status == SHM_OK)
        status = set_number(SHM_LAUNCH_LOCAL_N_PES, n_pes);
    if (status == SHM_OK)
        status = set_text(SHM_LAUNCH_STORE, store_address);
    if (status == SHM_OK)
        status = set_text(SHM_LAUNCH_JOB_ID, job_id);
    if (status == SHM_OK && board_fd >= 0)
        status = set_number(SHM_LAUNCH_BOARD_FD, board_fd);
    return status;
}

enum shm_status environment_set_pe(int pe, int store_fd, int launcher_fd)
{
    enum shm_status status = set_number(SHM_LAUNCH_PE, pe);

    if (status == SHM_OK)
        status = set_number(SHM_LAUNCH_LOCAL_PE, pe);
    if (store_fd < 0)
        unsetenv(SHM_LAUNCH_STORE_FD);
    else if (status == SHM_OK)
        status = set_number(SHM_LAUNCH_STORE_FD, store_fd);
    if (status == SHM_OK)
        status = set_number(SHM_LAUNCH_FD, launcher_fd);
    return status;
}
