/* SPDX-License-Identifier: BSD-3-Clause */
/* ACLSHMEM: several instances in a process, one thread. Their ports, codes, ends. */
#include "instances.h"

#include <errno.h>
#include <shmemx.h>
#include <sys/mman.h>

#define PAIR 2

static void run_with_ports(int n_pes, pe_function function)
{
    int first = find_ports();

    set_port_range(first);
    run_pes(n_pes, function, &first);
}

/* ---- codes ---- */

static void expect_no_ports(const char *range)
{
    if (range != NULL)
        setenv("SHMEM_INSTANCE_PORT_RANGE", range, 1);
    else
        unsetenv("SHMEM_INSTANCE_PORT_RANGE");
    EXPECT(start_instance(1, 0, 1) == ACLSHMEM_INVALID_VALUE);
    EXPECT(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
}

static void expect_bad_address(const char *ip_port)
{
    aclshmemx_init_attr_t attributes = instance_attributes(1, 0, 1);

    memset(attributes.ip_port, 'x', sizeof attributes.ip_port);
    memcpy(attributes.ip_port, ip_port, strnlen(ip_port, sizeof attributes.ip_port - 1) + 1);
    EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == ACLSHMEM_INVALID_VALUE);
    EXPECT(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
}

static void refuse_ports(int pe, int n_pes, const void *argument)
{
    static const char endless[] = "tcp://0123456789.0123456789.0123456789.0123456789.01234567:0123";
    char long_host[ACLSHMEM_MAX_IP_PORT_LEN];
    aclshmemx_init_attr_t attributes = instance_attributes(PORTS, 0, 1);

    (void)pe;
    (void)n_pes;
    (void)argument;
    EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) ==
           ACLSHMEM_INVALID_VALUE); /* one beyond the end */
    EXPECT(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
    attributes.instance_id = UINT64_MAX;
    EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == ACLSHMEM_INVALID_VALUE);
    expect_bad_address("");
    expect_bad_address("tcp://127.0.0.1:20001");
    expect_bad_address("tcp://127.0.0.1");
    expect_bad_address("tcp://127.0.0.1:00");
    expect_bad_address(endless); /* fills the field, without a zero at its end */
    memset(long_host, 'x', sizeof long_host);
    memcpy(long_host + sizeof long_host - 3, ":0", 3); /* has an end, but no room for a port */
    expect_bad_address(long_host);
    attributes.my_pe = -1; /* is looked at later: the same code, but this line first */
    attributes.instance_id = 1;
    snprintf(attributes.ip_port, sizeof attributes.ip_port, "tcp://127.0.0.1:0");
    EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == ACLSHMEM_INVALID_VALUE);
    expect_no_ports("20000:21023x");
    expect_no_ports("20000");
    expect_no_ports("20000:");
    expect_no_ports(":21023");
    expect_no_ports("a:21023");
    expect_no_ports("20000:65536");
    expect_no_ports("70000:70010");
    expect_no_ports("21023:20000");
    setenv("SHMEM_INSTANCE_PORT_RANGE", "20000:21023", 1);
    EXPECT(start_instance(1025, 0, 1) == ACLSHMEM_INVALID_VALUE); /* the last one is 1023 */
    EXPECT(start_instance(1024, 0, 1) == ACLSHMEM_INVALID_VALUE);
    expect_no_ports("20000:20000"); /* room for instance 0 only */
    expect_no_ports("1:9");         /* not for programs of users */
    expect_no_ports("-5:20000");
    expect_no_ports("00000000000020000:21023");
    expect_no_ports("");
    expect_no_ports(NULL);
    EXPECT(aclshmem_finalize() == 0 && aclshmem_finalize() == 0);
}

static void test_bad_ports(void **state)
{
    (void)state;
    run_with_ports(1, refuse_ports);
}

/* The library's lines go to standard error. */
static void expect_line_about_taken_port(int port)
{
    char text[2000] = "";
    char wanted[32];
    int memory = memfd_create("log", MFD_CLOEXEC);
    int kept = dup(STDERR_FILENO);

    dup2(memory, STDERR_FILENO);
    EXPECT(start_instance(3, 0, 1) < 0);
    dup2(kept, STDERR_FILENO);
    EXPECT(pread(memory, text, sizeof text - 1, 0) > 0);
    snprintf(wanted, sizeof wanted, "127.0.0.1:%d", port);
    EXPECT(strstr(text, wanted) != NULL && strstr(text, strerror(EADDRINUSE)) != NULL);
    close(memory);
    close(kept);
}

static void meet_at_taken_port(int pe, int n_pes, const void *first)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)(*(const int *)first + 3)),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    (void)n_pes;
    EXPECT(bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 1) == 0);
    expect_line_about_taken_port(*(const int *)first + 3);
    EXPECT(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
    close(fd);
    EXPECT(start_instance(3, pe, 1) == 0);
    EXPECT(aclshmemx_finalize(3) == 0);
}

