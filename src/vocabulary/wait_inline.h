/* SPDX-License-Identifier: BSD-3-Clause */
/** Waiting for words of this PE; part of vocabulary.h, which includes this. */
#ifndef SHM_VOCABULARY_WAIT_INLINE_H
#define SHM_VOCABULARY_WAIT_INLINE_H

/* `argument` is what the word is called. */
static inline void face_wait_word(const char *call, const char *argument,
                                  const struct shm_word_test *test)
{
    struct shm_instance *instance = face_instance(call);
    enum shm_status status;

    if (instance == NULL)
        return;
    status = shm_check_word(instance, argument, test);
    if (status == SHM_OK)
        status = shm_wait_until(instance, test, call);
    if (__builtin_expect(status != SHM_OK, 0))
        face_refuse(instance, call, status);
}

static inline int face_test_word(const char *call, const char *argument,
                                 const struct shm_word_test *test)
{
    struct shm_instance *instance = face_instance(call);
    enum shm_status status;

    if (instance == NULL)
        return 0;
    status = shm_check_word(instance, argument, test);
    if (__builtin_expect(status != SHM_OK, 0)) {
        face_refuse(instance, call, status);
        return 0;
    }
    return shm_word_is(test);
}

/* ---- several words ---- */

static inline void face_wait_until_all(const char *call, const struct shm_words_test *test)
{
    struct shm_instance *instance = face_instance(call);
    enum shm_status status;

    if (instance == NULL)
        return;
    status = shm_check_words(instance, test);
    if (status == SHM_OK)
        status = shm_wait_until_all(instance, test, call);
    if (__builtin_expect(status != SHM_OK, 0))
        face_refuse(instance, call, status);
}

/* A call that is refused answers as for no words at all. */
static inline size_t face_wait_until_any(const char *call, const struct shm_words_test *test)
{
    struct shm_instance *instance = face_instance(call);
    size_t index = SIZE_MAX;
    enum shm_status status;

    if (instance == NULL)
        return index;
    status = shm_check_words(instance, test);
    if (status == SHM_OK)
        status = shm_wait_until_any(instance, test, call, &index);
    if (__builtin_expect(status != SHM_OK, 0))
        face_refuse(instance, call, status);
    return index;
}

static inline size_t face_wait_until_some(const char *call, const struct shm_words_test *test,
                                          size_t *indices)
{
    struct shm_instance *instance = face_instance(call);
    size_t count = 0;
    enum shm_status status;

    if (instance == NULL)
        return count;
    status = shm_check_words_listed(instance, test, indices);
    if (status == SHM_OK)
        status = shm_wait_until_some(instance, test, call, indices, &count);
    if (__builtin_expect(status != SHM_OK, 0))
        face_refuse(instance, call, status);
    return count;
}

static inline int face_test_all(const char *call, const struct shm_words_test *test)
{
    struct shm_instance *instance = face_instance(call);
    enum shm_status status;

    if (instance == NULL)
        return 0;
    status = shm_check_words(instance, test);
    if (__builtin_expect(status != SHM_OK, 0)) {
        face_refuse(instance, call, status);
        return 0;
    }
    return shm_words_all(test);
}

static inline size_t face_test_any(const char *call, const struct shm_words_test *test)
{
    struct shm_instance *instance = face_instance(call);
    enum shm_status status;

    if (instance == NULL)
        return SIZE_MAX;
    status = shm_check_words(instance, test);
    if (__builtin_expect(status != SHM_OK, 0)) {
        face_refuse(instance, call, status);
        return SIZE_MAX;
    }
    return shm_words_any(test, face_first_word(instance, test->count));
}

static inline size_t face_test_some(const char *call, const struct shm_words_test *test,
                                    size_t *indices)
{
    struct shm_instance *instance = face_instance(call);
    enum shm_status status;

    if (instance == NULL)
        return 0;
    status = shm_check_words_listed(instance, test, indices);
    if (__builtin_expect(status != SHM_OK, 0)) {
        face_refuse(instance, call, status);
        return 0;
    }
    return shm_words_some(test, indices);
}

#endif
