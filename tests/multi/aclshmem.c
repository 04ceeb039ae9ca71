/* SPDX-License-Identifier: BSD-3-Clause */
/* ACLSHMEM: PEs that a program starts itself meet at an address or by a unique id; codes of bad
 * attributes; heap, pointers and transfers. */
#include "own_pes.h"

static void use_heap(int pe, int n_pes)
{
    int *block = aclshmem_malloc(HEAP / 2);
    int value = 100 + pe;
    int got[16];

    EXPECT(aclshmem_my_pe() == pe && aclshmem_n_pes() == n_pes);
    EXPECT(aclshmemx_init_status() == ACLSHMEM_STATUS_IS_INITIALIZED);
    EXPECT(block != NULL);
    aclshmem_barrier_all();
    aclshmem_putmem(block + pe, &value, sizeof value, (pe + 1) % n_pes);
    aclshmem_barrier_all();
    EXPECT(block[(pe + n_pes - 1) % n_pes] == 100 + (pe + n_pes - 1) % n_pes);
    for (int other = 0; other < n_pes; other++) {
        int writer = (other + n_pes - 1) % n_pes;

        aclshmem_getmem(got, block, sizeof got, other);
        EXPECT(got[writer] == 100 + writer);
        EXPECT(*((int *)aclshmem_ptr(block, other) + writer) == 100 + writer);
    }
    EXPECT(aclshmem_ptr(block, pe) == block);
    EXPECT(aclshmem_ptr(block, -1) == NULL && aclshmem_ptr(block, n_pes) == NULL);
    EXPECT(aclshmem_ptr(&value, pe) == NULL);
    aclshmem_barrier_all();
    aclshmem_free(block);
}

static void meet_at_address(int pe, int n_pes, const void *address)
{
    for (int round = 0; round < 3; round++) {
        aclshmemx_init_attr_t attributes = attributes_for(pe, n_pes, address);

        EXPECT(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
        EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == 0);
        EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) ==
               ACLSHMEM_INNER_ERROR);
        use_heap(pe, n_pes);
        EXPECT(aclshmem_finalize() == 0);
    }
}

static void test_address(void **state)
{
    static const int sizes[] = {1, 2, 3, 5};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char address[64];

        find_address(address);
        run_pes(sizes[i], meet_at_address, address);
    }
}

static void meet_at_id(int pe, int n_pes, const void *argument)
{
    const int(*pipes)[2] = argument;
    aclshmemx_init_attr_t attributes = ACLSHMEMX_INIT_ATTR_INITIALIZER;
    aclshmemx_uniqueid_t id = ACLSHMEM_UNIQUEID_INITIALIZER;

    for (int round = 0; round < 5; round++) {
        if (pe == 0) {
            EXPECT(aclshmemx_get_uniqueid(&id) == 0);
            EXPECT(id.version == ACLSHMEM_UNIQUEID_VERSION);
            for (int other = 1; other < n_pes; other++)
                EXPECT(write(pipes[other][1], &id, sizeof id) == sizeof id);
        } else {
            EXPECT(read(pipes[pe][0], &id, sizeof id) == sizeof id);
        }
        EXPECT(aclshmemx_set_attr_uniqueid_args(pe, n_pes, HEAP, &id, &attributes) == 0);
        if (pe > 0) { /* an id that differs in one bit is refused, and the right one taken */
            id.internal[30 + pe] ^= 4;
            EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_UNIQUEID, &attributes) ==
                   ACLSHMEM_INVALID_PARAM);
            id.internal[30 + pe] ^= 4;
        }
        EXPECT(attributes.comm_args == &id && attributes.n_pes == n_pes);
        EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_UNIQUEID, &attributes) == 0);
        use_heap(pe, n_pes);
        EXPECT(aclshmem_finalize() == 0);
    }
}

static void test_unique_id(void **state)
{
    int pipes[4][2];

    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pipe(pipes[i]), 0);
    run_pes(4, meet_at_id, pipes);
    for (int i = 0; i < 4; i++) {
        close(pipes[i][0]);
        close(pipes[i][1]);
    }
}

