/* SPDX-License-Identifier: BSD-3-Clause */
/* Made by api/generate.py. Included by <shmem.h>, not by programs. */
#ifndef SHMEM_OPENSHMEM_FUNCTIONS_H
#define SHMEM_OPENSHMEM_FUNCTIONS_H

/* Library Setup, Exit, and Query Routines */
/**
 * Start the library, and ask about its state.
 *
 * shmem_init starts the library: the PEs of the job meet, and each gets its symmetric heap. Every
 * PE calls it before any other function except shmem_query_initialized. shmem_init_thread does
 * the same and asks for a thread level; the level that is given may differ from the one that was
 * asked for.
 *
 * Both may be called again while the library is initialized. Each call goes with one call of
 * shmem_finalize, and the last of these ends the library; after that it may be started anew.
 *
 * shmem_query_thread tells the thread level. shmem_query_initialized may be called at any time.
 * start_pes is the old form of shmem_init; it may be called again without effect.
 *
 * requested: Thread level that the program needs, one of SHMEM_THREAD_SINGLE,
 *     SHMEM_THREAD_FUNNELED, SHMEM_THREAD_SERIALIZED and SHMEM_THREAD_MULTIPLE.
 * provided: Receives the thread level of the library.
 * initialized: Receives 1 when the library is initialized and 0 when it is not.
 * npes: Not used; the launcher decides how many PEs there are.
 *
 * Returns: shmem_init_thread returns 0, or another value when the library could not be started.
 *
 * Errors: When shmem_init or start_pes cannot start the library, the PE prints one line that says
 * why and the job ends.
 *
 * Collective: shmem_init, shmem_init_thread and start_pes: yes, over all PEs. The queries: no.
 */
void shmem_init(void);

/* Library Setup, Exit, and Query Routines */
/**
 * End the whole job from one PE.
 *
 * Asks every PE of the job to exit with the given status, whatever it is doing, and exits. It
 * does not wait for operations that are under way, and data in symmetric memory may be lost.
 *
 * status: Exit status of the job; the system keeps the lowest 8 bits.
 *
 * Returns: shmem_global_exit does not return.
 *
 * Collective: No: one PE is enough. When several call it, the status of one of them is taken.
 */
SHMEM_NORETURN void shmem_global_exit(int status);

/* Deprecated API (since 1.2) */
/**
 * Number of this PE and number of PEs.
 *
 * The PEs of a job are numbered from 0. shmem_my_pe tells the number of the caller and
 * shmem_n_pes how many there are. _my_pe and _num_pes are old names of the same.
 *
 * Returns: shmem_my_pe: 0 to shmem_n_pes() - 1. shmem_n_pes: at least 1.
 *
 * Collective: No.
 */
int _my_pe(void);

/* Memory Management Routines */
/**
 * Allocate and release symmetric memory.
 *
 * The symmetric heap holds objects that exist on every PE; the address of the object on this PE
 * names it in calls that reach the other PEs. shmem_malloc allocates; shmem_calloc allocates and
 * clears; shmem_align allocates at a multiple of the alignment; shmem_malloc_with_hints allocates
 * and says how the memory will be used; shmem_realloc changes the size and keeps the contents up
 * to the smaller of the two sizes, perhaps at another address; shmem_free releases.
 *
 * All PEs must make the same calls in the same order with the same arguments. Memory is not
 * cleared except by shmem_calloc. shmalloc, shfree, shrealloc and shmemalign are old names.
 *
 * size: Bytes; for shmem_calloc, bytes of one element.
 * count: Number of elements.
 * alignment: In bytes, a power of two up to 2 MiB; above, there is no memory to be had (NULL).
 * hints: Bits SHMEM_MALLOC_ATOMICS_REMOTE and SHMEM_MALLOC_SIGNAL_REMOTE, or 0. A hint never
 *     changes what the memory can be used for.
 * ptr: Address from one of these functions, or NULL. shmem_realloc of NULL allocates; shmem_free
 *     of NULL does nothing.
 *
 * Returns: The address of the object on this PE, or NULL when the size is 0 or the heap has no
 * room for it. shmem_realloc then leaves the old object alone, except for size 0, which releases
 * it.
 *
 * Errors: An address that is not an allocated object stops the job with one line that names the
 * PE, the function and the address.
 *
 * Collective: Yes, over all PEs. The allocating functions return after all PEs have entered;
 * shmem_free and shmem_realloc begin with a barrier. Calls with size 0, and shmem_free of NULL,
 * do not wait.
 */
