/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Status codes that travel inside the library and across the plug-in contract.
 * 0 is success and every other value is negative. The values down to -100 are those of
 * aclshmem_error_code_t; the library's own start at -1000. errno values never appear here:
 * -1 to -11 would read as other errors.
 */
#ifndef SHMEM_STATUS_H
#define SHMEM_STATUS_H

enum shm_status {
    SHM_OK = 0,
    SHM_INVALID_PARAM = -1,     /* an argument that makes no sense */
    SHM_INVALID_VALUE = -2,     /* an argument out of its range */
    SHM_SMEM_ERROR = -3,        /* the memory layer or the store */
    SHM_INNER_ERROR = -4,       /* anything else inside the library or a system call */
    SHM_NOT_INITED = -5,        /* called before init or after finalize */
    SHM_BOOTSTRAP_ERROR = -6,   /* the PEs could not meet */
    SHM_TIMEOUT_ERROR = -7,     /* a time limit passed */
    SHM_MALLOC_FAILED = -8,     /* no memory */
    SHM_DL_FUNC_FAILED = -9,    /* a plug-in lacks its entry point */
    SHM_INNER_TIMEOUT = -10,    /* a time limit inside one step passed */
    SHM_UNDER_API_UNLOAD = -11, /* a plug-in that is needed is not loaded */
    SHM_NOT_SUPPORTED = -100,   /* not offered here */
    SHM_AGAIN = -1000,          /* not yet: call again */
    SHM_CLOSED = -1001,         /* the other side closed the connection */
    SHM_PEER_LOST = -1002,      /* a PE of the job failed */
    SHM_ABORTED = -1003,        /* some PE asked the whole job to exit */
    SHM_NOT_FOUND = -1004,      /* no such key, block, PE */
    SHM_REFUSED = -1005,        /* the other side turned us away */
    SHM_PROTOCOL = -1006,       /* the other side sent what the protocol does not allow */
    SHM_MISMATCH = -1007        /* PEs disagree about what must be equal */
};

#endif
