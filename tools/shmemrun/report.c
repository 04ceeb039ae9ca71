/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include "base/clock.h"
#include "job.h"
#include "text.h"

#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>

#define RUNS_MAX 8       /* "0-3, 7, 9" has three */
#define FAILURE_GROUPS 4 /* kinds of activity named in the line about a failure */
#define REPORT_GROUPS 100

/* ---- collecting ---- */

static enum doing_kind kind_of_phase(const struct pe *pe)
{
    if (pe->has_ended)
        return DOING_ENDED;
    switch (pe->phase) {
    case PE_PLAIN:
        return DOING_STARTING;
    case PE_INITIALISING:
        return DOING_INIT;
    case PE_JOINED:
        return DOING_RUNNING;
    case PE_FINALIZED:
        break;
    }
    return DOING_LEFT;
}

static void apply_activity(const struct activity *activity, struct doing *doing)
{
    doing->since_ns = activity->since_ns;
    switch (activity->state) {
    case SHM_ACTIVITY_RUNNING:
        doing->kind = DOING_RUNNING;
        break;
    case SHM_ACTIVITY_WAITING:
        doing->kind = DOING_WAITING;
        doing->peer = activity->peer;
        doing->sequence = activity->sequence;
        memcpy(doing->operation, activity->operation, sizeof doing->operation);
        break;
    case SHM_ACTIVITY_FINALIZING:
        doing->kind = DOING_FINALIZE;
        break;
    case SHM_ACTIVITY_FINISHED:
        doing->kind = DOING_LEFT;
        break;
    default:
        break;
    }
}

/* A PE in init may wait there; its record counts from the moment others know of it. */
static void apply_records(struct job *job, const struct records *records)
{
    for (uint32_t i = 0; i < records->count; i++) {
        struct activity activity;
        int pe;

        if (records_read(records, i, job->n_pes, &pe, &activity) == SHM_OK &&
            !job->pes[pe].has_ended && pe_is_member(&job->pes[pe]))
            apply_activity(&activity, &job->doings[pe]);
    }
}

void report_collect(struct job *job, bool with_ended)
{
    for (int i = 0; i < job->n_pes; i++) {
        if (job->pes[i].has_ended && !with_ended)
            continue;
        job->doings[i] = (struct doing){.kind = kind_of_phase(&job->pes[i]),
                                        .peer = -1,
                                        .since_ns = job->pes[i].phase_since_ns};
    }
    for (int i = 0; i < job->n_pes; i++)
        if (job->pes[i].records.fd >= 0)
            apply_records(job, &job->pes[i].records);
}

/* ---- groups of PEs ---- */

static bool is_alike(const struct doing *a, const struct doing *b)
{
    return a->kind == b->kind && a->peer == b->peer && a->sequence == b->sequence &&
           strcmp(a->operation, b->operation) == 0;
}

/* PEs that do the same thing are a group; its first PE stands for it. */
struct groups {
    const struct doing *doings;
    int n_pes;
    int skipped; /* PE left out; -1 = none */
    bool with_ended;
};

static bool is_counted(const struct groups *groups, int pe)
{
    return pe != groups->skipped && (groups->with_ended || groups->doings[pe].kind != DOING_ENDED);
}

static bool is_first_of_group(const struct groups *groups, int pe)
{
    if (!is_counted(groups, pe))
        return false;
    for (int before = 0; before < pe; before++)
        if (is_counted(groups, before) && is_alike(&groups->doings[before], &groups->doings[pe]))
            return false;
    return true;
}

/* From `pe` on; n_pes when there is none. */
static int next_group(const struct groups *groups, int pe)
{
    while (pe < groups->n_pes && !is_first_of_group(groups, pe))
        pe++;
    return pe;
}

static bool is_in_group(const struct groups *groups, int first, int pe)
{
    return pe < groups->n_pes && is_counted(groups, pe) &&
           is_alike(&groups->doings[first], &groups->doings[pe]);
}

static int count_group(const struct groups *groups, int first)
{
    int count = 0;

    for (int pe = first; pe < groups->n_pes; pe++)
        count += is_in_group(groups, first, pe);
    return count;
}

/* "PE 3", "PEs 0-2, 5", or with more runs than that "PEs 0, 2, 4 and 17 more". */
static void add_group(struct text *text, const struct groups *groups, int first)
{
    int left = count_group(groups, first);
    int runs = 0;

    text_add(text, left == 1 ? "PE " : "PEs ");
    for (int pe = first; left > 0; pe++) {
        int end = pe;

        if (!is_in_group(groups, first, pe))
            continue;
        if (runs == RUNS_MAX) {
            text_add(text, " and %d more", left);
            return;
        }
        while (is_in_group(groups, first, end + 1))
            end++;
        text_add(text, "%s%d", runs == 0 ? "" : ", ", pe);
        if (end > pe)
            text_add(text, "-%d", end);
        left -= end - pe + 1;
        runs++;
        pe = end;
    }
}

/* ---- words ---- */

/* Each for one PE and for several. */
struct words {
    const char *was[2];
    const char *is[2];
};

