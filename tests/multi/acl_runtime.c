/* SPDX-License-Identifier: BSD-3-Clause */
/* acl/acl.h in one process, without any job: every function, and what each refuses. */
#include <acl/acl.h>

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OK(call) assert_int_equal(call, ACL_SUCCESS)
#define VISIBLE "ASCEND_RT_VISIBLE_DEVICES"

static void *const nonsense = (void *)0x123457;

/* Refused with this code, and the message starts with the function and has this in it. */
static void expect_message(const char *call, aclError given, aclError code, const char *part)
{
    const char *message = aclGetRecentErrMsg();
    size_t bytes = strcspn(call, "(");

    assert_int_equal(given, code);
    assert_non_null(message);
    if (strncmp(message, call, bytes) != 0 || strncmp(message + bytes, ": ", 2) != 0)
        fail_msg("'%s' does not name %s", message, call);
    if (strstr(message, part) == NULL)
        fail_msg("'%s' is not in '%s'", part, message);
    assert_null(aclGetRecentErrMsg()); /* once */
}

#define REFUSED(call, code, part) expect_message(#call, call, code, part)
#define NULL_REFUSED(call, part)                                                                   \
    expect_message(#call, call, ACL_ERROR_INVALID_PARAM, part " = NULL, expected an address")

static void test_process(void **state)
{
    int32_t major = 0, minor = -1, patch = -1;
    aclrtRunMode mode = ACL_DEVICE;

    (void)state;
    assert_null(aclGetRecentErrMsg());
    REFUSED(aclFinalize(), ACL_ERROR_UNINITIALIZE, "without aclInit");
    OK(aclInit(NULL));
    REFUSED(aclInit(NULL), ACL_ERROR_REPEAT_INITIALIZE, "called before");
    OK(aclrtGetVersion(&major, &minor, &patch));
    assert_true(major == ACL_MAJOR_VERSION && minor == ACL_MINOR_VERSION);
    assert_int_equal(patch, ACL_PATCH_VERSION);
    NULL_REFUSED(aclrtGetVersion(&major, NULL, &patch), "version");
    assert_string_equal(aclrtGetSocName(), "CPU");
    OK(aclrtGetRunMode(&mode));
    assert_int_equal(mode, ACL_HOST);
    NULL_REFUSED(aclrtGetRunMode(NULL), "runMode");
    OK(aclFinalize());
    OK(aclInit(NULL));
    OK(aclFinalize());
}

static void *ask_for_device(void *argument)
{
    return aclrtGetDevice(argument) == ACL_ERROR_RT_CONTEXT_NULL ? argument : NULL;
}

static void test_devices(void **state)
{
    int32_t device = -1;
    uint32_t count = 0;
    pthread_t thread;
    void *result;

    (void)state;
    unsetenv(VISIBLE);
    OK(aclrtGetDeviceCount(&count));
    assert_int_equal(count, 8);
    NULL_REFUSED(aclrtGetDeviceCount(NULL), "count");
    REFUSED(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL, "no device");
    OK(aclrtSetDevice(7));
    OK(aclrtGetDevice(&device));
    assert_int_equal(device, 7);
    NULL_REFUSED(aclrtGetDevice(NULL), "deviceId");
    assert_int_equal(pthread_create(&thread, NULL, ask_for_device, &device), 0);
    pthread_join(thread, &result);
    assert_ptr_equal(result, &device); /* another thread has none */
    REFUSED(aclrtSetDevice(8), ACL_ERROR_RT_INVALID_DEVICEID, "deviceId = 8, expected 0 to 7");
    REFUSED(aclrtSetDevice(-1), ACL_ERROR_RT_INVALID_DEVICEID, "deviceId = -1");
    REFUSED(aclrtResetDevice(8), ACL_ERROR_RT_INVALID_DEVICEID, "deviceId = 8");
    OK(aclrtResetDevice(6)); /* another one */
    OK(aclrtGetDevice(&device));
    OK(aclrtSynchronizeDevice());
    OK(aclrtResetDevice(7));
    REFUSED(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL, "no device");
}

static void test_visible_devices(void **state)
{
    static const char *const bad[] = {"",    ",",  "1,", "a",   "1,1",
                                      "0 1", "-1", "64", "1;2", "99999999999"};
    uint32_t count = 77;

    (void)state;
    setenv(VISIBLE, "5,0,63", 1);
    OK(aclrtGetDeviceCount(&count));
    assert_int_equal(count, 3);
    OK(aclrtSetDevice(2));
    OK(aclrtResetDevice(2));
    REFUSED(aclrtSetDevice(3), ACL_ERROR_RT_INVALID_DEVICEID, "expected 0 to 2");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        setenv(VISIBLE, bad[i], 1);
        REFUSED(aclrtGetDeviceCount(&count), ACL_ERROR_INVALID_PARAM, VISIBLE);
        REFUSED(aclrtSetDevice(0), ACL_ERROR_INVALID_PARAM, "expected different numbers");
    }
    assert_int_equal(count, 3);
    unsetenv(VISIBLE);
}

