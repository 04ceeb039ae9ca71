/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in one of four worlds, which its argument names: where the plug-in is present, broken,
 * something else, or absent. */
#include "base/address.h"
#include "base/clock.h"
#include "bootstrap/bootstrap.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define N_PES 4
#define JOB_ID 0xfeedface12345678ull
#define LIMIT_MS 30000

static uint64_t soon(void)
{
    return shm_deadline_after_ms(LIMIT_MS);
}

/* ---- alone ---- */

static void test_alone_needs_nobody(void **state)
{
    (void)state;
    struct shm_bootstrap_request request = {
        .bytes = sizeof request, .my_pe = 0, .n_pes = 1, .listen_fd = -1};
    struct shm_bootstrap_event event = {.kind = SHM_BOOTSTRAP_ABORT};
    struct shm_bootstrap *alone = NULL;
    char all[4] = "xxx";

    assert_int_equal(shm_bootstrap_open(SHM_BOOTSTRAP_ALONE, &request, &alone), SHM_OK);
    assert_int_equal(shm_bootstrap_barrier(alone, soon()), SHM_OK);
    assert_int_equal(shm_bootstrap_allgather(alone, "abc", 4, all, soon()), SHM_OK);
    assert_string_equal(all, "abc");
    assert_int_equal(shm_bootstrap_allgather(alone, "abc", 0, all, soon()), SHM_INVALID_VALUE);
    assert_int_equal(shm_bootstrap_poll(alone, &event), SHM_OK);
    assert_int_equal(event.kind, SHM_BOOTSTRAP_NOTHING);
    assert_int_equal(shm_bootstrap_abort(alone, 1), SHM_OK);
    assert_int_equal(shm_bootstrap_finalize(alone, soon()), SHM_OK);
    shm_bootstrap_close(alone);
    shm_bootstrap_close(NULL);
}

static void test_alone_means_one(void **state)
{
    (void)state;
    struct shm_bootstrap_request request = {
        .bytes = sizeof request, .my_pe = 1, .n_pes = 2, .listen_fd = dup(0)};
    struct shm_bootstrap *alone = NULL;

    assert_int_equal(shm_bootstrap_open(SHM_BOOTSTRAP_ALONE, &request, &alone), SHM_INVALID_PARAM);
    assert_string_equal(shm_error_detail(), "PE 1 of 2 without a bootstrap, expected 0 of 1");
    assert_int_equal(fcntl(request.listen_fd, F_GETFD), -1);
    assert_null(alone);
}

static void test_names(void **state)
{
    (void)state;
    struct shm_bootstrap_request request = {.listen_fd = dup(0)};
    struct shm_bootstrap *bootstrap = NULL;

    assert_string_equal(shm_bootstrap_name(SHM_BOOTSTRAP_ALONE), "alone");
    assert_string_equal(shm_bootstrap_name(SHM_BOOTSTRAP_CONFIG_STORE), "config_store");
    assert_string_equal(shm_bootstrap_name(SHM_BOOTSTRAP_MPI), "mpi");
    assert_string_equal(shm_bootstrap_name(SHM_BOOTSTRAP_BOARD), "board");
    assert_string_equal(shm_bootstrap_name(SHM_BOOTSTRAP_KINDS), "unknown");
    assert_true(shm_bootstrap_is_available(SHM_BOOTSTRAP_ALONE));
    assert_int_equal(shm_bootstrap_open(SHM_BOOTSTRAP_KINDS, &request, &bootstrap),
                     SHM_INVALID_VALUE);
    assert_string_equal(shm_error_detail(), "bootstrap kind 4, expected 0..3");
    assert_int_equal(fcntl(request.listen_fd, F_GETFD), -1);
}

/* ---- plug-ins that cannot be used ---- */

static void expect_unusable(enum shm_bootstrap_kind kind, enum shm_status status,
                            const char *detail)
{
    struct shm_bootstrap_request request = {
        .bytes = sizeof request, .my_pe = 0, .n_pes = 1, .listen_fd = dup(0)};
    struct shm_bootstrap *bootstrap = NULL;

    assert_int_equal(shm_bootstrap_open(kind, &request, &bootstrap), status);
    assert_non_null(strstr(shm_error_detail(), detail));
    assert_int_equal(fcntl(request.listen_fd, F_GETFD), -1);
    assert_null(bootstrap);
    assert_false(shm_bootstrap_is_available(kind));
}

