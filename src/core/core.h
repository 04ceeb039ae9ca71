/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The order of life: joins a job, builds the instance, takes it apart; the current instance;
 * collective memory; checks and fatal errors. The faces stand on this.
 */
#ifndef SHM_CORE_H
#define SHM_CORE_H

#include "base/inline.h"
#include "base/status.h"
#include "instance/instance.h"
#include "rma/rma.h"
#include "sync/sync.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- the process ---- */

/** How far an instance has come; the numbers are those of aclshmemx_init_status_t. */
enum shm_life { SHM_LIFE_NONE = 0, SHM_LIFE_MEMORY = 1, SHM_LIFE_READY = 2 };

/** As many instances a process may have at a time. */
#define SHM_INSTANCES 255

enum shm_entry_state {
    SHM_ENTRY_FREE = 0,
    SHM_ENTRY_STARTING, /* in init */
    SHM_ENTRY_READY,
    SHM_ENTRY_STOPPING, /* in finalize, and waits for the other PEs */
    SHM_ENTRY_CLEARING  /* in finalize, and no call can mean it any more */
};

/** Place of an instance in the table of the process. */
struct shm_entry {
    struct shm_instance *_Atomic instance; /* NULL unless calls may mean it */
    _Atomic uint64_t serial; /* of the instance that has the place: no two have the same */
    /* the rest by the holder of entries_lock */
    struct shm_instance *owned; /* as soon as it exists, and until it is taken apart */
    uint64_t id;
    enum shm_entry_state state;
    enum shm_life life;
};

/** State of the process that belongs to no instance. */
struct shm_process {
    struct shm_instance *_Atomic standard; /* instance 0, NULL when there is none */
    struct shm_instance *_Atomic current;  /* for threads that chose none; NULL: none */
    struct shm_entry entries[SHM_INSTANCES];
    pthread_mutex_t entries_lock; /* of the table, and of what says so below; held shortly */
    pthread_mutex_t tell_lock; /* held while the launcher is told what the table has come to; before
                                  entries_lock */
    pthread_mutex_t lock;      /* held by init and finalize of OpenSHMEM, which nest */
    pthread_mutex_t fork_lock; /* held around fork(), and while static data change hands */
    uint64_t serials;          /* given out so far (entries_lock) */
    uint64_t handle_generation;               /* of the next team or context (entries_lock) */
    const struct shm_instance *_Atomic shown; /* whose records the launcher has; NULL: nobody's */
    unsigned generation;                      /* jobs of the launcher joined so far */
    int launcher_fd;                          /* socket to the launcher; -1 = none */
    int store_fd;                             /* PE 0: the launcher's listening socket; -1 = none */
    int board_fd;                             /* the launcher's board; -1 = none */
    int lifeline_fd;       /* open while the process lives, for the launcher to notice; -1 = none */
    bool was_ready;        /* some init of instance 0 has succeeded */
    bool has_launcher_fds; /* these were looked for */
    bool has_hooks;        /* exit and fork handlers are registered */
    _Atomic bool is_exiting;        /* exit() has begun */
    _Atomic int leaver;             /* id of the thread that ends the process; 0 = none */
    _Atomic bool is_over;           /* a job failed or was told to exit: no more talking to peers */
    struct shm_instance *inherited; /* in a forked child: the parent's, which are not ours to use */
};
extern __attribute__((visibility("hidden"))) struct shm_process shm_process;

/** What a thread chose; `entry` is NULL when it made no choice. */
struct shm_choice {
    const struct shm_entry *entry;
    uint64_t serial;
};
extern __attribute__((visibility("hidden"),
                      tls_model("initial-exec"))) _Thread_local struct shm_choice shm_choice;

/** Instance 0, which OpenSHMEM means, or NULL. Acquire (LDAR on Arm): all of it is visible. */
static inline struct shm_instance *shm_default(void)
{
    return atomic_load_explicit(&shm_process.standard, memory_order_acquire);
}

/** The instance that functions of ACLSHMEM mean: the one that this thread chose, or else that of
 *  the process. NULL when there is none, and when the chosen one has ended. */
SHM_ALWAYS_INLINE struct shm_instance *shm_current(void)
{
    const struct shm_entry *entry = shm_choice.entry;
    struct shm_instance *instance;

    if (entry == NULL)
        return atomic_load_explicit(&shm_process.current, memory_order_acquire);
    /* before the serial, which registry.c stores first (in order on x86-TSO; LDAR, STLR on Arm) */
    instance = atomic_load_explicit(&entry->instance, memory_order_acquire);
    if (__builtin_expect(
            atomic_load_explicit(&entry->serial, memory_order_relaxed) != shm_choice.serial, 0))
        return NULL;
    return instance;
}

/** Makes an instance the choice of this thread, and that of threads that made none.
 *  SHM_INNER_ERROR: there is no such instance, or not yet, or not any more. */