static const struct words words_of[] = {
    [DOING_STARTING] = {{"had not called shmem_init", "had not called shmem_init"},
                        {"has not called shmem_init", "have not called shmem_init"}},
    [DOING_INIT] = {{"was in shmem_init", "were in shmem_init"},
                    {"is in shmem_init", "are in shmem_init"}},
    [DOING_RUNNING] = {{"was running", "were running"},
                       {"runs its own code", "run their own code"}},
    [DOING_WAITING] = {{"was waiting", "were waiting"}, {"waits", "wait"}},
    [DOING_FINALIZE] = {{"was in shmem_finalize", "were in shmem_finalize"},
                        {"is in shmem_finalize", "are in shmem_finalize"}},
    [DOING_LEFT] = {{"had called shmem_finalize", "had called shmem_finalize"},
                    {"has called shmem_finalize", "have called shmem_finalize"}},
    [DOING_ENDED] = {{"had ended", "had ended"}, {"has ended", "have ended"}},
};

static void add_operation(struct text *text, const struct doing *doing)
{
    if (doing->kind != DOING_WAITING)
        return;
    if (doing->peer >= 0)
        text_add(text, " for PE %d", doing->peer);
    text_add(text, " in %s", doing->operation[0] == '\0' ? "a call" : doing->operation);
    if (doing->sequence > 0)
        text_add(text, " (number %" PRIu64 ")", doing->sequence);
}

/* ---- a failure ---- */

static void add_place(struct text *text, const struct doing *doing)
{
    switch (doing->kind) {
    case DOING_INIT:
        text_add(text, " in shmem_init");
        break;
    case DOING_WAITING:
        text_add(text, " in %s", doing->operation[0] == '\0' ? "a call" : doing->operation);
        break;
    case DOING_FINALIZE:
        text_add(text, " in shmem_finalize");
        break;
    default:
        break;
    }
}

static void add_end(struct text *text, const struct pe *pe, const struct doing *doing)
{
    if (WIFSIGNALED(pe->wait_status)) {
        int number = WTERMSIG(pe->wait_status);

        text_add(text, " was killed by signal %d (%s)", number, strsignal(number));
        add_place(text, doing);
        return;
    }
    text_add(text, " exited with status %d", WEXITSTATUS(pe->wait_status));
    if (pe_is_member(pe))
        text_add(text, " without calling shmem_finalize");
    else if (pe->phase == PE_PLAIN && WEXITSTATUS(pe->wait_status) == 0)
        text_add(text, " without calling shmem_init");
}

enum shm_status report_failure(struct job *job, int failed)
{
    const struct groups groups = {.doings = job->doings, .n_pes = job->n_pes, .skipped = failed};
    struct text text = {.used = 0};
    int named = 0;

    text_add(&text, "PE %d", failed);
    add_end(&text, &job->pes[failed], &job->doings[failed]);
    for (int first = next_group(&groups, 0); first < job->n_pes;
         first = next_group(&groups, first + 1)) {
        const struct doing *doing = &job->doings[first];

        if (named++ == FAILURE_GROUPS) {
            text_add(&text, "; others did other things");
            break;
        }
        text_add(&text, "; ");
        add_group(&text, &groups, first);
        text_add(&text, " %s", words_of[doing->kind].was[count_group(&groups, first) > 1]);
        add_operation(&text, doing);
    }
    return output_say(&job->output, "%s", text.line);
}

/* ---- a report ---- */

/* The time of the one that has done it longest. */
static void add_duration(struct text *text, const struct groups *groups, int first)
{
    uint64_t now = shm_now_ns();
    uint64_t since = now;

    for (int pe = first; pe < groups->n_pes; pe++)
        if (is_in_group(groups, first, pe) && groups->doings[pe].since_ns < since &&
            groups->doings[pe].since_ns > 0)
            since = groups->doings[pe].since_ns;
    text_add(text, " for %.1f s", (double)(now - since) / (double)SHM_NS_PER_SECOND);
}

static bool has_duration(enum doing_kind kind)
{
    return kind == DOING_INIT || kind == DOING_RUNNING || kind == DOING_WAITING ||
           kind == DOING_FINALIZE;
}

static enum shm_status report_group(struct job *job, const struct groups *groups, int first)
{
    const struct doing *doing = &groups->doings[first];
    bool is_several = count_group(groups, first) > 1;
    struct text text = {.used = 0};

    add_group(&text, groups, first);
    if (!is_several && doing->kind != DOING_ENDED)
        text_add(&text, " (pid %d)", (int)job->pes[first].pid);
    text_add(&text, " %s", words_of[doing->kind].is[is_several]);
    add_operation(&text, doing);
    if (has_duration(doing->kind))
        add_duration(&text, groups, first);
    return output_say(&job->output, "%s", text.line);
}

enum shm_status report_all(struct job *job)
{
    const struct groups groups = {
        .doings = job->doings, .n_pes = job->n_pes, .skipped = -1, .with_ended = true};
    enum shm_status status = SHM_OK;
    int named = 0;

    report_collect(job, true);
    for (int first = next_group(&groups, 0); first < job->n_pes && status == SHM_OK;
         first = next_group(&groups, first + 1)) {
        if (named++ == REPORT_GROUPS)
            return output_say(&job->output, "other PEs do other things");
        status = report_group(job, &groups, first);
    }
    return status;
}
