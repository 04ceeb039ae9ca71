/* SPDX-License-Identifier: BSD-3-Clause */
/** A face whose errors a test can read: each thread acts as the PE that it chose. */
#ifndef TEST_RECORDING_FACE_H
#define TEST_RECORDING_FACE_H

#include "../thread_job.h"
#include "core/core.h"

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <string.h>

static _Thread_local struct shm_instance *chosen_pe; /* NULL: not initialised */
static _Thread_local char refusal[400];              /* "call: detail" of the last one */
static _Thread_local jmp_buf *where_refusals_end;    /* NULL: the call goes on */

static inline struct shm_instance *face_instance(const char *call)
{
    if (chosen_pe == NULL)
        snprintf(refusal, sizeof refusal, "%s: no instance", call);
    return chosen_pe;
}

static inline void face_refuse(struct shm_instance *instance, const char *call,
                               enum shm_status status)
{
    assert_ptr_equal(instance, chosen_pe);
    assert_int_not_equal(status, SHM_OK);
    snprintf(refusal, sizeof refusal, "%s: %s", call, shm_error_detail());
    if (where_refusals_end != NULL)
        longjmp(*where_refusals_end, 1);
}

static inline size_t face_first_word(struct shm_instance *instance, size_t count)
{
    return shm_words_turn(instance, count);
}

#include "vocabulary/vocabulary.h"

#define PES 3

#include "openshmem/lock_inline.h"

static inline void start_job(struct thread_job *job)
{
    struct thread_job_request request = {
        .n_pes = PES, .heap_bytes = 1 << 20, .static_bytes = 4096, .is_crowded = true};

    thread_job_start(job, &request);
    chosen_pe = job->pes[0];
    refusal[0] = '\0';
}

static inline void end_job(struct thread_job *job)
{
    chosen_pe = NULL;
    thread_job_end(job);
}

/* Words at the start of a PE's heap. */
static inline uint64_t *heap_words(const struct thread_job *job, int pe)
{
    return (uint64_t *)job->pes[pe]->reach.heap_begin;
}

/* The last call was refused, with a text that begins so. */
static inline void expect_refusal(const char *begin)
{
    if (strncmp(refusal, begin, strlen(begin)) != 0)
        fail_msg("\"%s\", expected \"%s\"", refusal, begin);
    refusal[0] = '\0';
}

static inline void expect_no_refusal(void)
{
    assert_string_equal(refusal, "");
}

#endif
