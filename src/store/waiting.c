/* SPDX-License-Identifier: BSD-3-Clause */
/* GETs whose keys do not exist yet. A waiter hangs on the first key that it misses. */
#include "store/pe_list_internal.h"
#include "store/server_internal.h"

#include "base/clock.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- timers: heap[i] is not later than heap[2i] and heap[2i + 1] ---- */

enum shm_status shm_store_timers_init(struct shm_store_timers *timers, uint32_t n_ranks)
{
    timers->count = 0;
    timers->heap = calloc((size_t)n_ranks + 1, sizeof(struct shm_store_waiter *));
    if (timers->heap == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for %u waiting PEs", n_ranks);
    return SHM_OK;
}

void shm_store_timers_fini(struct shm_store_timers *timers)
{
    free(timers->heap);
    timers->heap = NULL;
}

static void place(struct shm_store_timers *timers, size_t index, struct shm_store_waiter *waiter)
{
    timers->heap[index] = waiter;
    waiter->heap_index = index;
}

static size_t sift_up(struct shm_store_timers *timers, size_t index,
                      const struct shm_store_waiter *waiter)
{
    while (index > 1 && timers->heap[index / 2]->deadline_ns > waiter->deadline_ns) {
        place(timers, index, timers->heap[index / 2]);
        index /= 2;
    }
    return index;
}

static size_t sift_down(struct shm_store_timers *timers, size_t index,
                        const struct shm_store_waiter *waiter)
{
    for (size_t child = 2 * index; child <= timers->count; child = 2 * index) {
        if (child < timers->count &&
            timers->heap[child + 1]->deadline_ns < timers->heap[child]->deadline_ns)
            child++;
        if (timers->heap[child]->deadline_ns >= waiter->deadline_ns)
            break;
        place(timers, index, timers->heap[child]);
        index = child;
    }
    return index;
}

static void start_timer(struct shm_store_timers *timers, struct shm_store_waiter *waiter)
{
    if (waiter->deadline_ns == 0 || waiter->heap_index != 0)
        return;
    timers->count++;
    place(timers, sift_up(timers, timers->count, waiter), waiter);
}

static void stop_timer(struct shm_store_timers *timers, struct shm_store_waiter *waiter)
{
    size_t hole = waiter->heap_index;
    struct shm_store_waiter *last;

    if (hole == 0)
        return;
    waiter->heap_index = 0;
    last = timers->heap[timers->count--];
    if (last == waiter)
        return;
    hole = sift_up(timers, hole, last);
    place(timers, sift_down(timers, hole, last), last);
}

/* ---- waiters of an entry ---- */

static void attach(struct shm_store_waiter *waiter, struct shm_store_entry *entry)
{
    waiter->entry = entry;
    waiter->next = entry->first_waiter;
    if (waiter->next != NULL)
        waiter->next->link = &waiter->next;
    waiter->link = &entry->first_waiter;
    entry->first_waiter = waiter;
}

static void detach(struct shm_store_waiter *waiter)
{
    *waiter->link = waiter->next;
    if (waiter->next != NULL)
        waiter->next->link = waiter->link;
    waiter->entry = NULL;
    waiter->next = NULL;
    waiter->link = NULL;
}

static void end(struct shm_store_server *server, struct shm_store_waiter *waiter)
{
    stop_timer(&server->timers, waiter);
    free(waiter->block);
    waiter->block = NULL;
}

void shm_store_wait_cancel(struct shm_store_server *server, struct shm_store_connection *connection)
{
    struct shm_store_waiter *waiter = &connection->waiter;
    struct shm_store_entry *entry = waiter->entry;

    if (entry == NULL)
        return;
    detach(waiter);
    shm_store_table_tidy(&server->table, entry);
    end(server, waiter);
}

void shm_store_wait_fail(struct shm_store_server *server, struct shm_store_connection *connection,
                         enum shm_status status, struct shm_store_buffer *reason)
{
    uint32_t sequence = connection->waiter.request.sequence;

