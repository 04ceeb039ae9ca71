/* SPDX-License-Identifier: BSD-3-Clause */
/** Waits, tests of words and data with signals: what both faces have alike. */
#ifndef ONE_PE_WAITS_H
#define ONE_PE_WAITS_H

#include "base/float_bits.h"
#include "one_pe.h"
#include "sync/sync.h"

/* Data and the signal that announces it. */
struct face_signal_put {
    void *dest;
    const void *source;
    size_t nelems;
    size_t element_bytes;
    void *sig_addr;
    size_t signal_bytes;
    uint64_t signal;
    int sig_op;
};

/** What the last of these functions was given; zero where it has no such argument. */
struct one_pe_waits {
    const char *argument;
    struct shm_word_test word;
    struct shm_words_test words;
    size_t *indices;
    struct face_signal_put put;
};

extern struct one_pe_waits one_pe_waits;

static inline void face_wait_word(const char *call, const char *argument,
                                  const struct shm_word_test *test)
{
    one_pe_record(call, __func__);
    one_pe_waits.argument = argument;
    one_pe_waits.word = *test;
}

static inline int face_test_word(const char *call, const char *argument,
                                 const struct shm_word_test *test)
{
    one_pe_record(call, __func__);
    one_pe_waits.argument = argument;
    one_pe_waits.word = *test;
    return ONE_PE_RESULT;
}

static inline void face_wait_until_all(const char *call, const struct shm_words_test *test)
{
    one_pe_record(call, __func__);
    one_pe_waits.words = *test;
}

static inline size_t face_wait_until_any(const char *call, const struct shm_words_test *test)
{
    one_pe_record(call, __func__);
    one_pe_waits.words = *test;
    return ONE_PE_RESULT;
}

static inline size_t face_wait_until_some(const char *call, const struct shm_words_test *test,
                                          size_t *indices)
{
    one_pe_record(call, __func__);
    one_pe_waits.words = *test;
    one_pe_waits.indices = indices;
    return ONE_PE_RESULT;
}

static inline int face_test_all(const char *call, const struct shm_words_test *test)
{
    one_pe_record(call, __func__);
    one_pe_waits.words = *test;
    return ONE_PE_RESULT;
}

static inline size_t face_test_any(const char *call, const struct shm_words_test *test)
{
    one_pe_record(call, __func__);
    one_pe_waits.words = *test;
    return ONE_PE_RESULT;
}

static inline size_t face_test_some(const char *call, const struct shm_words_test *test,
                                    size_t *indices)
{
    one_pe_record(call, __func__);
    one_pe_waits.words = *test;
    one_pe_waits.indices = indices;
    return ONE_PE_RESULT;
}

static inline void face_put_signal(const char *call, const struct face_signal_put *put, int pe)
{
    one_pe_record(call, __func__);
    one_pe_number = pe;
    one_pe_waits.put = *put;
}

static inline void face_put_signal_nbi(const char *call, const struct face_signal_put *put, int pe)
{
    face_put_signal(call, put, pe);
    one_pe_face = __func__;
}

#endif