static void refuse_bad_attributes(int pe, int n_pes, const void *argument)
{
    aclshmemx_init_attr_t good = attributes_for(0, 1, "tcp://127.0.0.1:45123");
    aclshmemx_init_attr_t bad;

    (void)pe;
    (void)n_pes;
    (void)argument;
#define REFUSED(change, code)                                                                      \
    do {                                                                                           \
        bad = good;                                                                                \
        change;                                                                                    \
        EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &bad) == (code));                  \
        EXPECT(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);                        \
    } while (0)
    EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, NULL) == ACLSHMEM_INVALID_PARAM);
    REFUSED(bad.my_pe = -1, ACLSHMEM_INVALID_VALUE);
    REFUSED(bad.n_pes = 0, ACLSHMEM_INVALID_VALUE);
    REFUSED(bad.n_pes = 16385, ACLSHMEM_INVALID_VALUE);
    REFUSED(bad.my_pe = 1, ACLSHMEM_INVALID_PARAM);
    REFUSED(bad.local_mem_size = 0, ACLSHMEM_INVALID_VALUE);
    REFUSED(bad.local_mem_size = ACLSHMEM_MAX_LOCAL_SIZE + 1, ACLSHMEM_INVALID_VALUE);
    REFUSED(bad.option_attr.shm_init_timeout = 0, ACLSHMEM_INVALID_VALUE);
    REFUSED(bad.option_attr.control_operation_timeout = 0, ACLSHMEM_INVALID_VALUE);
    REFUSED(bad.option_attr.data_op_engine_type = (data_op_engine_type_t)0, ACLSHMEM_INVALID_VALUE);
    REFUSED(bad.option_attr.data_op_engine_type = (data_op_engine_type_t)16,
            ACLSHMEM_INVALID_VALUE);
    REFUSED(strcpy(bad.ip_port, ""), ACLSHMEM_INVALID_PARAM);
    REFUSED(strcpy(bad.ip_port, "tcp://127.0.0.1:80"), ACLSHMEM_INVALID_PARAM);
    REFUSED(strcpy(bad.ip_port, "127.0.0.1:45123"), ACLSHMEM_INVALID_PARAM);
    REFUSED(strcpy(bad.ip_port, "tcp://123.45.67.89:2345"), ACLSHMEM_INNER_ERROR);
    EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_UNIQUEID, &good) == ACLSHMEM_INVALID_PARAM);
    EXPECT(aclshmemx_init_attr((aclshmemx_bootstrap_t)4, &good) == ACLSHMEM_INVALID_PARAM);
    EXPECT(aclshmem_finalize() == 0);
}

static void test_bad_attributes(void **state)
{
    (void)state;
    run_pes(1, refuse_bad_attributes, NULL);
}

static void use_before_init(int pe, int n_pes, const void *argument)
{
    int major = 0;
    int minor = 0;
    char name[ACLSHMEM_MAX_NAME_LEN] = "";

    (void)pe;
    (void)n_pes;
    (void)argument;
    EXPECT(aclshmem_my_pe() == -1 && aclshmem_n_pes() == -1);
    EXPECT(aclshmem_malloc(64) == NULL && aclshmem_calloc(1, 64) == NULL);
    EXPECT(aclshmem_align(64, 64) == NULL);
    aclshmem_free(NULL);
    aclshmem_global_exit(3); /* only a warning: there is no job */
    aclshmem_info_get_version(&major, NULL);
    EXPECT(major == 0);
    aclshmem_info_get_version(&major, &minor);
    EXPECT(major == 1 && minor == 1);
    aclshmem_info_get_name(NULL);
    aclshmem_info_get_name(name);
    EXPECT(strcmp(name, "ACLSHMEM v1.1.1") == 0);
    EXPECT(aclshmem_finalize() == 0);
}

static void test_before_init(void **state)
{
    (void)state;
    run_pes(1, use_before_init, NULL);
}

static void check_heap_rules(int pe, int n_pes, const void *address)
{
    aclshmemx_init_attr_t attributes = attributes_for(pe, n_pes, address);
    char *blocks[4];

    EXPECT(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == 0);
    EXPECT(aclshmem_malloc(0) == NULL && aclshmem_calloc(16, 0) == NULL);
    EXPECT(aclshmem_calloc(SIZE_MAX, 2) == NULL && aclshmem_align(17, 128) == NULL);
    EXPECT(aclshmem_align(0, 128) == NULL && aclshmem_align(16, 0) == NULL);
    EXPECT(aclshmem_malloc(HEAP + 6291456 + 1) == NULL);
    blocks[0] = aclshmem_malloc(HEAP);
    EXPECT(blocks[0] != NULL);
    aclshmem_free(blocks[0]);
    for (int i = 0; i < 4; i++)
        EXPECT((blocks[i] = aclshmem_malloc(MIB)) != NULL);
    aclshmem_free(blocks[1]);
    aclshmem_free(blocks[1]); /* twice: harmless */
    aclshmem_free(blocks[2] + 8);
    aclshmem_free(blocks[3]);
    EXPECT(aclshmem_malloc(2 * MIB) == NULL);
    aclshmem_free(blocks[2]);
    EXPECT((blocks[1] = aclshmem_malloc(3 * MIB)) != NULL);
    memset(blocks[1], 0xee, 3 * MIB);
    aclshmem_free(blocks[1]);
    blocks[1] = aclshmem_calloc(16, 1000);
    for (int i = 0; i < 16000; i++)
        EXPECT(blocks[1][i] == 0);
    EXPECT(aclshmem_finalize() == 0);
    EXPECT(aclshmem_malloc(64) == NULL);
}

static void test_heap_rules(void **state)
{
    char address[64];

    (void)state;
    find_address(address);
    run_pes(2, check_heap_rules, address);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_before_init), cmocka_unit_test(test_bad_attributes),
        cmocka_unit_test(test_address),     cmocka_unit_test(test_unique_id),
        cmocka_unit_test(test_heap_rules),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
