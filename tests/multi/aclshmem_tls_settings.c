/* SPDX-License-Identifier: BSD-3-Clause */
/* Who asks for TLS and gives nothing to do it with gets an error from init, whether this build has
 * TLS or not; who takes the wish back starts without. One PE, no launcher. */
#include <aclshmem.h>
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

/* PE 0 gets a socket that is bound already. */
static int init(void)
{
    aclshmemx_init_attr_t attributes = ACLSHMEMX_INIT_ATTR_INITIALIZER;
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof any;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int code;

    EXPECT(bind(fd, (struct sockaddr *)&any, sizeof any) == 0);
    EXPECT(getsockname(fd, (struct sockaddr *)&any, &bytes) == 0);
    attributes.n_pes = 1;
    attributes.local_mem_size = 1 << 20;
    attributes.option_attr.sockFd = fd;
    snprintf(attributes.ip_port, sizeof attributes.ip_port, "tcp://127.0.0.1:%d",
             ntohs(any.sin_port));
    code = aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes);
    close(fd);
    return code;
}

static int init_is_refused(void)
{
    int code = init();

    return (code == ACLSHMEM_INVALID_PARAM || code == ACLSHMEM_NOT_SUPPORTED) &&
           aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED;
}

static int decrypt(const char *cipher, size_t cipher_bytes, char *plain, size_t *plain_bytes)
{
    (void)cipher;
    (void)cipher_bytes;
    (void)plain;
    (void)plain_bytes;
    return -1;
}

int main(void)
{
    static const char info[] = "tlsCaFile: /nowhere/a.pem; tlsCert: /nowhere/c.pem;";

    EXPECT(aclshmemx_set_conf_store_tls(true, NULL, 0) == ACLSHMEM_INVALID_PARAM);
    EXPECT(init_is_refused());
    EXPECT(aclshmemx_set_config_store_tls_key("key", 3, "password", 8, decrypt) == 0);
    EXPECT(aclshmemx_set_conf_store_tls(true, info, sizeof info) == 0);
    EXPECT(init_is_refused());
    EXPECT(init_is_refused());
    EXPECT(aclshmemx_set_conf_store_tls(false, NULL, 0) == 0);
    EXPECT(init() == 0);
    EXPECT(aclshmem_finalize() == 0);
    return 0;
}