static void test_taken_port(void **state)
{
    (void)state;
    run_with_ports(1, meet_at_taken_port);
}

/* Two instances that find the same port are no job, even where the numbers of their PEs fit. */
static void meet_other_instance(int pe, int n_pes, const void *argument)
{
    int first = *(const int *)argument;
    uint64_t id = pe == 0 ? 3 : 2;
    aclshmemx_init_attr_t attributes;

    set_port_range(first + pe); /* both at first + 3 */
    attributes = instance_attributes(id, pe, n_pes);
    attributes.option_attr.shm_init_timeout = 3;
    EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) < 0);
    EXPECT(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
}

static void test_other_instance(void **state)
{
    (void)state;
    run_with_ports(PAIR, meet_other_instance);
}

/* ---- one, and an id that is in use ---- */

static void live_with_one(int pe, int n_pes, const void *argument)
{
    aclshmemx_init_attr_t attributes;
    void *context;

    (void)argument;
    for (int round = 0; round < 3; round++) {
        EXPECT(aclshmemx_instance_ctx_get()->id == 0);
        EXPECT(aclshmemx_instance_ctx_get()->instance == NULL);
        EXPECT(start_instance(1, pe, n_pes) == 0);
        EXPECT(aclshmemx_init_status() == ACLSHMEM_STATUS_IS_INITIALIZED);
        context = aclshmemx_instance_ctx_get();
        EXPECT(aclshmemx_instance_ctx_get()->id == 1);
        EXPECT(aclshmemx_instance_ctx_get()->instance != NULL);
        EXPECT(start_instance(1, pe, n_pes) == ACLSHMEM_INNER_ERROR);
        attributes = instance_attributes(1, -1, 0); /* the id counts before what else is wrong */
        EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) ==
               ACLSHMEM_INNER_ERROR);
        EXPECT(aclshmemx_instance_ctx_get() == context);
        use_instance(pe, n_pes, 10);
        EXPECT(aclshmemx_finalize(1) == 0);
        EXPECT(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
        EXPECT(aclshmemx_finalize(1) == ACLSHMEM_INNER_ERROR);
        EXPECT(aclshmem_malloc(64) == NULL && aclshmem_my_pe() == -1);
    }
}

static void test_one(void **state)
{
    (void)state;
    run_with_ports(1, live_with_one);
    run_with_ports(3, live_with_one);
}

/* ---- two ---- */

