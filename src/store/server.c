/* SPDX-License-Identifier: BSD-3-Clause */
/* Life of the server and its event loop. */
#include "store/pe_list_internal.h"
#include "store/server_internal.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#define EVENTS_AT_ONCE 256
#define ACCEPTS_AT_ONCE 1024 /* then members have their turn */
#define STRANGERS_MOST 128u  /* besides the PEs of the job, which all may come at once */
#define HELLO_LIMIT_NS (10 * SHM_NS_PER_SECOND)
#define ACCEPT_PAUSE_NS (50 * SHM_NS_PER_MS)
#define SPARE_DESCRIPTORS 256u /* for everything else in the process */

/* ---- accepting ---- */

static void watch_listener(struct shm_store_server *server, uint32_t events)
{
    struct epoll_event wanted = {.events = events, .data.ptr = &server->listen_fd};

    if (epoll_ctl(server->epoll_fd, EPOLL_CTL_MOD, server->listen_fd, &wanted) != 0)
        shm_log(SHM_LOG_WARN, "store", "cannot watch the listening socket: %s", strerror(errno));
}

static void drop_oldest_stranger(struct shm_store_server *server)
{
    struct shm_store_connection *oldest = TAILQ_FIRST(&server->strangers);

    while (oldest != NULL && oldest->end_reason != NULL)
        oldest = TAILQ_NEXT(oldest, stranger_link);
    if (oldest != NULL)
        shm_store_connection_condemn(server, oldest, "it was the oldest of too many strangers");
}

/* Out of descriptors or memory: the listener is left alone for a moment instead of spinning. */
static void pause_accepting(struct shm_store_server *server, int error)
{
    shm_log(server->has_warned ? SHM_LOG_DEBUG : SHM_LOG_WARN, "store",
            "cannot accept connections for now: %s", strerror(error));
    server->has_warned = true;
    server->accept_paused = server->now_ns + ACCEPT_PAUSE_NS;
    watch_listener(server, 0);
    if (server->stranger_count > STRANGERS_MOST / 2)
        drop_oldest_stranger(server);
}

