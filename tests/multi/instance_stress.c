/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instances that come and go at random: 16 numbers, two threads in each PE, each with half of the
 * numbers. All PEs draw the same steps, and make those of instances that they belong to. An
 * instance has a random set of PEs in a random order.
 *
 * usage: instance_stress PES SECONDS [SEED]   (PES at most 16)
 *        instance_stress cycles COUNT         one instance that starts and ends, two PEs
 */
#include "instances.h"
#include "usage.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>

#define IDS 16
#define IDS_OF_THREAD 8
#define STEPS 150
#define THREAD_MAPPINGS 40 /* stacks and arenas that libc keeps for threads */

/* Among processes. */
struct control {
    pthread_barrier_t barrier;
    _Atomic bool is_over;
    _Atomic long starts, uses;
    _Atomic long ends[IDS]; /* of members, by number */
};

struct plan {
    struct control *control;
    uint64_t seed;
    long seconds;
};

struct actor {
    pthread_t thread;
    struct control *control;
    uint64_t random;
    int pe, n_pes;
    uint64_t first_id;
    unsigned members[IDS_OF_THREAD]; /* bit p: PE p; 0: the instance does not exist */
    int turn[IDS_OF_THREAD];         /* the member with rank 0 */
    long *ends;                      /* what control->ends must be before another start */
};

static unsigned draw(struct actor *actor, unsigned below)
{
    actor->random ^= actor->random << 13;
    actor->random ^= actor->random >> 7;
    actor->random ^= actor->random << 17;
    return (unsigned)((actor->random >> 11) % below);
}

static bool is_member(const struct actor *actor, int which)
{
    return (actor->members[which] >> actor->pe & 1) != 0;
}

static int size_of(const struct actor *actor, int which)
{
    return __builtin_popcount(actor->members[which]);
}

static int rank_in(const struct actor *actor, int which)
{
    int place = __builtin_popcount(actor->members[which] & ((1u << actor->pe) - 1));

    return (place + actor->turn[which]) % size_of(actor, which);
}

/* One port cannot serve two instances: the PEs of the last one, perhaps all different, have left.
 */
static void await_port(const struct actor *actor, uint64_t id)
{
    while (atomic_load(&actor->control->ends[id]) != actor->ends[id])
        usleep(100);
}

static void start_one(struct actor *actor, int which)
{
    actor->members[which] = 1 + draw(actor, (1u << actor->n_pes) - 1);
    actor->turn[which] = (int)draw(actor, 16);
    if (!is_member(actor, which))
        return;
    await_port(actor, actor->first_id + (uint64_t)which);
    EXPECT(start_instance(actor->first_id + (uint64_t)which, rank_in(actor, which),
                          size_of(actor, which)) == 0);
    atomic_fetch_add(&actor->control->starts, 1);
}

static void end_one(struct actor *actor, int which)
{
    uint64_t id = actor->first_id + (uint64_t)which;

    actor->ends[id] += size_of(actor, which);
    if (is_member(actor, which)) {
        EXPECT(aclshmemx_finalize(id) == 0);
        atomic_fetch_add(&actor->control->ends[id], 1);
    }
    actor->members[which] = 0;
}

static void use_one(struct actor *actor, int which, int salt)
{
    if (!is_member(actor, which))
        return;
    EXPECT(aclshmemx_instance_ctx_set(actor->first_id + (uint64_t)which) == 0);
    use_instance(rank_in(actor, which), size_of(actor, which), salt);
    atomic_fetch_add(&actor->control->uses, 1);
}

static void *act(void *argument)
{
    struct actor *actor = argument;

    for (int step = 0; step < STEPS; step++) {
        int which = (int)draw(actor, IDS_OF_THREAD);
        bool ends = draw(actor, 4) == 0;

        if (actor->members[which] == 0)
            start_one(actor, which);
        else if (ends)
            end_one(actor, which);
        else
            use_one(actor, which, step);
    }
    for (int which = 0; which < IDS_OF_THREAD; which++) {
        if (actor->members[which] != 0)
            end_one(actor, which);
    }
    return NULL;
}

