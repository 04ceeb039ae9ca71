/* SPDX-License-Identifier: BSD-3-Clause */
/* What the program says about TLS before init. It is kept, as inits may follow each other. */
#include "face.h"

#include <stdlib.h>
#include <string.h>

static struct {
    pthread_mutex_t lock;
    bool is_wished;
    struct shm_bootstrap_tls tls; /* its texts are ours */
} wishes = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Secrets must not stay behind in free memory. */
static void forget(const char **text, size_t *bytes)
{
    if (*text != NULL)
        explicit_bzero((char *)*text, *bytes);
    free((char *)*text);
    *text = NULL;
    *bytes = 0;
}

/* Takes a copy in the place of what was there. */
static enum shm_status keep(const char *text, size_t bytes, const char **out_text,
                            size_t *out_bytes)
{
    char *copy = NULL;

    forget(out_text, out_bytes);
    if (text == NULL || bytes == 0)
        return SHM_OK;
    copy = malloc(bytes);
    if (copy == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for a text of %zu bytes", bytes);
    memcpy(copy, text, bytes);
    *out_text = copy;
    *out_bytes = bytes;
    return SHM_OK;
}

static void forget_key(void)
{
    forget(&wishes.tls.key, &wishes.tls.key_bytes);
    forget(&wishes.tls.password, &wishes.tls.password_bytes);
    wishes.tls.decrypt = NULL;
}

static enum shm_status copy_locked(struct shm_bootstrap_tls *out)
{
    const struct shm_bootstrap_tls *tls = &wishes.tls;
    enum shm_status status = keep(tls->info, tls->info_bytes, &out->info, &out->info_bytes);

    out->bytes = tls->bytes;
    out->decrypt = tls->decrypt;
    if (status == SHM_OK)
        status = keep(tls->key, tls->key_bytes, &out->key, &out->key_bytes);
    if (status == SHM_OK)
        status = keep(tls->password, tls->password_bytes, &out->password, &out->password_bytes);
    return status;
}

enum shm_status aclshmem_tls_copy(struct shm_bootstrap_tls *out_tls, bool *out_is_wished)
{
    enum shm_status status = SHM_OK;

    pthread_mutex_lock(&wishes.lock);
    *out_is_wished = wishes.is_wished;
    if (wishes.is_wished)
        status = copy_locked(out_tls);
    pthread_mutex_unlock(&wishes.lock);
    return status;
}

void aclshmem_tls_forget(struct shm_bootstrap_tls *tls)
{
    forget(&tls->info, &tls->info_bytes);
    forget(&tls->key, &tls->key_bytes);
    forget(&tls->password, &tls->password_bytes);
}

/* A wish that cannot be met stays a wish, so that init fails rather than go without TLS. */
int face_set_conf_store_tls(const char *call, bool enable, const char *tls_info,
                            uint32_t tls_info_len)
{
    enum shm_status status;

    pthread_mutex_lock(&wishes.lock);
    wishes.tls.bytes = sizeof wishes.tls;
    wishes.is_wished = enable;
    if (!enable)
        forget_key();
    status = keep(enable ? tls_info : NULL, tls_info_len, &wishes.tls.info, &wishes.tls.info_bytes);
    pthread_mutex_unlock(&wishes.lock);
    if (status == SHM_OK && enable && tls_info == NULL)
        status = shm_fail(SHM_INVALID_PARAM, "tls_info = NULL, expected the names of certificates");
    return status == SHM_OK ? ACLSHMEM_SUCCESS : aclshmem_refuse(call, status);
}

int face_set_config_store_tls_key(const char *call, const char *tls_pk, uint32_t tls_pk_len,
                                  const char *tls_pk_pw, uint32_t tls_pk_pw_len,
                                  aclshmem_decrypt_handler decrypt_handler)
{
    enum shm_status status;

    pthread_mutex_lock(&wishes.lock);
    status = keep(tls_pk, tls_pk_len, &wishes.tls.key, &wishes.tls.key_bytes);
    if (status == SHM_OK)
        status = keep(tls_pk_pw, tls_pk_pw_len, &wishes.tls.password, &wishes.tls.password_bytes);
    wishes.tls.decrypt = decrypt_handler;
    pthread_mutex_unlock(&wishes.lock);
    return status == SHM_OK ? ACLSHMEM_SUCCESS : aclshmem_refuse(call, status);
}
