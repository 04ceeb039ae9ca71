/* SPDX-License-Identifier: BSD-3-Clause */
/* ACLSHMEM: threads of a process, each in an instance of its own. */
#include "instances.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>

#define THREADS 3
#define CYCLES 15

struct worker {
    pthread_t thread;
    int pe, n_pes;
    uint64_t id;
    _Atomic bool *is_done;
};

static void run_with_ports(int n_pes, pe_function function)
{
    set_port_range(find_ports());
    run_pes(n_pes, function, NULL);
}

static void begin(struct worker *worker, void *(*function)(void *argument))
{
    EXPECT(pthread_create(&worker->thread, NULL, function, worker) == 0);
}

/* ---- each in its own ---- */

static void *live(void *argument)
{
    const struct worker *worker = argument;

    for (int cycle = 0; cycle < CYCLES; cycle++) {
        EXPECT(start_instance(worker->id, worker->pe, worker->n_pes) == 0);
        for (int round = 0; round < 10; round++) {
            EXPECT(aclshmemx_instance_ctx_get()->id == worker->id);
            use_instance(worker->pe, worker->n_pes, (int)worker->id * 100 + round);
        }
        EXPECT(aclshmemx_finalize(worker->id) == 0);
    }
    return NULL;
}

/* In each instance the PEs have another order. */
static void live_in_threads(int pe, int n_pes, const void *argument)
{
    struct worker workers[THREADS];

    (void)argument;
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.pe = (pe + i) % n_pes, .n_pes = n_pes, .id = (uint64_t)i};
        begin(&workers[i], live);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    EXPECT(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
}

static void test_threads(void **state)
{
    (void)state;
    run_with_ports(2, live_in_threads);
    run_with_ports(3, live_in_threads);
}

/* ---- one works, others come and go ---- */

static void *hammer(void *argument)
{
    const struct worker *worker = argument;
    int *word;

    EXPECT(aclshmemx_instance_ctx_set(worker->id) == 0);
    word = aclshmem_calloc((size_t)worker->n_pes, sizeof *word);
    for (int round = 1; !atomic_load(worker->is_done) || round < 1000; round++) {
        aclshmem_int32_p(word + worker->pe, round, (worker->pe + 1) % worker->n_pes);
        EXPECT(aclshmem_int32_g(word + worker->pe, (worker->pe + 1) % worker->n_pes) == round);
        EXPECT(aclshmem_my_pe() == worker->pe);
    }
    return NULL;
}

static void come_and_go(int pe, int n_pes, const void *argument)
{
    static _Atomic bool is_done;
    struct worker worker = {.pe = pe, .n_pes = n_pes, .id = 1, .is_done = &is_done};

    (void)argument;
    EXPECT(start_instance(1, pe, n_pes) == 0);
    begin(&worker, hammer);
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        EXPECT(start_instance(2, pe, n_pes) == 0);
        use_instance(pe, n_pes, cycle);
        EXPECT(aclshmemx_finalize(2) == 0);
    }
    atomic_store(&is_done, true);
    pthread_join(worker.thread, NULL);
    EXPECT(aclshmemx_finalize(1) == 0);
}

static void test_coming_and_going(void **state)
{
    (void)state;
    run_with_ports(2, come_and_go);
}

/* ---- what a thread means ---- */

static pthread_barrier_t step;

/* Chose instance 1, which another thread ends; the place may have a new one with the same id. */
static void *keep_choice(void *unused)
{
    (void)unused;
    EXPECT(aclshmemx_instance_ctx_get()->id == 2); /* the process's: this thread chose none */
    EXPECT(aclshmemx_instance_ctx_set(1) == 0);
    pthread_barrier_wait(&step); /* the other thread chooses 2, and then starts 3 */
    pthread_barrier_wait(&step);
    EXPECT(aclshmemx_instance_ctx_get()->id == 1);
    pthread_barrier_wait(&step); /* the other one ends 1 */
    pthread_barrier_wait(&step);
    EXPECT(aclshmemx_instance_ctx_get()->instance == NULL && aclshmem_my_pe() == -1);
    EXPECT(aclshmem_malloc(8) == NULL && aclshmem_finalize() == 0);
    pthread_barrier_wait(&step); /* and starts another 1, in the same place */
    pthread_barrier_wait(&step);
    EXPECT(aclshmemx_instance_ctx_get()->instance == NULL && aclshmem_my_pe() == -1);
    EXPECT(aclshmemx_instance_ctx_set(1) == 0 && aclshmem_my_pe() == 0);
    return NULL;
}

static void *follow_process(void *id)
{
    EXPECT(aclshmemx_instance_ctx_get()->id == *(const uint64_t *)id);
    return NULL;
}

static void expect_process_means(uint64_t id)
{
    pthread_t thread;

    EXPECT(pthread_create(&thread, NULL, follow_process, &id) == 0);
    pthread_join(thread, NULL);
}