static void run_epoch(int pe, int n_pes, const struct plan *plan, uint64_t epoch, long ends[IDS])
{
    struct actor actors[IDS / IDS_OF_THREAD];

    for (int i = 0; i < IDS / IDS_OF_THREAD; i++) {
        actors[i] = (struct actor){.control = plan->control,
                                   .random = (plan->seed + epoch * 2 + (uint64_t)i + 1) *
                                             0x9e3779b97f4a7c15u,
                                   .pe = pe,
                                   .n_pes = n_pes,
                                   .first_id = (uint64_t)i * IDS_OF_THREAD,
                                   .ends = ends};
        EXPECT(pthread_create(&actors[i].thread, NULL, act, &actors[i]) == 0);
    }
    for (int i = 0; i < IDS / IDS_OF_THREAD; i++)
        pthread_join(actors[i].thread, NULL);
}

/* The first epochs set up what stays. */
static void come_and_go(int pe, int n_pes, const void *argument)
{
    const struct plan *plan = argument;
    struct usage before = {0};
    time_t end = time(NULL) + plan->seconds;
    long ends[IDS] = {0};

    alarm((unsigned)plan->seconds + 300);
    for (uint64_t epoch = 0; !atomic_load(&plan->control->is_over); epoch++) {
        struct usage after;

        run_epoch(pe, n_pes, plan, epoch, ends);
        after = epoch <= 2 ? measure() : measure_after(&before);
        if (epoch == 2) {
            before = after;
            before.mappings += THREAD_MAPPINGS;
        }
        EXPECT(epoch < 2 || compare(&before, &after) == 0);
        if (pe == 0 && time(NULL) >= end && epoch >= 3)
            atomic_store(&plan->control->is_over, true);
        pthread_barrier_wait(&plan->control->barrier);
    }
}

static void cycle(int pe, int n_pes, const void *argument)
{
    const struct plan *plan = argument;
    struct usage before = {0};
    struct usage after;

    alarm(300);
    for (long i = -5; i < plan->seconds; i++) {
        if (i == 0)
            before = measure();
        EXPECT(start_instance(3, pe, n_pes) == 0);
        if (i % 10 == 0)
            use_instance(pe, n_pes, (int)i);
        EXPECT(aclshmemx_finalize(3) == 0);
    }
    after = measure_after(&before);
    if (pe == 0)
        printf("%ld cycles: descriptors %ld -> %ld, mappings %ld -> %ld, threads %ld -> %ld, "
               "resident KiB %ld -> %ld\n",
               plan->seconds, before.descriptors, after.descriptors, before.mappings,
               after.mappings, before.threads, after.threads, before.resident_kib,
               after.resident_kib);
    fflush(stdout);
    EXPECT(compare(&before, &after) == 0);
}

static struct control *make_control(unsigned n_pes)
{
    struct control *control =
        mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_barrierattr_t attributes;

    assert_true(control != MAP_FAILED);
    pthread_barrierattr_init(&attributes);
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&control->barrier, &attributes, n_pes);
    return control;
}

static struct plan plan;
static int pes;

static void test_coming_and_going(void **state)
{
    (void)state;
    set_port_range(find_ports());
    run_pes(pes, plan.control == NULL ? cycle : come_and_go, &plan);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_coming_and_going)};
    bool is_cycles = argc > 2 && strcmp(argv[1], "cycles") == 0;
    int failures;

    if (argc < 3) {
        fprintf(stderr, "usage: %s PES SECONDS [SEED], or cycles COUNT\n", argv[0]);
        return 2;
    }
    pes = is_cycles ? 2 : atoi(argv[1]);
    plan =
        (struct plan){.seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1, .seconds = atol(argv[2])};
    if (!is_cycles)
        plan.control = make_control((unsigned)pes);
    failures = cmocka_run_group_tests(tests, NULL, NULL);
    if (plan.control != NULL)
        printf("seed %llu: %ld starts, %ld uses\n", (unsigned long long)plan.seed,
               atomic_load(&plan.control->starts), atomic_load(&plan.control->uses));
    return failures;
}
