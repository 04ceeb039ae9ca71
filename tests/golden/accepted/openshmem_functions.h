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
 *
 * Returns: The address of the object on this PE, or NULL when the size is 0 or the heap has no
 * room for it. shmem_realloc then leaves the old object alone, except for size 0, which releases
 * it.
 *
 * Errors: An address that is not an allocated object stops the job with one line that names the
 * PE, the function and the address. With SHMEM_DEBUG set, so do calls that differ between PEs,
 * and bytes overwritten behind an object that is freed or resized, or still there in
 * shmem_finalize. A PE that has no memory of its own to keep book of its objects stops the job.
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

/* Team Management Routines */
/**
 * Make teams of PEs, and destroy them.
 *
 * A team is a set of PEs, each with a rank from 0, that perform collective operations together
 * and number each other by rank in contexts. SHMEM_TEAM_WORLD is all PEs, by their numbers;
 * SHMEM_TEAM_SHARED is those that reach each other's memory by load and store, and the extension
 * SHMEMX_TEAM_NODE (header <shmemx.h>) those of a node. Other teams are made of the members of a
 * parent.
 *
 * shmem_team_split_strided makes a team of the members whose ranks in the parent are start, start
 * + stride, start + 2 * stride and so on, size of them; rank i is that of start + i * stride.
 * shmem_team_split_2d lays the ranks of the parent out in rows of xrange, of which the last may
 * be shorter. It makes a team of every row and one of every column, and gives each PE those that
 * it is in; its rank is its place in the row, or the column. New teams can be used at once. A
 * split costs about as much as one barrier of the parent.
 *
 * shmem_team_destroy releases a team and the contexts that were made from it.
 * shmem_team_get_config tells the configuration that a team was made with: num_contexts, the
 * number of contexts that the program means to make from it. It is recorded as given and not a
 * limit.
 *
 * parent_team: Team whose members all call.
 * start: Rank in the parent of the member that gets rank 0.
 * stride: Distance of the ranks in the parent: not 0, except where size is 1; negative for ranks
 *     that run downwards.
 * size: Number of members, at least 1. All of their ranks must lie in the parent.
 * config: Configuration of the new team, or the variable that receives it. Not looked at when the
 *     mask is 0.
 * config_mask: SHMEM_TEAM_NUM_CONTEXTS when num_contexts is set or wanted, else 0; num_contexts
 *     that is not set is 0.
 * new_team: Receives the team, or SHMEM_TEAM_INVALID on PEs that are no members.
 *
 * Returns: The splits return 0, or another value on all members of the parent, with
 * SHMEM_TEAM_INVALID as the new teams: when the parent is SHMEM_TEAM_INVALID, when the ranks do
 * not lie in the parent (also when they would wrap around), xrange is less than 1 or num_contexts
 * is negative, or when there is no memory or no room for another team. There are 2047 places, and
 * a team needs one that is free on all of its members. shmem_team_get_config returns 0, or
 * another value when the team is SHMEM_TEAM_INVALID.
 *
 * Errors: shmem_team_destroy of SHMEM_TEAM_INVALID does nothing. Any other team that does not
 * exist, or does no longer, stops the job with one line that names the PE, the function and the
 * argument; so do destroying a predefined team, an unknown mask, a configuration that is NULL
 * when its mask is not 0, and members that ask for different ranks. A call that can no longer end
 * because a PE failed ends the job and names that PE.
 *
 * Collective: The splits: yes, over the parent, with the same ranks; configurations are the same
 * on the members of a new team. shmem_team_destroy: yes, over the team. shmem_team_get_config:
 * no. One thread of a PE at a time calls for a team.
 */
int shmem_team_split_strided(shmem_team_t parent_team, int start, int stride, int size, const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team);

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
 * any more when it or its team was destroyed, and never did when it is SHMEM_CTX_INVALID. With
 * SHMEM_DEBUG set, source and dest that overlap stop the job, too.
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
 * any more when it or its team was destroyed, and never did when it is SHMEM_CTX_INVALID. With
 * SHMEM_DEBUG set, source and dest that overlap stop the job, too.
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
 * pe: Target PE, 0 to shmem_n_pes() - 1; with ctx, a rank in its team.
 *
 * Errors: A PE or context that does not exist, or an address outside symmetric memory, stops the
 * job with one line that names the PE, the function and the argument. A context does not exist
 * any more when it or its team was destroyed, and never did when it is SHMEM_CTX_INVALID. With
 * SHMEM_DEBUG set, source and dest that overlap stop the job, too.
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
 * dest: Symmetric address of the word, as on this PE.
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