static void test_contexts(void **state)
{
    aclrtContext made = NULL, normal = NULL, now = NULL;
    int32_t device = -1;

    (void)state;
    REFUSED(aclrtGetCurrentContext(&now), ACL_ERROR_RT_CONTEXT_NULL, "no device");
    OK(aclrtSetDevice(1));
    OK(aclrtGetCurrentContext(&normal));
    OK(aclrtCreateContext(&made, 4));
    OK(aclrtGetDevice(&device));
    assert_int_equal(device, 4);
    OK(aclrtSetCurrentContext(normal));
    OK(aclrtGetDevice(&device));
    assert_int_equal(device, 1);
    OK(aclrtSetCurrentContext(made));
    OK(aclrtGetCurrentContext(&now));
    assert_ptr_equal(now, made);
    REFUSED(aclrtDestroyContext(normal), ACL_ERROR_RT_PARAM_INVALID, "stays");
    OK(aclrtDestroyContext(made));
    REFUSED(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL, "no device");
    REFUSED(aclrtDestroyContext(made), ACL_ERROR_RT_PARAM_INVALID, "context = ");
    REFUSED(aclrtSetCurrentContext(made), ACL_ERROR_RT_PARAM_INVALID, "context = ");
    NULL_REFUSED(aclrtCreateContext(NULL, 0), "context");
    REFUSED(aclrtCreateContext(&made, 8), ACL_ERROR_RT_INVALID_DEVICEID, "deviceId = 8");
    NULL_REFUSED(aclrtGetCurrentContext(NULL), "context");
}

