/* SPDX-License-Identifier: BSD-3-Clause */
/* ACLSHMEM jobs whose PEs meet over TLS, and inits that must fail rather than go without it. */
#include <aclshmem.h>

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "certificates.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define HEAP (1ul << 20)
#define N_PES 3

static char folder[64];
static struct authority authority;
static struct credentials good;
static struct credentials expired;

/* In a PE: cmocka belongs to the parent. The exit status tells the line. */
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "PE %d: %s:%d: %s\n", aclshmem_my_pe(), __FILE__, __LINE__,            \
                    #condition);                                                                   \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

/* ---- certificates ---- */

static int build_world(void **state)
{
    const struct certificate_wish here = {.name = "good",
                                          .hosts = "DNS:localhost,IP:127.0.0.1",
                                          .password = "open sesame",
                                          .serial = 2,
                                          .ends_in_s = CERTIFICATES_DAY};
    const struct certificate_wish ended = {
        .name = "expired", .hosts = "IP:127.0.0.1", .serial = 3, .ends_in_s = -60};

    (void)state;
    snprintf(folder, sizeof folder, "/tmp/shmem-tls-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    authority_make(&authority, folder, "authority");
    credentials_make(&good, &authority, folder, &here);
    credentials_make(&expired, &authority, folder, &ended);
    return 0;
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)facts;
    (void)kind;
    (void)place;
    return remove(path);
}

static int remove_world(void **state)
{
    (void)state;
    authority_release(&authority);
    return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* The password comes with every letter one too high. */
static int decrypt(const char *cipher, size_t cipher_bytes, char *plain, size_t *plain_bytes)
{
    if (cipher_bytes > *plain_bytes)
        return -1;
    for (size_t i = 0; i < cipher_bytes; i++)
        plain[i] = (char)(cipher[i] - 1);
    *plain_bytes = cipher_bytes;
    return 0;
}

static void ask_for_tls(const struct credentials *credentials)
{
    char info[512];
    char key[CERTIFICATES_KEY_BYTES];
    char password[] = "pqfo!tftbnf";

    snprintf(info, sizeof info, "tlsCaPath: %s; tlsCaFile: authority.pem; tlsCert: %s;", folder,
             credentials->file);
    strcpy(key, credentials->key);
    EXPECT(aclshmemx_set_config_store_tls_key(key, (uint32_t)strlen(key), password,
                                              (uint32_t)strlen(password), decrypt) == 0);
    EXPECT(aclshmemx_set_conf_store_tls(true, info, (uint32_t)strlen(info)) == 0);
    /* the library has its own copies */
    memset(info, 'x', sizeof info);
    memset(key, 'x', sizeof key);
    memset(password, 'x', sizeof password);
}

/* ---- PEs ---- */

static void find_address(char address[64], const char *host)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof any;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_int_equal(bind(fd, (struct sockaddr *)&any, sizeof any), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&any, &bytes), 0);
    close(fd);
    snprintf(address, 64, "tcp://%s:%d", host, ntohs(any.sin_port));
}

static int init(int pe, int n_pes, const char *address)
{
    aclshmemx_init_attr_t attributes = ACLSHMEMX_INIT_ATTR_INITIALIZER;

    attributes.my_pe = pe;
    attributes.n_pes = n_pes;
    attributes.local_mem_size = HEAP;
    attributes.option_attr.shm_init_timeout = 20;
    snprintf(attributes.ip_port, sizeof attributes.ip_port, "%s", address);
    return aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes);
}

typedef void (*pe_function)(int pe, const char *address);

/* Runs the PEs; what they log comes back in `log`. */
static void run_pes(int n_pes, pe_function function, const char *host, char *log, size_t bytes)
{
    pid_t pids[N_PES];
    char address[64];
    int log_fd = memfd_create("log", MFD_CLOEXEC);
    ssize_t logged;
    bool all_well = true;

    assert_true(log_fd >= 0 && fcntl(log_fd, F_SETFL, O_APPEND) == 0);
    find_address(address, host);
    for (int pe = 0; pe < n_pes; pe++) {
        pids[pe] = fork();
        assert_true(pids[pe] >= 0);
        if (pids[pe] == 0) {
            alarm(50);
            dup2(log_fd, STDERR_FILENO);
            function(pe, address);
            _exit(0);
        }
    }
    for (int pe = 0; pe < n_pes; pe++) {
        int status = 0;

        assert_int_equal(waitpid(pids[pe], &status, 0), pids[pe]);
        all_well = all_well && status == 0;
    }
    logged = pread(log_fd, log, bytes - 1, 0);
    assert_true(logged >= 0);
    log[logged] = '\0';
    close(log_fd);
    if (!all_well)
        fail_msg("%s", log);
}

static void expect_logged(const char *log, const char *text)
{
    if (strstr(log, text) == NULL)
        fail_msg("\"%s\" is not in: %s", text, log);
}

static void use_heap(int pe)
{
    int *block = aclshmem_malloc(64);

    EXPECT(block != NULL);
    aclshmem_int32_p(block, pe, (pe + 1) % N_PES);
    aclshmem_barrier_all();
    EXPECT(*block == (pe + N_PES - 1) % N_PES);
    aclshmem_free(block);
}