/* Signaling Operations */
/**
 * Copy data to another PE and signal that it is there.
 *
 * Copies nelems elements from local memory to a symmetric object on another PE, as shmem_put
 * does, and then sets a symmetric 64-bit word on that PE, or adds to it. Whoever sees the new
 * value of the word, for instance after shmem_signal_wait_until, sees the data of this call as
 * well. Other puts are not covered by that, also earlier ones: put shmem_fence in between.
 *
 * The word changes in one piece with respect to other signals of the same kind, to
 * shmem_signal_fetch and to the functions that wait for or test words.
 *
 * The functions return when source may be used again. The _nbi forms may return before source has
 * been read: it must stay unchanged until shmem_quiet, shmem_pe_quiet or a barrier has returned.
 * The ctx forms work on a context. Numbers in names are the bits of one element; putmem_signal
 * counts bytes.
 *
 * ctx: Context to work on: PE numbers are ranks of its team. The forms without it use
 *     SHMEM_CTX_DEFAULT.
 * dest: Symmetric address of the target, as on this PE; aligned for its type.
 * source: Local address of the data. It must not overlap dest when pe is the caller.
 * nelems: Number of elements; with 0 only the word changes.
 * sig_addr: Symmetric address of the word, as on this PE; it must not overlap dest.
 * signal: What the word is set to, or what is added to it; the sum wraps around.
 * sig_op: SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD.
 * pe: Target PE, 0 to shmem_n_pes() - 1; with ctx, a rank in its team.
 *
 * Errors: A context or PE that does not exist, an unknown sig_op or an address outside symmetric
 * memory stops the job with one line that names the PE, the function and the argument.
 *
 * Collective: No.
 */
