/* SPDX-License-Identifier: BSD-3-Clause */
/* Life of a connection to the store. */
#include "store/client_internal.h"

#include "base/backoff.h"
#include "base/cleanup.h"
#include "base/clock.h"

#include <stdlib.h>

/* before another attempt when the store dropped us */
#define REJOIN_FIRST_MS 20u
#define REJOIN_MOST_MS 500u

static enum shm_status introduce(struct shm_store_client *client, uint64_t deadline_ns)
{
    struct shm_store_hello hello = {.magic = SHM_STORE_MAGIC,
                                    .version = SHM_STORE_VERSION,
                                    .rank = client->identity.rank,
                                    .n_ranks = client->identity.n_ranks,
                                    .job_id = client->identity.job_id};
    uint8_t bytes[SHM_STORE_HELLO_BYTES];
    struct shm_store_frame request = {.operation = SHM_STORE_HELLO,
                                      .value_count = 1,
                                      .values = {{.data = bytes, .bytes = sizeof bytes}}};
    struct shm_store_answer answer;
    enum shm_status status;

    shm_store_hello_write(&hello, bytes);
    status = shm_store_client_send_frame(client, &request,
                                         deadline_ns == 0 ? UINT64_MAX / 2 : deadline_ns);
    if (status == SHM_OK || status == SHM_CLOSED) /* it may have said why before it closed */
        status = shm_store_client_receive_answer(client, 0, deadline_ns, &answer);
    if (status != SHM_OK)
        return status;
    status = answer.frame.status == SHM_OK ? SHM_OK : shm_store_answer_failure(&answer.frame);
    free(answer.block);
    return status;
}

static enum shm_status try_connect(const struct shm_address_list *addresses,
                                   const struct shm_store_identity *identity, uint64_t deadline_ns,
                                   struct shm_store_client **out_client)
{
    struct shm_store_client *client;
    auto_fd int fd = -1;
    enum shm_status status = shm_address_connect(addresses, deadline_ns, &fd);

    if (status != SHM_OK)
        return status;
    shm_address_keep_alive(fd);
    client = calloc(1, sizeof *client);
    if (client == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for a connection to the store");
    client->channel.fd = take_fd(&fd);
    client->identity = *identity;
    client->identity.host = NULL;
    shm_store_turn_init(&client->call_turn);
    shm_store_turn_init(&client->send_turn);
    status = SHM_OK;
    if (identity->tls != NULL)
        status =
            shm_store_channel_secure(&client->channel, identity->tls, identity->host, deadline_ns);
    if (status == SHM_OK)
        status = introduce(client, deadline_ns);
    if (status != SHM_OK) {
        shm_store_close(client);
        return status;
    }
    *out_client = client;
    return SHM_OK;
}

/* Adds whom we talked to. */
static enum shm_status connect_failure(const struct shm_address_list *addresses,
                                       enum shm_status status)
{
    char text[SHM_ADDRESS_TEXT_BYTES];

    shm_address_format(&addresses->entries[0], text);
    return shm_fail(status, "joining the store at %s: %s", text, shm_error_detail());
}

enum shm_status shm_store_connect(const struct shm_address_list *addresses,
                                  const struct shm_store_identity *identity, uint64_t deadline_ns,
                                  struct shm_store_client **out_client)
{
    struct shm_backoff pause = {.ms = REJOIN_FIRST_MS, .most_ms = REJOIN_MOST_MS};

    for (;;) {
        enum shm_status status = try_connect(addresses, identity, deadline_ns, out_client);

        if (status == SHM_OK)
            return SHM_OK;
        /* a busy machine may drop a connection before the store sees it */
        if (status == SHM_CLOSED && shm_deadline_passed(deadline_ns))
            status = SHM_TIMEOUT_ERROR;
        if (status != SHM_CLOSED)
            return connect_failure(addresses, status);
        status = shm_backoff_sleep(&pause, deadline_ns);
        if (status != SHM_OK)
            return status;
    }
}

void shm_store_close(struct shm_store_client *client)
{
    if (client == NULL)
        return;
    shm_store_channel_close(&client->channel);
    shm_store_reader_fini(&client->reader);
    shm_store_turn_fini(&client->call_turn);
    shm_store_turn_fini(&client->send_turn);
    free(client);
}

void shm_store_client_forget(struct shm_store_client *client)
{
    if (client != NULL)
        shm_cleanup_fd(&client->channel.fd);
}
