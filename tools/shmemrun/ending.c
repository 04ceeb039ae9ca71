/* SPDX-License-Identifier: BSD-3-Clause */
#include "ending.h"

#include "base/clock.h"
#include "job.h"

#include <sys/wait.h>
#include <unistd.h>

/* The cause of a failure is often reaped after its effects, and PEs that wait in vain say so only
 * when they have tried for a while. */
#define SETTLE_MS 50
/* A PE that has lost its channel to the launcher leaves without a word, and may be faster than the
 * last words of those that have theirs. */
#define ABSENCE_MS 300
#define TERMINATE_MS 500  /* from SIGTERM to SIGKILL */
#define SAME_SIGNAL_MS 20 /* timeout(1) sends its signal twice: to the process and to its group */
#define STATUS_NOT_IN_ORDER 1 /* of a PE that exited with 0 but must not have */

void ending_signal_pes(struct job *job, int number)
{
    guardian_signal_group(&job->guardian, number);
    for (int i = 0; i < job->n_pes; i++) {
        const struct pe *pe = &job->pes[i];

        if (pe->pid > 0 && !pe->has_ended && getpgid(pe->pid) != job->guardian.pid)
            kill(pe->pid, number);
    }
}

static void ask(struct job *job, int number, uint64_t grace_ms)
{
    job->ending.stage = ENDING_ASKED;
    job->ending.deadline_ns = shm_deadline_after_ms(grace_ms);
    ending_signal_pes(job, number);
    ending_signal_pes(job, SIGCONT); /* a stopped process would not notice */
}

static void kill_now(struct job *job)
{
    job->ending.stage = ENDING_KILLED;
    job->ending.deadline_ns = 0;
    ending_signal_pes(job, SIGKILL);
}

void ending_begin(struct job *job, int status)
{
    if (job->ending.stage >= ENDING_ASKED)
        return;
    job->ending.status = status;
    ask(job, SIGTERM, TERMINATE_MS);
}

static void settle(struct job *job)
{
    if (job->ending.stage != ENDING_NOT)
        return;
    job->ending.stage = ENDING_SETTLING;
    job->ending.deadline_ns = shm_deadline_after_ms(SETTLE_MS);
}

/* ---- what counts as a failure ---- */

static void note_failure(struct job *job, int pe)
{
    if (job->ending.stage > ENDING_SETTLING || job->ending.first_failed >= 0)
        return;
    job->ending.first_failed = pe;
    report_collect(job, true); /* what the failed PE was doing; of the others more is known soon */
    settle(job);
}

static void note_absence(struct job *job)
{
    if (job->ending.stage == ENDING_NOT)
        job->ending.deadline_ns = shm_deadline_after_ms(ABSENCE_MS);
}

/* A PE that left early without a word while others think it takes part. */
static bool is_missed(const struct job *job)
{
    for (int i = 0; i < job->n_pes; i++)
        if (!job->pes[i].has_ended && pe_is_member(&job->pes[i]))
            return true;
    return false;
}

static int first_absent(const struct job *job)
{
    int pe = 0;

    while (!job->pes[pe].has_ended || job->pes[pe].phase != PE_PLAIN)
        pe++;
    return pe;
}

void ending_note_death(struct job *job, int number, int wait_status)
{
    struct pe *pe = &job->pes[number];
    bool is_zero = WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0;

    pe->wait_status = wait_status;
    if (!pe->asked_exit && (!is_zero || pe_is_member(pe)))
        note_failure(job, number);
    else if (pe->phase == PE_PLAIN)
        note_absence(job);
    pe->has_ended = true;
    pe->end_order = job->n_ended++;
}

void ending_note_exit(struct job *job, int exit_status)
{
    if (job->ending.is_exit)
        return;
    job->ending.is_exit = true;
    job->ending.exit_status = exit_status;
    settle(job);
}

/* ---- which failure is blamed ---- */

/* The PE that was killed first; nobody has sent signals yet, so it is its own fault. */
static int first_killed(const struct job *job)
{
    int first = -1;

    for (int i = 0; i < job->n_pes; i++) {
        const struct pe *pe = &job->pes[i];

        if (pe->has_ended && WIFSIGNALED(pe->wait_status) && !pe->asked_exit &&
            (first < 0 || pe->end_order < job->pes[first].end_order))
            first = i;
    }
    return first;
}

static int status_of(const struct pe *pe)
{
    if (WIFSIGNALED(pe->wait_status))
        return 128 + WTERMSIG(pe->wait_status);
    return WEXITSTATUS(pe->wait_status) == 0 ? STATUS_NOT_IN_ORDER : WEXITSTATUS(pe->wait_status);
}

/* A PE that was killed outranks a global exit, which may well be the answer to that; a global
   exit outranks PEs that merely exited. */
static enum shm_status decide(struct job *job)
{
    struct ending *ending = &job->ending;
    int blamed = first_killed(job);

    if (blamed < 0 && ending->is_exit) {
        ending_begin(job, ending->exit_status);
        return SHM_OK;
    }
    if (blamed < 0)
        blamed = ending->first_failed;
    report_collect(job, false);
    ending_begin(job, status_of(&job->pes[blamed]));
    return report_failure(job, blamed);
}

/* ---- signals of the user, steps ---- */

void ending_note_signal(struct job *job, int number)
{
    struct ending *ending = &job->ending;
    uint64_t now = shm_now_ns();
    bool is_repeated = number == ending->last_signal &&
                       now - ending->last_signal_ns < SAME_SIGNAL_MS * SHM_NS_PER_MS;

    if (is_repeated)
        return;
    ending->last_signal = number;
    ending->last_signal_ns = now;
    if (ending->stage == ENDING_NOT) {
        ending->status = 128 + number;
        ask(job, number, job->arguments->grace_ms);
    } else if (ending->stage == ENDING_ASKED) {
        kill_now(job);
    }
}

enum shm_status ending_advance(struct job *job)
{
    struct ending *ending = &job->ending;

    if (ending->stage == ENDING_NOT && shm_deadline_passed(ending->deadline_ns)) {
        ending->deadline_ns = 0;
        ending->has_absent = true;
    }
    if (ending->stage == ENDING_NOT && ending->has_absent && is_missed(job))
        note_failure(job, first_absent(job));
    if (ending->stage == ENDING_SETTLING &&
        (shm_deadline_passed(ending->deadline_ns) || job->n_ended == job->n_started))
        return decide(job);
    if (ending->stage == ENDING_ASKED && shm_deadline_passed(ending->deadline_ns))
        kill_now(job);
    return SHM_OK;
}
