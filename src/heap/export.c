/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/door_internal.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "base/socket.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Connections that have not named themselves; the oldest makes way for the next one. */
#define STRANGERS_MAX 64

/* The caller's check runs this often. */
#define CHECK_EVERY_MS 20

/* PEs that the report of a time limit names. */
#define NAMED_MAX 16

struct guest {
    int fd;
    int member; /* index into the members; -1 = a stranger */
    uint64_t number;
};

/* The leader's side of one export. */
struct reception {
    struct shm_heap *heap;
    int listen_fd;
    uint64_t job_id;
    uint8_t token[SHM_HEAP_TOKEN_BYTES];
    const int *members;
    int member_count;
    bool *has_come; /* one per member */
    int missing;
    struct guest *guests; /* room for all members and STRANGERS_MAX strangers */
    int guest_count;
    int strangers;
    uint64_t arrivals;
    struct pollfd *polled; /* the listening socket, then the guests */
    bool is_crowded;       /* no connection can be accepted at the moment */
};

enum arrival { ARRIVED, NOT_YET, BROKEN };

/* Descriptors that come along are dropped by the kernel, since no room is offered for them. */
static enum arrival read_message(int fd, void *message, size_t bytes)
{
    ssize_t got = recv(fd, message, bytes, MSG_DONTWAIT | MSG_TRUNC);

    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return NOT_YET;
    return got == (ssize_t)bytes ? ARRIVED : BROKEN;
}

static void drop_guest(struct reception *reception, int index)
{
    struct guest *guest = &reception->guests[index];

    if (guest->member < 0)
        reception->strangers--;
    close(guest->fd);
    *guest = reception->guests[--reception->guest_count];
}

static bool is_at_the_door(const struct reception *reception, int member)
{
    for (int i = 0; i < reception->guest_count; i++) {
        if (reception->guests[i].member == member)
            return true;
    }
    return false;
}

/* Index of the member who says hello; -1 when it is none, came before or is being served. */
static int recognise(const struct reception *reception, const struct shm_door_hello *hello)
{
    if (hello->magic != SHM_DOOR_HELLO_MAGIC ||
        !shm_door_is_equal(&hello->job_id, &reception->job_id, sizeof hello->job_id))
        return -1;
    for (int i = 0; i < reception->member_count; i++) {
        if (reception->members[i] == hello->pe)
            return reception->has_come[i] || is_at_the_door(reception, i) ? -1 : i;
    }
    return -1;
}

static enum shm_status refuse(const struct guest *guest)
{
    struct shm_door_offer offer = {.magic = SHM_DOOR_OFFER_MAGIC, .status = SHM_REFUSED};

    return shm_socket_send_descriptor(guest->fd, &offer, sizeof offer, -1);
}

static enum shm_status send_offer(const struct reception *reception, const struct guest *guest)
{
    const struct shm_heap *heap = reception->heap;
    struct shm_door_offer offer = {.magic = SHM_DOOR_OFFER_MAGIC,
                                   .status = SHM_OK,
                                   .slices = heap->slices,
                                   .has_huge_pages = heap->has_huge_pages};
    enum shm_status status;

    memcpy(offer.half, reception->token, SHM_DOOR_HALF_BYTES);
    status = shm_socket_send_descriptor(guest->fd, &offer, sizeof offer, heap->memory_fd);
    if (status == SHM_OK && heap->has_huge_pages)
        status = shm_socket_send_descriptor(guest->fd, "h", 1, heap->huge_fd);
    return status;
}

/* A stranger says something. */
static void serve_stranger(struct reception *reception, int index)
{
    struct guest *guest = &reception->guests[index];
    struct shm_door_hello hello;
    enum arrival arrival = read_message(guest->fd, &hello, sizeof hello);
    int member;

    if (arrival == NOT_YET)
        return;
    member = arrival == ARRIVED ? recognise(reception, &hello) : -1;
    if (member >= 0 && send_offer(reception, guest) == SHM_OK) {
        guest->member = member;
        reception->strangers--;
        return;
    }
    if (arrival == ARRIVED && member < 0 && refuse(guest) == SHM_OK)
        shm_log(SHM_LOG_INFO, "heap", "turned a stranger away at the door of the node's memory");
    drop_guest(reception, index);
}

