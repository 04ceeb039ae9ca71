/* SPDX-License-Identifier: BSD-3-Clause */
/* Every generated function, with the faces of a job of one PE: right widths, right signs, right
 * operation, right order of arguments, and its own name handed on. */
#define SHMEM_NO_GENERICS
#include "all_types.h"
#include "one_pe.h"

#include <aclshmem.h>
#include <shmem.h>
#include <shmemx.h>

/* cmocka.h needs the others before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#define CHECK_CALL(name, face)                                                                     \
    do {                                                                                           \
        assert_string_equal(one_pe_call, name);                                                    \
        assert_string_equal(one_pe_face, face);                                                    \
    } while (0)

/* copies 3 of 4 elements: the fourth must stay as it was */
#define CHECK_COPY(prefix, name, type, op)                                                         \
    {                                                                                              \
        type source[4], dest[4], before;                                                           \
        memset(source, 0x5a, sizeof(source));                                                      \
        memset(dest, 0x11, sizeof(dest));                                                          \
        memcpy(&before, &dest[3], sizeof(before));                                                 \
        prefix##name##_##op(dest, source, 3, 4);                                                   \
        CHECK_CALL(#prefix #name "_" #op, "face_" #op);                                            \
        assert_int_equal(one_pe_number, 4);                                                        \
        assert_memory_equal(dest, source, 3 * sizeof(type));                                       \
        assert_memory_equal(&dest[3], &before, sizeof(before));                                    \
    }

#define CHECK_SCALAR(prefix, name, type)                                                           \
    {                                                                                              \
        type cell[2] = {1, 1};                                                                     \
        prefix##name##_p(&cell[0], 77, 5);                                                         \
        CHECK_CALL(#prefix #name "_p", "face_p");                                                  \
        assert_int_equal(one_pe_number, 5);                                                        \
        assert_true(cell[0] == 77 && cell[1] == 1);                                                \
        assert_true(prefix##name##_g(&cell[0], 6) == 77);                                          \
        CHECK_CALL(#prefix #name "_g", "face_g");                                                  \
        assert_int_equal(one_pe_number, 6);                                                        \
    }

/* every second element of the source to every third of the target */
#define CHECK_STRIDED(prefix, name, type, op)                                                      \
    {                                                                                              \
        type source[4] = {1, 2, 3, 4}, dest[6] = {0};                                              \
        prefix##name##_##op(dest, source, 3, 2, 2, 4);                                             \
        CHECK_CALL(#prefix #name "_" #op, "face_" #op);                                            \
        assert_int_equal(one_pe_number, 4);                                                        \
        assert_true(dest[0] == 1 && dest[3] == 3);                                                 \
        assert_true(dest[1] == 0 && dest[2] == 0 && dest[4] == 0 && dest[5] == 0);                 \
    }

/* blocks of 2, 3 apart in the source and 4 apart in the target */
#define CHECK_BLOCKS(name, type, op)                                                               \
    {                                                                                              \
        type source[6] = {1, 2, 3, 4, 5, 6}, dest[8] = {0};                                        \
        shmem_##name##_##op(dest, source, 4, 3, 2, 2, 9);                                          \
        CHECK_CALL("shmem_" #name "_" #op, "face_" #op);                                           \
        assert_int_equal(one_pe_number, 9);                                                        \
        assert_true(dest[0] == 1 && dest[1] == 2 && dest[4] == 4 && dest[5] == 5);                 \
        assert_true(dest[2] == 0 && dest[3] == 0 && dest[6] == 0 && dest[7] == 0);                 \
    }

static void test_typed_copies_move_whole_elements(void **state)
{
    (void)state;
#define CHECK(name, type)                                                                          \
    CHECK_COPY(shmem_, name, type, put)                                                            \
    CHECK_COPY(shmem_, name, type, get)                                                            \
    CHECK_COPY(shmem_, name, type, put_nbi)                                                        \
    CHECK_COPY(shmem_, name, type, get_nbi)                                                        \
    CHECK_SCALAR(shmem_, name, type)
    FOR_RMA_TYPES(CHECK)
#undef CHECK
}

static void test_strides_count_elements(void **state)
{
    (void)state;
#define CHECK(name, type)                                                                          \
    CHECK_STRIDED(shmem_, name, type, iput)                                                        \
    CHECK_STRIDED(shmem_, name, type, iget)                                                        \
    CHECK_BLOCKS(name, type, ibput)                                                                \
    CHECK_BLOCKS(name, type, ibget)
    FOR_RMA_TYPES(CHECK)
#undef CHECK
}

static void test_aclshmem_twins_do_the_same(void **state)
{
    (void)state;
#define CHECK(name, type)                                                                          \
    CHECK_COPY(aclshmem_, name, type, put)                                                         \
    CHECK_COPY(aclshmem_, name, type, get)                                                         \
    CHECK_COPY(aclshmem_, name, type, put_nbi)                                                     \
    CHECK_COPY(aclshmem_, name, type, get_nbi)                                                     \
    CHECK_SCALAR(aclshmem_, name, type)                                                            \
    CHECK_STRIDED(aclshmem_, name, type, iput)                                                     \
    CHECK_STRIDED(aclshmem_, name, type, iget)
    FOR_ACLSHMEM_TYPES(CHECK)
#undef CHECK
}

#define CHECK_BYTES(call_text, face, call, count)                                                  \
    {                                                                                              \
        char source[64], dest[64] = {0}, zero[64] = {0};                                           \
        memset(source, 0x5a, sizeof(source));                                                      \
        call;                                                                                      \
        CHECK_CALL(call_text, face);                                                               \
        assert_int_equal(one_pe_number, 8);                                                        \
        assert_memory_equal(dest, source, count);                                                  \
        assert_memory_equal(dest + (count), zero, sizeof(dest) - (count));                         \
    }

#define CHECK_SIZED(prefix, op, bits, tail, face)                                                  \
    CHECK_BYTES(#prefix #op #bits #tail, face, prefix##op##bits##tail(dest, source, 3, 8),         \
                3 * bits / 8)

static void test_sized_copies_count_elements_of_that_size(void **state)
{
    (void)state;
#define CHECK(bits)                                                                                \
    CHECK_SIZED(shmem_, put, bits, , "face_put")                                                   \
    CHECK_SIZED(shmem_, get, bits, , "face_get")                                                   \
    CHECK_SIZED(shmem_, put, bits, _nbi, "face_put_nbi")                                           \
    CHECK_SIZED(shmem_, get, bits, _nbi, "face_get_nbi")                                           \
    CHECK_SIZED(aclshmem_, put, bits, , "face_put")                                                \
    CHECK_SIZED(aclshmem_, get, bits, , "face_get")                                                \
    CHECK_SIZED(aclshmem_, put, bits, _nbi, "face_put_nbi")                                        \
    CHECK_SIZED(aclshmem_, get, bits, _nbi, "face_get_nbi")                                        \
    CHECK_BYTES("shmem_iput" #bits, "face_iput", shmem_iput##bits(dest, source, 1, 1, 3, 8),       \
                3 * bits / 8)                                                                      \
    CHECK_BYTES("shmem_iget" #bits, "face_iget", shmem_iget##bits(dest, source, 1, 1, 3, 8),       \
                3 * bits / 8)                                                                      \
    CHECK_BYTES("shmem_ibput" #bits, "face_ibput", shmem_ibput##bits(dest, source, 1, 1, 1, 3, 8), \
                3 * bits / 8)                                                                      \
    CHECK_BYTES("shmem_ibget" #bits, "face_ibget", shmem_ibget##bits(dest, source, 1, 1, 1, 3, 8), \
                3 * bits / 8)
    FOR_SIZES(CHECK)
#undef CHECK
}

static void test_mem_copies_count_bytes(void **state)
{
    (void)state;
    CHECK_BYTES("shmem_putmem", "face_put", shmem_putmem(dest, source, 7, 8), 7)
    CHECK_BYTES("shmem_putmem_nbi", "face_put_nbi", shmem_putmem_nbi(dest, source, 7, 8), 7)
    CHECK_BYTES("shmem_getmem", "face_get", shmem_getmem(dest, source, 7, 8), 7)
    CHECK_BYTES("shmem_getmem_nbi", "face_get_nbi", shmem_getmem_nbi(dest, source, 7, 8), 7)
    CHECK_BYTES("aclshmem_putmem", "face_put", aclshmem_putmem(dest, source, 7, 8), 7)
    CHECK_BYTES("aclshmem_putmem_nbi", "face_put_nbi", aclshmem_putmem_nbi(dest, source, 7, 8), 7)
    CHECK_BYTES("aclshmem_getmem", "face_get", aclshmem_getmem(dest, source, 7, 8), 7)
    CHECK_BYTES("aclshmem_getmem_nbi", "face_get_nbi", aclshmem_getmem_nbi(dest, source, 7, 8), 7)
}

static void test_extended_atomics_keep_value_and_sign(void **state)
{
    (void)state;
#define CHECK(name, type)                                                                          \
    {                                                                                              \
        type word = 0, fetched = 0;                                                                \
        shmem_##name##_atomic_set(&word, (type)-5, 2);                                             \
        assert_string_equal(one_pe_call, "shmem_" #name "_atomic_set");                            \
        assert_int_equal(one_pe_number, 2);                                                        \
        assert_true(word == (type)-5);                                                             \
        assert_true(shmem_##name##_atomic_fetch(&word, 2) == (type)-5);                            \
        shmem_##name##_atomic_fetch_nbi(&fetched, &word, 2);                                       \
        assert_true(fetched == (type)-5);                                                          \
        assert_true(shmem_##name##_atomic_swap(&word, 9, 2) == (type)-5 && word == 9);             \
        shmem_##name##_atomic_swap_nbi(&fetched, &word, 10, 3);                                    \
        assert_true(fetched == 9 && word == 10);                                                   \
        assert_string_equal(one_pe_call, "shmem_" #name "_atomic_swap_nbi");                       \
        assert_int_equal(one_pe_number, 3);                                                        \
    }
    FOR_AMO_EXTENDED_TYPES(CHECK)
#undef CHECK
}

static void test_standard_atomics(void **state)
{
    (void)state;
#define CHECK(name, type)                                                                          \
    {                                                                                              \
        type word[2] = {(type)-5, 1}, fetched = 0;                                                 \
        assert_true(shmem_##name##_atomic_compare_swap(word, 4, 6, 0) == (type)-5);                \
        assert_true(shmem_##name##_atomic_compare_swap(word, (type)-5, (type)-6, 0) == (type)-5);  \
        shmem_##name##_atomic_compare_swap_nbi(&fetched, word, (type)-6, 10, 0);                   \
        assert_true(fetched == (type)-6 && word[0] == 10);                                         \
        shmem_##name##_atomic_add(word, 3, 0);                                                     \
        assert_string_equal(one_pe_call, "shmem_" #name "_atomic_add");                            \
        assert_true(shmem_##name##_atomic_fetch_add(word, 2, 0) == 13);                            \
        shmem_##name##_atomic_fetch_add_nbi(&fetched, word, 5, 0);                                 \
        assert_true(fetched == 15 && word[0] == 20);                                               \
        shmem_##name##_atomic_inc(word, 0);                                                        \
        assert_true(shmem_##name##_atomic_fetch_inc(word, 0) == 21);                               \
        shmem_##name##_atomic_fetch_inc_nbi(&fetched, word, 7);                                    \
        assert_true(fetched == 22 && word[0] == 23 && word[1] == 1);                               \
        assert_string_equal(one_pe_call, "shmem_" #name "_atomic_fetch_inc_nbi");                  \
        assert_int_equal(one_pe_number, 7);                                                        \
    }
    FOR_AMO_TYPES(CHECK)
#undef CHECK
}

static void test_bitwise_atomics(void **state)
{
    (void)state;
#define CHECK_BITWISE(name, type, op, operand, result)                                             \
    {                                                                                              \
        type word = 12, fetched = 0;                                                               \
        shmem_##name##_atomic_##op(&word, operand, 0);                                             \
        assert_string_equal(one_pe_call, "shmem_" #name "_atomic_" #op);                           \
        assert_true(word == (result));                                                             \
        word = 12;                                                                                 \
        assert_true(shmem_##name##_atomic_fetch_##op(&word, operand, 0) == 12);                    \
        assert_true(word == (result));                                                             \
        word = 12;                                                                                 \
        shmem_##name##_atomic_fetch_##op##_nbi(&fetched, &word, operand, 0);                       \
        assert_true(fetched == 12 && word == (result));                                            \
    }
#define CHECK(name, type)                                                                          \
    CHECK_BITWISE(name, type, and, 10, 8)                                                          \
    CHECK_BITWISE(name, type, or, 10, 14)                                                          \
    CHECK_BITWISE(name, type, xor, 10, 6)
    FOR_AMO_BITWISE_TYPES(CHECK)
#undef CHECK
}

static void test_deprecated_atomics(void **state)
{
    (void)state;
#define CHECK_EXTENDED(name, type)                                                                 \
    {                                                                                              \
        type word = 0;                                                                             \
        shmem_##name##_set(&word, (type)-4, 0);                                                    \
        assert_true(shmem_##name##_fetch(&word, 0) == (type)-4);                                   \
        assert_true(shmem_##name##_swap(&word, 8, 0) == (type)-4 && word == 8);                    \
        assert_string_equal(one_pe_call, "shmem_" #name "_swap");                                  \
    }
#define CHECK(name, type)                                                                          \
    CHECK_EXTENDED(name, type)                                                                     \
    {                                                                                              \
        type word = 8;                                                                             \
        assert_true(shmem_##name##_cswap(&word, 8, 10, 0) == 8);                                   \
        shmem_##name##_add(&word, 5, 0);                                                           \
        assert_true(shmem_##name##_fadd(&word, 5, 0) == 15);                                       \
        shmem_##name##_inc(&word, 0);                                                              \
        assert_true(shmem_##name##_finc(&word, 0) == 21 && word == 22);                            \
        assert_string_equal(one_pe_call, "shmem_" #name "_finc");                                  \
    }
    CHECK(int, int)
    CHECK(long, long)
    CHECK(longlong, long long)
    CHECK_EXTENDED(float, float)
    CHECK_EXTENDED(double, double)
#undef CHECK
}

/* the word holds -1, which is below 1 when signed and above it when not */
#define CHECK_COMPARISON(name, type, is_signed)                                                    \
    {                                                                                              \
        type word = (type)-1;                                                                      \
        assert_int_equal(shmem_##name##_test(&word, SHMEM_CMP_EQ, (type)-1), 1);                   \
        assert_int_equal(shmem_##name##_test(&word, SHMEM_CMP_NE, (type)-1), 0);                   \
        assert_int_equal(shmem_##name##_test(&word, SHMEM_CMP_LT, 1), is_signed);                  \
        assert_int_equal(shmem_##name##_test(&word, SHMEM_CMP_GT, 1), !is_signed);                 \
        assert_string_equal(one_pe_call, "shmem_" #name "_test");                                  \
        shmem_##name##_wait_until(&word, is_signed ? SHMEM_CMP_LE : SHMEM_CMP_GE, 1);              \
        assert_string_equal(one_pe_call, "shmem_" #name "_wait_until");                            \
        assert_int_equal(strncmp(one_pe_face, "face_wait_until_", 16), 0);                         \
    }

static void test_comparisons_have_the_sign_of_the_type(void **state)
{
    (void)state;
#define CHECK_SIGNED(name, type) CHECK_COMPARISON(name, type, 1)
#define CHECK_UNSIGNED(name, type) CHECK_COMPARISON(name, type, 0)
    FOR_SIGNED_AMO_TYPES(CHECK_SIGNED)
    FOR_UNSIGNED_AMO_TYPES(CHECK_UNSIGNED)
    CHECK_SIGNED(short, short)
    CHECK_UNSIGNED(ushort, unsigned short)
}

static void test_deprecated_waits(void **state)
{
    long word = -3;
    short short_word = 1;
    int int_word = 1;
    long long longlong_word = 1;

    (void)state;
    shmem_wait_until(&word, SHMEM_CMP_LT, 0);
    CHECK_CALL("shmem_wait_until", "face_wait_until_i64");
    shmem_wait(&word, 5);
    CHECK_CALL("shmem_wait", "face_wait_until_i64");
    shmem_long_wait(&word, 5);
    CHECK_CALL("shmem_long_wait", "face_wait_until_i64");
    shmem_short_wait(&short_word, 5);
    CHECK_CALL("shmem_short_wait", "face_wait_until_i16");
    shmem_int_wait(&int_word, 5);
    CHECK_CALL("shmem_int_wait", "face_wait_until_i32");
    shmem_longlong_wait(&longlong_word, 5);
    CHECK_CALL("shmem_longlong_wait", "face_wait_until_i64");
}

#define CHECK_VOID(name, arguments, face)                                                          \
    do {                                                                                           \
        name arguments;                                                                            \
        CHECK_CALL(#name, face);                                                                   \
    } while (0)

static void test_life_and_order(void **state)
{
    int provided = 0, initialized = 0, pes[2] = {3, 6};

    (void)state;
    CHECK_VOID(shmem_init, (), "face_init");
    assert_int_equal(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 7);
    CHECK_CALL("shmem_init_thread", "face_init_thread");
    assert_int_equal(provided, SHMEM_THREAD_MULTIPLE);
    CHECK_VOID(shmem_query_thread, (&provided), "face_query_thread");
    CHECK_VOID(shmem_query_initialized, (&initialized), "face_query_initialized");
    assert_true(provided == 2 && initialized == 1);
    CHECK_VOID(start_pes, (12), "face_start_pes");
    assert_int_equal(one_pe_number, 12);
    CHECK_VOID(shmem_fence, (), "face_fence");
    CHECK_VOID(shmem_quiet, (), "face_quiet");
    CHECK_VOID(shmem_pe_quiet, (pes, 2), "face_pe_quiet");
    assert_int_equal(one_pe_number, 6);
    CHECK_VOID(shmem_barrier_all, (), "face_barrier_all");
    CHECK_VOID(shmem_sync_all, (), "face_sync_all");
    CHECK_VOID(aclshmem_barrier_all, (), "face_barrier_all");
    CHECK_VOID(shmem_finalize, (), "face_finalize");
}

static void test_queries(void **state)
{
    int major = 0, minor = 0, object = 0;
    char name[SHMEM_MAX_NAME_LEN];
    shmemx_info_item_t item;

    (void)state;
    assert_int_equal(shmem_my_pe() + _my_pe() + aclshmem_my_pe(), 0);
    CHECK_CALL("aclshmem_my_pe", "face_my_pe");
    assert_int_equal(shmem_n_pes() + _num_pes() + aclshmem_n_pes(), 3);
    CHECK_CALL("aclshmem_n_pes", "face_n_pes");
    CHECK_VOID(shmem_info_get_version, (&major, &minor), "face_info_get_version");
    assert_true(major == 3 && minor == 4);
    CHECK_VOID(aclshmem_info_get_version, (&major, &minor), "face_info_get_version");
    CHECK_VOID(shmem_info_get_name, (name), "face_info_get_name");
    CHECK_VOID(aclshmem_info_get_name, (name), "face_info_get_name");
    assert_true(shmemx_info_item(0, &item) == 1 && shmemx_info_item(1, &item) == 0);
    CHECK_CALL("shmemx_info_item", "face_info_item");
    assert_true(shmem_pe_accessible(0) == 1 && shmem_pe_accessible(1) == 0);
    assert_true(shmem_addr_accessible(&object, 0) == 1 && shmem_addr_accessible(NULL, 0) == 0);
    assert_true(shmem_ptr(&object, 0) == &object && shmem_ptr(&object, 1) == NULL);
    assert_true(aclshmem_ptr(&object, 0) == &object && aclshmem_ptr(&object, 1) == NULL);
}

static void test_memory(void **state)
{
    char *block = shmem_malloc(10);

    (void)state;
    CHECK_CALL("shmem_malloc", "face_malloc");
    block = shmem_realloc(block, 20);
    CHECK_CALL("shmem_realloc", "face_realloc");
    block = shrealloc(block, 30);
    CHECK_CALL("shrealloc", "face_realloc");
    CHECK_VOID(shmem_free, (block), "face_free");
    block = shmalloc(10);
    CHECK_CALL("shmalloc", "face_malloc");
    CHECK_VOID(shfree, (block), "face_free");
    block = shmem_calloc(3, 5);
    CHECK_CALL("shmem_calloc", "face_calloc");
    assert_int_equal(block[14], 0);
    shmem_free(block);
    block = shmem_align(256, 512);
    CHECK_CALL("shmem_align", "face_align");
    assert_int_equal(one_pe_number, 512);
    shmem_free(block);
    block = shmemalign(256, 512);
    CHECK_CALL("shmemalign", "face_align");
    assert_int_equal(one_pe_number, 512);
    shmem_free(block);
    block = shmem_malloc_with_hints(8, SHMEM_MALLOC_SIGNAL_REMOTE);
    CHECK_CALL("shmem_malloc_with_hints", "face_malloc_with_hints");
    assert_int_equal(one_pe_number, SHMEM_MALLOC_SIGNAL_REMOTE);
    CHECK_VOID(aclshmem_free, (block), "face_free");
    aclshmem_free(aclshmem_malloc(4));
    aclshmem_free(aclshmem_calloc(2, 4));
    aclshmem_free(aclshmem_align(64, 128));
    assert_int_equal(one_pe_number, 128);
}

static void test_aclshmem_life(void **state)
{
    aclshmemx_init_attr_t attributes = ACLSHMEMX_INIT_ATTR_INITIALIZER;
    aclshmemx_uniqueid_t uid = ACLSHMEM_UNIQUEID_INITIALIZER;

    (void)state;
    assert_int_equal(aclshmemx_get_uniqueid(&uid), 0);
    CHECK_CALL("aclshmemx_get_uniqueid", "face_get_uniqueid");
    assert_int_equal(aclshmemx_set_attr_uniqueid_args(1, 2, 3, &uid, &attributes), 0);
    CHECK_CALL("aclshmemx_set_attr_uniqueid_args", "face_set_attr_uniqueid_args");
    assert_true(attributes.my_pe == 1 && attributes.n_pes == 2 && attributes.local_mem_size == 3);
    assert_ptr_equal(attributes.comm_args, &uid);
    assert_int_equal(aclshmemx_init_attr(ACLSHMEMX_INIT_MAX, &attributes), 0);
    assert_int_equal(one_pe_number, 2147483648);
    assert_int_equal(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_MPI, NULL), ACLSHMEM_INVALID_PARAM);
    CHECK_CALL("aclshmemx_init_attr", "face_init_attr");
    assert_int_equal(aclshmemx_init_status(), ACLSHMEM_STATUS_IS_INITIALIZED);
    CHECK_CALL("aclshmemx_init_status", "face_init_status");
    assert_int_equal(aclshmem_finalize(), ACLSHMEM_NOT_INITED);
    CHECK_CALL("aclshmem_finalize", "face_finalize");
    CHECK_VOID(aclshmem_global_exit, (44), "face_global_exit");
    assert_int_equal(one_pe_number, 44);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_typed_copies_move_whole_elements),
        cmocka_unit_test(test_strides_count_elements),
        cmocka_unit_test(test_aclshmem_twins_do_the_same),
        cmocka_unit_test(test_sized_copies_count_elements_of_that_size),
        cmocka_unit_test(test_mem_copies_count_bytes),
        cmocka_unit_test(test_extended_atomics_keep_value_and_sign),
        cmocka_unit_test(test_standard_atomics),
        cmocka_unit_test(test_bitwise_atomics),
        cmocka_unit_test(test_deprecated_atomics),
        cmocka_unit_test(test_comparisons_have_the_sign_of_the_type),
        cmocka_unit_test(test_deprecated_waits),
        cmocka_unit_test(test_life_and_order),
        cmocka_unit_test(test_queries),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_aclshmem_life),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
