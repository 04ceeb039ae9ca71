/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The part of CANN's runtime interface that host programs of CANN SHMEM use, done by the processor:
 * devices, contexts, streams, events, memory. For C99 and later and C++11 and later.
 *
 * Programs find it as <acl/acl.h> when include/aclshmem of the installation is in the include path;
 * with an NPU, CANN's own headers and libraries take its place. Everything is in libshmem.
 *
 * Functions that return aclError give ACL_SUCCESS or one of the codes below; aclGetRecentErrMsg()
 * then tells what was wrong. A stream of NULL is the default stream. Any thread may call them, but
 * a task of a stream must not wait for its own stream.
 */
#ifndef SHMEM_ACL_ACL_H
#define SHMEM_ACL_ACL_H

#ifndef INC_EXTERNAL_ACL_ACL_H_ /* that of CANN itself */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ACL_MAJOR_VERSION 1
#define ACL_MINOR_VERSION 8
#define ACL_PATCH_VERSION 0

typedef int aclError;

static const int ACL_SUCCESS = 0;
static const int ACL_ERROR_NONE = 0;
static const int ACL_ERROR_INVALID_PARAM = 100000;     /**< NULL, or a value of no meaning */
static const int ACL_ERROR_UNINITIALIZE = 100001;      /**< aclInit() has not been called */
static const int ACL_ERROR_REPEAT_INITIALIZE = 100002; /**< aclInit() was called before */
static const int ACL_ERROR_BAD_ALLOC = 200000;
static const int ACL_ERROR_RT_PARAM_INVALID = 107000;    /**< no such stream, event or block */
static const int ACL_ERROR_RT_INVALID_DEVICEID = 107001; /**< no such device */
static const int ACL_ERROR_RT_CONTEXT_NULL = 107002;     /**< this thread has set no device */
static const int ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID = 107006; /**< not complete: has no time */
static const int ACL_ERROR_RT_FEATURE_NOT_SUPPORT = 207000;
static const int ACL_ERROR_RT_MEMORY_ALLOCATION = 207001;
static const int ACL_ERROR_RT_INTERNAL_ERROR = 507000;
static const int ACL_ERROR_RT_STREAM_SYNC_TIMEOUT = 507046;
static const int ACL_ERROR_RT_EVENT_SYNC_TIMEOUT = 507047;

/* handles: numbers, not addresses of anything */
#ifndef SHMEM_ACLRT_STREAM
#define SHMEM_ACLRT_STREAM
typedef void *aclrtStream;
#endif
typedef void *aclrtEvent;
typedef void *aclrtContext;

typedef enum aclrtRunMode { ACL_DEVICE = 0, ACL_HOST = 1 } aclrtRunMode;

typedef enum aclrtMemcpyKind {
    ACL_MEMCPY_HOST_TO_HOST = 0,
    ACL_MEMCPY_HOST_TO_DEVICE = 1,
    ACL_MEMCPY_DEVICE_TO_HOST = 2,
    ACL_MEMCPY_DEVICE_TO_DEVICE = 3
} aclrtMemcpyKind;

typedef enum aclrtMemMallocPolicy {
    ACL_MEM_MALLOC_HUGE_FIRST = 0,
    ACL_MEM_MALLOC_HUGE_ONLY = 1,
    ACL_MEM_MALLOC_NORMAL_ONLY = 2,
    ACL_MEM_MALLOC_HUGE_FIRST_P2P = 3,
    ACL_MEM_MALLOC_HUGE_ONLY_P2P = 4,
    ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5
} aclrtMemMallocPolicy;

typedef enum aclrtMemAttr {
    ACL_DDR_MEM = 0,
    ACL_HBM_MEM = 1,
    ACL_DDR_MEM_HUGE = 2,
    ACL_DDR_MEM_NORMAL = 3,
    ACL_HBM_MEM_HUGE = 4,
    ACL_HBM_MEM_NORMAL = 5,
    ACL_DDR_MEM_P2P_HUGE = 6,
    ACL_DDR_MEM_P2P_NORMAL = 7,
    ACL_HBM_MEM_P2P_HUGE = 8,
    ACL_HBM_MEM_P2P_NORMAL = 9
} aclrtMemAttr;

typedef enum aclrtEventStatus {
    ACL_EVENT_STATUS_COMPLETE = 0,
    ACL_EVENT_STATUS_NOT_READY = 1,
    ACL_EVENT_STATUS_RESERVED = 2
} aclrtEventStatus;

typedef enum aclrtEventRecordedStatus {
    ACL_EVENT_RECORDED_STATUS_NOT_READY = 0,
    ACL_EVENT_RECORDED_STATUS_COMPLETE = 1
} aclrtEventRecordedStatus;

typedef enum aclrtStreamStatus {
    ACL_STREAM_STATUS_COMPLETE = 0,
    ACL_STREAM_STATUS_NOT_READY = 1,
    ACL_STREAM_STATUS_RESERVED = 0xFFFF
} aclrtStreamStatus;

typedef enum aclrtCallbackBlockType {
    ACL_CALLBACK_NO_BLOCK = 0,
    ACL_CALLBACK_BLOCK = 1
} aclrtCallbackBlockType;

typedef enum aclrtCmoType {
    ACL_RT_CMO_TYPE_PREFETCH = 0,
    ACL_RT_CMO_TYPE_WRITEBACK = 1,
    ACL_RT_CMO_TYPE_INVALID = 2,
    ACL_RT_CMO_TYPE_FLUSH = 3
} aclrtCmoType;

