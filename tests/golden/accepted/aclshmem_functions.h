/* SPDX-License-Identifier: BSD-3-Clause */
/* Made by api/generate.py. Included by <shmem.h> and <aclshmem.h>, not by programs. */
#ifndef SHMEM_ACLSHMEM_FUNCTIONS_H
#define SHMEM_ACLSHMEM_FUNCTIONS_H

/* Initialization */
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
 *
 * Aclshmem: Before the PEs have met there is nobody to ask: aclshmem_global_exit then writes a
 * warning and returns.
 */
void aclshmem_global_exit(int status);

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
 *
 * Aclshmem: aclshmemx_malloc, aclshmemx_calloc, aclshmemx_align and aclshmemx_free choose between
 * two heaps. The host heap has local_mem_size bytes too, rounded up to pages, and memory from it
 * is symmetric: it can be used wherever memory of the symmetric heap can. It is made by the first
 * call that allocates there; that call returns NULL on all PEs, and the log says why, when some
 * node has no memory for it (not with SHMEM_OVERCOMMIT=1), when the limits of the process leave
 * no addresses for it (ulimit -v and -f, or very many PEs with very large heaps), and in jobs
 * that were joined by shmem_init. A transfer must not cross from one heap into the other.
 *
 * aclshmemx_get_heap_base returns the lowest address of a heap of this PE, NULL before init,
 * before the host heap is made and for another mem_type. aclshmem_free and aclshmemx_free accept
 * NULL, released and foreign addresses, those of the other heap too, without harm; the log tells
 * of them.
 */
void *aclshmem_malloc(size_t size);

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
void *aclshmem_ptr(void *dest, int pe);

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
 *
 * Aclshmem: An argument that makes no sense is written to the log and nothing is copied; the
 * program goes on.
 */
void aclshmem_float_put(float *dest, float *source, size_t nelems, int pe);
void aclshmem_int64_put(int64_t *dest, int64_t *source, size_t nelems, int pe);
void aclshmem_uint16_put(uint16_t *dest, uint16_t *source, size_t nelems, int pe);
void aclshmem_put32(void *dest, void *source, uint32_t nelems, int pe);
void aclshmem_putmem(void *dest, void *source, size_t nelems, int pe);
void aclshmem_float_p(float *dest, float value, int pe);
void aclshmem_int64_p(int64_t *dest, int64_t value, int pe);
void aclshmem_uint16_p(uint16_t *dest, uint16_t value, int pe);

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
 *
 * Aclshmem: An argument that makes no sense is written to the log and nothing is copied; the
 * program goes on. The g form then returns 0.
 */
void aclshmem_float_get_nbi(float *dest, float *source, size_t nelems, int pe);
void aclshmem_int64_get_nbi(int64_t *dest, int64_t *source, size_t nelems, int pe);
void aclshmem_uint16_get_nbi(uint16_t *dest, uint16_t *source, size_t nelems, int pe);
float aclshmem_float_g(float *source, int pe);
int64_t aclshmem_int64_g(int64_t *source, int pe);
uint16_t aclshmem_uint16_g(uint16_t *source, int pe);

/* Remote Memory Access Routines */
/**
 * Copy strided data to another PE.
 *
 * iput copies nelems elements: element i goes from source[i * sst] to dest[i * dst] on the other
 * PE. ibput copies nblocks blocks of bsize elements that lie together: block i goes from source +
 * i * sst to dest + i * dst. The functions return when source may be used again; the data may
 * arrive later, as with shmem_put. Numbers in names are the bits of one element.
 *
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
 *
 * Aclshmem: An argument that makes no sense is written to the log and nothing is copied; the
 * program goes on.
 */
void aclshmem_float_iput(float *dest, float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void aclshmem_int64_iput(int64_t *dest, int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void aclshmem_uint16_iput(uint16_t *dest, uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);

/* Point-To-Point Synchronization Routines */
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
 *
 * Aclshmem: The comparisons are ACLSHMEM_CMP_EQ and so on. aclshmem_TYPENAME_test returns
 * nothing: *res_out becomes 1 or 0. An argument that makes no sense is written to the log: a wait
 * returns at once, and a test gives 0. Numbers of the type float are compared as C does it: 0 is
 * equal to -0, and what is no number only differs.
 */
void aclshmem_float_wait_until(float *ivar, int cmp, float cmp_value);
void aclshmem_int64_wait_until(int64_t *ivar, int cmp, int64_t cmp_value);
void aclshmem_uint16_wait_until(uint16_t *ivar, int cmp, uint16_t cmp_value);

#endif
