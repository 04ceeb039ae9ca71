/* SPDX-License-Identifier: BSD-3-Clause */
/* Made by api/generate.py. Included by <shmemx.h>, not by programs. */
#ifndef SHMEM_SHMEMX_FUNCTIONS_H
#define SHMEM_SHMEMX_FUNCTIONS_H

/* Extension */
/**
 * List what the library is, can do and is set to.
 *
 * Walks a list of facts about the library: its version and how it was built, the engines that
 * move data, the bootstraps, and the environment variables with their values. Call it with 0, 1,
 * 2 and so on until it returns 0. It may be called at any time, also before shmem_init and after
 * shmem_finalize. The value of a variable that is not set is NULL, and so is a default that there
 * is not. The texts stay valid until the process ends, those of values until the environment
 * changes, or within "topology" until finalize.
 *
 * Categories are "version", "build", "engine", "bootstrap" and "variable", and from init to
 * finalize of instance 0 "topology": for each engine the PEs that it reaches from the calling
 * one. Programs should pass over categories that they do not know.
 *
 * index: Number of the item, from 0.
 * item: Receives the item; left alone when there is none.
 *
 * Returns: 1 when there is an item of that number, 0 when the list is at its end or item is NULL.
 *
 * Collective: No.
 */
int shmemx_info_item(size_t index, shmemx_info_item_t *item);

#endif
