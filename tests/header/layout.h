/* SPDX-License-Identifier: BSD-3-Clause */
/** Sizes, offsets and values that ACLSHMEM programs were compiled with, in C and C++. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include <aclshmem.h>

#ifdef __cplusplus
#define HOLDS(condition) static_assert(condition, #condition)
#else
#define HOLDS(condition) _Static_assert(condition, #condition)
#endif

#define MEMBER(type, member, at, bytes)                                                            \
    HOLDS(offsetof(type, member) == (at) && sizeof(((type *)0)->member) == (bytes))

HOLDS(sizeof(aclshmem_init_optional_attr_t) == 24);
MEMBER(aclshmem_init_optional_attr_t, version, 0, 4);
MEMBER(aclshmem_init_optional_attr_t, data_op_engine_type, 4, 4);
MEMBER(aclshmem_init_optional_attr_t, shm_init_timeout, 8, 4);
MEMBER(aclshmem_init_optional_attr_t, shm_create_timeout, 12, 4);
MEMBER(aclshmem_init_optional_attr_t, control_operation_timeout, 16, 4);
MEMBER(aclshmem_init_optional_attr_t, sockFd, 20, 4);

HOLDS(sizeof(aclshmemx_init_attr_t) == 120);
MEMBER(aclshmemx_init_attr_t, my_pe, 0, 4);
MEMBER(aclshmemx_init_attr_t, n_pes, 4, 4);
MEMBER(aclshmemx_init_attr_t, ip_port, 8, 64);
MEMBER(aclshmemx_init_attr_t, local_mem_size, 72, 8);
MEMBER(aclshmemx_init_attr_t, option_attr, 80, 24);
MEMBER(aclshmemx_init_attr_t, comm_args, 104, 8);
MEMBER(aclshmemx_init_attr_t, instance_id, 112, 8);

HOLDS(sizeof(aclshmemx_uniqueid_t) == 136);
MEMBER(aclshmemx_uniqueid_t, version, 0, 4);
MEMBER(aclshmemx_uniqueid_t, my_pe, 4, 4);
MEMBER(aclshmemx_uniqueid_t, n_pes, 8, 4);
MEMBER(aclshmemx_uniqueid_t, internal, 12, 124);
HOLDS(ACLSHMEM_UNIQUEID_VERSION == (1 << 16) + sizeof(aclshmemx_uniqueid_t));

HOLDS(sizeof(aclshmem_team_config_t) == 64);
MEMBER(aclshmem_team_config_t, version, 0, 4);
MEMBER(aclshmem_team_config_t, num_contexts, 4, 4);
MEMBER(aclshmem_team_config_t, uniqueid, 8, 8);
MEMBER(aclshmem_team_config_t, padding, 16, 48);
HOLDS(sizeof(aclshmem_handle_t) == 4 && sizeof(aclrtStream) == sizeof(void *));
MEMBER(aclshmem_handle_t, team_id, 0, 4);
HOLDS(sizeof(aclshmem_team_t) == 4 && sizeof(aclshmem_team_index_t) == 4);
HOLDS((aclshmem_team_t)-1 < 0 && TEAM_CONFIG_PADDING == 48);
HOLDS(sizeof(aclshmem_mem_type_t) == 4 && HOST_SIDE == 0 && DEVICE_SIDE == 1);
HOLDS(sizeof(aclshmem_signal_op_type_t) == 4 && sizeof(aclshmem_cmp_op_type_t) == 4);
HOLDS(ACLSHMEM_SIGNAL_SET == 0 && ACLSHMEM_SIGNAL_ADD == 1);
HOLDS(ACLSHMEM_CMP_EQ == 0 && ACLSHMEM_CMP_NE == 1 && ACLSHMEM_CMP_GT == 2);
HOLDS(ACLSHMEM_CMP_GE == 3 && ACLSHMEM_CMP_LT == 4 && ACLSHMEM_CMP_LE == 5);
HOLDS(ACLSHMEM_TEAM_INVALID == -1 && ACLSHMEM_TEAM_WORLD == 0 && ACLSHMEM_MAX_TEAMS == 2048);

HOLDS(sizeof(aclshmem_error_code_t) == 4 && sizeof(aclshmemx_bootstrap_t) == 4);
HOLDS(sizeof(aclshmemx_init_status_t) == 4 && sizeof(data_op_engine_type_t) == 4);
HOLDS(ACLSHMEM_SUCCESS == 0 && ACLSHMEM_INVALID_PARAM == -1 && ACLSHMEM_INVALID_VALUE == -2);
HOLDS(ACLSHMEM_SMEM_ERROR == -3 && ACLSHMEM_INNER_ERROR == -4 && ACLSHMEM_NOT_INITED == -5);
HOLDS(ACLSHMEM_BOOTSTRAP_ERROR == -6 && ACLSHMEM_TIMEOUT_ERROR == -7);
HOLDS(ACLSHMEM_MALLOC_FAILED == -8 && ACLSHMEM_DL_FUNC_FAILED == -9);
HOLDS(ACLSHMEM_INNER_TIMEOUT == -10 && ACLSHMEM_UNDER_API_UNLOAD == -11);
HOLDS(ACLSHMEM_NOT_SUPPORTED == -100);
HOLDS(ACLSHMEMX_INIT_WITH_DEFAULT == 1 && ACLSHMEMX_INIT_WITH_MPI == 2);
HOLDS(ACLSHMEMX_INIT_WITH_UNIQUEID == 8 && ACLSHMEMX_INIT_MAX == 2147483648u);
HOLDS(ACLSHMEM_STATUS_NOT_INITIALIZED == 0 && ACLSHMEM_STATUS_SHM_CREATED == 1);
HOLDS(ACLSHMEM_STATUS_IS_INITIALIZED == 2 && ACLSHMEM_STATUS_INVALID == 2147483647);
HOLDS(ACLSHMEM_DATA_OP_MTE == 1 && ACLSHMEM_DATA_OP_SDMA == 2 && ACLSHMEM_DATA_OP_ROCE == 4);
HOLDS(ACLSHMEM_DATA_OP_UDMA == 8 && ACLSHMEM_DATA_OP_MAX == 8);
HOLDS(ACLSHMEM_MAJOR_VERSION == 1 && ACLSHMEM_MINOR_VERSION == 1);
HOLDS(ACLSHMEM_VENDOR_MAJOR_VER == 1 && ACLSHMEM_VENDOR_MINOR_VER == 1);
HOLDS(ACLSHMEM_VENDOR_PATCH_VER == 1 && ACLSHMEM_MAX_NAME_LEN == 256);
HOLDS(ACLSHMEM_MAX_IP_PORT_LEN == 64 && ACLSHMEM_MAX_PES == 16384);
HOLDS(ACLSHMEM_MAX_LOCAL_SIZE == 42949672960 && ACLSHMEM_UNIQUE_ID_INNER_LEN == 124);
HOLDS(DEFAULT_TIMEOUT == 120);

/** What is wrong with default attributes, or NULL. */
static inline const char *find_wrong_default(const aclshmemx_init_attr_t *attr)
{
    const aclshmem_init_optional_attr_t *option = &attr->option_attr;

    if (option->version != (1 << 16) + (int)sizeof(*option))
        return "version";
    if (option->data_op_engine_type != ACLSHMEM_DATA_OP_MTE)
        return "data_op_engine_type";
    if (option->shm_init_timeout != 120 || option->shm_create_timeout != 120 ||
        option->control_operation_timeout != 120)
        return "time limits";
    if (option->sockFd != -1)
        return "sockFd";
    if (attr->ip_port[0] != '\0' || attr->comm_args != NULL || attr->instance_id != 0)
        return "ip_port, comm_args or instance_id";
    if (attr->my_pe != 0 || attr->n_pes != 0 || attr->local_mem_size != 0)
        return "my_pe, n_pes or local_mem_size";
    return NULL;
}

#endif