static enum shm_status bad_verdict(int pe, struct shm_door_verdict *verdict)
{
    verdict->reason[SHM_DOOR_REASON_BYTES - 1] = '\0';
    for (char *at = verdict->reason; *at != '\0'; at++) {
        if (!isprint((unsigned char)*at))
            *at = '?';
    }
    if (verdict->status == SHM_OK)
        return shm_fail(SHM_SMEM_ERROR, "PE %d read a wrong token in the memory of its node", pe);
    return shm_fail(SHM_SMEM_ERROR, "PE %d cannot map the memory of its node: %s", pe,
                    verdict->reason);
}

/* A member tells how it went. */
static enum shm_status serve_member(struct reception *reception, int index)
{
    struct guest *guest = &reception->guests[index];
    int member = guest->member;
    struct shm_door_verdict verdict;
    enum arrival arrival = read_message(guest->fd, &verdict, sizeof verdict);

    if (arrival == NOT_YET)
        return SHM_OK;
    drop_guest(reception, index);
    if (arrival == BROKEN || verdict.magic != SHM_DOOR_VERDICT_MAGIC)
        return SHM_OK; /* it may come again; otherwise it is reported as missing */
    if (verdict.status != SHM_OK ||
        !shm_door_is_equal(verdict.half, reception->token + SHM_DOOR_HALF_BYTES,
                           SHM_DOOR_HALF_BYTES))
        return bad_verdict(reception->members[member], &verdict);
    reception->has_come[member] = true;
    reception->missing--;
    return SHM_OK;
}

static enum shm_status serve_guest(struct reception *reception, int index)
{
    if (reception->guests[index].member >= 0)
        return serve_member(reception, index);
    serve_stranger(reception, index);
    return SHM_OK;
}

static void drop_oldest_stranger(struct reception *reception)
{
    int oldest = -1;

    for (int i = 0; i < reception->guest_count; i++) {
        const struct guest *guest = &reception->guests[i];

        if (guest->member < 0 && (oldest < 0 || guest->number < reception->guests[oldest].number))
            oldest = i;
    }
    if (oldest >= 0)
        drop_guest(reception, oldest);
}

