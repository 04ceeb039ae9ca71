/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long the store takes to wire up a large job, without its processes: this one serves, and one
 * child plays all PEs, each by a thread with a connection of its own.
 *
 *   store_clients [N [BYTES]]     N PEs (16384) join, meet at a barrier, gather BYTES (0: not) of
 *                                 each, and say goodbye
 *
 * An answer has N * (BYTES + 8) bytes, and each PE gets one: twice the PEs are four times the
 * bytes. Where one PE of each node speaks for all of it, N is the number of nodes and BYTES what a
 * node has to say: 256 4096 stands for 16384 PEs with 64 bytes each.
 */
#include "base/clock.h"
#include "store/store.h"

#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define JOB_ID 0x0123456789abcdefull
#define LIMIT_MS 120000u
#define STACK_BYTES 65536u
#define SPARE_DESCRIPTORS 300u
#define PHASES 4

static const char *const phases[PHASES] = {"join", "barrier", "gather", "goodbye"};

static struct {
    uint32_t n_pes;
    size_t gathered_bytes;
    struct shm_address_list addresses;
    pthread_barrier_t phase; /* of the threads, so that phases can be told apart */
    uint64_t deadline_ns;
} job;

static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "store_clients: %s: %s\n", what, shm_error_detail());
    _exit(1);
}

static void check(enum shm_status status, const char *what)
{
    if (status != SHM_OK)
        give_up(what);
}

static void raise_descriptor_limit(void)
{
    rlim_t needed = (rlim_t)job.n_pes + SPARE_DESCRIPTORS;
    struct rlimit limit;

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= needed)
        return;
    fprintf(stderr,
            "store_clients: %u PEs need %llu open files in each of two processes, the limit is "
            "%llu; raise it (ulimit -Hn) or ask for fewer PEs\n",
            job.n_pes, (unsigned long long)needed, (unsigned long long)limit.rlim_cur);
    exit(77);
}

/* ---- the PEs ---- */

static void run_phase(int phase, struct shm_store_client **client, uint32_t rank, char *all)
{
    struct shm_store_identity identity = {
        .rank = rank, .n_ranks = job.n_pes, .job_id = JOB_ID, .host = NULL};
    uint64_t deadline_ns = job.deadline_ns;

    if (phase == 0)
        check(shm_store_connect(&job.addresses, &identity, deadline_ns, client), phases[phase]);
    else if (phase == 1)
        check(shm_store_barrier(*client, deadline_ns), phases[phase]);
    else if (phase == 2 && job.gathered_bytes > 0)
        check(shm_store_allgather(*client, all, job.gathered_bytes, all, deadline_ns),
              phases[phase]);
    else if (phase == 3)
        check(shm_store_goodbye(*client, deadline_ns), phases[phase]);
}

static void *play_pe(void *argument)
{
    uint32_t rank = (uint32_t)(uintptr_t)argument;
    struct shm_store_client *client = NULL;
    char *all = calloc(job.n_pes, job.gathered_bytes + 1);
    uint64_t start_ns = 0;

    if (all == NULL)
        give_up("no memory");
    for (int phase = 0; phase < PHASES; phase++) {
        pthread_barrier_wait(&job.phase);
        if (rank == 0 && phase > 0)
            printf("%-8s %8.3f s\n", phases[phase - 1], (double)(shm_now_ns() - start_ns) / 1e9);
        start_ns = shm_now_ns();
        run_phase(phase, &client, rank, all);
    }
    pthread_barrier_wait(&job.phase);
    if (rank == 0)
        printf("%-8s %8.3f s\n", phases[PHASES - 1], (double)(shm_now_ns() - start_ns) / 1e9);
    shm_store_close(client);
    free(all);
    return NULL;
}

static int play_job(void)
{
    pthread_t *threads = calloc(job.n_pes, sizeof *threads);
    pthread_attr_t small;

    if (threads == NULL)
        give_up("no memory");
    pthread_barrier_init(&job.phase, NULL, job.n_pes);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK_BYTES);
    for (uint32_t rank = 0; rank < job.n_pes; rank++) {
        int error =
            pthread_create(&threads[rank], &small, play_pe, (void *)(uintptr_t)rank); /* NOLINT */

        if (error != 0) {
            fprintf(stderr, "store_clients: cannot start thread %u: %s\n", rank, strerror(error));
            return 77;
        }
    }
    for (uint32_t rank = 0; rank < job.n_pes; rank++)
        pthread_join(threads[rank], NULL);
    free(threads);
    return fflush(stdout) == 0 ? 0 : 1;
}

/* ---- the store ---- */

static int listen_at_loopback(void)
{
    struct shm_address address = {.bytes = sizeof(struct sockaddr_in)};
    struct sockaddr_in *loopback = (struct sockaddr_in *)&address.socket;
    int fd = -1;

    loopback->sin_family = AF_INET;
    loopback->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    check(shm_address_listen(&address, &fd), "listening");
    job.addresses.count = 1;
    check(shm_address_of_socket(fd, &job.addresses.entries[0]), "listening");
    return fd;
}

int main(int argc, char **argv)
{
    struct shm_store_server *server = NULL;
    int status = 1;
    int fd;
    pid_t pes;

    job.n_pes = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 16384;
    job.gathered_bytes = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    if (job.n_pes < 1 || job.n_pes > SHM_STORE_RANKS_MAX || argc > 3) {
        fprintf(stderr, "usage: store_clients [PEs, 1 to %u [BYTES to gather]]\n",
                SHM_STORE_RANKS_MAX);
        return 2;
    }
    raise_descriptor_limit();
    fd = listen_at_loopback();
    job.deadline_ns = shm_deadline_after_ms(LIMIT_MS);
    pes = fork(); /* before the store has a thread */
    if (pes == 0) {
        close(fd);
        _exit(play_job());
    }
    check(shm_store_server_create(fd, job.n_pes, JOB_ID, NULL, &server), "the store");
    while (waitpid(pes, &status, 0) < 0 && errno == EINTR)
        continue;
    shm_store_server_destroy(server);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
