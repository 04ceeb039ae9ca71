/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define HOST_BYTES 256 /* a name of 253 characters, or a literal with its interface */

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char digits[] = "0123456789";

struct target {
    char host[HOST_BYTES];
    uint16_t port;
    int family;
};

/* ---- text to address ---- */

static enum shm_status malformed(const char *text)
{
    return shm_fail(SHM_INVALID_PARAM,
                    "address \"%.300s\": expected tcp://host:port or tcp6://[host]:port", text);
}

static enum shm_status parse_port(const char *text, const char *port, uint16_t least_port,
                                  uint16_t *out_port)
{
    size_t count = strspn(port, digits);
    unsigned value = 0;

    if (count == 0 || count > 5 || port[count] != '\0')
        return malformed(text);
    for (size_t i = 0; i < count; i++)
        value = value * 10 + (unsigned)(port[i] - '0');
    if (value < least_port || value > UINT16_MAX)
        return shm_fail(SHM_INVALID_PARAM, "address \"%.300s\": port %u, expected %u..65535", text,
                        value, least_port);
    *out_port = (uint16_t)value;
    return SHM_OK;
}

/* Cuts scheme, host and port apart. */
static enum shm_status split(const char *text, uint16_t least_port, struct target *target)
{
    bool is_v6 = strncmp(text, "tcp6://[", 8) == 0;
    const char *host = text + (is_v6 ? 8 : 6);
    const char *end;
    size_t host_bytes;

    if (!is_v6 && strncmp(text, "tcp://", 6) != 0)
        return malformed(text);
    end = strstr(host, is_v6 ? "]:" : ":");
    if (end == NULL)
        return malformed(text);
    host_bytes = (size_t)(end - host);
    if (host_bytes == 0 || host_bytes >= sizeof target->host)
        return malformed(text);
    memcpy(target->host, host, host_bytes);
    target->host[host_bytes] = '\0';
    target->family = is_v6 ? AF_INET6 : AF_INET;
    return parse_port(text, end + (is_v6 ? 2 : 1), least_port, &target->port);
}

/* A name, which is not a number in disguise ("127.1", "0x7f000001"): its last label holds a letter
 * and does not look hexadecimal. */
static bool is_name(const char *host)
{
    size_t bytes = strlen(host);
    const char *last;
    char allowed[sizeof letters + sizeof digits + 2];

    snprintf(allowed, sizeof allowed, "%s%s-.", letters, digits);
    if (bytes > 253 || strspn(host, allowed) != bytes)
        return false;
    if (host[0] == '.' || host[0] == '-' || strstr(host, "..") != NULL)
        return false;
    last = strrchr(host, '.');
    if (last != NULL && last[1] == '\0') { /* a final dot is allowed: look at the label before */
        while (last > host && last[-1] != '.')
            last--;
    } else {
        last = last == NULL ? host : last + 1;
    }
    return strpbrk(last, letters) != NULL && strncasecmp(last, "0x", 2) != 0;
}

static bool is_literal(const struct target *target)
{
    struct in_addr v4;
    struct in6_addr v6;
    char plain[HOST_BYTES];
    char *interface;

    if (target->family == AF_INET)
        return inet_pton(AF_INET, target->host, &v4) == 1;
    snprintf(plain, sizeof plain, "%s", target->host);
    interface = strchr(plain, '%');
    if (interface != NULL) {
        *interface++ = '\0';
        if (interface[0] == '\0' || strlen(interface) >= IF_NAMESIZE)
            return false;
    }
    return inet_pton(AF_INET6, plain, &v6) == 1;
}

static void collect(const struct addrinfo *found, uint16_t port, struct shm_address_list *list)
{
    for (; found != NULL && list->count < SHM_ADDRESS_LIST_MAX; found = found->ai_next) {
        struct shm_address *entry = &list->entries[list->count];

        if (found->ai_addrlen > sizeof entry->socket)
            continue;
        *entry = (struct shm_address){.bytes = found->ai_addrlen};
        memcpy(&entry->socket, found->ai_addr, found->ai_addrlen);
        if (entry->socket.ss_family == AF_INET6)
            ((struct sockaddr_in6 *)&entry->socket)->sin6_port = htons(port);
        else
            ((struct sockaddr_in *)&entry->socket)->sin_port = htons(port);
        list->count++;
    }
}

enum shm_status shm_address_parse(const char *text, uint16_t least_port,
                                  struct shm_address_list *out_list)
{
    struct target target = {.port = 0};
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    struct shm_address_list list = {.count = 0};
    enum shm_status status = split(text, least_port, &target);
    int error;

    if (status != SHM_OK)
        return status;
    if (is_literal(&target))
        hints.ai_flags = AI_NUMERICHOST; /* never asks a name server */
    else if (!is_name(target.host))
        return malformed(text);
    hints.ai_family = target.family;
    error = getaddrinfo(target.host, NULL, &hints, &found);
    if (error != 0)
        return shm_fail(SHM_INVALID_PARAM, "address \"%.300s\": unknown host: %s", text,
                        error == EAI_SYSTEM ? strerror(errno) : gai_strerror(error));
    collect(found, target.port, &list);
    freeaddrinfo(found);
    if (list.count == 0)
        return shm_fail(SHM_INVALID_PARAM, "address \"%.300s\": the host has no address", text);
    *out_list = list;
    return SHM_OK;
}
