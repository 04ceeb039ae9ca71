/* SPDX-License-Identifier: BSD-3-Clause */
#include "acl_internal.h"

#include "base/clock.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/* Whether this thread has a message that it has not read. */
static _Thread_local bool has_acl_message;

aclError acl_answer(const char *call, enum shm_status status)
{
    if (status != SHM_OK)
        acl_refuse(ACL_ERROR_RT_INTERNAL_ERROR, "%s: %s", call, shm_error_detail());
    switch (status) {
    case SHM_OK:
        return ACL_SUCCESS;
    case SHM_INVALID_PARAM:
        return ACL_ERROR_RT_PARAM_INVALID;
    case SHM_MALLOC_FAILED:
        return ACL_ERROR_RT_MEMORY_ALLOCATION;
    default:
        return ACL_ERROR_RT_INTERNAL_ERROR;
    }
}

aclError acl_refuse(aclError code, const char *format, ...)
{
    char text[SHM_DETAIL_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    shm_error_restore(text);
    has_acl_message = true;
    return code;
}

aclError acl_refuse_null(const char *call, const char *argument)
{
    return acl_refuse(ACL_ERROR_INVALID_PARAM, "%s: %s = NULL, expected an address", call,
                      argument);
}

aclError acl_answer_in_time(const char *call, enum shm_status status, aclError too_late)
{
    aclError code = acl_answer(call, status);

    return status == SHM_TIMEOUT_ERROR ? too_late : code;
}

aclError acl_deadline(const char *call, int32_t timeout_ms, uint64_t *out_deadline_ns)
{
    if (timeout_ms < -1)
        return acl_refuse(ACL_ERROR_INVALID_PARAM, "%s: timeout = %d, expected -1 or more ms", call,
                          (int)timeout_ms);
    *out_deadline_ns = timeout_ms == -1 ? 0 : shm_deadline_after_ms((uint64_t)timeout_ms);
    return ACL_SUCCESS;
}

const char *aclGetRecentErrMsg(void)
{
    bool had_message = has_acl_message;

    has_acl_message = false;
    return had_message ? shm_error_detail() : NULL;
}
