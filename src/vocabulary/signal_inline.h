/* SPDX-License-Identifier: BSD-3-Clause */
/** Signals, alone and behind data; part of vocabulary.h, which includes this. */
#ifndef SHM_VOCABULARY_SIGNAL_INLINE_H
#define SHM_VOCABULARY_SIGNAL_INLINE_H

/* Data and the signal that announces it. */
struct face_signal_put {
    void *dest;
    const void *source;
    size_t nelems;
    size_t element_bytes;
    void *sig_addr;
    size_t signal_bytes; /* 4 or 8: width of the word */
    uint64_t signal;
    int sig_op;
};

/* Where this process reaches a signal of PE `pe`; NULL when it was refused. */
SHM_ALWAYS_INLINE void *face_signal_word(struct shm_instance *instance, const char *call,
                                         const void *sig_addr, size_t bytes, int pe)
{
    if (__builtin_expect((uintptr_t)sig_addr % bytes != 0, 0)) {
        face_refuse(instance, call, shm_explain_alignment("sig_addr", sig_addr, bytes));
        return NULL;
    }
    return face_remote(instance, call, "sig_addr", sig_addr, bytes, pe);
}

/* Everything is checked before anything moves. Without data there is no dest to check. */
SHM_ALWAYS_INLINE void face_put_and_signal(const char *call, const struct face_signal_put *put,
                                           int pe, bool is_nonblocking)
{
    struct shm_instance *instance = face_instance(call);
    size_t bytes = face_bytes(put->nelems, put->element_bytes);
    struct shm_transfer transfer;
    void *remote = NULL;
    void *word;

    if (instance == NULL)
        return;
    if (__builtin_expect(put->sig_op != SHM_SIGNAL_SET && put->sig_op != SHM_SIGNAL_ADD, 0)) {
        face_refuse(instance, call, shm_explain_signal_operator(put->sig_op));
        return;
    }
    if (bytes != 0) {
        remote = face_remote(instance, call, "dest", put->dest, bytes, pe);
        if (remote == NULL)
            return;
    }
    word = face_signal_word(instance, call, put->sig_addr, put->signal_bytes, pe);
    if (word == NULL)
        return;
    if (__builtin_expect(instance->reach.is_special, 0) && bytes != 0) {
        transfer = shm_transfer_of(remote, put->source, bytes, pe, false);
        transfer.signal = word;
        transfer.signal_bytes = (uint8_t)put->signal_bytes;
        transfer.signal_operator = put->sig_op;
        transfer.signal_value = put->signal;
        face_transfer(instance, call, &transfer, is_nonblocking);
        return;
    }
    if (bytes != 0)
        shm_copy_element(remote, put->source, bytes); /* the signal wakes the PE for both */
    shm_signal(instance, word, put->signal_bytes, (enum shm_signal_operator)put->sig_op,
               put->signal, pe);
}

static inline void face_put_signal(const char *call, const struct face_signal_put *put, int pe)
{
    face_put_and_signal(call, put, pe, false);
}

static inline void face_put_signal_nbi(const char *call, const struct face_signal_put *put, int pe)
{
    face_put_and_signal(call, put, pe, true);
}

static inline void face_signal(const char *call, uint64_t *sig_addr,
                               enum shm_signal_operator signal_operator, uint64_t signal, int pe)
{
    struct shm_instance *instance = face_instance(call);
    uint64_t *word;

    if (instance == NULL)
        return;
    word = face_signal_word(instance, call, sig_addr, sizeof *sig_addr, pe);
    if (word != NULL)
        shm_signal(instance, word, sizeof *word, signal_operator, signal, pe);
}

static inline void face_signal_set(const char *call, uint64_t *sig_addr, uint64_t signal, int pe)
{
    face_signal(call, sig_addr, SHM_SIGNAL_SET, signal, pe);
}

static inline void face_signal_add(const char *call, uint64_t *sig_addr, uint64_t signal, int pe)
{
    face_signal(call, sig_addr, SHM_SIGNAL_ADD, signal, pe);
}

/* This PE's signal. */
static inline uint64_t face_signal_fetch(const char *call, const uint64_t *sig_addr)
{
    struct shm_instance *instance = face_instance(call);
    const uint64_t *word;

    if (instance == NULL)
        return 0;
    word = face_signal_word(instance, call, sig_addr, sizeof *sig_addr, instance->reach.my_pe);
    /* acquire: pairs with the release of shm_signal() */
    return word != NULL ? __atomic_load_n(word, __ATOMIC_ACQUIRE) : 0;
}

/* Waits for this PE's signal and returns the value that ended the wait. */
static inline uint64_t face_signal_wait_until(const char *call, uint64_t *sig_addr, int cmp,
                                              uint64_t cmp_value)
{
    struct shm_word_test test = {sig_addr, cmp_value, SHM_WORD_U64, (enum shm_comparison)cmp};
    struct shm_instance *instance = face_instance(call);
    enum shm_status status;
    uint64_t value = 0;

    if (instance == NULL)
        return value;
    status = shm_check_word(instance, "sig_addr", &test);
    if (status == SHM_OK)
        status = shm_wait_until_value(instance, &test, call, &value);
    if (__builtin_expect(status != SHM_OK, 0))
        face_refuse(instance, call, status);
    return value;
}

#endif
