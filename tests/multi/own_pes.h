/* SPDX-License-Identifier: BSD-3-Clause */
/** Jobs whose PEs a cmocka program starts itself; they meet at an address. */
#ifndef OWN_PES_H
#define OWN_PES_H

#include <aclshmem.h>

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (1024ul * 1024)
#define HEAP (4 * MIB)

/* In a PE: cmocka belongs to the parent. The exit status tells the line. */
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "PE %d: %s:%d: %s\n", aclshmem_my_pe(), __FILE__, __LINE__,            \
                    #condition);                                                                   \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

static inline aclshmemx_init_attr_t attributes_for(int pe, int n_pes, const char *address)
{
    aclshmemx_init_attr_t attributes = ACLSHMEMX_INIT_ATTR_INITIALIZER;

    attributes.my_pe = pe;
    attributes.n_pes = n_pes;
    attributes.local_mem_size = HEAP;
    snprintf(attributes.ip_port, sizeof attributes.ip_port, "%s", address);
    return attributes;
}

/* A port that was free a moment ago. */
static inline void find_address(char address[64])
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof any;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_int_equal(bind(fd, (struct sockaddr *)&any, sizeof any), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&any, &bytes), 0);
    close(fd);
    snprintf(address, 64, "tcp://127.0.0.1:%d", ntohs(any.sin_port));
}

typedef void (*pe_function)(int pe, int n_pes, const void *argument);

static inline void run_pes(int n_pes, pe_function function, const void *argument)
{
    pid_t pids[16];

    for (int pe = 0; pe < n_pes; pe++) {
        pids[pe] = fork();
        assert_true(pids[pe] >= 0);
        if (pids[pe] == 0) {
            alarm(60);
            function(pe, n_pes, argument);
            _exit(0);
        }
    }
    for (int pe = 0; pe < n_pes; pe++) {
        int status = 0;

        assert_int_equal(waitpid(pids[pe], &status, 0), pids[pe]);
        assert_int_equal(status, 0);
    }
}

/* A job for which the argument of every PE is the address. */
static inline void run_job(int n_pes, pe_function function)
{
    char address[64];

    find_address(address);
    run_pes(n_pes, function, address);
}

static inline void join(int pe, int n_pes, const void *address)
{
    aclshmemx_init_attr_t attributes = attributes_for(pe, n_pes, (const char *)address);

    EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == 0);
}

#endif
