/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams and events. */
#include "acl_internal.h"

#include "device/device.h"

#include <stdbool.h>

#define PRIORITIES 8
#define STREAM_FLAGS (ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC)
#define EVENT_FLAGS (ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE)

/* ---- streams ---- */

aclError aclrtCreateStream(aclrtStream *stream)
{
    return stream != NULL ? acl_answer(__func__, shm_stream_create(stream))
                          : acl_refuse_null(__func__, "stream");
}

aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority, uint32_t flag)
{
    if (stream == NULL)
        return acl_refuse_null(__func__, "stream");
    if (priority >= PRIORITIES)
        return acl_refuse(ACL_ERROR_INVALID_PARAM, "%s: priority = %u, expected 0 to %d", __func__,
                          priority, PRIORITIES - 1);
    if ((flag & ~STREAM_FLAGS) != 0)
        return acl_refuse(ACL_ERROR_INVALID_PARAM, "%s: flag = 0x%x, expected bits of 0x%x",
                          __func__, flag, STREAM_FLAGS);
    return acl_answer(__func__, shm_stream_create(stream));
}

aclError aclrtDestroyStream(aclrtStream stream)
{
    return acl_answer(__func__, shm_stream_destroy(stream));
}

aclError aclrtSynchronizeStream(aclrtStream stream)
{
    return acl_answer(__func__, shm_stream_synchronise(stream, 0));
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout)
{
    uint64_t deadline_ns = 0;
    aclError code = acl_deadline(__func__, timeout, &deadline_ns);

    if (code != ACL_SUCCESS)
        return code;
    return acl_answer_in_time(__func__, shm_stream_synchronise(stream, deadline_ns),
                              ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status)
{
    bool is_idle = false;
    aclError code;

    if (status == NULL)
        return acl_refuse_null(__func__, "status");
    code = acl_answer(__func__, shm_stream_query(stream, &is_idle));
    if (code == ACL_SUCCESS)
        *status = is_idle ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
    return code;
}

struct call_task {
    aclrtCallback function;
    void *argument;
};

static void run_call(void *payload)
{
    const struct call_task *task = payload;

    task->function(task->argument);
}

static aclError launch(const char *call, aclrtStream stream, aclrtCallback function, void *argument)
{
    struct call_task task = {function, argument};

    if (function == NULL)
        return acl_refuse_null(call, "fn");
    return acl_answer(
        call, shm_stream_add(stream, &(struct shm_task_request){.run = run_call,
                                                                .payload = &task,
                                                                .payload_bytes = sizeof task,
                                                                .name = call}));
}

aclError aclrtLaunchCallback(aclrtCallback fn, void *userData, aclrtCallbackBlockType blockType,
                             aclrtStream stream)
{
    if (blockType != ACL_CALLBACK_NO_BLOCK && blockType != ACL_CALLBACK_BLOCK)
        return acl_refuse(ACL_ERROR_INVALID_PARAM, "%s: blockType = %d, expected 0 or 1", __func__,
                          (int)blockType);
    return launch(__func__, stream, fn, userData);
}

aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtCallback fn, void *args)
{
    return launch(__func__, stream, fn, args);
}

/* ---- events ---- */

aclError aclrtCreateEvent(aclrtEvent *event)
{
    return event != NULL ? acl_answer(__func__, shm_event_create(event))
                         : acl_refuse_null(__func__, "event");
}

aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag)
{
    if (event == NULL)
        return acl_refuse_null(__func__, "event");
    if (flag == 0 || (flag & ~EVENT_FLAGS) != 0)
        return acl_refuse(ACL_ERROR_INVALID_PARAM, "%s: flag = 0x%x, expected bits of 0x%x",
                          __func__, flag, EVENT_FLAGS);
    return acl_answer(__func__, shm_event_create(event));
}

aclError aclrtDestroyEvent(aclrtEvent event)
{
    return acl_answer(__func__, shm_event_destroy(event));
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream)
{
    return acl_answer(__func__, shm_event_record(event, stream));
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream)
{
    return acl_answer(__func__, shm_event_reset(event, stream));
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event)
{
    return acl_answer(__func__, shm_event_wait_in(event, stream));
}

aclError aclrtSynchronizeEvent(aclrtEvent event)
{
    return acl_answer(__func__, shm_event_synchronise(event, 0));
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout)
{
    uint64_t deadline_ns = 0;
    aclError code = acl_deadline(__func__, timeout, &deadline_ns);

    if (code != ACL_SUCCESS)
        return code;
    return acl_answer_in_time(__func__, shm_event_synchronise(event, deadline_ns),
                              ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
}

aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status)
{
    bool is_complete = false;
    aclError code;

    if (status == NULL)
        return acl_refuse_null(__func__, "status");
    code = acl_answer(__func__, shm_event_query(event, &is_complete));
    if (code == ACL_SUCCESS)
        *status = is_complete ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
    return code;
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status)
{
    bool is_complete = false;
    aclError code;

    if (status == NULL)
        return acl_refuse_null(__func__, "status");
    code = acl_answer(__func__, shm_event_query(event, &is_complete));
    if (code == ACL_SUCCESS)
        *status =
            is_complete ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
    return code;
}

aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent)
{
    int64_t distance_ns = 0;
    enum shm_status status;
    aclError code;

    if (ms == NULL)
        return acl_refuse_null(__func__, "ms");
    status = shm_event_distance(startEvent, endEvent, &distance_ns);
    code = acl_answer(__func__, status);
    if (status == SHM_AGAIN)
        return ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID;
    if (code == ACL_SUCCESS)
        *ms = (float)((double)distance_ns / 1e6);
    return code;
}
