/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char error_detail[SHM_DETAIL_BYTES];

enum shm_status shm_fail(enum shm_status status, const char *format, ...)
{
    char line[SHM_DETAIL_BYTES]; /* the arguments may point into error_detail */
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    memcpy(error_detail, line, sizeof line);
    return status;
}

enum shm_status shm_fail_errno(enum shm_status status, int error, const char *format, ...)
{
    char line[SHM_DETAIL_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return shm_fail(status, "%s: %s", line, strerror(error));
}

const char *shm_error_detail(void)
{
    return error_detail;
}

void shm_error_restore(const char *detail)
{
    snprintf(error_detail, sizeof error_detail, "%s", detail);
}

const char *shm_status_text(enum shm_status status)
{
    switch (status) {
    case SHM_OK:
        return "success";
    case SHM_INVALID_PARAM:
        return "invalid argument";
    case SHM_INVALID_VALUE:
        return "value out of range";
    case SHM_SMEM_ERROR:
        return "shared memory error";
    case SHM_INNER_ERROR:
        return "internal error";
    case SHM_NOT_INITED:
        return "not initialised";
    case SHM_BOOTSTRAP_ERROR:
        return "the PEs could not meet";
    case SHM_TIMEOUT_ERROR:
    case SHM_INNER_TIMEOUT:
        return "time limit passed";
    case SHM_MALLOC_FAILED:
        return "out of memory";
    case SHM_DL_FUNC_FAILED:
        return "plug-in without its entry point";
    case SHM_UNDER_API_UNLOAD:
        return "plug-in not found";
    case SHM_NOT_SUPPORTED:
        return "not supported";
    case SHM_AGAIN:
        return "not yet";
    case SHM_CLOSED:
        return "connection closed";
    case SHM_PEER_LOST:
        return "a PE failed";
    case SHM_ABORTED:
        return "the job was told to exit";
    case SHM_NOT_FOUND:
        return "not found";
    case SHM_REFUSED:
        return "refused";
    case SHM_PROTOCOL:
        return "protocol error";
    case SHM_MISMATCH:
        return "the PEs disagree";
    }
    return "unknown status";
}