SHM_MUST_CHECK enum shm_status shm_choose(uint64_t id);

/** How far the instance has come that this thread means; without any, one that is in init. */
enum shm_life shm_life(void);

/* ---- life ---- */

/** Who joins what. */
struct shm_start_request {
    uint64_t instance_id; /* any number; static data is symmetric in instance 0 only */
    int my_pe;
    int n_pes;
    enum shm_bootstrap_kind kind;
    const char *address;      /* CONFIG_STORE: where PE 0 serves */
    int listen_fd;            /* taken over; -1 = none */
    uint64_t job_id;          /* where PEs of several jobs may meet: who names another is refused */
    const void *communicator; /* MPI: address of an MPI_Comm; NULL: all processes */
    const struct shm_bootstrap_tls *tls; /* NULL: the PEs speak in clear text while they meet */
    uint64_t heap_bytes;                 /* 0: the setting SHMEM_SYMMETRIC_SIZE decides */
    uint8_t engines;                     /* 0: the setting SHMEM_ENGINES decides */
    double init_timeout_s;               /* 0: the setting SHMEM_INIT_TIMEOUT decides */
    double control_timeout_s;            /* 0: the setting SHMEM_CONTROL_TIMEOUT decides */
    int thread_level;
    bool has_threads;      /* the program has more threads than one */
    bool is_launched;      /* by our launcher: it hears of our steps */
    bool is_launchers_job; /* all PEs of the launcher meet, with the job id that it made */
    bool wants_host_heap;  /* as large as the heap; only if all want it and have addresses for it */
};

/** Refuses an id that an instance has, SHM_INNER_ERROR. */
SHM_MUST_CHECK enum shm_status shm_check_startable(uint64_t id);

/**
 * Joins the job and makes the new instance the choice of this thread and of the process.
 * Collective. SHM_INNER_ERROR when the id is in use or there are SHM_INSTANCES already. On any
 * failure everything that was done is undone and the process can try again. Several threads may
 * start and stop different instances at a time.
 */
SHM_MUST_CHECK enum shm_status shm_start(const struct shm_start_request *request);

/**
 * Leaves the job: what streams still have to do with it is done, a barrier among all PEs, then
 * everything is taken apart. SHM_INNER_ERROR, and nothing happens, when no such instance is ready;
 * SHM_TIMEOUT_ERROR, and nothing has happened, when the streams take longer than the control limit:
 * the detail says what is left. Otherwise it is gone afterwards in every case; an error says which
 * PEs were missing or, under SHMEM_DEBUG, which block of this PE was overwritten behind its end.
 * The process's choice is instance 0 then, if there is one, and a thread that ends its own choice
 * has none. Collective.
 */
SHM_MUST_CHECK enum shm_status shm_stop(uint64_t id);

/** Fills a request from what the launcher left in the environment; without a launcher it is a job
 *  of one PE. SHM_BOOTSTRAP_ERROR when another launcher started several processes for which no
 *  bootstrap is at hand; the detail says what to do. */
SHM_MUST_CHECK enum shm_status shm_launch_request(struct shm_start_request *out_request);

/* ---- failures ---- */

/**
 * Ends the job because of an error: writes "PE n: call: detail" to standard error (one PE of the
 * node does), has every other PE end too, exits with status 1. A lost PE under our launcher is the
 * launcher's to report.
 */
_Noreturn void shm_fatal(struct shm_instance *instance, enum shm_status status, const char *call);

/** True when our launcher started this process. */
bool shm_is_launched(void);

/** Number of this PE as far as the launcher told; 0 without one. */
int shm_launched_pe(void);

/**
 * Writes "PE n: call: detail" because init or finalize failed with `status`, when no instance is
 * left. Under our launcher the other PEs give PE 0 the time to say it for all.
 */
void shm_report_life(enum shm_status status, const char *call, int pe);

/** Reports, and ends the job. */
_Noreturn void shm_fatal_life(enum shm_status status, const char *call, int pe);

/** Ends the process with one line because `call` needs init first. */
_Noreturn void shm_fatal_not_initialised(const char *call);

/** Ends the whole job with `status`; does not return. */
_Noreturn void shm_global_exit(struct shm_instance *instance, int status);

/*
 * ---- collective memory: every PE calls with the same arguments ----
 *
 * Under SHMEM_DEBUG the arguments are compared (SHM_MISMATCH on all PEs), and a PE that gives back
 * or resizes a block learns whether bytes behind its end were overwritten on this PE:
 * SHM_INVALID_VALUE there and nowhere else. Then the block was given back all the same, but not
 * resized: the job has to end.
 */

/** Takes a block from one side; the first one from the host side makes the host heap. Returns after
 *  a barrier among all PEs. An error is the same on all PEs, but for SHM_SMEM_ERROR: this process
 *  has no memory to keep book of the blocks, and the job has to end, for the others wait. */
