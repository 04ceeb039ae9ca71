/* SPDX-License-Identifier: BSD-3-Clause */
/** Lists of PEs as people write them: "3 and 5-7". */
#ifndef SHM_STORE_PE_LIST_INTERNAL_H
#define SHM_STORE_PE_LIST_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

/**
 * Writes the PEs whose byte in `marks` has one of the bits of `mask` into `text`, as ranges; those
 * that do not fit into `bytes` (at least 64) are counted: "0, 2, 4 and 17 more". Returns how many
 * PEs there are; without any, `text` is empty.
 */
uint32_t shm_store_pe_list(const uint8_t *marks, uint32_t n_pes, uint8_t mask, char *text,
                           size_t bytes);

#endif