#define ACL_STREAM_FAST_LAUNCH 0x00000001U
#define ACL_STREAM_FAST_SYNC 0x00000002U
#define ACL_EVENT_SYNC 0x00000001U
#define ACL_EVENT_CAPTURE_STREAM_PROGRESS 0x00000002U
#define ACL_EVENT_TIME_LINE 0x00000008U

typedef void (*aclrtCallback)(void *userData);

/* ---- the process ---- */

/** Comes first; configPath may be NULL and is not read. ACL_ERROR_REPEAT_INITIALIZE when it was
 *  called and aclFinalize() was not; nothing changes then. */
aclError aclInit(const char *configPath);

/** Waits for the tasks of all streams. What the program made stays until it destroys it. */
aclError aclFinalize(void);

/** Why the last call of this thread that failed did so, NULL when none has since the last time.
 *  The text stays until the thread's next failure. */
const char *aclGetRecentErrMsg(void);

/** ACL_MAJOR_VERSION, ACL_MINOR_VERSION and ACL_PATCH_VERSION. */
aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion, int32_t *patchVersion);

/** Name of the chip: "CPU". */
const char *aclrtGetSocName(void);

/** ACL_HOST. */
aclError aclrtGetRunMode(aclrtRunMode *runMode);

/* ---- devices: 8, or as many as ASCEND_RT_VISIBLE_DEVICES lists; all are this processor ---- */

aclError aclrtGetDeviceCount(uint32_t *count);

/** This thread's device, 0 to the count less 1, from now on; its default context becomes that of
 *  the thread. */
aclError aclrtSetDevice(int32_t deviceId);

/** Waits for all streams; the device is no longer that of the thread. */
aclError aclrtResetDevice(int32_t deviceId);

/** ACL_ERROR_RT_CONTEXT_NULL when this thread has set none. */
aclError aclrtGetDevice(int32_t *deviceId);

/** Waits for all streams. */
aclError aclrtSynchronizeDevice(void);

/** A context names a device; the new one is that of the thread. */
aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId);
aclError aclrtDestroyContext(aclrtContext context);
aclError aclrtSetCurrentContext(aclrtContext context);
aclError aclrtGetCurrentContext(aclrtContext *context);

/* ---- streams: tasks in order, done by a thread that blocks all signals ---- */

/** At most 1024 tasks wait in a stream; a call that adds one more waits for room. */
aclError aclrtCreateStream(aclrtStream *stream);

/** The same; priority (0 to 7) and flag make no difference here. */
aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority, uint32_t flag);

/** Waits for the tasks of the stream, and ends its thread. */
aclError aclrtDestroyStream(aclrtStream stream);

aclError aclrtSynchronizeStream(aclrtStream stream);

/** Waits at most `timeout` ms, without limit for -1; ACL_ERROR_RT_STREAM_SYNC_TIMEOUT then. */
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout);

/** Does not wait. */
aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status);

/** Calls fn(userData) when its turn comes, in the thread of the stream; later tasks wait for it,
 *  with ACL_CALLBACK_NO_BLOCK as well. Nobody needs to subscribe to anything. */
aclError aclrtLaunchCallback(aclrtCallback fn, void *userData, aclrtCallbackBlockType blockType,
                             aclrtStream stream);
aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtCallback fn, void *args);

/* ---- events ---- */

aclError aclrtCreateEvent(aclrtEvent *event);

/** The same; flag is an "or" of ACL_EVENT_..., and all events have times here. */
aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag);

/** Streams that wait for the event go on as if it were there. */
aclError aclrtDestroyEvent(aclrtEvent event);

/** The event is complete when the stream comes to this place. */
aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);

/** When the stream comes to this place, the event is as new. */
aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream);

/** The stream waits for the place where the event was recorded last before this call; not at all
 *  when that has not happened. */
aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);

aclError aclrtSynchronizeEvent(aclrtEvent event);

/** Waits at most `timeout` ms, without limit for -1; ACL_ERROR_RT_EVENT_SYNC_TIMEOUT then. */
aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout);

/** NOT_READY also for an event that has not been recorded. */
aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status);
aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status);

/** Milliseconds from one event to the other, which must be complete. */
aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent);

/* ---- memory: all of it is the processor's, and may be read and written directly ---- */

/** Takes a block of at least 1 byte: at a multiple of 2 MiB for the HUGE_ONLY policies, and for the
 *  HUGE_FIRST ones when it has more than 1 MiB; else of 64 bytes. */
aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy);

/** Gives back a block of aclrtMalloc(); anything else, and a block a second time, is refused. */
aclError aclrtFree(void *devPtr);

aclError aclrtMallocHost(void **hostPtr, size_t size);
aclError aclrtFreeHost(void *hostPtr);

/** Free and all memory in bytes, whatever the attribute. */
aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total);

/** Copies count bytes, at most destMax; the ranges may overlap. */
aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count,
                     aclrtMemcpyKind kind);

/** The same when the stream comes to it: src must stay as it is, and both must exist, until then.
 */
aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream stream);

/** Copies height rows of width bytes, which lie dpitch and spitch bytes apart, at least width. */
aclError aclrtMemcpy2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                       size_t height, aclrtMemcpyKind kind);
aclError aclrtMemcpy2dAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream stream);

/** Sets count bytes, at most maxCount, to the low byte of value. */
aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count);
aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count,
                          aclrtStream stream);

/** Brings a range nearer to the processor when the stream comes to it; types other than
 *  ACL_RT_CMO_TYPE_PREFETCH give ACL_ERROR_RT_FEATURE_NOT_SUPPORT. */
aclError aclrtCmoAsync(void *src, size_t size, aclrtCmoType cmoType, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
#endif