static void accept_burst(struct shm_store_server *server)
{
    for (int i = 0; i < ACCEPTS_AT_ONCE; i++) {
        int fd = accept4(server->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

        if (fd >= 0) {
            shm_store_connection_add(server, fd);
            if (server->stranger_count > STRANGERS_MOST + server->n_ranks)
                drop_oldest_stranger(server);
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            pause_accepting(server, errno);
            return;
        } else if (errno == EAGAIN) {
            return;
        } /* anything else is the end of that one connection */
    }
}

/* Nobody is missing any more. Who comes now belongs to the next job at this address, whose server
 * may listen at a copy of the same socket: it must find him waiting there. */
static void stop_listening(struct shm_store_server *server)
{
    if (server->listen_fd < 0 || server->joined_count < server->n_ranks)
        return;
    if (epoll_ctl(server->epoll_fd, EPOLL_CTL_DEL, server->listen_fd, NULL) != 0)
        shm_log(SHM_LOG_WARN, "store", "cannot leave the listening socket: %s", strerror(errno));
    close(server->listen_fd);
    server->listen_fd = -1;
    server->accept_paused = 0;
}

/* ---- the loop ---- */

static void handle_timers(struct shm_store_server *server)
{
    struct shm_store_connection *stranger = TAILQ_FIRST(&server->strangers);

    while (stranger != NULL && stranger->accepted_ns + HELLO_LIMIT_NS <= server->now_ns) {
        shm_store_connection_condemn(server, stranger, "it did not introduce itself in time");
        stranger = TAILQ_NEXT(stranger, stranger_link);
    }
    if (server->accept_paused != 0 && server->accept_paused <= server->now_ns) {
        server->accept_paused = 0;
        watch_listener(server, EPOLLIN);
    }
    shm_store_wait_expire(server);
}

/* Burying one member may condemn others: they are told, and cannot be reached. */
static void bury_condemned(struct shm_store_server *server)
{
    while (!STAILQ_EMPTY(&server->condemned)) {
        struct shm_store_connection *connection = STAILQ_FIRST(&server->condemned);

        STAILQ_REMOVE_HEAD(&server->condemned, condemned_link);
        if (connection->state == SHM_STORE_MEMBER) {
            shm_store_wait_cancel(server, connection);
            shm_store_lose(server, connection);
        }
        shm_store_connection_destroy(server, connection);
    }
}

static bool is_done(const struct shm_store_server *server)
{
    /* pairs with the release in request_stop() */
    uint32_t stop = atomic_load_explicit(&server->stop_request, memory_order_acquire);

    if (stop == SHM_STORE_STOP_NOW)
        return true;
    if (stop == SHM_STORE_STOP_NOT)
        return false;
    return (server->member_count == 0 && server->unsent_count == 0) ||
           (server->stop_deadline_ns != 0 && server->stop_deadline_ns <= server->now_ns);
}

static int time_to_sleep_ms(const struct shm_store_server *server)
{
    const struct shm_store_connection *stranger = TAILQ_FIRST(&server->strangers);
    uint64_t deadline = shm_deadline_min(shm_store_wait_deadline(server), server->accept_paused);

    if (stranger != NULL)
        deadline = shm_deadline_min(deadline, stranger->accepted_ns + HELLO_LIMIT_NS);
    if (atomic_load_explicit(&server->stop_request, memory_order_acquire) != SHM_STORE_STOP_NOT)
        deadline = shm_deadline_min(deadline, server->stop_deadline_ns);
    return shm_deadline_left_ms(deadline);
}

static void handle_event(struct shm_store_server *server, const struct epoll_event *event)
{
    uint64_t wakes;

    if (event->data.ptr == &server->listen_fd)
        return; /* seen to before */
    if (event->data.ptr != &server->wake_fd)
        shm_store_connection_ready(server, event->data.ptr, event->events);
    else if (read(server->wake_fd, &wakes, sizeof wakes) < 0)
        return; /* someone woke us for a request that was seen already */
}

static void *serve(void *argument)
{
    struct shm_store_server *server = argument;
    struct epoll_event events[EVENTS_AT_ONCE];

    server->now_ns = shm_now_ns();
    while (!is_done(server)) {
        int count = epoll_wait(server->epoll_fd, events, EVENTS_AT_ONCE, time_to_sleep_ms(server));

        server->now_ns = shm_now_ns();
        /* first who stands at the door: once the queue of the kernel is full, it turns them away */
        for (int i = 0; i < count; i++)
            if (events[i].data.ptr == &server->listen_fd)
                accept_burst(server);
        for (int i = 0; i < count; i++)
            handle_event(server, &events[i]);
        stop_listening(server);
        handle_timers(server);
        bury_condemned(server);
    }
    return NULL;
}

/* ---- life ---- */

/* Each PE holds a descriptor here; the limit of the process is raised as far as that needs. */
static void raise_descriptor_limit(uint32_t n_ranks)
{
    struct rlimit limit;
    rlim_t needed = (rlim_t)n_ranks + SPARE_DESCRIPTORS;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed)
        return;
    if (needed > limit.rlim_max)
        shm_log(SHM_LOG_WARN, "store", "%u PEs need %llu descriptors, the limit is %llu", n_ranks,
                (unsigned long long)needed, (unsigned long long)limit.rlim_max);
    limit.rlim_cur = needed < limit.rlim_max ? needed : limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
        shm_log(SHM_LOG_WARN, "store", "cannot raise the limit of descriptors: %s",
                strerror(errno));
}

/* What the listener is told holds for its connections. */
static void set_options(int fd)
{
    const int on = 1;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    shm_address_keep_alive(fd);
}

static enum shm_status prepare_listener(int listen_fd)
{
    int flags = fcntl(listen_fd, F_GETFL);

    if (flags < 0 || fcntl(listen_fd, F_SETFL, flags | O_NONBLOCK) != 0 ||
        fcntl(listen_fd, F_SETFD, FD_CLOEXEC) != 0)
        return shm_fail_errno(SHM_INVALID_PARAM, errno, "descriptor %d to listen at", listen_fd);
    set_options(listen_fd);
    if (listen(listen_fd, INT_MAX) != 0) /* the system cuts the backlog to what it allows */
        return shm_fail_errno(SHM_INVALID_PARAM, errno, "listening at descriptor %d", listen_fd);
    return SHM_OK;
}

static enum shm_status watch(struct shm_store_server *server, int *fd)
{
    struct epoll_event wanted = {.events = EPOLLIN, .data.ptr = fd};

    if (epoll_ctl(server->epoll_fd, EPOLL_CTL_ADD, *fd, &wanted) != 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "watching descriptor %d", *fd);
    return SHM_OK;
}

static enum shm_status open_descriptors(struct shm_store_server *server)
{
    enum shm_status status = prepare_listener(server->listen_fd);

    if (status != SHM_OK)
        return status;
    server->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (server->epoll_fd < 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "epoll_create1");
    server->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (server->wake_fd < 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "eventfd");
    status = watch(server, &server->listen_fd);
    return status != SHM_OK ? status : watch(server, &server->wake_fd);
}

static enum shm_status allocate(struct shm_store_server *server)
{
    enum shm_status status = shm_store_table_init(&server->table);

