/* SPDX-License-Identifier: BSD-3-Clause */
/** What the tests of the store over TLS share: certificates of all kinds in a temporary folder, and
 *  what the server's thread logs. */
#ifndef STORE_TLS_H
#define STORE_TLS_H

#include "../../harness/certificates.h"
#include "base/log.h"
#include "fixture.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/mman.h>

struct world {
    char folder[64];
    struct authority authority;
    struct authority stranger; /* nobody trusts it */
    struct credentials good;   /* for 127.0.0.1 and localhost */
    struct credentials nameless;
    struct credentials elsewhere; /* for 127.0.0.9 and another.example */
    struct credentials expired;
    struct credentials revoked;
    struct credentials foreign; /* of the stranger */
    struct credentials locked;  /* with the password "open sesame" */
    int log_fd;                 /* stands in for standard error */
    off_t log_read;             /* bytes of it that a test has seen */
    int error_fd;
};

static struct world world;

static inline void make(struct credentials *credentials, const struct authority *authority,
                        const char *name, const char *hosts, long serial)
{
    const struct certificate_wish wish = {
        .name = name,
        .hosts = hosts,
        .serial = serial,
        .password = strcmp(name, "locked") == 0 ? "open sesame" : NULL,
        .ends_in_s = strcmp(name, "expired") == 0 ? -CERTIFICATES_DAY : CERTIFICATES_DAY};

    credentials_make(credentials, authority, world.folder, &wish);
}

static inline int world_build(void **state)
{
    const char *here = "DNS:localhost,IP:127.0.0.1";
    char list[128];

    (void)state;
    snprintf(world.folder, sizeof world.folder, "/tmp/shmem-tls-XXXXXX");
    if (mkdtemp(world.folder) == NULL)
        return -1;
    authority_make(&world.authority, world.folder, "authority");
    authority_make(&world.stranger, world.folder, "stranger");
    make(&world.good, &world.authority, "good", here, 2);
    make(&world.nameless, &world.authority, "nameless", NULL, 3);
    make(&world.elsewhere, &world.authority, "elsewhere", "DNS:another.example,IP:127.0.0.9", 4);
    make(&world.expired, &world.authority, "expired", here, 5);
    make(&world.revoked, &world.authority, "revoked", here, 6);
    make(&world.foreign, &world.stranger, "foreign", here, 7);
    make(&world.locked, &world.authority, "locked", here, 8);
    snprintf(list, sizeof list, "%s/revoked.crl", world.folder);
    authority_revoke(&world.authority, world.revoked.serial, list);
    /* lines of the server's thread are read back from there */
    world.log_fd = memfd_create("log", MFD_CLOEXEC);
    world.error_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    shm_log_set_threshold(SHM_LOG_WARN);
    return world.log_fd < 0 || world.error_fd < 0 || fcntl(world.log_fd, F_SETFL, O_APPEND) != 0 ||
           dup2(world.log_fd, STDERR_FILENO) < 0;
}

static inline int remove_one(const char *path, const struct stat *facts, int kind,
                             struct FTW *place)
{
    (void)facts;
    (void)kind;
    (void)place;
    return remove(path);
}

static inline int world_remove(void **state)
{
    char lines[4096];
    ssize_t bytes;

    (void)state;
    dup2(world.error_fd, STDERR_FILENO);
    close(world.error_fd);
    /* failed assertions are there too */
    for (off_t at = 0; (bytes = pread(world.log_fd, lines, sizeof lines, at)) > 0; at += bytes)
        fwrite(lines, 1, (size_t)bytes, stderr);
    close(world.log_fd);
    authority_release(&world.authority);
    authority_release(&world.stranger);
    return nftw(world.folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Waits for a new line of the server with that text. */
static inline void expect_logged(const char *text)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    uint64_t deadline_ns = soon();
    char lines[8192];

    for (;;) {
        ssize_t bytes = pread(world.log_fd, lines, sizeof lines - 1, world.log_read);

        assert_true(bytes >= 0);
        lines[bytes] = '\0';
        if (strstr(lines, text) != NULL)
            break;
        if (shm_deadline_passed(deadline_ns))
            fail_msg("the server did not log \"%s\" but: %s", text, lines);
        nanosleep(&pause, NULL);
    }
    world.log_read = lseek(world.log_fd, 0, SEEK_END);
}

static inline void expect_detail(const char *text)
{
    if (strstr(shm_error_detail(), text) == NULL)
        fail_msg("\"%s\" is not in: %s", text, shm_error_detail());
}

static inline struct shm_bootstrap_tls settings_of(const struct credentials *credentials,
                                                   char *info, size_t bytes)
{
    snprintf(info, bytes, "tlsCaPath: %s; tlsCaFile: authority.pem; tlsCert: %s; tlsPk: ignored;",
             world.folder, credentials->file);
    return (struct shm_bootstrap_tls){.bytes = sizeof(struct shm_bootstrap_tls),
                                      .info = info,
                                      .info_bytes = strlen(info),
                                      .key = credentials->key,
                                      .key_bytes = strlen(credentials->key)};
}

/* Loads a side's certificates; it trusts the authority. */
static inline struct shm_store_tls *load(const struct credentials *credentials, bool checks_revoked)
{
    char info[1024];
    char more[256];
    struct shm_bootstrap_tls settings = settings_of(credentials, info, sizeof info);
    struct shm_store_tls *tls = NULL;

    if (checks_revoked) {
        snprintf(more, sizeof more, "tlsCrlPath: %s/; tlsCrlFile: revoked.crl", world.folder);
        strcat(info, more);
        settings.info_bytes = strlen(info);
    }
    if (shm_store_tls_create(&settings, &tls) != SHM_OK)
        fail_msg("%s", shm_error_detail());
    return tls;
}

static inline enum shm_status try_join(const struct fixture *fixture, uint32_t rank,
                                       struct shm_store_tls *tls, const char *host)
{
    struct shm_store_identity identity = {
        .rank = rank, .n_ranks = fixture->n_ranks, .job_id = JOB_ID, .tls = tls, .host = host};
    struct shm_store_client *client = NULL;
    enum shm_status status = shm_store_connect(&fixture->addresses, &identity, soon(), &client);

    if (status == SHM_OK)
        leave(client);
    return status;
}

static inline void stop(struct fixture *fixture)
{
    assert_int_equal(shm_store_server_stop(fixture->server, soon()), SHM_OK);
    shm_store_server_destroy(fixture->server);
}

#endif