static void choose_between_two(int pe, int n_pes, const void *argument)
{
    const aclshmem_instance_ctx *two;
    void *block;

    (void)argument;
    EXPECT(start_instance(2, pe, n_pes) == 0);
    two = aclshmemx_instance_ctx_get();
    EXPECT(start_instance(4, pe, n_pes) == 0);
    EXPECT(aclshmemx_instance_ctx_get()->id == 4 && two->id == 2);
    EXPECT(aclshmemx_instance_ctx_set(999) == ACLSHMEM_INNER_ERROR);
    EXPECT(aclshmemx_instance_ctx_set(0) == ACLSHMEM_INNER_ERROR);
    EXPECT(aclshmemx_instance_ctx_get()->id == 4);
    EXPECT(aclshmemx_finalize(999) == ACLSHMEM_INNER_ERROR);
    EXPECT((block = aclshmem_malloc(1024)) != NULL);
    EXPECT(aclshmemx_instance_ctx_set(2) == 0 && aclshmemx_instance_ctx_get() == two);
    EXPECT(aclshmem_ptr(block, pe) == NULL); /* of the other instance */
    use_instance(pe, n_pes, 20);
    EXPECT(aclshmemx_finalize(2) == 0);
    EXPECT(aclshmemx_instance_ctx_get()->instance ==
           NULL); /* the chosen one ended, no 0 is there */
    EXPECT(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
    EXPECT(aclshmemx_instance_ctx_set(4) == 0);
    EXPECT(aclshmem_ptr(block, pe) == block);
    aclshmem_free(block);
    use_instance(pe, n_pes, 40);
    EXPECT(aclshmemx_finalize(4) == 0);
}

static void test_two(void **state)
{
    (void)state;
    run_with_ports(1, choose_between_two);
    run_with_ports(PAIR, choose_between_two);
}

static void end_the_other(int pe, int n_pes, const void *argument)
{
    (void)argument;
    EXPECT(start_instance(0, pe, n_pes) == 0);
    EXPECT(start_instance(5, pe, n_pes) == 0);
    EXPECT(start_instance(6, pe, n_pes) == 0);
    EXPECT(aclshmemx_instance_ctx_set(5) == 0);
    EXPECT(aclshmemx_finalize(6) == 0); /* not the chosen one, which stays */
    EXPECT(aclshmemx_instance_ctx_get()->id == 5);
    use_instance(pe, n_pes, 50);
    EXPECT(aclshmem_finalize() == 0); /* the chosen one: 0 takes over */
    EXPECT(aclshmemx_instance_ctx_get()->id == 0);
    EXPECT(aclshmemx_instance_ctx_get()->instance != NULL);
    EXPECT(aclshmemx_init_status() == ACLSHMEM_STATUS_IS_INITIALIZED);
    use_instance(pe, n_pes, 5);
    EXPECT(aclshmem_finalize() == 0);
    EXPECT(aclshmem_finalize() == 0);
}

static void test_end_of_other(void **state)
{
    (void)state;
    run_with_ports(PAIR, end_the_other);
}

/* ---- many ---- */

static void interleave(int pe, int n_pes, const void *argument)
{
    static const uint64_t ids[] = {7, 0, 9};
    int *blocks[3];

    (void)argument;
    for (int i = 0; i < 3; i++) {
        EXPECT(start_instance(ids[i], pe, n_pes) == 0);
        EXPECT((blocks[i] = aclshmem_calloc(1, sizeof **blocks)) != NULL);
    }
    for (int round = 1; round < 20; round++) {
        for (int i = 0; i < 3; i++) {
            EXPECT(aclshmemx_instance_ctx_set(ids[i]) == 0);
            aclshmem_int32_p(blocks[i], 100 * i + round, (pe + 1 + i) % n_pes);
        }
        for (int i = 2; i >= 0; i--) { /* what was stored in all is complete in each */
            EXPECT(aclshmemx_instance_ctx_set(ids[i]) == 0);
            aclshmem_barrier_all();
            EXPECT(*blocks[i] == 100 * i + round);
            aclshmem_barrier_all();
        }
        for (int i = 0; i < 3; i++) {
            EXPECT(aclshmemx_instance_ctx_set(ids[i]) == 0);
            use_instance(pe, n_pes, 1000 * i + round);
        }
    }
    EXPECT(aclshmemx_finalize(0) == 0 && aclshmemx_finalize(7) == 0);
    EXPECT(aclshmemx_instance_ctx_get()->id == 9);
    use_instance(pe, n_pes, 3);
    EXPECT(aclshmemx_finalize(9) == 0);
}

static void test_interleaved(void **state)
{
    (void)state;
    run_with_ports(3, interleave);
}

/* PEs 0 and 1 share instance 1, PEs 1, 2 and 3 instance 2 in another order. */
static void live_in_groups(int pe, int n_pes, const void *argument)
{
    (void)n_pes;
    (void)argument;
    if (pe <= 1)
        EXPECT(start_instance(1, pe, 2) == 0);
    if (pe >= 1)
        EXPECT(start_instance(2, 3 - pe, 3) == 0);
    for (int round = 0; round < 5; round++) {
        if (pe <= 1) {
            EXPECT(aclshmemx_instance_ctx_set(1) == 0);
            use_instance(pe, 2, 100 + round);
        }
        if (pe >= 1) {
            EXPECT(aclshmemx_instance_ctx_set(2) == 0);
            use_instance(3 - pe, 3, 200 + round);
        }
    }
    if (pe <= 1)
        EXPECT(aclshmemx_finalize(1) == 0);
    if (pe >= 1)
        EXPECT(aclshmemx_finalize(2) == 0);
}

static void test_groups(void **state)
{
    (void)state;
    run_with_ports(4, live_in_groups);
}

static void start_by_id(uint64_t instance_id, int code)
{
    aclshmemx_init_attr_t attributes = ACLSHMEMX_INIT_ATTR_INITIALIZER;
    aclshmemx_uniqueid_t id = ACLSHMEM_UNIQUEID_INITIALIZER;

    EXPECT(aclshmemx_get_uniqueid(&id) == 0);
    EXPECT(aclshmemx_set_attr_uniqueid_args(0, 1, 65536, &id, &attributes) == 0);
    attributes.instance_id = instance_id;
    EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_UNIQUEID, &attributes) == code);
}

/* Any number, without a range of ports; and as many as there may be. */
static void fill_process(int pe, int n_pes, const void *argument)
{
    (void)pe;
    (void)n_pes;
    (void)argument;
    unsetenv("SHMEM_INSTANCE_PORT_RANGE");
    for (uint64_t i = 0; i < 255; i++)
        start_by_id(UINT64_MAX - i, 0);
    start_by_id(5, ACLSHMEM_INNER_ERROR);
    EXPECT(aclshmemx_instance_ctx_get()->id == UINT64_MAX - 254);
    EXPECT(aclshmemx_finalize(UINT64_MAX - 100) == 0);
    start_by_id(5, 0);
    use_instance(0, 1, 5);
    exit(0);
}

