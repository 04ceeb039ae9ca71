/* SPDX-License-Identifier: BSD-3-Clause */
/* Init, queries, nested init and finalize, init again after the last finalize. */
#include "check.h"

#include <string.h>

static long arrivals;

static void count_pes(void)
{
    int n_pes = shmem_n_pes();

    shmem_barrier_all();
    shmem_long_atomic_inc(&arrivals, 0);
    shmem_barrier_all();
    CHECK(shmem_long_atomic_fetch(&arrivals, 0) == n_pes, "%ld PEs counted, expected %d",
          shmem_long_atomic_fetch(&arrivals, 0), n_pes);
    shmem_barrier_all();
    arrivals = 0;
    shmem_barrier_all();
}

static void check_queries(void)
{
    char name[SHMEM_MAX_NAME_LEN];
    int major = 0;
    int minor = 0;
    int local = 0;

    shmem_info_get_version(&major, &minor);
    CHECK(major == 1 && minor == 6, "version %d.%d", major, minor);
    shmem_info_get_name(name);
    CHECK(strcmp(name, SHMEM_VENDOR_STRING) == 0, "name %s", name);
    for (int pe = 0; pe < shmem_n_pes(); pe++) {
        CHECK(shmem_pe_accessible(pe) == 1, "PE %d", pe);
        CHECK(shmem_addr_accessible(&arrivals, pe) == 1, "PE %d", pe);
    }
    CHECK(shmem_pe_accessible(-1) == 0, "PE -1");
    CHECK(shmem_pe_accessible(shmem_n_pes()) == 0, "PE n");
    CHECK(shmem_addr_accessible(&local, 0) == 0, "the stack is not symmetric");
    CHECK(shmem_addr_accessible(&arrivals, -1) == 0, "PE -1");
}

static void check_nesting(void)
{
    int level = -1;
    int is_initialized = 0;

    shmem_init();
    CHECK(shmem_init_thread(SHMEM_THREAD_SINGLE, &level) == 0, "nested init");
    shmem_finalize();
    shmem_query_initialized(&is_initialized);
    CHECK(is_initialized == 1, "one finalize of three");
    shmem_finalize();
    count_pes();
}

int main(void)
{
    int is_initialized = 7;

    shmem_query_initialized(&is_initialized);
    if (is_initialized != 0)
        return 1;
    for (int level = SHMEM_THREAD_SINGLE; level <= SHMEM_THREAD_MULTIPLE; level++) {
        int provided = -1;

        if (shmem_init_thread(level, &provided) != 0)
            return 1;
        CHECK(provided == level, "asked %d, provided %d", level, provided);
        shmem_query_thread(&provided);
        CHECK(provided == level, "asked %d, queried %d", level, provided);
        CHECK(shmem_my_pe() >= 0 && shmem_my_pe() < shmem_n_pes(), "PE %d of %d", shmem_my_pe(),
              shmem_n_pes());
        count_pes();
        check_queries();
        check_nesting();
        shmem_finalize();
        shmem_query_initialized(&is_initialized);
        if (is_initialized != 0)
            return 1;
    }
    start_pes(99); /* the old way in; it leaves at exit without finalize */
    CHECK(_my_pe() == shmem_my_pe() && _num_pes() == shmem_n_pes(), "old names");
    count_pes();
    return 0;
}
