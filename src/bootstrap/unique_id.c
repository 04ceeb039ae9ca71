/* SPDX-License-Identifier: BSD-3-Clause */
/* Unique ids: an address where PE 0 listens already, and the secret of the job. */
#include "base/address.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "base/random.h"
#include "bootstrap/bootstrap.h"

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SESSION_VARIABLE "SHMEM_UID_SESSION_ID"
#define INTERFACE_VARIABLE "SHMEM_UID_SOCK_IFNAME"
#define LEAST_PORT 1024u
#define INTERFACE_TEXT_BYTES 22u /* "name:inet4" and its NUL */

_Static_assert(sizeof(struct shm_unique_id) == SHM_UNIQUE_ID_BYTES, "the id has a fixed size");

/* ---- SHMEM_UID_SESSION_ID ---- */

/* A name may have IPv6 addresses only. */
static enum shm_status parse_name_as_v6(const char *text, struct shm_address_list *out_list)
{
    char address[SHM_ADDRESS_TEXT_BYTES];
    const char *colon = strchr(text, ':');

    if (colon == NULL)
        return SHM_INVALID_PARAM;
    snprintf(address, sizeof address, "tcp6://[%.*s]%s", (int)(colon - text), text, colon);
    return shm_address_parse(address, LEAST_PORT, out_list);
}

static enum shm_status parse_session(const char *text, struct shm_address_list *out_list)
{
    char address[SHM_ADDRESS_TEXT_BYTES];
    char detail[SHM_DETAIL_BYTES];
    bool is_bracketed = text[0] == '[';
    enum shm_status status;

    if (strlen(text) > sizeof address - sizeof "tcp6://[]")
        return shm_fail(SHM_INVALID_PARAM,
                        SESSION_VARIABLE "=\"%.100s...\": expected host:port or [ipv6]:port", text);
    snprintf(address, sizeof address, "%s://%s", is_bracketed ? "tcp6" : "tcp", text);
    status = shm_address_parse(address, LEAST_PORT, out_list);
    if (status == SHM_OK)
        return SHM_OK;
    snprintf(detail, sizeof detail, "%s", shm_error_detail());
    if (!is_bracketed && parse_name_as_v6(text, out_list) == SHM_OK)
        return SHM_OK;
    return shm_fail(SHM_INVALID_PARAM,
                    SESSION_VARIABLE "=\"%.200s\", expected host:port or [ipv6]:port: %.600s", text,
                    detail);
}

/* ---- interfaces ---- */

struct wish {
    char name[INTERFACE_TEXT_BYTES]; /* or the start of a name; "" = any that is not virtual */
    int family;                      /* AF_UNSPEC = IPv4 if there is one */
};

static enum shm_status parse_interface(const char *text, struct wish *out_wish)
{
    struct wish wish = {.family = AF_UNSPEC};
    const char *colon = strchr(text, ':');
    size_t name_bytes = colon == NULL ? strlen(text) : (size_t)(colon - text);

    if (colon != NULL && strcmp(colon, ":inet4") == 0)
        wish.family = AF_INET;
    else if (colon != NULL && strcmp(colon, ":inet6") == 0)
        wish.family = AF_INET6;
    if (name_bytes == 0 || strlen(text) >= INTERFACE_TEXT_BYTES ||
        (colon != NULL && wish.family == AF_UNSPEC))
        return shm_fail(SHM_INVALID_PARAM,
                        INTERFACE_VARIABLE "=\"%.100s\": expected name, name:inet4 or name:inet6 "
                                           "of less than %u characters",
                        text, INTERFACE_TEXT_BYTES);
    memcpy(wish.name, text, name_bytes);
    *out_wish = wish;
    return SHM_OK;
}