    shm_store_wait_cancel(server, connection);
    shm_store_reply_failure(server, connection, sequence, status, reason);
}

/* ---- answering ---- */

/* Index of the first key without a value; key_count when all have one. */
static uint32_t find_missing(const struct shm_store_server *server,
                             const struct shm_store_frame *request,
                             struct shm_store_buffer *values[SHM_STORE_ITEMS_MAX])
{
    for (uint32_t i = 0; i < request->key_count; i++) {
        struct shm_store_entry *entry = shm_store_table_find(&server->table, &request->keys[i]);

        if (entry == NULL || entry->value == NULL)
            return i;
        values[i] = entry->value;
    }
    return request->key_count;
}

static void reply_values(struct shm_store_server *server, struct shm_store_connection *connection,
                         const struct shm_store_frame *request,
                         struct shm_store_buffer *const *values)
{
    struct shm_store_frame reply = {.operation = SHM_STORE_REPLY,
                                    .sequence = request->sequence,
                                    .value_count = request->key_count};

    shm_store_connection_send(server, connection, &reply, values);
}

static void fail_for_memory(struct shm_store_server *server,
                            struct shm_store_connection *connection)
{
    end(server, &connection->waiter);
    shm_store_connection_condemn(server, connection, "the store has no memory to let it wait");
}

/* Answers a detached waiter, or attaches it to the next key that it misses. */
static void advance(struct shm_store_server *server, struct shm_store_waiter *waiter)
{
    struct shm_store_buffer *values[SHM_STORE_ITEMS_MAX];
    struct shm_store_entry *entry;
    uint32_t missing = find_missing(server, &waiter->request, values);

    if (missing == waiter->request.key_count) {
        reply_values(server, waiter->connection, &waiter->request, values);
        end(server, waiter);
    } else if (shm_store_table_reach(&server->table, &waiter->request.keys[missing], &entry) !=
               SHM_OK) {
        fail_for_memory(server, waiter->connection);
    } else {
        attach(waiter, entry);
        start_timer(&server->timers, waiter);
    }
}

void shm_store_wait_begin(struct shm_store_server *server, struct shm_store_connection *connection,
                          const struct shm_store_frame *request)
{
    struct shm_store_waiter *waiter = &connection->waiter;
    struct shm_store_buffer *values[SHM_STORE_ITEMS_MAX];

    if (server->notice_count > 0) {
        shm_store_reply_failure(server, connection, request->sequence, server->notices[0].status,
                                server->notices[0].reason);
        return;
    }
    if (find_missing(server, request, values) == request->key_count) {
        reply_values(server, connection, request, values);
        return;
    }
    waiter->block = malloc(request->bytes);
    if (waiter->block == NULL) {
        fail_for_memory(server, connection);
        return;
    }
    waiter->request = *request;
    waiter->deadline_ns = 0;
    if (request->number < (UINT64_MAX - server->now_ns) / SHM_NS_PER_MS)
        waiter->deadline_ns = server->now_ns + request->number * SHM_NS_PER_MS;
    for (size_t i = 0, used = 0; i < request->key_count; used += request->keys[i].bytes, i++) {
        uint8_t *copy = (uint8_t *)waiter->block + used;

        memcpy(copy, request->keys[i].data, request->keys[i].bytes);
        waiter->request.keys[i].data = copy;
    }
    advance(server, waiter);
}

void shm_store_wait_wake(struct shm_store_server *server, struct shm_store_entry *entry)
{
    while (entry->first_waiter != NULL) {
        struct shm_store_waiter *waiter = entry->first_waiter;

        detach(waiter);
        advance(server, waiter); /* never back to this entry: it has a value */
    }
}

/* ---- limits ---- */

#define IS_MISSING 1u
#define NEVER_CAME 2u
#define HAS_LEFT 4u

/* Marks all PEs that do not wait on the entry; returns NULL without memory. */
static uint8_t *mark_missing(const struct shm_store_server *server,
                             const struct shm_store_entry *entry)
{
    uint8_t *marks = malloc(server->n_ranks);

    for (uint32_t i = 0; marks != NULL && i < server->n_ranks; i++) {
        marks[i] = IS_MISSING;
        if (server->rank_states[i] == SHM_STORE_RANK_ABSENT)
            marks[i] |= NEVER_CAME;
        if (server->rank_states[i] == SHM_STORE_RANK_LEFT)
            marks[i] |= HAS_LEFT;
    }
    for (const struct shm_store_waiter *waiter = entry->first_waiter;
         marks != NULL && waiter != NULL; waiter = waiter->next)
        marks[waiter->connection->rank] = 0;
    return marks;
}

/* Appends to a text that is cut where it ends. */
__attribute__((format(printf, 2, 3))) static void append(char text[SHM_STORE_REASON_BYTES],
                                                         const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + used, SHM_STORE_REASON_BYTES - used, format, arguments);
    va_end(arguments);
}

