/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/pe_list_internal.h"

#include <stdio.h>

/* "12345-12345, " and " and 65536 more" fit in what is kept free. */
#define RESERVE_BYTES 40u

static uint32_t skip(const uint8_t *marks, uint32_t n_pes, uint8_t mask, uint32_t pe, int wanted)
{
    while (pe < n_pes && ((marks[pe] & mask) != 0) != wanted)
        pe++;
    return pe;
}

uint32_t shm_store_pe_list(const uint8_t *marks, uint32_t n_pes, uint8_t mask, char *text,
                           size_t bytes)
{
    uint32_t count = 0;
    uint32_t listed = 0;
    size_t used = 0;

    text[0] = '\0';
    for (uint32_t pe = 0; pe < n_pes; pe++)
        count += (marks[pe] & mask) != 0;
    for (uint32_t first = skip(marks, n_pes, mask, 0, 1), next; first < n_pes; first = next) {
        uint32_t end = skip(marks, n_pes, mask, first, 0);
        const char *link = used == 0 ? "" : ", ";

        next = skip(marks, n_pes, mask, end, 1);
        if (used + RESERVE_BYTES > bytes) {
            snprintf(text + used, bytes - used, " and %u more", count - listed);
            break;
        }
        if (used > 0 && next >= n_pes)
            link = " and ";
        if (end - first == 1)
            used += (size_t)snprintf(text + used, bytes - used, "%s%u", link, first);
        else
            used += (size_t)snprintf(text + used, bytes - used, "%s%u-%u", link, first, end - 1);
        listed += end - first;
    }
    return count;
}