void *shmem_malloc(size_t size);

/* Library Setup, Exit, and Query Routines */
/**
 * Address of another PE's object for load and store.
 *
 * Gives an address through which this PE reaches the object on the other PE by ordinary load and
 * store. Such accesses are not ordered by shmem_fence and shmem_quiet of the other PE; use the
 * synchronization functions. The address is good for load and store only, not as a symmetric
 * address. shmem_team_ptr numbers the PEs by rank in a team.
 *
 * team: The team.
 * dest: Symmetric address on this PE.
 * pe: PE that holds the object that is wanted, 0 to shmem_n_pes() - 1; with team, a rank in it.
 *
 * Returns: The address, or NULL when the memory of that PE is not mapped here, dest is not
 * symmetric, there is no such PE or the team is SHMEM_TEAM_INVALID. For the PE itself, dest.
 *
 * Errors: shmem_team_ptr: any other team that does not exist, or does no longer, stops the job
 * with one line that names the PE and the function.
 *
 * Collective: No.
 */
void *shmem_ptr(const void *dest, int pe);

/* Remote Memory Access Routines */
/**
 * Copy contiguous data to another PE.
 *
 * Copies nelems elements from local memory to a symmetric object on another PE. The functions
 * return when source may be used again; the data may arrive later. Two puts to the same PE may
 * arrive in any order unless shmem_fence stands between them, and they have arrived on return
 * from shmem_quiet or a barrier.
 *
 * The _nbi forms may return before source has been read: it must stay unchanged until
 * shmem_quiet, shmem_pe_quiet or a barrier has returned. The p form puts one value. Numbers in
 * names are the bits of one element; putmem counts bytes.
 *
 * ctx: Context to work on: PE numbers are ranks of its team. The forms without it use
 *     SHMEM_CTX_DEFAULT.
 * dest: Symmetric address of the target, as on this PE; aligned for its type.
 * source: Local address of the data. It must not overlap dest when pe is the caller.
 * value: The value to be put.
 * nelems: Number of elements; 0 is allowed and does nothing.
 * pe: Target PE, 0 to shmem_n_pes() - 1; with ctx, a rank in its team.
 *
 * Errors: A PE or context that does not exist, or an address outside symmetric memory, stops the
 * job with one line that names the PE, the function and the argument. A context does not exist
 * any more when it or its team was destroyed, and never did when it is SHMEM_CTX_INVALID.
 *
 * Collective: No.
 */
