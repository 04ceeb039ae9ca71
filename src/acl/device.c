/* SPDX-License-Identifier: BSD-3-Clause */
/* The process, its devices and contexts. */
#include "device/device.h"

#include "acl_internal.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define DEVICES 8
#define VISIBLE_DEVICES "ASCEND_RT_VISIBLE_DEVICES"

static _Atomic bool is_acl_initialised;

/* The context that the thread has set, or that of the device that it has set. */
static _Thread_local void *acl_context;

/* ---- the process ---- */

aclError aclInit(const char *configPath)
{
    (void)configPath;
    if (atomic_exchange(&is_acl_initialised, true))
        return acl_refuse(ACL_ERROR_REPEAT_INITIALIZE, "aclInit: called before");
    return ACL_SUCCESS;
}

aclError aclFinalize(void)
{
    if (!atomic_exchange(&is_acl_initialised, false))
        return acl_refuse(ACL_ERROR_UNINITIALIZE, "aclFinalize: called without aclInit");
    acl_context = NULL;
    return acl_answer(__func__, shm_streams_drain(NULL, 0));
}

aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion, int32_t *patchVersion)
{
    if (majorVersion == NULL || minorVersion == NULL || patchVersion == NULL)
        return acl_refuse_null(__func__, "a version");
    *majorVersion = ACL_MAJOR_VERSION;
    *minorVersion = ACL_MINOR_VERSION;
    *patchVersion = ACL_PATCH_VERSION;
    return ACL_SUCCESS;
}

const char *aclrtGetSocName(void)
{
    return "CPU";
}

aclError aclrtGetRunMode(aclrtRunMode *runMode)
{
    if (runMode == NULL)
        return acl_refuse_null(__func__, "runMode");
    *runMode = ACL_HOST;
    return ACL_SUCCESS;
}

/* ---- devices ---- */

/* Numbers between commas, each once. */
static bool count_listed(const char *text, uint32_t *out_count)
{
    bool is_listed[SHM_DEVICES_MAX] = {false};
    uint32_t count = 0;

    for (const char *end = text;; text = end + 1) {
        unsigned device = 0;

        for (end = text; *end >= '0' && *end <= '9' && device < SHM_DEVICES_MAX; end++)
            device = device * 10 + (unsigned)(*end - '0');
        if (end == text || device >= SHM_DEVICES_MAX || is_listed[device])
            return false;
        is_listed[device] = true;
        count++;
        if (*end != ',') {
            *out_count = count;
            return *end == '\0';
        }
    }
}

static aclError count_devices(const char *call, uint32_t *out_count)
{
    const char *text = getenv(VISIBLE_DEVICES);

    *out_count = DEVICES;
    if (text == NULL || count_listed(text, out_count))
        return ACL_SUCCESS;
    return acl_refuse(ACL_ERROR_INVALID_PARAM,
                      "%s: " VISIBLE_DEVICES " = \"%.100s\", expected different numbers from 0 to "
                      "%d with commas between them",
                      call, text, SHM_DEVICES_MAX - 1);
}

aclError aclrtGetDeviceCount(uint32_t *count)
{
    uint32_t devices = 0;
    aclError code;

    if (count == NULL)
        return acl_refuse_null(__func__, "count");
    code = count_devices(__func__, &devices);
    if (code == ACL_SUCCESS)
        *count = devices;
    return code;
}

static aclError check_device(const char *call, int32_t device)
{
    uint32_t count = 0;
    aclError code = count_devices(call, &count);

    if (code == ACL_SUCCESS && (device < 0 || (uint32_t)device >= count))
        code = acl_refuse(ACL_ERROR_RT_INVALID_DEVICEID, "%s: deviceId = %d, expected 0 to %u",
                          call, (int)device, count - 1);
    return code;
}

aclError aclrtSetDevice(int32_t deviceId)
{
    aclError code = check_device(__func__, deviceId);

    return code == ACL_SUCCESS
               ? acl_answer(__func__, shm_device_context_default(deviceId, &acl_context))
               : code;
}

aclError aclrtGetDevice(int32_t *deviceId)
{
    int device;
    enum shm_status status;

    if (deviceId == NULL)
        return acl_refuse_null(__func__, "deviceId");
    if (acl_context == NULL)
        return acl_refuse(ACL_ERROR_RT_CONTEXT_NULL, "%s: this thread has set no device", __func__);
    status = shm_device_context_device(acl_context, &device);
    if (status == SHM_OK)
        *deviceId = device;
    return acl_answer(__func__, status);
}

aclError aclrtSynchronizeDevice(void)
{
    return acl_answer(__func__, shm_streams_synchronise());
}

aclError aclrtResetDevice(int32_t deviceId)
{
    aclError code = check_device(__func__, deviceId);
    int device;

    if (code != ACL_SUCCESS)
        return code;
    if (acl_context != NULL &&
        (shm_device_context_device(acl_context, &device) != SHM_OK || device == deviceId))
        acl_context = NULL;
    return acl_answer(__func__, shm_streams_drain(NULL, 0));
}

/* ---- contexts ---- */

aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId)
{
    aclError code;

    if (context == NULL)
        return acl_refuse_null(__func__, "context");
    code = check_device(__func__, deviceId);
    if (code == ACL_SUCCESS)
        code = acl_answer(__func__, shm_device_context_create(deviceId, context));
    if (code == ACL_SUCCESS)
        acl_context = *context;
    return code;
}

aclError aclrtDestroyContext(aclrtContext context)
{
    enum shm_status status = shm_device_context_destroy(context);

    if (status == SHM_OK && acl_context == context)
        acl_context = NULL;
    return acl_answer(__func__, status);
}

aclError aclrtSetCurrentContext(aclrtContext context)
{
    int device;
    enum shm_status status = shm_device_context_device(context, &device);

    if (status == SHM_OK)
        acl_context = context;
    return acl_answer(__func__, status);
}

aclError aclrtGetCurrentContext(aclrtContext *context)
{
    if (context == NULL)
        return acl_refuse_null(__func__, "context");
    if (acl_context == NULL)
        return acl_refuse(ACL_ERROR_RT_CONTEXT_NULL, "%s: this thread has set no device", __func__);
    *context = acl_context;
    return ACL_SUCCESS;
}
