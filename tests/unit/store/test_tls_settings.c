/* SPDX-License-Identifier: BSD-3-Clause */
/* The text that names certificates, and the password of a key. No library of TLS is needed. */
#include "store/tls_internal.h"

#include "fixture.h"

static enum shm_status parse(const char *info, struct shm_store_tls_paths *paths)
{
    return shm_store_tls_paths_parse(info, strlen(info), paths);
}

static void test_pairs(void **state)
{
    (void)state;
    struct shm_store_tls_paths paths;

    assert_int_equal(parse(" tlsCaPath :/ca ;tlsCaFile: a.pem , /b.pem,c d.pem ;\n"
                           "tlsCert: mine.pem; tlsCrlPath: /crl/x; tlsCrlFile: r.pem;;"
                           " packagePath: /usr/lib; tlsPk: key; other: ; ",
                           &paths),
                     SHM_OK);
    assert_string_equal(paths.certificate, "mine.pem");
    assert_int_equal(paths.authorities.count, 3);
    assert_string_equal(paths.authorities.paths[0], "/ca/a.pem");
    assert_string_equal(paths.authorities.paths[1], "/b.pem");
    assert_string_equal(paths.authorities.paths[2], "/ca/c d.pem");
    assert_int_equal(paths.revocations.count, 1);
    assert_string_equal(paths.revocations.paths[0], "/crl/x/r.pem");
    shm_store_tls_paths_fini(&paths);
}

static void test_without_folder(void **state)
{
    (void)state;
    struct shm_store_tls_paths paths;
    const char *info = "tlsCert:c.pem;tlsCaFile:a.pem; and what lies behind the length";

    assert_int_equal(shm_store_tls_paths_parse(info, 30, &paths), SHM_OK);
    assert_string_equal(paths.certificate, "c.pem");
    assert_int_equal(paths.authorities.count, 1);
    assert_string_equal(paths.authorities.paths[0], "a.pem");
    assert_int_equal(paths.revocations.count, 0);
    shm_store_tls_paths_fini(&paths);
}

static void expect_bad(const char *info, const char *said)
{
    struct shm_store_tls_paths paths;

    assert_int_equal(parse(info, &paths), SHM_INVALID_PARAM);
    assert_non_null(strstr(shm_error_detail(), said));
    shm_store_tls_paths_fini(&paths);
}

static void test_what_is_missing_is_named(void **state)
{
    (void)state;
    struct shm_store_tls_paths paths;

    expect_bad("", "no tlsCert");
    expect_bad("tlsCert: ; tlsCaFile: a", "no tlsCert");
    expect_bad("tlsCert: c; tlsCaPath: /ca", "no tlsCaFile");
    expect_bad("tlsCert: c; tlsCaFile: , ,", "tlsCaFile of tls_info is an empty list");
    expect_bad("tlsCert: c; tlsCaFile: a; tlsCrlPath: /crl", "but no tlsCrlFile");
    expect_bad("tlsCert: c; tlsCaFile: a; tlsCrlFile: ,", "tlsCrlFile of tls_info is an empty");
    expect_bad("tlsCert: c; tlsCaFile a; more: b", "has \"tlsCaFile a\", expected \"key: value;\"");
    expect_bad("tlsCert: c; tlsCaFile: 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
               "more than 16 files");
    assert_int_equal(shm_store_tls_paths_parse(NULL, 0, &paths), SHM_INVALID_PARAM);
    assert_non_null(strstr(shm_error_detail(), "tls_info is NULL"));
}

/* ---- passwords ---- */

static int reverse(const char *cipher, size_t cipher_bytes, char *plain, size_t *plain_bytes)
{
    assert_true(*plain_bytes >= cipher_bytes);
    for (size_t i = 0; i < cipher_bytes; i++)
        plain[i] = cipher[cipher_bytes - 1 - i];
    *plain_bytes = cipher_bytes;
    return 0;
}

static int fail_with_5(const char *cipher, size_t cipher_bytes, char *plain, size_t *plain_bytes)
{
    (void)cipher;
    (void)cipher_bytes;
    (void)plain;
    (void)plain_bytes;
    return 5;
}

static int claim_too_much(const char *cipher, size_t cipher_bytes, char *plain, size_t *plain_bytes)
{
    (void)cipher;
    (void)cipher_bytes;
    (void)plain;
    *plain_bytes += 1;
    return 0;
}

static void test_password(void **state)
{
    (void)state;
    struct shm_bootstrap_tls settings = {.password = "terces", .password_bytes = 6};
    char password[SHM_STORE_TLS_PASSWORD_BYTES];

    assert_int_equal(shm_store_tls_password(&settings, password), SHM_OK);
    assert_string_equal(password, "terces");
    settings.decrypt = reverse;
    assert_int_equal(shm_store_tls_password(&settings, password), SHM_OK);
    assert_string_equal(password, "secret");
    settings.decrypt = fail_with_5;
    assert_int_equal(shm_store_tls_password(&settings, password), SHM_INVALID_PARAM);
    assert_non_null(strstr(shm_error_detail(), "decrypt handler returned 5"));
    settings.decrypt = claim_too_much;
    assert_int_equal(shm_store_tls_password(&settings, password), SHM_INVALID_PARAM);
    assert_non_null(strstr(shm_error_detail(), "password of 4096 bytes, expected at most 4095"));
    settings.decrypt = NULL;
    settings.password_bytes = sizeof password;
    assert_int_equal(shm_store_tls_password(&settings, password), SHM_INVALID_VALUE);
    settings.password = NULL;
    assert_int_equal(shm_store_tls_password(&settings, password), SHM_OK);
    assert_string_equal(password, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_without_folder),
        cmocka_unit_test(test_what_is_missing_is_named),
        cmocka_unit_test(test_password),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
