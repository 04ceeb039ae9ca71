/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers of ACLSHMEM in all widths, and signals behind data. */
#include "own_pes.h"

#define FOR_TYPES(F)                                                                               \
    F(float, float)                                                                                \
    F(double, double)                                                                              \
    F(int8, int8_t)                                                                                \
    F(int16, int16_t)                                                                              \
    F(int32, int32_t)                                                                              \
    F(int64, int64_t)                                                                              \
    F(uint8, uint8_t)                                                                              \
    F(uint16, uint16_t)                                                                            \
    F(uint32, uint32_t)                                                                            \
    F(uint64, uint64_t)                                                                            \
    F(char, char)

#define FOR_SIZES(F) F(8) F(16) F(32) F(64) F(128)

enum { COUNT = 16, AREA = 512 };

/* Symmetric memory, and what the functions copy from or into. */
struct areas {
    int pe;
    int n_pes;
    unsigned char *shared;
    int32_t *signal;
    unsigned char local[AREA];
};

static void begin(struct areas *areas, int pe, int n_pes, const void *address)
{
    join(pe, n_pes, address);
    *areas = (struct areas){.pe = pe, .n_pes = n_pes};
    areas->shared = aclshmem_align(16, AREA);
    areas->signal = aclshmem_calloc(2, sizeof *areas->signal);
    EXPECT(areas->shared != NULL && areas->signal != NULL);
}

static void fill(unsigned char *area, int first)
{
    for (int i = 0; i < AREA; i++)
        area[i] = (unsigned char)(first + i);
}

/* All PEs have done what they did to others, and looked at it. */
static void next(void)
{
    aclshmem_barrier_all();
}

/* ---- one value ---- */