static void test_blocks(void **state)
{
    void *block = NULL, *host = NULL;
    size_t available = 0, all = 0;

    (void)state;
    OK(aclrtMalloc(&block, 100, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_int_equal((uintptr_t)block % 64, 0);
    REFUSED(aclrtFreeHost(block), ACL_ERROR_RT_PARAM_INVALID, "no block of host memory");
    REFUSED(aclrtFree((char *)block + 1), ACL_ERROR_RT_PARAM_INVALID, "no block");
    OK(aclrtFree(block));
    REFUSED(aclrtFree(block), ACL_ERROR_RT_PARAM_INVALID, "given back already");
    for (int policy = 0; policy <= ACL_MEM_MALLOC_NORMAL_ONLY_P2P; policy++) {
        OK(aclrtMalloc(&block, 5000000, (aclrtMemMallocPolicy)policy));
        memset(block, 1, 5000000);
        if (policy % 3 != ACL_MEM_MALLOC_NORMAL_ONLY)
            assert_int_equal((uintptr_t)block % (2 << 20), 0);
        OK(aclrtFree(block));
    }
    OK(aclrtMalloc(&block, 1, ACL_MEM_MALLOC_HUGE_ONLY));
    assert_int_equal((uintptr_t)block % (2 << 20), 0);
    OK(aclrtFree(block));
    OK(aclrtMallocHost(&host, 100));
    REFUSED(aclrtFree(host), ACL_ERROR_RT_PARAM_INVALID, "no block of device memory");
    OK(aclrtFreeHost(host));
    NULL_REFUSED(aclrtMalloc(NULL, 1, ACL_MEM_MALLOC_HUGE_FIRST), "devPtr");
    NULL_REFUSED(aclrtMallocHost(NULL, 1), "hostPtr");
    NULL_REFUSED(aclrtFree(NULL), "devPtr");
    NULL_REFUSED(aclrtFreeHost(NULL), "hostPtr");
    REFUSED(aclrtMalloc(&block, 0, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM, "size = 0");
    REFUSED(aclrtMallocHost(&block, 0), ACL_ERROR_INVALID_PARAM, "size = 0");
    REFUSED(aclrtMalloc(&block, 1, (aclrtMemMallocPolicy)6), ACL_ERROR_INVALID_PARAM, "policy = 6");
    REFUSED(aclrtMalloc(&block, SIZE_MAX, ACL_MEM_MALLOC_HUGE_FIRST),
            ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory");
    OK(aclrtGetMemInfo(ACL_HBM_MEM, &available, &all));
    assert_true(available > 0 && available <= all);
    NULL_REFUSED(aclrtGetMemInfo(ACL_HBM_MEM, NULL, &all), "free");
    NULL_REFUSED(aclrtGetMemInfo(ACL_HBM_MEM, &available, NULL), "total");
    REFUSED(aclrtGetMemInfo((aclrtMemAttr)10, &available, &all), ACL_ERROR_INVALID_PARAM, "attr");
}

static void test_copies(void **state)
{
    char from[] = "0123456789", to[12] = "";

    (void)state;
    OK(aclrtMemcpy(to, sizeof to, from, sizeof from, ACL_MEMCPY_HOST_TO_DEVICE));
    assert_string_equal(to, from);
    OK(aclrtMemset(to, sizeof to, 'x' + 256, 3));
    assert_string_equal(to, "xxx3456789");
    REFUSED(aclrtMemcpy(to, 4, from, 5, ACL_MEMCPY_HOST_TO_HOST), ACL_ERROR_INVALID_PARAM,
            "count = 5, expected at most destMax = 4");
    REFUSED(aclrtMemset(to, 4, 0, 5), ACL_ERROR_INVALID_PARAM, "at most maxCount = 4");
    NULL_REFUSED(aclrtMemcpy(NULL, 4, from, 4, ACL_MEMCPY_HOST_TO_HOST), "dst");
    NULL_REFUSED(aclrtMemcpy(to, 4, NULL, 4, ACL_MEMCPY_HOST_TO_HOST), "src");
    NULL_REFUSED(aclrtMemset(NULL, 4, 0, 4), "devPtr");
    REFUSED(aclrtMemcpy(to, 4, from, 4, (aclrtMemcpyKind)4), ACL_ERROR_INVALID_PARAM, "kind = 4");
    assert_string_equal(to, "xxx3456789");
    OK(aclrtMemcpy2d(to, 6, from, 5, 2, 2, ACL_MEMCPY_DEVICE_TO_HOST));
    assert_string_equal(to, "01x34556"
                            "89");
    REFUSED(aclrtMemcpy2d(to, 2, from, 5, 3, 1, ACL_MEMCPY_HOST_TO_HOST), ACL_ERROR_INVALID_PARAM,
            "width = 3");
    REFUSED(aclrtMemcpy2d(to, 5, from, 2, 3, 1, ACL_MEMCPY_HOST_TO_HOST), ACL_ERROR_INVALID_PARAM,
            "spitch = 2");
    NULL_REFUSED(aclrtMemcpy2d(to, 5, NULL, 5, 3, 1, ACL_MEMCPY_HOST_TO_HOST), "src");
}

static void wait_at_gate(void *gate)
{
    sem_wait(gate);
}

/* What is asked of a stream happens when it comes to it, and not before. */
static void test_copies_in_stream(void **state)
{
    char from[] = "0123456789", to[12] = "", rows[12] = "", set[4] = "";
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    aclrtStream stream = NULL;
    sem_t gate;

    (void)state;
    sem_init(&gate, 0, 0);
    OK(aclrtCreateStream(&stream));
    OK(aclrtLaunchHostFunc(stream, wait_at_gate, &gate));
    OK(aclrtMemcpyAsync(to, sizeof to, from, sizeof from, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
    OK(aclrtMemsetAsync(set, sizeof set, 'y', 3, stream));
    OK(aclrtMemcpy2dAsync(rows, 3, from, 5, 3, 2, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    OK(aclrtCmoAsync(to, sizeof to, ACL_RT_CMO_TYPE_PREFETCH, stream));
    OK(aclrtStreamQuery(stream, &status));
    assert_int_equal(status, ACL_STREAM_STATUS_NOT_READY);
    REFUSED(aclrtSynchronizeStreamWithTimeout(stream, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
            "has 5 operations left and is in aclrtLaunchHostFunc");
    assert_true(to[0] == '\0' && set[0] == '\0' && rows[0] == '\0');
    sem_post(&gate);
    OK(aclrtSynchronizeStreamWithTimeout(stream, -1));
    OK(aclrtStreamQuery(stream, &status));
    assert_int_equal(status, ACL_STREAM_STATUS_COMPLETE);
    assert_string_equal(to, from);
    assert_string_equal(set, "yyy");
    assert_string_equal(rows, "012567");
    OK(aclrtDestroyStream(stream));
    sem_destroy(&gate);
}

static void test_refused_in_stream(void **state)
{
    char from[4] = "", to[4] = "";

    (void)state;
    REFUSED(aclrtMemcpyAsync(to, 3, from, 4, ACL_MEMCPY_HOST_TO_HOST, NULL),
            ACL_ERROR_INVALID_PARAM, "destMax = 3");
    NULL_REFUSED(aclrtMemcpyAsync(NULL, 3, from, 3, ACL_MEMCPY_HOST_TO_HOST, NULL), "dst");
    REFUSED(aclrtMemcpyAsync(to, 3, from, 3, ACL_MEMCPY_HOST_TO_HOST, nonsense),
            ACL_ERROR_RT_PARAM_INVALID, "stream = 0x123457");
    REFUSED(aclrtMemsetAsync(to, 3, 0, 4, NULL), ACL_ERROR_INVALID_PARAM, "maxCount = 3");
    REFUSED(aclrtMemcpy2dAsync(to, 1, from, 2, 2, 1, ACL_MEMCPY_HOST_TO_HOST, NULL),
            ACL_ERROR_INVALID_PARAM, "dpitch = 1");
    REFUSED(aclrtCmoAsync(to, 4, ACL_RT_CMO_TYPE_FLUSH, NULL), ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            "cmoType = 3");
    NULL_REFUSED(aclrtCmoAsync(NULL, 4, ACL_RT_CMO_TYPE_PREFETCH, NULL), "src");
    NULL_REFUSED(aclrtLaunchHostFunc(NULL, NULL, to), "fn");
    NULL_REFUSED(aclrtLaunchCallback(NULL, to, ACL_CALLBACK_BLOCK, NULL), "fn");
    REFUSED(aclrtLaunchCallback(wait_at_gate, to, (aclrtCallbackBlockType)2, NULL),
            ACL_ERROR_INVALID_PARAM, "blockType = 2");
}

static void test_streams(void **state)
{
    aclrtStream stream = NULL;
    aclrtStreamStatus status;

    (void)state;
    OK(aclrtCreateStreamWithConfig(&stream, 7, ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC));
    OK(aclrtSynchronizeStream(stream));
    OK(aclrtDestroyStream(stream));
    REFUSED(aclrtDestroyStream(stream), ACL_ERROR_RT_PARAM_INVALID, "stream = ");
    REFUSED(aclrtSynchronizeStream(stream), ACL_ERROR_RT_PARAM_INVALID, "stream = ");
    REFUSED(aclrtStreamQuery(stream, &status), ACL_ERROR_RT_PARAM_INVALID, "stream = ");
    REFUSED(aclrtDestroyStream(NULL), ACL_ERROR_RT_PARAM_INVALID, "default stream");
    NULL_REFUSED(aclrtCreateStream(NULL), "stream");
    NULL_REFUSED(aclrtCreateStreamWithConfig(NULL, 0, 0), "stream");
    NULL_REFUSED(aclrtStreamQuery(NULL, NULL), "status");
    REFUSED(aclrtCreateStreamWithConfig(&stream, 8, 0), ACL_ERROR_INVALID_PARAM, "priority = 8");
    REFUSED(aclrtCreateStreamWithConfig(&stream, 0, 64), ACL_ERROR_INVALID_PARAM, "flag = 0x40");
    REFUSED(aclrtSynchronizeStreamWithTimeout(NULL, -2), ACL_ERROR_INVALID_PARAM, "timeout = -2");
}

static void count_up(void *number)
{
    ++*(int *)number;
}

static void test_callbacks(void **state)
{
    int number = 0;

    (void)state;
    OK(aclrtLaunchCallback(count_up, &number, ACL_CALLBACK_BLOCK, NULL));
    OK(aclrtLaunchCallback(count_up, &number, ACL_CALLBACK_NO_BLOCK, NULL));
    OK(aclrtSynchronizeStream(NULL));
    assert_int_equal(number, 2);
    OK(aclInit(NULL));
    OK(aclrtLaunchCallback(count_up, &number, ACL_CALLBACK_BLOCK, NULL));
    OK(aclFinalize()); /* waits */
    assert_int_equal(number, 3);
    OK(aclrtLaunchCallback(count_up, &number, ACL_CALLBACK_BLOCK, NULL));
    OK(aclrtSynchronizeDevice());
    assert_int_equal(number, 4);
}

static void test_events(void **state)
{
    aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_COMPLETE;
    aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
    aclrtStream streams[2];
    aclrtEvent start = NULL, end = NULL;
    int number = 0;
    float ms = -1;
    sem_t gate;

    (void)state;
    sem_init(&gate, 0, 0);
    OK(aclrtCreateStream(&streams[0]));
    OK(aclrtCreateStream(&streams[1]));
    OK(aclrtCreateEvent(&start));
    OK(aclrtCreateEventWithFlag(&end, ACL_EVENT_TIME_LINE | ACL_EVENT_SYNC));
    OK(aclrtQueryEventStatus(start, &recorded));
    assert_int_equal(recorded, ACL_EVENT_RECORDED_STATUS_NOT_READY);
    REFUSED(aclrtEventElapsedTime(&ms, start, end), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, "start");
    OK(aclrtRecordEvent(start, streams[0]));
    OK(aclrtLaunchHostFunc(streams[0], wait_at_gate, &gate));
    OK(aclrtLaunchHostFunc(streams[0], count_up, &number));
    OK(aclrtRecordEvent(end, streams[0]));
    OK(aclrtStreamWaitEvent(streams[1], end));
    OK(aclrtSynchronizeEvent(start));
    OK(aclrtQueryEvent(start, &status));
    assert_int_equal(status, ACL_EVENT_STATUS_COMPLETE);
    OK(aclrtQueryEvent(end, &status));
    assert_int_equal(status, ACL_EVENT_STATUS_NOT_READY);
    REFUSED(aclrtSynchronizeEventWithTimeout(end, 20), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT,
            "is not complete");
    REFUSED(aclrtSynchronizeStreamWithTimeout(streams[1], 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
            "is in aclrtStreamWaitEvent");
    sem_post(&gate);
    OK(aclrtSynchronizeStream(streams[1]));
    assert_int_equal(number, 1);
    OK(aclrtSynchronizeEventWithTimeout(end, 0));
    OK(aclrtEventElapsedTime(&ms, start, end));
    assert_true(ms > 0);
    OK(aclrtResetEvent(end, streams[0]));
    OK(aclrtSynchronizeStream(streams[0]));
    OK(aclrtQueryEventStatus(end, &recorded));
    assert_int_equal(recorded, ACL_EVENT_RECORDED_STATUS_NOT_READY);
    OK(aclrtDestroyEvent(start));
    OK(aclrtDestroyEvent(end));
    OK(aclrtDestroyStream(streams[0]));
    OK(aclrtDestroyStream(streams[1]));
    sem_destroy(&gate);
}

static void test_refused_events(void **state)
{
    aclrtEventRecordedStatus recorded;
    aclrtEventStatus status;
    aclrtEvent event;
    float ms;

    (void)state;
    NULL_REFUSED(aclrtCreateEvent(NULL), "event");
    NULL_REFUSED(aclrtCreateEventWithFlag(NULL, ACL_EVENT_SYNC), "event");
    REFUSED(aclrtCreateEventWithFlag(&event, 0), ACL_ERROR_INVALID_PARAM, "flag = 0x0");
    REFUSED(aclrtCreateEventWithFlag(&event, 0x80), ACL_ERROR_INVALID_PARAM, "flag = 0x80");
    OK(aclrtCreateEvent(&event));
    NULL_REFUSED(aclrtQueryEvent(event, NULL), "status");
    NULL_REFUSED(aclrtQueryEventStatus(event, NULL), "status");
    NULL_REFUSED(aclrtEventElapsedTime(NULL, event, event), "ms");
    REFUSED(aclrtSynchronizeEventWithTimeout(event, -7), ACL_ERROR_INVALID_PARAM, "timeout = -7");
    REFUSED(aclrtRecordEvent(event, nonsense), ACL_ERROR_RT_PARAM_INVALID, "stream = ");
    OK(aclrtDestroyEvent(event));
#define GONE(call) REFUSED(call, ACL_ERROR_RT_PARAM_INVALID, "event = ")
    GONE(aclrtDestroyEvent(event));
    GONE(aclrtRecordEvent(event, NULL));
    GONE(aclrtResetEvent(event, NULL));
    GONE(aclrtStreamWaitEvent(NULL, event));
    GONE(aclrtSynchronizeEvent(event));
    GONE(aclrtSynchronizeEventWithTimeout(event, 0));
    GONE(aclrtQueryEvent(event, &status));
    GONE(aclrtQueryEventStatus(event, &recorded));
    GONE(aclrtEventElapsedTime(&ms, event, event));
}

static void test_fork(void **state)
{
    aclrtStream stream = NULL;
    int status = -1;
    pid_t child;

    (void)state;
    OK(aclrtSetDevice(2));
    OK(aclrtCreateStream(&stream));
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int32_t device;

        if (aclrtSynchronizeStream(stream) != ACL_ERROR_RT_PARAM_INVALID)
            _exit(1);
        if (strstr(aclGetRecentErrMsg(), "belongs to the parent process") == NULL)
            _exit(2);
        _exit(aclrtSetDevice(3) == 0 && aclrtGetDevice(&device) == 0 && device == 3 ? 0 : 3);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    OK(aclrtDestroyStream(stream));
    OK(aclrtResetDevice(2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_process),
        cmocka_unit_test(test_devices),
        cmocka_unit_test(test_visible_devices),
        cmocka_unit_test(test_contexts),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_copies_in_stream),
        cmocka_unit_test(test_callbacks),
        cmocka_unit_test(test_refused_in_stream),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_refused_events),
        cmocka_unit_test(test_fork),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