void shmem_float_put(float *dest, const float *source, size_t nelems, int pe);
void shmem_long_put(long *dest, const long *source, size_t nelems, int pe);
void shmem_int64_put(int64_t *dest, const int64_t *source, size_t nelems, int pe);
void shmem_uint16_put(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
void shmem_ctx_float_put(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe);
void shmem_ctx_long_put(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe);
void shmem_ctx_int64_put(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe);
void shmem_ctx_uint16_put(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
void shmem_put32(void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_put32(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_putmem(void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_putmem(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_float_p(float *dest, float value, int pe);
void shmem_long_p(long *dest, long value, int pe);
void shmem_int64_p(int64_t *dest, int64_t value, int pe);
void shmem_uint16_p(uint16_t *dest, uint16_t value, int pe);
void shmem_ctx_float_p(shmem_ctx_t ctx, float *dest, float value, int pe);
void shmem_ctx_long_p(shmem_ctx_t ctx, long *dest, long value, int pe);
void shmem_ctx_int64_p(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
void shmem_ctx_uint16_p(shmem_ctx_t ctx, uint16_t *dest, uint16_t value, int pe);

/* Remote Memory Access Routines */
/**
 * Copy contiguous data from another PE.
 *
 * Copies nelems elements from a symmetric object on another PE to local memory. The functions
 * return when the data is in dest.
 *
 * The _nbi forms may return earlier: dest holds the data after shmem_quiet, shmem_pe_quiet or a
 * barrier has returned. The g form returns one value. Numbers in names are the bits of one
 * element; getmem counts bytes.
 *
 * ctx: Context to work on: PE numbers are ranks of its team. The forms without it use
 *     SHMEM_CTX_DEFAULT.
 * dest: Local address for the data. It must not overlap source when pe is the caller.
 * source: Symmetric address of the data on the other PE, as on this PE; aligned for its type.
 * nelems: Number of elements; 0 is allowed and does nothing.
 * pe: PE that holds the data, 0 to shmem_n_pes() - 1; with ctx, a rank in its team.
 *
 * Returns: The g form returns the value; the others return nothing.
 *
 * Errors: A PE or context that does not exist, or an address outside symmetric memory, stops the
 * job with one line that names the PE, the function and the argument. A context does not exist
 * any more when it or its team was destroyed, and never did when it is SHMEM_CTX_INVALID.
 *
 * Collective: No.
 */
void shmem_float_get_nbi(float *dest, const float *source, size_t nelems, int pe);
void shmem_long_get_nbi(long *dest, const long *source, size_t nelems, int pe);
void shmem_int64_get_nbi(int64_t *dest, const int64_t *source, size_t nelems, int pe);
void shmem_uint16_get_nbi(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
void shmem_ctx_float_get_nbi(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe);
void shmem_ctx_long_get_nbi(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe);
void shmem_ctx_int64_get_nbi(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe);
void shmem_ctx_uint16_get_nbi(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
float shmem_float_g(const float *source, int pe);
long shmem_long_g(const long *source, int pe);
int64_t shmem_int64_g(const int64_t *source, int pe);
uint16_t shmem_uint16_g(const uint16_t *source, int pe);
float shmem_ctx_float_g(shmem_ctx_t ctx, const float *source, int pe);
long shmem_ctx_long_g(shmem_ctx_t ctx, const long *source, int pe);
int64_t shmem_ctx_int64_g(shmem_ctx_t ctx, const int64_t *source, int pe);
uint16_t shmem_ctx_uint16_g(shmem_ctx_t ctx, const uint16_t *source, int pe);

/* Remote Memory Access Routines */
/**
 * Copy strided data to another PE.
 *
 * iput copies nelems elements: element i goes from source[i * sst] to dest[i * dst] on the other
 * PE. ibput copies nblocks blocks of bsize elements that lie together: block i goes from source +
 * i * sst to dest + i * dst. The functions return when source may be used again; the data may
 * arrive later, as with shmem_put. Numbers in names are the bits of one element.
 *
 * ctx: Context to work on: PE numbers are ranks of its team. The forms without it use
 *     SHMEM_CTX_DEFAULT.
 * dest: Symmetric address of the target, as on this PE; aligned for its type.
 * source: Local address of the data.
 * dst: Distance of elements (iput) or of the starts of blocks (ibput) in dest, counted in
 *     elements; not 0 where there is more than one. A negative one runs to lower addresses.
 *     Blocks that overlap at the target leave it with the bytes of any of them.
 * sst: The same for source.
 * nelems: Number of elements; 0 is allowed and does nothing.
 * bsize: Number of elements in a block.
 * nblocks: Number of blocks; 0 is allowed and does nothing.
 * pe: Target PE, 0 to shmem_n_pes() - 1; with ctx, a rank in its team.
 *
 * Errors: A PE or context that does not exist, or an address outside symmetric memory, stops the
 * job with one line that names the PE, the function and the argument. A context does not exist
 * any more when it or its team was destroyed, and never did when it is SHMEM_CTX_INVALID.
 *
 * Collective: No.
 */
void shmem_float_iput(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_long_iput(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_int64_iput(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_uint16_iput(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_float_iput(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_long_iput(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_int64_iput(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_uint16_iput(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);

/* Atomic Memory Operations */
/**
 * Read or write a word of another PE atomically.
 *
 * atomic_fetch reads a symmetric word of another PE and atomic_set writes it, each in one piece
 * with respect to the atomic operations of all PEs on words of the same type. Plain loads,
 * stores, puts and gets of the word are not covered by that. atomic_set may take effect later; it
 * has taken effect on return from shmem_quiet or a barrier.
 *
 * The _nbi form may return before the value has come: fetch holds it after shmem_quiet. The
 * functions named fetch and set alone are old names.
 *
 * ctx: Context to work on: PE numbers are ranks of its team. The forms without it use
 *     SHMEM_CTX_DEFAULT.
 * fetch: Local address that receives the value.
 * source: Symmetric address of the word, as on this PE.
 * dest: Symmetric address of the word, as on this PE.
 * value: The new value.
 * pe: PE that holds the word, 0 to shmem_n_pes() - 1; with ctx, a rank in its team.
 *
 * Returns: The value of the word; atomic_set and the _nbi form return nothing.
 *
 * Errors: A PE or context that does not exist, or an address outside symmetric memory, stops the
 * job with one line that names the PE, the function and the argument. A context does not exist
 * any more when it or its team was destroyed, and never did when it is SHMEM_CTX_INVALID.
 *
 * Collective: No.
 */
void shmem_float_atomic_fetch_nbi(float *fetch, const float *source, int pe);
void shmem_long_atomic_fetch_nbi(long *fetch, const long *source, int pe);
void shmem_int64_atomic_fetch_nbi(int64_t *fetch, const int64_t *source, int pe);
void shmem_ctx_float_atomic_fetch_nbi(shmem_ctx_t ctx, float *fetch, const float *source, int pe);
void shmem_ctx_long_atomic_fetch_nbi(shmem_ctx_t ctx, long *fetch, const long *source, int pe);
void shmem_ctx_int64_atomic_fetch_nbi(shmem_ctx_t ctx, int64_t *fetch, const int64_t *source, int pe);

/* Atomic Memory Operations */
/**
 * Exchange a word of another PE atomically.
 *
 * atomic_swap writes a symmetric word of another PE and gives the value that it had.
 * atomic_compare_swap does so only when that value equals cond. Each is one piece with respect to
 * the atomic operations of all PEs on words of the same type.
 *
 * The _nbi forms may return before it has happened: fetch holds the old value after shmem_quiet.
 * The functions named swap and cswap alone are old names.
 *
 * ctx: Context to work on: PE numbers are ranks of its team. The forms without it use
 *     SHMEM_CTX_DEFAULT.
 * fetch: Local address that receives the old value.
 * dest: Symmetric address of the word, as on this PE.
 * cond: Value that the word must have.
 * value: The new value.
 * pe: PE that holds the word, 0 to shmem_n_pes() - 1; with ctx, a rank in its team.
 *
 * Returns: The value before the operation; the _nbi forms return nothing.
 *
 * Errors: A PE or context that does not exist, or an address outside symmetric memory, stops the
 * job with one line that names the PE, the function and the argument. A context does not exist
 * any more when it or its team was destroyed, and never did when it is SHMEM_CTX_INVALID.
 *
 * Collective: No.
 */
float shmem_float_atomic_swap(float *dest, float value, int pe);
long shmem_long_atomic_swap(long *dest, long value, int pe);
int64_t shmem_int64_atomic_swap(int64_t *dest, int64_t value, int pe);
float shmem_ctx_float_atomic_swap(shmem_ctx_t ctx, float *dest, float value, int pe);
long shmem_ctx_long_atomic_swap(shmem_ctx_t ctx, long *dest, long value, int pe);
int64_t shmem_ctx_int64_atomic_swap(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);

/* Atomic Memory Operations; Deprecated API (since 1.4) */
/**
 * Add to a word of another PE atomically.
 *
 * atomic_add adds value to a symmetric word of another PE and atomic_inc adds 1; the sum wraps
 * around. The fetch forms also give the value before. Each is one piece with respect to the
 * atomic operations of all PEs on words of the same type. The forms that give nothing may take
 * effect later; they have taken effect on return from shmem_quiet or a barrier.
 *
 * The _nbi forms may return before it has happened: fetch holds the old value after shmem_quiet.
 * The functions named add, inc, fadd and finc alone are old names.
 *
 * ctx: Context to work on: PE numbers are ranks of its team. The forms without it use
 *     SHMEM_CTX_DEFAULT.
 * fetch: Local address that receives the old value.
 * dest: Symmetric address of the word, as on this PE.
 * value: What is added.
 * pe: PE that holds the word, 0 to shmem_n_pes() - 1; with ctx, a rank in its team.
 *
 * Returns: The blocking fetch forms return the value before the operation; the others return
 * nothing.
 *
 * Errors: A PE or context that does not exist, or an address outside symmetric memory, stops the
 * job with one line that names the PE, the function and the argument. A context does not exist
 * any more when it or its team was destroyed, and never did when it is SHMEM_CTX_INVALID.
 *
 * Collective: No.
 */
long shmem_long_atomic_fetch_add(long *dest, long value, int pe);
int64_t shmem_int64_atomic_fetch_add(int64_t *dest, int64_t value, int pe);
long shmem_ctx_long_atomic_fetch_add(shmem_ctx_t ctx, long *dest, long value, int pe);
int64_t shmem_ctx_int64_atomic_fetch_add(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
void shmem_long_atomic_fetch_add_nbi(long *fetch, long *dest, long value, int pe);
void shmem_int64_atomic_fetch_add_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe);
void shmem_ctx_long_atomic_fetch_add_nbi(shmem_ctx_t ctx, long *fetch, long *dest, long value, int pe);
void shmem_ctx_int64_atomic_fetch_add_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe);
void shmem_long_inc(long *dest, int pe);

/* Atomic Memory Operations */
/**
 * And, or, exclusive or on a word of another PE atomically.
 *
 * atomic_and, atomic_or and atomic_xor combine value with a symmetric word of another PE, bit by
 * bit. The fetch forms also give the value before. Each is one piece with respect to the atomic
 * operations of all PEs on words of the same type. The forms that give nothing may take effect
 * later; they have taken effect on return from shmem_quiet or a barrier.
 *
 * The _nbi forms may return before it has happened: fetch holds the old value after shmem_quiet.
 *
 * ctx: Context to work on: PE numbers are ranks of its team. The forms without it use
 *     SHMEM_CTX_DEFAULT.
 * fetch: Local address that receives the old value.
 * dest: Symmetric address of the word, as on this PE.
 * value: Second operand.
 * pe: PE that holds the word, 0 to shmem_n_pes() - 1; with ctx, a rank in its team.
 *
 * Returns: The blocking fetch forms return the value before the operation; the others return
 * nothing.
 *
 * Errors: A PE or context that does not exist, or an address outside symmetric memory, stops the
 * job with one line that names the PE, the function and the argument. A context does not exist
 * any more when it or its team was destroyed, and never did when it is SHMEM_CTX_INVALID.
 *
 * Collective: No.
 */
int64_t shmem_int64_atomic_fetch_xor(int64_t *dest, int64_t value, int pe);
int64_t shmem_ctx_int64_atomic_fetch_xor(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);

/* Point-To-Point Synchronization Routines; Deprecated API (since 1.4) */
/**
 * Wait for, or test, a word that another PE changes.
 *
 * wait_until returns when the symmetric word of this PE compares with cmp_value as cmp says; test
 * looks once. What a peer put or stored, with shmem_fence, before the change that ends the wait
 * is there when wait_until returns, or test returns 1. wait returns when the word is no longer
 * cmp_value.
 *
 * The functions on short and unsigned short, shmem_wait_until as a function on long, and the wait
 * forms are deprecated. In C11 shmem_wait_until is also a generic that selects by the type of
 * ivar.
 *
 * ivar: Symmetric address of the word, on this PE.
 * cmp: One of SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_GE, SHMEM_CMP_LT and
 *     SHMEM_CMP_LE.
 * cmp_value: Value on the right of the comparison.
 *
 * Returns: test returns 1 when the comparison holds and 0 when it does not; the others return
 * nothing.
 *
 * Errors: An unknown cmp stops the job with one line that names the PE, the function and the
 * argument. A wait that can no longer end because a PE failed ends the job and names that PE.
 *
 * Collective: No.
 */
void shmem_long_wait_until(long *ivar, int cmp, long cmp_value);
void shmem_int64_wait_until(int64_t *ivar, int cmp, int64_t cmp_value);
int shmem_long_test(long *ivar, int cmp, long cmp_value);
int shmem_int64_test(int64_t *ivar, int cmp, int64_t cmp_value);
void shmem_wait_until(long *ivar, int cmp, long cmp_value);

#endif