static void pass_values(int pe, int n_pes, const void *address)
{
    struct areas areas;

    begin(&areas, pe, n_pes, address);
#define PASS(name, type)                                                                           \
    {                                                                                              \
        type *cell = (type *)areas.shared;                                                         \
        aclshmem_##name##_p(cell, (type)(pe + 10), pe);                                            \
        next();                                                                                    \
        for (int other = 0; other < n_pes; other++)                                                \
            EXPECT(aclshmem_##name##_g(cell, other) == (type)(other + 10));                        \
        next();                                                                                    \
    }
    FOR_TYPES(PASS)
    EXPECT(aclshmem_finalize() == 0);
}

static void test_values(void **state)
{
    (void)state;
    run_job(3, pass_values);
}

/* ---- strides ---- */

static void expect_strided(const unsigned char *to, const unsigned char *from, size_t bytes)
{
    unsigned char expected[AREA] = {0};

    for (size_t i = 0; i < COUNT / 4; i++)
        memcpy(expected + 3 * i * bytes, from + 4 * i * bytes, bytes);
    EXPECT(memcmp(to, expected, AREA) == 0);
}

static void copy_strided(int pe, int n_pes, const void *address)
{
    struct areas areas;
    int right = (pe + 1) % n_pes;
    int left = (pe + n_pes - 1) % n_pes;
    unsigned char of_left[AREA], of_right[AREA];

    begin(&areas, pe, n_pes, address);
    fill(of_left, 10 * left);
    fill(of_right, 10 * right);
#define COPY(put, get, bytes)                                                                      \
    memset(areas.shared, 0, AREA);                                                                 \
    fill(areas.local, 10 * pe);                                                                    \
    next();                                                                                        \
    put((void *)areas.shared, (void *)areas.local, 3, 4, COUNT / 4, right);                        \
    next();                                                                                        \
    expect_strided(areas.shared, of_left, bytes);                                                  \
    fill(areas.shared, 10 * pe);                                                                   \
    memset(areas.local, 0, AREA);                                                                  \
    next();                                                                                        \
    get((void *)areas.local, (void *)areas.shared, 3, 4, COUNT / 4, right);                        \
    expect_strided(areas.local, of_right, bytes);                                                  \
    next();
#define COPY_TYPE(name, type) COPY(aclshmem_##name##_iput, aclshmem_##name##_iget, sizeof(type))
#define COPY_SIZE(bits) COPY(aclshmem_iput##bits, aclshmem_iget##bits, bits / 8)
    FOR_TYPES(COPY_TYPE)
    FOR_SIZES(COPY_SIZE)
    EXPECT(aclshmem_finalize() == 0);
}

static void test_strides(void **state)
{
    (void)state;
    run_job(3, copy_strided);
}

/* ---- signals behind data: whoever sees the signal sees the data ---- */

static void expect_signalled(const struct areas *areas, int32_t value, size_t bytes)
{
    unsigned char expected[AREA];
    int left = (areas->pe + areas->n_pes - 1) % areas->n_pes;

    aclshmem_signal_wait_until(areas->signal, ACLSHMEM_CMP_EQ, value);
    fill(expected, 10 * left);
    memset(expected + bytes, 0, AREA - bytes);
    EXPECT(memcmp(areas->shared, expected, AREA) == 0);
    EXPECT(areas->signal[0] == value && areas->signal[1] == 0);
}

static void signal_data(int pe, int n_pes, const void *address)
{
    struct areas areas;
    int right = (pe + 1) % n_pes;

    begin(&areas, pe, n_pes, address);
    fill(areas.local, 10 * pe);
#define SIGNAL(put, bytes)                                                                         \
    memset(areas.shared, 0, AREA);                                                                 \
    areas.signal[0] = pe;                                                                          \
    next();                                                                                        \
    put((void *)areas.shared, (void *)areas.local, 3, (void *)areas.signal, 6,                     \
        ACLSHMEM_SIGNAL_SET, right);                                                               \
    expect_signalled(&areas, 6, 3 * (bytes));                                                      \
    areas.signal[0] = pe;                                                                          \
    next();                                                                                        \
    put((void *)areas.shared, (void *)areas.local, 3, (void *)areas.signal, 10,                    \
        ACLSHMEM_SIGNAL_ADD, right);                                                               \
    expect_signalled(&areas, pe + 10, 3 * (bytes));                                                \
    next();                                                                                        \
    put((void *)areas.shared, (void *)areas.local, 3, (void *)areas.signal, -20,                   \
        ACLSHMEM_SIGNAL_ADD, right);                                                               \
    expect_signalled(&areas, pe - 10, 3 * (bytes));                                                \
    next();
#define SIGNAL_TYPE(name, type)                                                                    \
    SIGNAL(aclshmem_##name##_put_signal, sizeof(type))                                             \
    SIGNAL(aclshmem_##name##_put_signal_nbi, sizeof(type))
#define SIGNAL_SIZE(bits)                                                                          \
    SIGNAL(aclshmem_put##bits##_signal, bits / 8)                                                  \
    SIGNAL(aclshmem_put##bits##_signal_nbi, bits / 8)
    FOR_TYPES(SIGNAL_TYPE)
    FOR_SIZES(SIGNAL_SIZE)
    SIGNAL(aclshmemx_putmem_signal, 1)
    SIGNAL(aclshmemx_putmem_signal_nbi, 1)
    EXPECT(aclshmem_finalize() == 0);
}

static void test_signals(void **state)
{
    (void)state;
    run_job(3, signal_data);
}

/* Neither data nor signal moves. */
static void signal_wrongly(int pe, int n_pes, const void *address)
{
    struct areas areas;
    int32_t local = 0;

    begin(&areas, pe, n_pes, address);
    memset(areas.shared, 0, AREA);
    fill(areas.local, 1);
#define REFUSED(to, word, operation, target)                                                       \
    aclshmemx_putmem_signal(to, areas.local, 8, word, 1, operation, target);                       \
    EXPECT(areas.shared[0] == 0 && areas.signal[0] == 0 && local == 0);
    REFUSED(areas.shared, areas.signal, 2, pe)
    REFUSED(areas.shared, areas.signal, -1, pe)
    REFUSED(areas.shared, areas.signal, ACLSHMEM_SIGNAL_SET, n_pes)
    REFUSED(areas.shared, &local, ACLSHMEM_SIGNAL_SET, pe)
    REFUSED(areas.shared, (char *)areas.signal + 2, ACLSHMEM_SIGNAL_SET, pe) /* not aligned */
    REFUSED(&local, areas.signal, ACLSHMEM_SIGNAL_SET, pe)
    REFUSED(NULL, areas.signal, ACLSHMEM_SIGNAL_SET, pe)
    aclshmemx_putmem_signal(NULL, NULL, 0, areas.signal, 4, ACLSHMEM_SIGNAL_SET, pe);
    EXPECT(areas.signal[0] == 4);
    EXPECT(aclshmem_finalize() == 0);
}

static void test_wrong_signals(void **state)
{
    (void)state;
    run_job(1, signal_wrongly);
}

/* ---- the heap ---- */

static void look_for_the_heap(int pe, int n_pes, const void *address)
{
    char *base, *block;

    EXPECT(aclshmemx_get_heap_base(DEVICE_SIDE) == NULL);
    join(pe, n_pes, address);
    base = aclshmemx_get_heap_base(DEVICE_SIDE);
    block = aclshmem_malloc(64);
    EXPECT(base != NULL && block >= base && block < base + HEAP);
    EXPECT(aclshmem_ptr(base, pe) == base);
    EXPECT(aclshmem_ptr(base - 1, pe) == NULL);
    EXPECT(aclshmem_finalize() == 0);
    EXPECT(aclshmemx_get_heap_base(DEVICE_SIDE) == NULL);
}

static void test_heap_base(void **state)
{
    (void)state;
    run_job(2, look_for_the_heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),    cmocka_unit_test(test_strides),
        cmocka_unit_test(test_signals),   cmocka_unit_test(test_wrong_signals),
        cmocka_unit_test(test_heap_base),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
