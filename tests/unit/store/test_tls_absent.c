/* SPDX-License-Identifier: BSD-3-Clause */
/* The build without OpenSSL refuses TLS with a line that says why. */
#include "fixture.h"

static void test_tls_is_refused(void **state)
{
    (void)state;
    const struct shm_bootstrap_tls settings = {.bytes = sizeof settings,
                                               .info = "tlsCert: c; tlsCaFile: a"};
    struct shm_store_tls *tls = NULL;

    assert_int_equal(shm_store_tls_create(&settings, &tls), SHM_NOT_SUPPORTED);
    assert_null(tls);
    assert_non_null(strstr(shm_error_detail(), "built without OpenSSL"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tls_is_refused)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
