/* SPDX-License-Identifier: BSD-3-Clause */
/** Shared by the files of src/acl: what a failure is called in this interface. */
#ifndef SHM_ACL_INTERNAL_H
#define SHM_ACL_INTERNAL_H

#include "base/status.h"

#include <acl/acl.h>

/** The code for a failure below, whose detail becomes the thread's message, behind the name of the
 * call; ACL_SUCCESS for SHM_OK. */
aclError acl_answer(const char *call, enum shm_status status);

/** Gives `code` with this message. */
__attribute__((format(printf, 2, 3))) aclError acl_refuse(aclError code, const char *format, ...);

/** Refuses an argument that is NULL. */
aclError acl_refuse_null(const char *call, const char *argument);

/** As acl_answer(), with another code for a time limit. */
aclError acl_answer_in_time(const char *call, enum shm_status status, aclError too_late);

/** Turns a limit in ms, -1 for none, into a deadline. */
aclError acl_deadline(const char *call, int32_t timeout_ms, uint64_t *out_deadline_ns);

#endif
