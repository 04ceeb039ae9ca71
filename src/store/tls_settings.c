/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program says about certificates and keys, before any library of TLS sees it. */
#include "store/tls_internal.h"

#include "base/cleanup.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The raw values; point into the copied text. */
struct values {
    char *authority_folder;
    char *authority_files;
    char *revocation_folder;
    char *revocation_files;
    char *certificate;
};

static char *trim(char *text)
{
    char *end;

    while (isspace((unsigned char)*text))
        text++;
    end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    return text;
}

/* NULL for a key that is of no use here. */
static char **find_value(struct values *values, const char *key)
{
    if (strcmp(key, "tlsCaPath") == 0)
        return &values->authority_folder;
    if (strcmp(key, "tlsCaFile") == 0)
        return &values->authority_files;
    if (strcmp(key, "tlsCrlPath") == 0)
        return &values->revocation_folder;
    if (strcmp(key, "tlsCrlFile") == 0)
        return &values->revocation_files;
    if (strcmp(key, "tlsCert") == 0)
        return &values->certificate;
    return NULL;
}

static enum shm_status split(char *text, struct values *out_values)
{
    char *pair;

    while ((pair = strsep(&text, ";")) != NULL) {
        char *value = strchr(pair, ':');
        char **slot;

        if (value == NULL && *trim(pair) == '\0')
            continue;
        if (value == NULL)
            return shm_fail(SHM_INVALID_PARAM, "tls_info has \"%s\", expected \"key: value;\"",
                            trim(pair));
        *value++ = '\0';
        slot = find_value(out_values, trim(pair));
        if (slot != NULL && *trim(value) != '\0')
            *slot = trim(value);
    }
    return SHM_OK;
}

static enum shm_status add_file(struct shm_store_tls_files *files, const char *folder,
                                const char *name)
{
    char *path = NULL;
    int written;

    if (files->count == SHM_STORE_TLS_FILES_MAX)
        return shm_fail(SHM_INVALID_PARAM, "tls_info lists more than %d files",
                        SHM_STORE_TLS_FILES_MAX);
    written = name[0] == '/' || folder == NULL ? asprintf(&path, "%s", name)
                                               : asprintf(&path, "%s/%s", folder, name);
    if (written < 0)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for the name of a file");
    files->paths[files->count++] = path;
    return SHM_OK;
}

static enum shm_status add_files(struct shm_store_tls_files *files, const char *folder, char *list)
{
    enum shm_status status = SHM_OK;
    char *name;

    while (status == SHM_OK && (name = strsep(&list, ",")) != NULL) {
        name = trim(name);
        if (*name != '\0')
            status = add_file(files, folder, name);
    }
    return status;
}

/* A folder alone would promise a check that nothing makes. */
static enum shm_status check_values(const struct values *values)
{
    if (values->certificate == NULL)
        return shm_fail(SHM_INVALID_PARAM, "tls_info names no tlsCert, the certificate of this PE");
    if (values->authority_files == NULL)
        return shm_fail(SHM_INVALID_PARAM,
                        "tls_info names no tlsCaFile, the certificates that others are checked by");
    if (values->revocation_folder != NULL && values->revocation_files == NULL)
        return shm_fail(SHM_INVALID_PARAM, "tls_info names tlsCrlPath = %s but no tlsCrlFile",
                        values->revocation_folder);
    return SHM_OK;
}

enum shm_status shm_store_tls_paths_parse(const char *info, size_t bytes,
                                          struct shm_store_tls_paths *out_paths)
{
    struct values values = {0};
    auto_free char *text = NULL;
    enum shm_status status;

    *out_paths = (struct shm_store_tls_paths){0};
    if (info == NULL)
        return shm_fail(SHM_INVALID_PARAM, "TLS is asked for, but tls_info is NULL");
    text = strndup(info, bytes);
    if (text == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for tls_info");
    status = split(text, &values);
    if (status == SHM_OK)
        status = check_values(&values);
    if (status == SHM_OK)
        status =
            add_files(&out_paths->authorities, values.authority_folder, values.authority_files);
    if (status == SHM_OK)
        status =
            add_files(&out_paths->revocations, values.revocation_folder, values.revocation_files);
    if (status != SHM_OK)
        return status;
    if (out_paths->authorities.count == 0)
        return shm_fail(SHM_INVALID_PARAM, "tlsCaFile of tls_info is an empty list");
    if (values.revocation_files != NULL && out_paths->revocations.count == 0)
        return shm_fail(SHM_INVALID_PARAM, "tlsCrlFile of tls_info is an empty list");
    out_paths->certificate = strdup(values.certificate);
    return out_paths->certificate != NULL
               ? SHM_OK
               : shm_fail(SHM_MALLOC_FAILED, "no memory for the name of a file");
}

static void release_files(struct shm_store_tls_files *files)
{
    while (files->count > 0)
        free(files->paths[--files->count]);
}

void shm_store_tls_paths_fini(struct shm_store_tls_paths *paths)
{
    free(paths->certificate);
    paths->certificate = NULL;
    release_files(&paths->authorities);
    release_files(&paths->revocations);
}

enum shm_status shm_store_tls_password(const struct shm_bootstrap_tls *settings,
                                       char out_password[SHM_STORE_TLS_PASSWORD_BYTES])
{
    size_t bytes = SHM_STORE_TLS_PASSWORD_BYTES - 1;
    int code;

    out_password[0] = '\0';
    if (settings->password == NULL)
        return SHM_OK;
    if (settings->decrypt == NULL) {
        if (settings->password_bytes > bytes)
            return shm_fail(SHM_INVALID_VALUE, "a password of %zu bytes, expected at most %zu",
                            settings->password_bytes, bytes);
        memcpy(out_password, settings->password, settings->password_bytes);
        out_password[settings->password_bytes] = '\0';
        return SHM_OK;
    }
    code = settings->decrypt(settings->password, settings->password_bytes, out_password, &bytes);
    if (code != 0)
        return shm_fail(SHM_INVALID_PARAM,
                        "the decrypt handler returned %d for the password of "
                        "the private key, expected 0",
                        code);
    if (bytes >= SHM_STORE_TLS_PASSWORD_BYTES)
        return shm_fail(SHM_INVALID_PARAM,
                        "the decrypt handler gave a password of %zu bytes, expected at most %d",
                        bytes, SHM_STORE_TLS_PASSWORD_BYTES - 1);
    out_password[bytes] = '\0';
    return SHM_OK;
}