static void choose_in_threads(int pe, int n_pes, const void *argument)
{
    struct worker worker = {.pe = pe};

    (void)argument;
    EXPECT(start_instance(1, pe, n_pes) == 0);
    expect_process_means(1);
    EXPECT(start_instance(2, pe, n_pes) == 0);
    expect_process_means(2);
    pthread_barrier_init(&step, NULL, 2);
    begin(&worker, keep_choice);
    pthread_barrier_wait(&step);
    EXPECT(aclshmemx_instance_ctx_get()->id == 2); /* has made its own choice before */
    EXPECT(start_instance(3, pe, n_pes) == 0);
    expect_process_means(3);
    pthread_barrier_wait(&step);
    pthread_barrier_wait(&step);
    EXPECT(aclshmemx_finalize(1) == 0);
    pthread_barrier_wait(&step);
    pthread_barrier_wait(&step);
    EXPECT(start_instance(1, pe, n_pes) == 0);
    pthread_barrier_wait(&step);
    pthread_join(worker.thread, NULL);
    pthread_barrier_destroy(&step);
    EXPECT(aclshmemx_finalize(3) == 0 && aclshmemx_finalize(2) == 0);
    EXPECT(aclshmemx_instance_ctx_get()->id == 1);
    EXPECT(aclshmem_finalize() == 0);
}

static void test_choices(void **state)
{
    (void)state;
    run_with_ports(1, choose_in_threads);
}

/* ---- one id, two threads ---- */

static void *start_five(void *unused)
{
    (void)unused;
    EXPECT(start_instance(5, 0, 2) == 0);
    EXPECT(aclshmemx_finalize(5) == 0);
    return NULL;
}

/* The id is taken while PE 0 waits for the other one; the rest of the library is not. */
static void start_twice(int pe, int n_pes, const void *argument)
{
    int(*const pipes)[2] = (int(*)[2])(uintptr_t)argument;
    struct worker worker = {.pe = pe};
    char byte = 0;

    (void)n_pes;
    if (pe == 1) {
        EXPECT(read(pipes[0][0], &byte, 1) == 1); /* PE 0 has seen what it wanted to */
        EXPECT(start_instance(5, 1, 2) == 0);
        EXPECT(aclshmemx_finalize(5) == 0);
        return;
    }
    begin(&worker, start_five);
    while (aclshmemx_instance_ctx_set(5) != ACLSHMEM_INNER_ERROR ||
           start_instance(5, 0, 0) != ACLSHMEM_INNER_ERROR)
        usleep(1000); /* until the thread is in init; before, n_pes = 0 is what is wrong */
    EXPECT(aclshmemx_finalize(5) == ACLSHMEM_INNER_ERROR);
    EXPECT(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
    EXPECT(start_instance(6, 0, 1) == 0);
    use_instance(0, 1, 6);
    EXPECT(aclshmemx_finalize(6) == 0);
    EXPECT(write(pipes[0][1], &byte, 1) == 1);
    pthread_join(worker.thread, NULL);
}

static void test_id_in_init(void **state)
{
    int pipes[1][2];

    (void)state;
    assert_int_equal(pipe(pipes[0]), 0);
    set_port_range(find_ports());
    run_pes(2, start_twice, pipes);
    close(pipes[0][0]);
    close(pipes[0][1]);
}

/* ---- a fork during init ---- */

/* What the processes of a job show each other. */
struct board {
    _Atomic bool is_forked;
    _Atomic pid_t child; /* of PE 1 */
};

static void *start_seven(void *argument)
{
    const struct worker *worker = argument;

    EXPECT(start_instance(7, worker->pe, worker->n_pes) == 0);
    return NULL;
}

/* PE 1 forks when it has met PE 0, and the three are not complete. Its child must not keep the
 * connection by whose end the others know that PE 1 is dead. */
static void die_beside_child(int pe, int n_pes, struct board *board)
{
    struct worker worker = {.pe = pe, .n_pes = n_pes};
    pid_t child;

    alarm(20);
    while (pe == 2 && !board->is_forked)
        usleep(1000);
    begin(&worker, start_seven);
    if (pe == 1) {
        usleep(500000);
        child = fork();
        while (child == 0)
            pause();
        board->child = child;
        board->is_forked = true;
    }
    pthread_join(worker.thread, NULL);
    EXPECT(aclshmemx_instance_ctx_set(7) == 0);
    aclshmem_barrier_all();
    if (pe == 1)
        _exit(3);
    aclshmem_barrier_all();
    _exit(77); /* not reached */
}

static void test_fork_in_init(void **state)
{
    struct board *board =
        mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t pids[3];
    int statuses[3];

    (void)state;
    assert_true(board != MAP_FAILED);
    set_port_range(find_ports());
    for (int pe = 0; pe < 3; pe++) {
        pids[pe] = fork();
        assert_true(pids[pe] >= 0);
        if (pids[pe] == 0)
            die_beside_child(pe, 3, board);
    }
    for (int pe = 0; pe < 3; pe++)
        assert_int_equal(waitpid(pids[pe], &statuses[pe], 0), pids[pe]);
    assert_true(board->child > 0 && kill(board->child, SIGKILL) == 0);
    munmap(board, sizeof *board);
    for (int pe = 0; pe < 3; pe++)
        assert_true(WIFEXITED(statuses[pe]) && WEXITSTATUS(statuses[pe]) == (pe == 1 ? 3 : 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),      cmocka_unit_test(test_coming_and_going),
        cmocka_unit_test(test_choices),      cmocka_unit_test(test_id_in_init),
        cmocka_unit_test(test_fork_in_init),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