static bool is_virtual(const char *name)
{
    static const char *const prefixes[] = {"docker", "veth", "br-", "virbr", "tun", "tap"};

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

/* How well an address fits: 0 = not at all. Earlier interfaces win among equals. */
static int rate(const struct ifaddrs *candidate, const struct wish *wish)
{
    int family = candidate->ifa_addr == NULL ? AF_UNSPEC : candidate->ifa_addr->sa_family;
    int score = 1;

    if ((family != AF_INET && family != AF_INET6) || (candidate->ifa_flags & IFF_UP) == 0)
        return 0;
    if (wish->family != AF_UNSPEC && wish->family != family)
        return 0;
    if (strncmp(candidate->ifa_name, wish->name, strlen(wish->name)) != 0)
        return 0;
    if (wish->name[0] == '\0' && is_virtual(candidate->ifa_name))
        return 0;
    if (strcmp(candidate->ifa_name, wish->name) == 0)
        score += 8;
    if (wish->name[0] != '\0' || (candidate->ifa_flags & IFF_LOOPBACK) == 0)
        score += 4;
    if (family == AF_INET)
        score += 2;
    else if (!IN6_IS_ADDR_LINKLOCAL(&((struct sockaddr_in6 *)candidate->ifa_addr)->sin6_addr))
        score += 1;
    return score;
}

static enum shm_status pick_interface(const struct wish *wish, struct shm_address_list *out_list)
{
    struct ifaddrs *all = NULL;
    const struct ifaddrs *best = NULL;
    struct shm_address *entry = &out_list->entries[0];
    int best_score = 0;

    if (getifaddrs(&all) != 0)
        return shm_fail_errno(SHM_INNER_ERROR, errno, "listing the network interfaces");
    for (const struct ifaddrs *candidate = all; candidate != NULL;
         candidate = candidate->ifa_next) {
        int score = rate(candidate, wish);

        if (score > best_score) {
            best_score = score;
            best = candidate;
        }
    }
    if (best != NULL) {
        *entry = (struct shm_address){.bytes = best->ifa_addr->sa_family == AF_INET
                                                   ? sizeof(struct sockaddr_in)
                                                   : sizeof(struct sockaddr_in6)};
        memcpy(&entry->socket, best->ifa_addr, entry->bytes);
        out_list->count = 1;
    }
    freeifaddrs(all);
    if (best == NULL)
        return shm_fail(SHM_INVALID_PARAM, "no interface that is up matches \"%s\"%s", wish->name,
                        wish->family == AF_INET    ? " with IPv4"
                        : wish->family == AF_INET6 ? " with IPv6"
                                                   : "");
    return SHM_OK;
}

/* Where to listen: port 0 stands for any free one. */
static enum shm_status find_addresses(struct shm_address_list *out_list)
{
    const char *session = getenv(SESSION_VARIABLE);
    const char *interface = getenv(INTERFACE_VARIABLE);
    struct wish wish = {.family = AF_UNSPEC};

    if (session != NULL)
        return parse_session(session, out_list);
    if (interface != NULL) {
        enum shm_status status = parse_interface(interface, &wish);

        if (status != SHM_OK)
            return status;
    }
    return pick_interface(&wish, out_list);
}

/* ---- ids ---- */

/* What every process has alike. */
static uint64_t digest_of(const struct shm_unique_id *id)
{
    size_t begin = offsetof(struct shm_unique_id, address_bytes);

    return shm_hash_add(SHM_HASH_START, (const char *)id + begin,
                        offsetof(struct shm_unique_id, digest) - begin);
}

enum shm_status shm_unique_id_check(const struct shm_unique_id *id)
{
    if (id->digest == digest_of(id))
        return SHM_OK;
    return shm_fail(SHM_INVALID_PARAM, "the unique id has changed since it was made: its check sum "
                                       "does not fit, expected the bytes that PE 0 got");
}

enum shm_status shm_unique_id_create(struct shm_unique_id *out_id)
{
    struct shm_unique_id id = {.listen_fd = -1};
    struct shm_address_list list = {.count = 0};
    struct shm_address bound;
    auto_fd int fd = -1;
    enum shm_status status = find_addresses(&list);

    for (size_t i = 0; status == SHM_OK && fd < 0 && i < list.count; i++)
        if (shm_address_listen(&list.entries[i], &fd) != SHM_OK && i + 1 == list.count)
            status = SHM_INVALID_PARAM; /* the detail says why */
    if (status == SHM_OK)
        status = shm_address_of_socket(fd, &bound);
    if (status == SHM_OK)
        status = shm_random_fill(&id.job_id, sizeof id.job_id);
    if (status != SHM_OK)
        return status;
    id.address_bytes = bound.bytes;
    memcpy(id.address, &bound.socket, bound.bytes);
    id.digest = digest_of(&id);
    id.listen_fd = take_fd(&fd);
    *out_id = id;
    return SHM_OK;
}

void shm_unique_id_discard(struct shm_unique_id *id)
{
    if (id->listen_fd >= 0)
        close(id->listen_fd);
    id->listen_fd = -1;
}

enum shm_status shm_unique_id_address(const struct shm_unique_id *id, char *text, size_t bytes)
{
    struct shm_address address = {.bytes = id->address_bytes};
    char formatted[SHM_ADDRESS_TEXT_BYTES];
    sa_family_t family;

    memcpy(&address.socket, id->address, sizeof id->address);
    family = address.socket.ss_family;
    if ((family != AF_INET || id->address_bytes != sizeof(struct sockaddr_in)) &&
        (family != AF_INET6 || id->address_bytes != sizeof(struct sockaddr_in6)))
        return shm_fail(SHM_INVALID_PARAM,
                        "a unique id with %u bytes of address family %u, expected IPv4 or IPv6",
                        id->address_bytes, family);
    shm_address_format(&address, formatted);
    if (strlen(formatted) >= bytes)
        return shm_fail(SHM_INVALID_PARAM, "room of %zu bytes for the address %s", bytes,
                        formatted);
    memcpy(text, formatted, strlen(formatted) + 1);
    return SHM_OK;
}