static void test_absent(void **state)
{
    (void)state;
    expect_unusable(SHM_BOOTSTRAP_CONFIG_STORE, SHM_UNDER_API_UNLOAD,
                    "loading aclshmem_bootstrap_config_store.so: ");
}

/* TLS is in a plug-in of its own, which is the only one that may be taken then. */
static void test_absent_tls(void **state)
{
    (void)state;
    struct shm_bootstrap_tls tls = {.bytes = sizeof tls};
    struct shm_bootstrap_request request = {
        .bytes = sizeof request, .n_pes = 1, .listen_fd = dup(0), .tls = &tls};
    struct shm_bootstrap *bootstrap = NULL;

    assert_int_equal(shm_bootstrap_open(SHM_BOOTSTRAP_CONFIG_STORE, &request, &bootstrap),
                     SHM_UNDER_API_UNLOAD);
    assert_non_null(strstr(shm_error_detail(), "loading aclshmem_bootstrap_config_store_tls.so: "));
    assert_int_equal(fcntl(request.listen_fd, F_GETFD), -1);
}

/* Each MPI has a plug-in of its own; where nothing tells which, the last name tried is said. */
static void test_absent_mpi(void **state)
{
    (void)state;
    unsetenv("OMPI_COMM_WORLD_RANK");
    unsetenv("PMIX_RANK");
    unsetenv("PMI_RANK");
    unsetenv("MPI_LOCALRANKID");
    expect_unusable(SHM_BOOTSTRAP_MPI, SHM_UNDER_API_UNLOAD, "loading aclshmem_bootstrap_mpi.so: ");
    setenv("MPI_LOCALRANKID", "0", 1);
    expect_unusable(SHM_BOOTSTRAP_MPI, SHM_UNDER_API_UNLOAD,
                    "loading aclshmem_bootstrap_mpi_mpich.so: ");
    setenv("PMIX_RANK", "0", 1);
    expect_unusable(SHM_BOOTSTRAP_MPI, SHM_UNDER_API_UNLOAD,
                    "loading aclshmem_bootstrap_mpi_openmpi.so: ");
}

static void test_foreign(void **state)
{
    (void)state;
    expect_unusable(SHM_BOOTSTRAP_CONFIG_STORE, SHM_DL_FUNC_FAILED,
                    "aclshmem_bootstrap_config_store.so has no function aclshmem_bootstrap_entry");
}

static void test_broken(void **state)
{
    (void)state;
    setenv("BROKEN_PLUGIN_FLAW", "null table", 1);
    expect_unusable(SHM_BOOTSTRAP_CONFIG_STORE, SHM_DL_FUNC_FAILED,
                    "has plug-in contract 0, expected 2");
    setenv("BROKEN_PLUGIN_FLAW", "other contract", 1);
    expect_unusable(SHM_BOOTSTRAP_CONFIG_STORE, SHM_DL_FUNC_FAILED,
                    "has plug-in contract 3, expected 2");
    setenv("BROKEN_PLUGIN_FLAW", "short table", 1);
    expect_unusable(SHM_BOOTSTRAP_CONFIG_STORE, SHM_DL_FUNC_FAILED, "has an incomplete table of ");
    setenv("BROKEN_PLUGIN_FLAW", "empty slot", 1);
    expect_unusable(SHM_BOOTSTRAP_CONFIG_STORE, SHM_DL_FUNC_FAILED, "has an incomplete table of ");
    setenv("BROKEN_PLUGIN_FLAW", "empty last slot", 1);
    expect_unusable(SHM_BOOTSTRAP_CONFIG_STORE, SHM_DL_FUNC_FAILED, "has an incomplete table of ");
}

/* ---- jobs of processes ---- */

struct job {
    char address[SHM_ADDRESS_TEXT_BYTES];
    int listen_fd;
};

static void require(bool condition, int pe, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "PE %d: %s: %s\n", pe, what, shm_error_detail());
    _exit(1);
}