/* Appends what is known of the missing PEs, in parentheses. */
static void explain_missing(const struct shm_store_server *server, const uint8_t *marks,
                            char text[SHM_STORE_REASON_BYTES])
{
    char left[64];
    char absent[64];
    bool has_left = shm_store_pe_list(marks, server->n_ranks, HAS_LEFT, left, sizeof left) > 0;
    bool is_absent =
        shm_store_pe_list(marks, server->n_ranks, NEVER_CAME, absent, sizeof absent) > 0;

    if (!has_left && !is_absent)
        return;
    append(text, " (");
    if (has_left)
        append(text, "%s said goodbye%s", left, is_absent ? "; " : "");
    if (is_absent)
        append(text, "%s never connected", absent);
    if (is_absent && server->last_refusal[0] != '\0')
        append(text, "; last refused: %.100s", server->last_refusal);
    append(text, ")");
}

/* "PEs 3 and 5-7 are missing (3 never connected)" */
static void describe_missing(const struct shm_store_server *server,
                             const struct shm_store_entry *entry, char text[SHM_STORE_REASON_BYTES])
{
    char list[120];
    uint8_t *marks = mark_missing(server, entry);
    uint32_t missing;

    text[0] = '\0';
    if (marks == NULL) {
        append(text, "some PEs are missing (no memory to name them)");
        return;
    }
    missing = shm_store_pe_list(marks, server->n_ranks, IS_MISSING, list, sizeof list);
    if (missing == 0)
        append(text, "no PE is missing: all wait here, but not for the same operation");
    else
        append(text, "PE%s %s %s missing", missing == 1 ? "" : "s", list,
               missing == 1 ? "is" : "are");
    explain_missing(server, marks, text);
    free(marks);
}

/* The limit of one waiter of a group ends the wait of all of them, with one text. */
static void expire_group(struct shm_store_server *server, struct shm_store_entry *entry)
{
    char text[SHM_STORE_REASON_BYTES];
    struct shm_store_buffer *reason;
    struct shm_store_waiter *waiter = entry->first_waiter;

    describe_missing(server, entry, text);
    reason = shm_store_buffer_create(text, strlen(text));
    while (waiter != NULL) {
        struct shm_store_waiter *next = waiter->next;

        if ((waiter->request.flags & SHM_STORE_GROUP) != 0)
            shm_store_wait_fail(server, waiter->connection, SHM_TIMEOUT_ERROR, reason);
        waiter = next; /* the entry outlives the loop: its last waiter was the last one */
    }
    shm_store_buffer_release(reason);
}

static void expire_one(struct shm_store_server *server, struct shm_store_waiter *waiter)
{
    char text[SHM_STORE_REASON_BYTES];
    struct shm_store_buffer *reason;

    snprintf(text, sizeof text, "the time limit passed while waiting for key \"%.*s\"",
             waiter->entry->key_bytes < 200 ? (int)waiter->entry->key_bytes : 200,
             (const char *)waiter->entry->key);
    reason = shm_store_buffer_create(text, strlen(text));
    shm_store_wait_fail(server, waiter->connection, SHM_TIMEOUT_ERROR, reason);
    shm_store_buffer_release(reason);
}

void shm_store_wait_expire(struct shm_store_server *server)
{
    while (server->timers.count > 0 && server->timers.heap[1]->deadline_ns <= server->now_ns) {
        struct shm_store_waiter *waiter = server->timers.heap[1];

        if ((waiter->request.flags & SHM_STORE_GROUP) != 0)
            expire_group(server, waiter->entry);
        else
            expire_one(server, waiter);
    }
}

uint64_t shm_store_wait_deadline(const struct shm_store_server *server)
{
    return server->timers.count == 0 ? 0 : server->timers.heap[1]->deadline_ns;
}
