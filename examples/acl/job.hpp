// SPDX-License-Identifier: BSD-3-Clause
// The command line of the examples, N_PES PE ADDRESS, and a device with the job on it.
#ifndef JOB_HPP
#define JOB_HPP

#include "acl/acl.h"
#include "shmem.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Job {
    int pe;
    int n_pes;
    const char *address;
};

inline bool read_number(const char *text, int most, int *number)
{
    char *end;
    long value = std::strtol(text, &end, 10);

    if (end == text || *end != '\0' || value < 0 || value > most)
        return false;
    *number = static_cast<int>(value);
    return true;
}

// Exit status 2 and one line for what makes no sense.
inline Job read_command_line(const char *name, int argc, char **argv)
{
    Job job{};

    if (argc != 4 || !read_number(argv[1], ACLSHMEM_MAX_PES, &job.n_pes) ||
        !read_number(argv[2], job.n_pes - 1, &job.pe)) {
        std::fprintf(stderr,
                     "%s: expected N_PES PE ADDRESS, for example 2 0 tcp://127.0.0.1:8899\n", name);
        std::exit(2);
    }
    job.address = argv[3];
    return job;
}

// 0, or a line about what did not work and its code.
inline int start(const char *name, const Job &job, uint64_t heap_bytes)
{
    shmem_init_attr_t attributes;
    uint32_t n_devices = 0;
    int status = aclInit(nullptr);

    if (status == ACL_SUCCESS)
        status = aclrtGetDeviceCount(&n_devices);
    if (status == ACL_SUCCESS)
        status = aclrtSetDevice(job.pe % static_cast<int>(n_devices));
    if (status != ACL_SUCCESS) {
        std::fprintf(stderr, "%s: PE %d has no device: %d\n", name, job.pe, status);
        return status;
    }
    attributes.my_pe = job.pe;
    attributes.n_pes = job.n_pes;
    attributes.local_mem_size = heap_bytes;
    std::snprintf(attributes.ip_port, sizeof attributes.ip_port, "%s", job.address);
    status = shmem_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes);
    if (status != ACLSHMEM_SUCCESS)
        std::fprintf(stderr, "%s: PE %d cannot start: %d\n", name, job.pe, status);
    return status;
}

inline bool end()
{
    bool good = shmem_finalize() == ACLSHMEM_SUCCESS;

    return aclFinalize() == ACL_SUCCESS && good;
}

#endif
