/* SPDX-License-Identifier: BSD-3-Clause */
/* What ACLSHMEM keeps for kernels: their scratch memory and their profile. */
#include "own_pes.h"

#include <sys/mman.h>

/* ---- settings ---- */

static void set_everything(int (*set)(uint64_t, uint32_t, uint32_t), uint32_t least)
{
    EXPECT(set(0, least, 0) == 0 && set(UINT64_MAX, UINT32_MAX, 7) == 0);
    EXPECT(least == 0 || set(0, least - 1, 0) == ACLSHMEM_INVALID_VALUE);
}

static void expect_not_initialised(void)
{
    EXPECT(aclshmemx_set_mte_config(0, 4096, 0) == ACLSHMEM_NOT_INITED);
    EXPECT(aclshmemx_set_sdma_config(0, 0, 0) == ACLSHMEM_NOT_INITED);
    EXPECT(aclshmemx_set_rdma_config(0, 4096, 0) == ACLSHMEM_NOT_INITED);
    EXPECT(aclshmemx_set_udma_config(0, 4096, 0) == ACLSHMEM_NOT_INITED);
}

static void configure(int pe, int n_pes, const void *address)
{
    expect_not_initialised();
    join(pe, n_pes, address);
    set_everything(aclshmemx_set_mte_config, 0);
    set_everything(aclshmemx_set_sdma_config, 64);
    set_everything(aclshmemx_set_rdma_config, 128);
    set_everything(aclshmemx_set_udma_config, 128);
    EXPECT(util_get_ffts_config() == 0);
    EXPECT(aclshmem_finalize() == 0);
    expect_not_initialised();
}

static void test_configuration(void **state)
{
    (void)state;
    run_job(1, configure);
}

/* ---- profile ---- */

#define THICK "============================================================\n"
#define THIN "------------------------------------------------------------\n"
#define HEAD THICK "BlockID   FrameID   Cycles         Count          AvgTime(us)    \n" THIN

static const char rows[] = "0         0         500            10             1.000          \n"
                           "0         7         -50            1              -1.000         \n"
                           "63        1023      1              3              0.007          \n";

/* What a call prints to standard output. */
static void capture(aclshmem_prof_pe_t **out_profile, bool verbose, char *text, size_t text_bytes)
{
    int fd = memfd_create("output", MFD_CLOEXEC);
    int before = dup(STDOUT_FILENO);
    ssize_t bytes;

    EXPECT(fd >= 0 && before >= 0);
    fflush(stdout);
    dup2(fd, STDOUT_FILENO);
    if (out_profile == NULL && verbose)
        aclshmemx_show_prof();
    else
        aclshmemx_get_prof(out_profile, verbose);
    fflush(stdout);
    dup2(before, STDOUT_FILENO);
    bytes = pread(fd, text, text_bytes - 1, 0);
    EXPECT(bytes >= 0);
    text[bytes] = '\0';
    close(before);
    close(fd);
}

static void expect_no_profile(void)
{
    static aclshmem_prof_pe_t stranger;
    aclshmem_prof_pe_t *profile = &stranger;
    char text[256];

    capture(&profile, true, text, sizeof text);
    EXPECT(profile == NULL && text[0] == '\0');
    capture(NULL, true, text, sizeof text);
    EXPECT(text[0] == '\0');
}

static void expect_profile(int pe)
{
    aclshmem_prof_pe_t *profile = NULL;
    aclshmem_prof_pe_t *again = NULL;
    char text[2048];
    char expected[2048];

    capture(&profile, true, text, sizeof text);
    EXPECT(profile != NULL && profile->pe_id == pe && strcmp(text, HEAD THICK) == 0);
    profile->block_prof[0].cycles[0] = 500;
    profile->block_prof[0].ccount[0] = 10;
    profile->block_prof[0].cycles[1] = 500; /* not passed: no row */
    profile->block_prof[0].cycles[7] = -50;
    profile->block_prof[0].ccount[7] = 1;
    profile->block_prof[63].cycles[1023] = 1;
    profile->block_prof[63].ccount[1023] = 3;
    capture(&again, false, text, sizeof text);
    EXPECT(again == profile && text[0] == '\0');
    snprintf(expected, sizeof expected, "%s%s%s", HEAD, rows, THICK);
    capture(&again, true, text, sizeof text);
    EXPECT(strcmp(text, expected) == 0);
    capture(NULL, true, text, sizeof text);
    EXPECT(strcmp(text, expected) == 0);
}

struct profile_case {
    const char *setting; /* NULL = unset */
    int profiled_pe;
    const char *address;
};

static void profile(int pe, int n_pes, const void *argument)
{
    const struct profile_case *given = argument;

    if (given->setting != NULL)
        setenv("SHMEM_CYCLE_PROF_PE", given->setting, 1);
    else
        unsetenv("SHMEM_CYCLE_PROF_PE");
    expect_no_profile();
    for (int round = 0; round < 2; round++) { /* the second has a profile of its own */
        join(pe, n_pes, given->address);
        if (pe == given->profiled_pe)
            expect_profile(pe);
        else
            expect_no_profile();
        EXPECT(aclshmem_finalize() == 0);
    }
    expect_no_profile();
}

static void test_profile(void **state)
{
    static const struct profile_case cases[] = {
        {NULL, -1, NULL}, {"0", 0, NULL},    {"1", 1, NULL}, {"2", 0, NULL},
        {"-1", 0, NULL},  {"1 PE", 0, NULL}, {"", 0, NULL},  {"99999999999999999999", 0, NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile_case given = cases[i];
        char address[64];

        find_address(address);
        given.address = address;
        run_pes(2, profile, &given);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_configuration),
        cmocka_unit_test(test_profile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