static void meet_over_tls(int pe, const char *address)
{
    ask_for_tls(&good);
    for (int round = 0; round < 2; round++) { /* the key is kept */
        EXPECT(init(pe, N_PES, address) == 0);
        use_heap(pe);
        EXPECT(aclshmem_finalize() == 0);
    }
    EXPECT(aclshmemx_set_conf_store_tls(false, NULL, 0) == 0);
    EXPECT(init(pe, N_PES, address) == 0);
    use_heap(pe);
    EXPECT(aclshmem_finalize() == 0);
}

static void test_job_over_tls(void **state)
{
    char log[4096];

    (void)state;
    run_pes(N_PES, meet_over_tls, "127.0.0.1", log, sizeof log);
    run_pes(N_PES, meet_over_tls, "localhost", log, sizeof log);
}

/* PE 0 waits for its job until it may not any more: it is ended from outside. */
static void exit_with_others(int pe, int code)
{
    EXPECT(pe == 0 || code == ACLSHMEM_INNER_ERROR);
    EXPECT(code != 0);
    EXPECT(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
}

static int init_briefly(int pe, const char *address)
{
    aclshmemx_init_attr_t attributes = ACLSHMEMX_INIT_ATTR_INITIALIZER;

    attributes.my_pe = pe;
    attributes.n_pes = 2;
    attributes.local_mem_size = HEAP;
    attributes.option_attr.shm_init_timeout = 3;
    snprintf(attributes.ip_port, sizeof attributes.ip_port, "%s", address);
    return aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes);
}

static void only_pe_0_asks(int pe, const char *address)
{
    if (pe == 0)
        ask_for_tls(&good);
    exit_with_others(pe, init_briefly(pe, address));
}

static void only_pe_1_asks(int pe, const char *address)
{
    if (pe == 1)
        ask_for_tls(&good);
    exit_with_others(pe, init_briefly(pe, address));
}

static void pe_1_has_expired(int pe, const char *address)
{
    ask_for_tls(pe == 0 ? &good : &expired);
    exit_with_others(pe, init_briefly(pe, address));
}

static void test_one_side_without_tls(void **state)
{
    char log[4096];

    (void)state;
    run_pes(2, only_pe_0_asks, "127.0.0.1", log, sizeof log);
    expect_logged(log, "aclshmemx_init_attr: joining the store at tcp://127.0.0.1:");
    expect_logged(log, "PE 1 came without TLS, which this job asks for");
    run_pes(2, only_pe_1_asks, "127.0.0.1", log, sizeof log);
    expect_logged(log, "this PE asks for it, but PE 0 serves the store without it");
}

static void test_expired_certificate(void **state)
{
    char log[4096];

    (void)state;
    run_pes(2, pe_1_has_expired, "127.0.0.1", log, sizeof log);
    expect_logged(log, "the store did not accept us or our certificate: certificate expired");
    expect_logged(log, "\"/CN=expired\" of a PE is not accepted: certificate has expired");
}

/* ---- never clear text instead ---- */

static void ask_in_vain(int pe, const char *address)
{
    static const char nowhere[] = "tlsCaFile: /nowhere/a.pem; tlsCert: /nowhere/c.pem;";

    EXPECT(aclshmemx_set_conf_store_tls(true, NULL, 0) == ACLSHMEM_INVALID_PARAM);
    EXPECT(init(pe, 1, address) == ACLSHMEM_INVALID_PARAM);
    EXPECT(aclshmemx_set_conf_store_tls(true, nowhere, sizeof nowhere) == 0);
    EXPECT(init(pe, 1, address) == ACLSHMEM_INVALID_PARAM);
    ask_for_tls(&good);
    EXPECT(aclshmemx_set_config_store_tls_key(NULL, 0, NULL, 0, NULL) == 0);
    EXPECT(init(pe, 1, address) == ACLSHMEM_INVALID_PARAM);
    EXPECT(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
    ask_for_tls(&good);
    EXPECT(init(pe, 1, address) == 0);
    EXPECT(aclshmem_finalize() == 0);
    EXPECT(aclshmemx_set_conf_store_tls(false, NULL, 0) == 0);
    EXPECT(init(pe, 1, address) == 0);
    EXPECT(aclshmem_finalize() == 0);
}

static void test_nothing_usable_is_an_error(void **state)
{
    char log[8192];

    (void)state;
    run_pes(1, ask_in_vain, "127.0.0.1", log, sizeof log);
    expect_logged(log, "aclshmemx_set_conf_store_tls: tls_info = NULL");
    expect_logged(log, "TLS is asked for, but tls_info is NULL");
    expect_logged(log, "/nowhere/a.pem");
    expect_logged(log, "TLS is asked for, but there is no private key");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_job_over_tls),
        cmocka_unit_test(test_one_side_without_tls),
        cmocka_unit_test(test_expired_certificate),
        cmocka_unit_test(test_nothing_usable_is_an_error),
    };

    return cmocka_run_group_tests(tests, build_world, remove_world);
}