void shmem_float_put_signal(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_long_put_signal(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_int64_put_signal(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_uint16_put_signal(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_float_put_signal(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_long_put_signal(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_int64_put_signal(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_uint16_put_signal(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);

/* Signaling Operations */
/**
 * Signal another PE, and look or wait for a signal.
 *
 * A signal is a symmetric 64-bit word. shmem_signal_set writes the word of another PE and
 * shmem_signal_add adds to it; they may take effect later, and have on return from shmem_quiet or
 * a barrier. shmem_signal_fetch reads the word of this PE and shmem_signal_wait_until waits until
 * it compares with cmp_value as cmp says. What a peer put or stored, with shmem_fence, before the
 * signal is there when they return. The same holds, without a fence, for the data of
 * shmem_put_signal.
 *
 * Each is one piece with respect to the others, set with set and add with add. The ctx forms work
 * on a context; in C11 the names without ctx take a context in front, too.
 *
 * ctx: Context to work on: PE numbers are ranks of its team. The forms without it use
 *     SHMEM_CTX_DEFAULT.
 * sig_addr: Symmetric address of the word, as on this PE.
 * signal: What the word is set to, or what is added to it; the sum wraps around.
 * pe: PE that holds the word, 0 to shmem_n_pes() - 1; with ctx, a rank in its team.
 *
 * Returns: shmem_signal_fetch: the value of the word. shmem_signal_wait_until: the value that
 * ended the wait.
 *
 * Errors: A context or PE that does not exist, an unknown cmp or an address outside symmetric
 * memory stops the job with one line that names the PE, the function and the argument. A wait
 * that can no longer end because a PE failed ends the job and names that PE.
 *
 * Collective: No.
 */
void shmem_signal_set(uint64_t *sig_addr, uint64_t signal, int pe);
void shmem_ctx_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe);

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

/* Point-To-Point Synchronization Routines */
/**
 * Wait for several words that other PEs change.
 *
 * Each element of ivars, but for those left out by status, is compared with cmp_value as cmp
 * says, in the vector forms with the element of cmp_values that has the same index.
 * wait_until_all returns when the comparison holds for all of them; wait_until_any when it holds
 * for one, which it gives; wait_until_some when it holds for at least one, and gives all of
 * those. Where it holds for several, calls of wait_until_any give one after another, so that each
 * has its turn sooner or later.
 *
 * What a peer put or stored, with shmem_fence, before it changed a word that is among the results
 * is there on return. status is not written to: a program that takes one word after another
 * leaves out those that it has seen.
 *
 * ivars: Symmetric address of the words, on this PE; it must not overlap status and indices.
 * nelems: Number of words.
 * indices: Local array of nelems elements that receives the indices of the words that satisfy the
 *     comparison; what is behind those is not meaningful.
 * status: Local array of nelems elements. A word whose element is not 0 is left out. NULL: no
 *     word is.
 * cmp: One of SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_GE, SHMEM_CMP_LT and
 *     SHMEM_CMP_LE.
 * cmp_value: Value on the right of the comparison, for all words.
 *
 * Returns: wait_until_any: the index of a word that satisfies the comparison. wait_until_some:
 * the number of indices. Where nelems is 0 or all words are left out, they return SIZE_MAX and 0,
 * and all forms return at once.
 *
 * Errors: An unknown cmp or an address outside symmetric memory stops the job with one line that
 * names the PE, the function and the argument. A wait that can no longer end because a PE failed
 * ends the job and names that PE.
 *
 * Collective: No.
 */
size_t shmem_long_wait_until_some(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long cmp_value);
size_t shmem_int64_wait_until_some(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int64_t cmp_value);

/* Collective Routines; Deprecated API (since 1.5) */
/**
 * Wait until all PEs, or those of a team, are here.
 *
 * shmem_barrier_all and shmem_sync_all return when all PEs have called them, shmem_team_sync when
 * all members of the team have. shmem_barrier_all first completes the operations of this PE as
 * shmem_quiet does, so that after it every PE sees what the others put. The sync functions do
 * not: they only order what the PEs stored in their own memory.
 *
 * The functions shmem_barrier and shmem_sync do the same for an active set of PEs; they are
 * deprecated. In C11 shmem_sync is also a generic that takes a team. A barrier of a team is
 * shmem_quiet and then shmem_team_sync.
 *
 * team: Team whose members all call.
 * PE_start: First PE of the active set.
 * logPE_stride: Exponent of the distance of its PEs: they are PE_start, PE_start + 2^logPE_stride
 *     and so on; at least 0.
 * PE_size: Number of its PEs, at least 1; the last must exist.
 * pSync: Symmetric array of SHMEM_BARRIER_SYNC_SIZE elements (shmem_sync: SHMEM_SYNC_SIZE), all
 *     SHMEM_SYNC_VALUE; they have that value again on return. Not looked at when the set is all
 *     PEs. These two calls may be repeated with the same array and the same set; for other
 *     collectives, and sets, it is free when all PEs have returned. All sizes of such arrays are
 *     the same here.
 *
 * Returns: shmem_team_sync returns 0: an error ends the job. The others return nothing.
 *
 * Errors: A PE that never comes makes the others wait; when a PE has failed, they end and name
 * it. A team that does not exist, also SHMEM_TEAM_INVALID, an active set out of range or a pSync
 * outside symmetric memory stops the job with one line that names the PE, the function and the
 * argument.
 *
 * Collective: Yes, over all PEs, the team or the active set. One thread of a PE at a time calls
 * for a team.
 */
int shmem_team_sync(shmem_team_t team);
void shmem_sync(int PE_start, int logPE_stride, int PE_size, long *pSync);

/* Collective Routines; Deprecated API (since 1.5) */
/**
 * Copy data from one PE to all of a team.
 *
 * Copies nelems elements from source on the PE of rank PE_root to dest on all members of the
 * team, the root as well. On return dest of the caller holds the data and source may be used
 * again; other members may still be inside. Before the call, dest must be ready on all PEs of the
 * team, source only on the root. With 0 elements the members still wait for each other.
 *
 * broadcast32 and broadcast64 are deprecated: they work on an active set of PEs, and leave dest
 * of the root alone. Numbers in names are the bits of one element; broadcastmem counts bytes.
 *
 * team: Team whose members all call.
 * dest: Symmetric address of the target; aligned for its type.
 * source: Symmetric address of the data: dest itself, or not overlapping it.
 * nelems: Number of elements.
 * PE_root: Rank in the team, or place in the active set from 0, of the PE that has the data.
 * PE_start: First PE of the active set.
 * logPE_stride: Exponent of the distance of its PEs: they are PE_start, PE_start + 2^logPE_stride
 *     and so on; at least 0.
 * PE_size: Number of its PEs, at least 1; the last must exist.
 * pSync: Symmetric array of SHMEM_BCAST_SYNC_SIZE elements, all SHMEM_SYNC_VALUE; they have that
 *     value again on return. Not looked at when the set is all PEs.
 *
 * Returns: The team forms return 0: an error ends the job.
 *
 * Errors: A team that does not exist, also SHMEM_TEAM_INVALID, an active set or root out of
 * range, or an address outside symmetric memory stops the job with one line that names the PE,
 * the function and the argument. When a PE has failed, the others end and name it. With
 * SHMEM_DEBUG set, arrays that overlap and PEs that pass different arguments or are in another
 * call end the job, too; the line says which.
 *
 * Collective: Yes, over the team or the active set, with the same arguments. One thread of a PE
 * at a time calls for a team.
 */
int shmem_float_broadcast(shmem_team_t team, float *dest, const float *source, size_t nelems, int PE_root);
int shmem_long_broadcast(shmem_team_t team, long *dest, const long *source, size_t nelems, int PE_root);
int shmem_int64_broadcast(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems, int PE_root);
int shmem_uint16_broadcast(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems, int PE_root);
void shmem_broadcast32(void *dest, const void *source, size_t nelems, int PE_root, int PE_start, int logPE_stride, int PE_size, long *pSync);

/* Collective Routines; Deprecated API (since 1.5) */
/**
 * Combine arrays of all PEs of a team element by element.
 *
 * Element i of dest on all members becomes the and, or, exclusive or, minimum, maximum, sum or
 * product of element i of source on all of them. The elements are combined in the order of ranks,
 * so that all members get the same bits and every run of the same values with the same number of
 * PEs does. Sums and products of integers wrap around. On return dest of the caller is complete
 * and source may be used again; other members may still be inside. Before the call, dest must be
 * ready on all PEs of the team. With 0 elements the members still wait for each other.
 *
 * The forms that end in to_all are deprecated: they work on an active set of PEs. and_reduce,
 * or_reduce and xor_reduce of short, int, long and long long are not in OpenSHMEM 1.6; they are
 * here for programs that use them.
 *
 * team: Team whose members all call.
 * dest: Symmetric address of the results; aligned for its type.
 * source: Symmetric address of the elements of this PE: dest itself, or not overlapping it.
 * nreduce: Number of elements in source and in dest.
 * PE_start: First PE of the active set.
 * logPE_stride: Exponent of the distance of its PEs: they are PE_start, PE_start + 2^logPE_stride
 *     and so on; at least 0.
 * PE_size: Number of its PEs, at least 1; the last must exist.
 * pWrk: Not used. Elsewhere a symmetric array of max(nreduce / 2 + 1,
 *     SHMEM_REDUCE_MIN_WRKDATA_SIZE) elements.
 * pSync: Symmetric array of SHMEM_REDUCE_SYNC_SIZE elements, all SHMEM_SYNC_VALUE; they have that
 *     value again on return. Not looked at when the set is all PEs.
 *
 * Returns: The team forms return 0: an error ends the job.
 *
 * Errors: A team that does not exist, also SHMEM_TEAM_INVALID, an active set out of range, a
 * negative nreduce, or an address outside symmetric memory stops the job with one line that names
 * the PE, the function and the argument. When a PE has failed, the others end and name it. With
 * SHMEM_DEBUG set, arrays that overlap and PEs that pass different arguments or are in another
 * call end the job, too; the line says which.
 *
 * Collective: Yes, over the team or the active set, with the same arguments. One thread of a PE
 * at a time calls for a team.
 */
int shmem_float_sum_reduce(shmem_team_t team, float *dest, const float *source, size_t nreduce);
int shmem_long_sum_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce);
int shmem_int64_sum_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
int shmem_uint16_sum_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
int shmem_complexf_sum_reduce(shmem_team_t team, SHMEM_COMPLEX(float) *dest, const SHMEM_COMPLEX(float) *source, size_t nreduce);
void shmem_float_sum_to_all(float *dest, const float *source, int nreduce, int PE_start, int logPE_stride, int PE_size, float *pWrk, long *pSync);
void shmem_long_sum_to_all(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync);
void shmem_complexf_sum_to_all(SHMEM_COMPLEX(float) *dest, const SHMEM_COMPLEX(float) *source, int nreduce, int PE_start, int logPE_stride, int PE_size, SHMEM_COMPLEX(float) *pWrk, long *pSync);

/* Profiling Interface */
/**
 * Tell a profiling library how much to record.
 *
 * Does nothing. It is there to be called by programs and replaced by a profiling library, which
 * defines shmem_pcontrol itself and finds the other functions under names that begin with
 * pshmem_.
 *
 * level: 0 or less: record nothing. 1: the usual amount, also before the first call. 2: the same,
 *     and write out what is buffered. More: up to the profiling library, as are further
 *     arguments.
 *
 * Collective: No.
 */
void shmem_pcontrol(int level, ...);

#endif