/* Accepts at most as many as there is room for strangers. */
static void accept_guests(struct reception *reception)
{
    for (int i = 0; i < STRANGERS_MAX; i++) {
        int fd = accept4(reception->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

        if (fd < 0) {
            reception->is_crowded = errno == EMFILE || errno == ENFILE || errno == ENOMEM;
            if (reception->is_crowded)
                drop_oldest_stranger(reception);
            return;
        }
        if (reception->strangers == STRANGERS_MAX)
            drop_oldest_stranger(reception);
        reception->guests[reception->guest_count++] =
            (struct guest){.fd = fd, .member = -1, .number = reception->arrivals++};
        reception->strangers++;
        serve_stranger(reception, reception->guest_count - 1);
    }
}

static int wait_ms(uint64_t deadline_ns)
{
    int left_ms = shm_deadline_left_ms(deadline_ns);

    return left_ms < 0 || left_ms > CHECK_EVERY_MS ? CHECK_EVERY_MS : left_ms;
}

/* Waits until something arrives, for a short time at most, and serves it. */
static enum shm_status serve_round(struct reception *reception, uint64_t deadline_ns)
{
    int count = reception->guest_count;

    reception->polled[0] = (struct pollfd){.fd = reception->listen_fd, .events = POLLIN};
    if (reception->is_crowded)
        reception->polled[0].fd = -1; /* rests for one round, or poll() would not wait */
    reception->is_crowded = false;
    for (int i = 0; i < count; i++)
        reception->polled[1 + i] = (struct pollfd){.fd = reception->guests[i].fd, .events = POLLIN};
    if (poll(reception->polled, 1 + (nfds_t)count, wait_ms(deadline_ns)) < 0)
        return errno == EINTR ? SHM_OK
                              : shm_fail_errno(SHM_INNER_ERROR, errno, "poll for the node's PEs");
    for (int i = count - 1; i >= 0; i--) { /* downwards: a dropped guest's place is taken by a
                                              later one, which has been served */
        enum shm_status status = SHM_OK;

        if (reception->polled[1 + i].revents != 0)
            status = serve_guest(reception, i);
        if (status != SHM_OK)
            return status;
    }
    if (reception->polled[0].revents != 0)
        accept_guests(reception);
    return SHM_OK;
}

static enum shm_status report_missing(const struct reception *reception)
{
    char names[NAMED_MAX * 12 + 1] = "";
    size_t used = 0;
    int named = 0;

    for (int i = 0; i < reception->member_count && named < NAMED_MAX; i++) {
        if (reception->has_come[i])
            continue;
        used += (size_t)snprintf(names + used, sizeof names - used, " %d", reception->members[i]);
        named++;
    }
    return shm_fail(SHM_TIMEOUT_ERROR,
                    "the time limit passed: %d of %d PEs of the node did not fetch its memory: "
                    "PE%s%s",
                    reception->missing, reception->member_count, names,
                    reception->missing > named ? " ..." : "");
}

static enum shm_status serve_all(struct reception *reception, uint64_t deadline_ns,
                                 shm_heap_check check, void *argument)
{
    while (reception->missing > 0) {
        enum shm_status status = check == NULL ? SHM_OK : check(argument);

        if (status == SHM_OK && shm_deadline_passed(deadline_ns))
            status = report_missing(reception);
        if (status == SHM_OK)
            status = serve_round(reception, deadline_ns);
        if (status != SHM_OK)
            return status;
    }
    return SHM_OK;
}

static enum shm_status write_token(struct reception *reception)
{
    const struct shm_heap *heap = reception->heap;
    enum shm_status status = shm_random_fill(reception->token, sizeof reception->token);

    if (status == SHM_OK && !shm_door_write_token(heap->memory_fd, &heap->layout, reception->token))
        return shm_fail_errno(SHM_SMEM_ERROR, errno, "writing to the node's memory");
    return status;
}

static enum shm_status prepare(struct reception *reception)
{
    size_t members = (size_t)reception->member_count;

    reception->has_come = calloc(members + 1, sizeof *reception->has_come);
    reception->guests = calloc(members + STRANGERS_MAX, sizeof *reception->guests);
    reception->polled = calloc(members + STRANGERS_MAX + 1, sizeof *reception->polled);
    if (reception->has_come == NULL || reception->guests == NULL || reception->polled == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory to serve %zu PEs", members);
    return write_token(reception);
}

static void clear(struct reception *reception)
{
    while (reception->guest_count > 0)
        drop_guest(reception, 0);
    free(reception->has_come);
    free(reception->guests);
    free(reception->polled);
}

enum shm_status shm_heap_export(struct shm_heap *heap, struct shm_heap_door *door, uint64_t job_id,
                                const int *members, int member_count, uint64_t deadline_ns,
                                shm_heap_check check, void *argument)
{
    struct reception reception = {.heap = heap,
                                  .listen_fd = door->listen_fd,
                                  .job_id = job_id,
                                  .members = members,
                                  .member_count = member_count,
                                  .missing = member_count};
    enum shm_status status;

    if (heap->memory_fd < 0 || door->listen_fd < 0 || member_count < 0)
        return shm_fail(SHM_INVALID_PARAM,
                        "handing memory out needs memory, an open door and members");
    status = prepare(&reception);
    if (status == SHM_OK)
        status = serve_all(&reception, deadline_ns, check, argument);
    clear(&reception);
    return status;
}