    if (status == SHM_OK)
        status = shm_store_timers_init(&server->timers, server->n_ranks);
    if (status != SHM_OK)
        return status;
    server->rank_states = malloc(server->n_ranks);
    server->members = calloc(server->n_ranks, sizeof(struct shm_store_connection *));
    if (server->rank_states == NULL || server->members == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for a store of %u PEs", server->n_ranks);
    memset(server->rank_states, SHM_STORE_RANK_ABSENT, server->n_ranks);
    return SHM_OK;
}

/* Signals are for the threads of the program. */
static enum shm_status start_thread(struct shm_store_server *server)
{
    sigset_t all;
    sigset_t old;
    int error;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    error = pthread_create(&server->thread, NULL, serve, server);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (error != 0)
        return shm_fail_errno(SHM_INNER_ERROR, error, "starting the thread of the store");
    server->has_thread = true;
    return SHM_OK;
}

enum shm_status shm_store_server_create(int listen_fd, uint32_t n_ranks, uint64_t job_id,
                                        struct shm_store_tls *tls,
                                        struct shm_store_server **out_server)
{
    struct shm_store_server *server = calloc(1, sizeof *server);
    enum shm_status status;

    if (server == NULL) {
        close(listen_fd);
        return shm_fail(SHM_MALLOC_FAILED, "no memory for the store");
    }
    server->listen_fd = listen_fd;
    server->epoll_fd = -1;
    server->wake_fd = -1;
    server->n_ranks = n_ranks;
    server->job_id = job_id;
    server->tls = tls;
    TAILQ_INIT(&server->all);
    TAILQ_INIT(&server->strangers);
    STAILQ_INIT(&server->condemned);
    status = SHM_OK;
    if (n_ranks == 0 || n_ranks > SHM_STORE_RANKS_MAX)
        status = shm_fail(SHM_INVALID_VALUE, "a store of %u PEs, expected 1..%u", n_ranks,
                          SHM_STORE_RANKS_MAX);
    if (status == SHM_OK)
        status = open_descriptors(server);
    if (status == SHM_OK)
        status = allocate(server);
    if (status != SHM_OK)
        goto fail;
    raise_descriptor_limit(n_ranks);
    status = start_thread(server);
    if (status != SHM_OK)
        goto fail;
    *out_server = server;
    return SHM_OK;

fail:
    shm_store_server_destroy(server);
    return status;
}

/* Ends the thread. Its data belongs to the caller afterwards. */
static void end_thread(struct shm_store_server *server, enum shm_store_stop stop,
                       uint64_t deadline_ns)
{
    const uint64_t one = 1;

    if (!server->has_thread)
        return;
    server->stop_deadline_ns = deadline_ns;
    atomic_store_explicit(&server->stop_request, stop, memory_order_release);
    while (write(server->wake_fd, &one, sizeof one) < 0 && errno == EINTR)
        continue;
    pthread_join(server->thread, NULL);
    server->has_thread = false;
}

enum shm_status shm_store_server_stop(struct shm_store_server *server, uint64_t deadline_ns)
{
    char list[SHM_STORE_REASON_BYTES];
    uint32_t present;

    end_thread(server, SHM_STORE_STOP_WHEN_DONE, deadline_ns);
    present = shm_store_pe_list(server->rank_states, server->n_ranks, SHM_STORE_RANK_PRESENT, list,
                                sizeof list);
    if (present > 0)
        return shm_fail(SHM_TIMEOUT_ERROR, "PE%s %s did not say goodbye", present == 1 ? "" : "s",
                        list);
    return SHM_OK;
}

void shm_store_server_forget(struct shm_store_server *server)
{
    if (server == NULL)
        return;
    for (uint32_t rank = 0; rank < server->n_ranks; rank++) {
        if (server->members[rank] != NULL)
            close(server->members[rank]->channel.fd);
    }
    shm_cleanup_fd(&server->listen_fd);
    shm_cleanup_fd(&server->epoll_fd);
    shm_cleanup_fd(&server->wake_fd);
}

void shm_store_server_destroy(struct shm_store_server *server)
{
    if (server == NULL)
        return;
    end_thread(server, SHM_STORE_STOP_NOW, 0);
    while (!TAILQ_EMPTY(&server->all))
        shm_store_connection_destroy(server, TAILQ_FIRST(&server->all));
    for (size_t i = 0; i < server->notice_count; i++)
        shm_store_buffer_release(server->notices[i].reason);
    shm_store_timers_fini(&server->timers);
    shm_store_table_fini(&server->table);
    free(server->rank_states);
    free(server->members);
    if (server->wake_fd >= 0)
        close(server->wake_fd);
    if (server->epoll_fd >= 0)
        close(server->epoll_fd);
    if (server->listen_fd >= 0)
        close(server->listen_fd);
    free(server);
}

size_t shm_store_server_key_count(const struct shm_store_server *server)
{
    return atomic_load_explicit(&server->table.value_count, memory_order_relaxed);
}