static void test_as_many_as_there_may_be(void **state)
{
    (void)state;
    run_pes(1, fill_process, NULL);
}

/* ---- the end of the process ---- */

/* Whatever each PE chose last, all end their instances in the same order. */
static void exit_without_finalize(int pe, int n_pes, const void *argument)
{
    (void)argument;
    EXPECT(start_instance(8, pe, n_pes) == 0);
    EXPECT(start_instance(3, pe, n_pes) == 0);
    EXPECT(start_instance(5, n_pes - 1 - pe, n_pes) == 0);
    EXPECT(aclshmemx_instance_ctx_set(pe == 0 ? 8 : 3) == 0);
    exit(0);
}

static void test_exit(void **state)
{
    (void)state;
    run_with_ports(3, exit_without_finalize);
}

static void fork_a_child(int pe, int n_pes, const void *argument)
{
    int status = 0;
    pid_t child;

    (void)argument;
    EXPECT(start_instance(0, pe, n_pes) == 0);
    EXPECT(start_instance(1, pe, n_pes) == 0);
    child = fork();
    if (child == 0) {
        EXPECT(aclshmem_my_pe() == -1 && aclshmemx_instance_ctx_get()->instance == NULL);
        EXPECT(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
        EXPECT(aclshmemx_instance_ctx_set(1) == ACLSHMEM_INNER_ERROR);
        EXPECT(aclshmemx_finalize(0) == ACLSHMEM_INNER_ERROR);
        EXPECT(aclshmem_finalize() == 0);
        exit(0); /* and ends nothing of its parent's */
    }
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    use_instance(pe, n_pes, 1);
    EXPECT(aclshmemx_instance_ctx_set(0) == 0);
    use_instance(pe, n_pes, 2);
    EXPECT(aclshmemx_finalize(1) == 0 && aclshmem_finalize() == 0);
}

static void test_fork(void **state)
{
    (void)state;
    run_with_ports(PAIR, fork_a_child);
}

/* ---- what belongs to OpenSHMEM means instance 0, whatever the thread chose ---- */

static void find_topology(char text[100])
{
    shmemx_info_item_t item;

    strcpy(text, "");
    for (size_t i = 0; shmemx_info_item(i, &item); i++)
        if (strcmp(item.category, "topology") == 0 && strcmp(item.name, "mte") == 0)
            snprintf(text, 100, "%s", item.value);
}

static void list_facts(int pe, int n_pes, const void *argument)
{
    uint64_t own = 1 + (uint64_t)pe;
    char expected[100];
    char found[100];

    (void)argument;
    EXPECT(start_instance(0, pe, n_pes) == 0);
    find_topology(expected);
    EXPECT(strlen(expected) > 0);
    EXPECT(start_instance(own, 0, 1) == 0 && aclshmemx_instance_ctx_get()->id == own);
    find_topology(found);
    EXPECT(strcmp(found, expected) == 0);
    EXPECT(aclshmemx_finalize(0) == 0);
    find_topology(found);
    EXPECT(strcmp(found, "") == 0);
    EXPECT(aclshmemx_finalize(own) == 0);
}

static void test_facts(void **state)
{
    (void)state;
    run_with_ports(PAIR, list_facts);
}

/* ---- a meeting to which not all come ---- */

/* PE 0 counts one barrier more than PE 1 ever will: it must not go on as if nothing had been. */
static void meet_in_vain(int pe)
{
    alarm(60);
    EXPECT(start_instance(1, pe, 2) == 0);
    if (pe == 0)
        aclshmem_barrier_all();
    else
        (void)aclshmemx_finalize(1); /* hears of it, and ends, too */
    _exit(0);
}

static void test_given_up_meeting(void **state)
{
    pid_t pids[2];

    (void)state;
    set_port_range(find_ports());
    for (int pe = 0; pe < 2; pe++) {
        pids[pe] = fork();
        assert_true(pids[pe] >= 0);
        if (pids[pe] == 0)
            meet_in_vain(pe);
    }
    for (int pe = 0; pe < 2; pe++) {
        int status = -1;

        assert_int_equal(waitpid(pids[pe], &status, 0), pids[pe]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_ports),
        cmocka_unit_test(test_taken_port),
        cmocka_unit_test(test_other_instance),
        cmocka_unit_test(test_one),
        cmocka_unit_test(test_two),
        cmocka_unit_test(test_end_of_other),
        cmocka_unit_test(test_interleaved),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_as_many_as_there_may_be),
        cmocka_unit_test(test_exit),
        cmocka_unit_test(test_fork),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_given_up_meeting),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
