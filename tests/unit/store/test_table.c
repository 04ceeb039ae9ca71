/* SPDX-License-Identifier: BSD-3-Clause */
#include "fixture.h"

static struct shm_store_slice key_of(int i, char text[16])
{
    return (struct shm_store_slice){text, (size_t)snprintf(text, 16, "key-%d", i)};
}

static void test_thousands_of_keys_are_found_and_removed(void **state)
{
    (void)state;
    struct shm_store_table table;
    struct shm_store_entry *entry;
    char text[16];

    assert_int_equal(shm_store_table_init(&table), SHM_OK);
    for (int i = 0; i < 5000; i++) {
        struct shm_store_slice key = key_of(i, text);

        assert_null(shm_store_table_find(&table, &key));
        assert_int_equal(shm_store_table_reach(&table, &key, &entry), SHM_OK);
        shm_store_entry_set(&table, entry, shm_store_buffer_create(&i, sizeof i));
    }
    assert_int_equal(table.value_count, 5000);
    assert_true(table.slot_count >= 4096);
    for (int i = 0; i < 5000; i++) {
        struct shm_store_slice key = key_of(i, text);

        entry = shm_store_table_find(&table, &key);
        assert_non_null(entry);
        assert_memory_equal(entry->value->data, &i, sizeof i);
        if (i % 2 == 0) {
            shm_store_entry_set(&table, entry, NULL);
            shm_store_table_tidy(&table, entry);
            assert_null(shm_store_table_find(&table, &key));
        } else {
            shm_store_table_tidy(&table, entry);
            assert_ptr_equal(shm_store_table_find(&table, &key), entry);
        }
    }
    assert_int_equal(table.value_count, 2500);
    assert_int_equal(table.entry_count, 2500);
    shm_store_table_fini(&table);
}

static void test_appending_leaves_shared_bytes_alone(void **state)
{
    (void)state;
    struct shm_store_table table;
    struct shm_store_entry *entry;
    struct shm_store_buffer *shared;
    struct shm_store_slice key = slice_of("key");
    struct shm_store_slice a = slice_of("first");
    struct shm_store_slice b = slice_of(" second");

    assert_int_equal(shm_store_table_init(&table), SHM_OK);
    assert_int_equal(shm_store_table_reach(&table, &key, &entry), SHM_OK);
    assert_int_equal(shm_store_entry_append(&table, entry, &a), SHM_OK);
    shared = shm_store_buffer_share(entry->value);
    assert_int_equal(shm_store_entry_append(&table, entry, &b), SHM_OK);
    assert_ptr_not_equal(entry->value, shared);
    assert_int_equal(shared->used, 5);
    assert_memory_equal(shared->data, "first", 5);
    assert_int_equal(entry->value->used, 12);
    assert_memory_equal(entry->value->data, "first second", 12);
    shm_store_buffer_release(shared);
    shm_store_table_fini(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thousands_of_keys_are_found_and_removed),
        cmocka_unit_test(test_appending_leaves_shared_bytes_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