static struct shm_bootstrap *enter(const struct job *job, int pe)
{
    struct shm_bootstrap_request request = {.bytes = sizeof request,
                                            .my_pe = pe,
                                            .n_pes = N_PES,
                                            .address = job->address,
                                            .listen_fd = pe == 0 ? job->listen_fd : -1,
                                            .job_id = JOB_ID,
                                            .deadline_ns = soon()};
    struct shm_bootstrap *bootstrap = NULL;

    if (pe != 0)
        close(job->listen_fd);
    require(shm_bootstrap_open(SHM_BOOTSTRAP_CONFIG_STORE, &request, &bootstrap) == SHM_OK, pe,
            "open");
    return bootstrap;
}

static struct shm_bootstrap_event wait_for_event(struct shm_bootstrap *bootstrap, int pe)
{
    struct shm_bootstrap_event event = {.kind = SHM_BOOTSTRAP_NOTHING};
    uint64_t deadline = soon();

    while (event.kind == SHM_BOOTSTRAP_NOTHING) {
        require(shm_bootstrap_poll(bootstrap, &event) == SHM_OK, pe, "poll");
        require(!shm_deadline_passed(deadline), pe, "no event");
    }
    return event;
}

/* Runs one process per PE; all must end with status 0. */
static void run_job(void (*pe_main)(const struct job *job, int pe))
{
    struct shm_address_list list;
    struct job job;
    pid_t pids[N_PES];

    assert_int_equal(shm_address_parse("tcp://127.0.0.1:0", 0, &list), SHM_OK);
    assert_int_equal(shm_address_listen(&list.entries[0], &job.listen_fd), SHM_OK);
    assert_int_equal(shm_address_of_socket(job.listen_fd, &list.entries[0]), SHM_OK);
    shm_address_format(&list.entries[0], job.address);
    for (int pe = 0; pe < N_PES; pe++) {
        pids[pe] = fork();
        assert_true(pids[pe] >= 0);
        if (pids[pe] == 0) {
            pe_main(&job, pe);
            _exit(0);
        }
    }
    close(job.listen_fd);
    for (int pe = 0; pe < N_PES; pe++) {
        int status = -1;

        assert_int_equal(waitpid(pids[pe], &status, 0), pids[pe]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}

static void meet(const struct job *job, int pe)
{
    struct shm_bootstrap *bootstrap = enter(job, pe);
    int all[N_PES] = {-1, -1, -1, -1};

    for (int round = 0; round < 20; round++) {
        int mine = pe * 100 + round;

        require(shm_bootstrap_allgather(bootstrap, &mine, sizeof mine, all, soon()) == SHM_OK, pe,
                "allgather");
        for (int i = 0; i < N_PES; i++)
            require(all[i] == i * 100 + round, pe, "wrong data");
        require(shm_bootstrap_barrier(bootstrap, soon()) == SHM_OK, pe, "barrier");
    }
    require(shm_bootstrap_finalize(bootstrap, soon()) == SHM_OK, pe, "finalize");
    shm_bootstrap_close(bootstrap);
}

static void test_processes_meet(void **state)
{
    (void)state;
    assert_true(shm_bootstrap_is_available(SHM_BOOTSTRAP_CONFIG_STORE));
    run_job(meet);
}

/* All have joined afterwards. One of them may end before the others hear that it is over. */
static void begin(struct shm_bootstrap *bootstrap, int pe, enum shm_status end)
{
    enum shm_status status = shm_bootstrap_barrier(bootstrap, soon());

    require(status == SHM_OK || status == end, pe, "first barrier");
}

static void lose_pe_2(const struct job *job, int pe)
{
    struct shm_bootstrap *bootstrap = enter(job, pe);
    struct shm_bootstrap_event event;

    begin(bootstrap, pe, SHM_PEER_LOST);
    if (pe == 2)
        _exit(0);
    require(shm_bootstrap_barrier(bootstrap, 0) == SHM_PEER_LOST, pe, "barrier without PE 2");
    require(strcmp(shm_error_detail(), "PE 2 failed: its connection broke") == 0, pe, "detail");
    event = wait_for_event(bootstrap, pe);
    require(event.kind == SHM_BOOTSTRAP_PE_FAILED && event.pe == 2, pe, "event");
    require(shm_bootstrap_finalize(bootstrap, soon()) == SHM_OK, pe, "finalize");
    shm_bootstrap_close(bootstrap);
}

static void test_a_dead_process_is_named(void **state)
{
    (void)state;
    run_job(lose_pe_2);
}

static void abort_by_pe_1(const struct job *job, int pe)
{
    struct shm_bootstrap *bootstrap = enter(job, pe);
    struct shm_bootstrap_event event;

    begin(bootstrap, pe, SHM_ABORTED);
    if (pe == 1)
        require(shm_bootstrap_abort(bootstrap, 42) == SHM_OK, pe, "abort");
    event = wait_for_event(bootstrap, pe);
    require(event.kind == SHM_BOOTSTRAP_ABORT && event.pe == 1 && event.status == 42, pe, "event");
    event = wait_for_event(bootstrap, pe);
    require(event.kind == SHM_BOOTSTRAP_ABORT && event.pe == 1 && event.status == 42, pe,
            "the same event again");
    require(shm_bootstrap_barrier(bootstrap, soon()) == SHM_ABORTED, pe, "barrier after abort");
    require(shm_bootstrap_finalize(bootstrap, soon()) == SHM_OK, pe, "finalize");
    shm_bootstrap_close(bootstrap);
}

static void test_an_abort_reaches_all_processes(void **state)
{
    (void)state;
    run_job(abort_by_pe_1);
}

static void lose_pe_0(const struct job *job, int pe)
{
    struct shm_bootstrap *bootstrap = enter(job, pe);
    struct shm_bootstrap_event event;

    begin(bootstrap, pe, SHM_PEER_LOST);
    if (pe == 0)
        _exit(0);
    event = wait_for_event(bootstrap, pe);
    require(event.kind == SHM_BOOTSTRAP_PE_FAILED && event.pe == 0, pe, "event");
    require(shm_bootstrap_barrier(bootstrap, soon()) == SHM_PEER_LOST, pe, "barrier");
    require(strcmp(shm_error_detail(), "PE 0 failed: the store is gone") == 0, pe, "detail");
    shm_bootstrap_close(bootstrap);
}

static void test_the_end_of_pe_0_is_named(void **state)
{
    (void)state;
    run_job(lose_pe_0);
}

/* PE 3 does not come to the barrier; the others are told so. */
static void miss_pe_3(const struct job *job, int pe)
{
    struct shm_bootstrap *bootstrap = enter(job, pe);

    require(shm_bootstrap_barrier(bootstrap, soon()) == SHM_OK, pe, "barrier");
    if (pe != 3) {
        uint64_t deadline = pe == 0 ? shm_deadline_after_ms(200) : 0;

        require(shm_bootstrap_barrier(bootstrap, deadline) == SHM_TIMEOUT_ERROR, pe, "barrier");
        require(strncmp(shm_error_detail(), "PE", 2) == 0, pe, "detail");
        require(strstr(shm_error_detail(), "3 ") != NULL, pe, "detail without PE 3");
    }
    require(shm_bootstrap_finalize(bootstrap, soon()) == SHM_OK, pe, "finalize");
    shm_bootstrap_close(bootstrap);
}

static void test_a_missing_process_is_named(void **state)
{
    (void)state;
    run_job(miss_pe_3);
}

static void expect_bad_request(struct shm_bootstrap_request request, enum shm_status status,
                               const char *detail)
{
    struct shm_bootstrap *bootstrap = NULL;

    request.bytes = sizeof request;
    request.listen_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    request.deadline_ns = shm_deadline_after_ms(50);
    assert_int_equal(shm_bootstrap_open(SHM_BOOTSTRAP_CONFIG_STORE, &request, &bootstrap), status);
    assert_non_null(strstr(shm_error_detail(), detail));
    assert_int_equal(fcntl(request.listen_fd, F_GETFD), -1);
    assert_null(bootstrap);
}

static void test_bad_requests(void **state)
{
    (void)state;
    expect_bad_request((struct shm_bootstrap_request){.my_pe = 4, .n_pes = 4, .address = ""},
                       SHM_INVALID_VALUE, "PE number 4, expected 0..3");
    expect_bad_request((struct shm_bootstrap_request){.my_pe = -1, .n_pes = 4, .address = ""},
                       SHM_INVALID_VALUE, "PE number -1, expected 0..3");
    expect_bad_request((struct shm_bootstrap_request){.my_pe = 0, .n_pes = 0, .address = ""},
                       SHM_INVALID_VALUE, "a job of 0 PEs, expected 1..65536");
    expect_bad_request((struct shm_bootstrap_request){.my_pe = 1, .n_pes = 2}, SHM_INVALID_PARAM,
                       "no address of the store");
    expect_bad_request(
        (struct shm_bootstrap_request){.my_pe = 1, .n_pes = 2, .address = "nonsense"},
        SHM_INVALID_PARAM, "address \"nonsense\"");
    expect_bad_request((struct shm_bootstrap_request){.my_pe = 0, .n_pes = 2}, SHM_INVALID_PARAM,
                       "is not a bound TCP socket");
}

/* With or without TLS in this build: never a job in clear text instead. */
static void test_tls_without_certificates(void **state)
{
    (void)state;
    const struct shm_bootstrap_tls nothing = {.bytes = sizeof nothing};
    struct shm_bootstrap_request request = {.bytes = sizeof request,
                                            .my_pe = 0,
                                            .n_pes = 1,
                                            .address = "tcp://127.0.0.1:0",
                                            .listen_fd = -1,
                                            .deadline_ns = soon(),
                                            .tls = &nothing};
    struct shm_bootstrap *bootstrap = NULL;
    enum shm_status status = shm_bootstrap_open(SHM_BOOTSTRAP_CONFIG_STORE, &request, &bootstrap);

    assert_true(status == SHM_INVALID_PARAM || status == SHM_NOT_SUPPORTED);
    assert_null(bootstrap);
    assert_ptr_equal(strstr(shm_error_detail(), "TLS is asked for, but "), shm_error_detail());
}

/* PE 0 may be given an address only. */
static void test_pe_0_can_listen_by_itself(void **state)
{
    (void)state;
    struct shm_bootstrap_request request = {.bytes = sizeof request,
                                            .my_pe = 0,
                                            .n_pes = 1,
                                            .address = "tcp://127.0.0.1:0",
                                            .listen_fd = -1,
                                            .deadline_ns = soon()};
    struct shm_bootstrap *bootstrap = NULL;

    assert_int_equal(shm_bootstrap_open(SHM_BOOTSTRAP_CONFIG_STORE, &request, &bootstrap), SHM_OK);
    assert_int_equal(shm_bootstrap_barrier(bootstrap, soon()), SHM_OK);
    assert_int_equal(shm_bootstrap_finalize(bootstrap, soon()), SHM_OK);
    shm_bootstrap_close(bootstrap);
    request.address = "tcp://192.0.2.1:4711";
    assert_int_equal(shm_bootstrap_open(SHM_BOOTSTRAP_CONFIG_STORE, &request, &bootstrap),
                     SHM_SMEM_ERROR);
    assert_string_equal(shm_error_detail(),
                        "binding tcp://192.0.2.1:4711: Cannot assign requested address");
}

static int run_present(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alone_needs_nobody),
        cmocka_unit_test(test_alone_means_one),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_processes_meet),
        cmocka_unit_test(test_a_dead_process_is_named),
        cmocka_unit_test(test_an_abort_reaches_all_processes),
        cmocka_unit_test(test_the_end_of_pe_0_is_named),
        cmocka_unit_test(test_a_missing_process_is_named),
        cmocka_unit_test(test_bad_requests),
        cmocka_unit_test(test_tls_without_certificates),
        cmocka_unit_test(test_pe_0_can_listen_by_itself),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest absent[] = {cmocka_unit_test(test_absent),
                                        cmocka_unit_test(test_absent_tls),
                                        cmocka_unit_test(test_absent_mpi)};
    const struct CMUnitTest foreign[] = {cmocka_unit_test(test_foreign)};
    const struct CMUnitTest broken[] = {cmocka_unit_test(test_broken)};
    const char *world = argc > 1 ? argv[1] : "present";

    if (strcmp(world, "absent") == 0)
        return cmocka_run_group_tests(absent, NULL, NULL);
    if (strcmp(world, "foreign") == 0)
        return cmocka_run_group_tests(foreign, NULL, NULL);
    if (strcmp(world, "broken") == 0)
        return cmocka_run_group_tests(broken, NULL, NULL);
    return run_present();
}