SHM_MUST_CHECK enum shm_status shm_memory_take(struct shm_instance *instance, enum shm_side side,
                                               const char *call, uint64_t bytes, uint64_t alignment,
                                               void **out_block);

/** As shm_memory_take() for `count` elements, and the block of every PE is zero. */
SHM_MUST_CHECK enum shm_status shm_memory_take_zeroed(struct shm_instance *instance,
                                                      enum shm_side side, const char *call,
                                                      size_t count, size_t element_bytes,
                                                      void **out_block);

/** Gives a block back, after a barrier. SHM_NOT_FOUND when `block` is not the start of one of this
 *  side. `call` must be a text that stays. */
SHM_MUST_CHECK enum shm_status shm_memory_give(struct shm_instance *instance, enum shm_side side,
                                               const char *call, void *block);

/** Changes the size of a block of the device side, moving it when it must; the contents up to the
 *  smaller size stay. On failure the block is unchanged. `call` must be a text that stays. */
SHM_MUST_CHECK enum shm_status shm_memory_resize(struct shm_instance *instance, const char *call,
                                                 void *block, uint64_t bytes, void **out_block);

/* ---- checks ---- */

/** Sets the detail for an object that cannot be reached: bad PE, or not symmetric. */
SHM_MUST_CHECK enum shm_status shm_explain_remote(const struct shm_instance *instance,
                                                  const char *argument, const void *address,
                                                  uint64_t bytes, int pe);

/** Address at which this process reaches the object `address` of PE `pe`, NULL and a detail when
 *  it cannot: the PE does not exist or the object is not symmetric. */
SHM_ALWAYS_INLINE void *shm_check_remote(const struct shm_instance *instance, const char *argument,
                                         const void *address, uint64_t bytes, int pe,
                                         enum shm_status *out_status)
{
    void *remote = NULL;

    if (__builtin_expect(shm_instance_has_pe(instance, pe), 1))
        remote = shm_reach_remote(&instance->reach, address, bytes, pe);
    if (__builtin_expect(remote == NULL, 0))
        *out_status = shm_explain_remote(instance, argument, address, bytes, pe);
    return remote;
}

/** Detail for a word that is not aligned to its size. */
SHM_MUST_CHECK enum shm_status shm_explain_alignment(const char *argument, const void *address,
                                                     size_t bytes);

/** Refuses a word that is not symmetric or not aligned, and a comparison that is none of the six.
 */
SHM_MUST_CHECK enum shm_status shm_check_word(const struct shm_instance *instance,
                                              const char *argument,
                                              const struct shm_word_test *test);

/** The same for several words ("ivars"), and refuses values that are missing ("cmp_values"). No
 * words at all may lie anywhere. */
SHM_MUST_CHECK enum shm_status shm_check_words(const struct shm_instance *instance,
                                               const struct shm_words_test *test);

/** As shm_check_words(), for a call that lists the words in `indices`. */
SHM_MUST_CHECK enum shm_status shm_check_words_listed(const struct shm_instance *instance,
                                                      const struct shm_words_test *test,
                                                      const size_t *indices);

/** Detail for a signal operator that is neither set nor add. */
SHM_MUST_CHECK enum shm_status shm_explain_signal_operator(int signal_operator);

/**
 * Refuses ranges that have a byte in common, SHM_INVALID_VALUE, whether the program names them by
 * symmetric addresses of this PE or as shm_pointer() returns them. With `may_be_same` they may
 * begin at the same address. The detail shows both.
 */
SHM_MUST_CHECK enum shm_status shm_check_overlap(const struct shm_instance *instance,
                                                 const void *dest, uint64_t dest_bytes,
                                                 const void *source, uint64_t source_bytes,
                                                 bool may_be_same);

/** Strided put and get with their checks, under SHMEM_DEBUG also that of elements in common;
 *  `copy` holds the caller's addresses, not translated ones. */
SHM_MUST_CHECK enum shm_status shm_strided_put(struct shm_instance *instance,
                                               const struct shm_strided *copy, int pe);
SHM_MUST_CHECK enum shm_status shm_strided_get(struct shm_instance *instance,
                                               const struct shm_strided *copy, int pe);

/** Address of a symmetric object for load and store, `address` itself for the own PE; NULL when
 *  there is none. Sets no detail. */
void *shm_pointer(const struct shm_instance *instance, const void *address, int pe);

/* ---- information ---- */

/** One fact about the library or its settings. Texts are static or belong to the environment. */
struct shm_info {
    const char *category; /* "version", "build", "engine", "bootstrap", "variable" */
    const char *name;
    const char *value;         /* present value; NULL = unset */
    const char *default_value; /* variables: the default; NULL = none */
    const char *help;
};

/** Item `index` of the list, false behind its end. */
bool shm_info_item(size_t index, struct shm_info *out_item);

#endif
