/* SPDX-License-Identifier: BSD-3-Clause */
/** Certificates made on the spot, for tests of TLS; aborts when OpenSSL does not do as told. */
#ifndef HARNESS_CERTIFICATES_H
#define HARNESS_CERTIFICATES_H

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CERTIFICATES_DAY (24l * 60 * 60)
#define CERTIFICATES_KEY_BYTES 2048

struct authority {
    EVP_PKEY *key;
    X509 *certificate;
    char file[256]; /* where its certificate lies */
};

/** A certificate that a PE shows, and its private key. */
struct credentials {
    char file[256]; /* where the certificate lies */
    char key[CERTIFICATES_KEY_BYTES];
    long serial;
};

/** What a certificate says. */
struct certificate_wish {
    const char *name;
    const char *hosts;    /* "DNS:host,IP:127.0.0.1"; NULL = none */
    const char *password; /* of the key; NULL = none */
    long serial;
    long ends_in_s; /* may be negative: it has ended already */
};

static inline void certificates_require(int is_well, const char *what)
{
    if (is_well)
        return;
    fprintf(stderr, "certificates: %s failed\n", what);
    abort();
}

static inline X509 *certificates_draft(const char *name, long serial, long ends_in_s, EVP_PKEY *key)
{
    X509 *draft = X509_new();
    X509_NAME *subject = X509_NAME_new();

    certificates_require(draft != NULL && subject != NULL, "X509_new");
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const unsigned char *)name, -1, -1, 0);
    X509_set_version(draft, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(draft), serial);
    X509_gmtime_adj(X509_getm_notBefore(draft), -10 * CERTIFICATES_DAY);
    X509_gmtime_adj(X509_getm_notAfter(draft), ends_in_s);
    X509_set_subject_name(draft, subject);
    X509_set_pubkey(draft, key);
    X509_NAME_free(subject);
    return draft;
}

static inline void certificates_extend(X509 *draft, int kind, const char *value)
{
    X509V3_CTX context;
    X509_EXTENSION *extension;

    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, draft, draft, NULL, NULL, 0);
    extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    certificates_require(extension != NULL && X509_add_ext(draft, extension, -1), value);
    X509_EXTENSION_free(extension);
}

static inline FILE *certificates_create_file(const char *path)
{
    FILE *file = fopen(path, "we");

    certificates_require(file != NULL, path);
    return file;
}

static inline void certificates_write(X509 *certificate, const char *path)
{
    FILE *file = certificates_create_file(path);

    certificates_require(PEM_write_X509(file, certificate), path);
    fclose(file);
}

/** Makes an authority; its certificate goes to folder/name.pem. */
static inline void authority_make(struct authority *authority, const char *folder, const char *name)
{
    authority->key = EVP_EC_gen("P-256");
    certificates_require(authority->key != NULL, "EVP_EC_gen");
    authority->certificate = certificates_draft(name, 1, 10 * CERTIFICATES_DAY, authority->key);
    X509_set_issuer_name(authority->certificate, X509_get_subject_name(authority->certificate));
    certificates_extend(authority->certificate, NID_basic_constraints, "critical,CA:TRUE");
    certificates_extend(authority->certificate, NID_key_usage, "critical,keyCertSign,cRLSign");
    certificates_require(X509_sign(authority->certificate, authority->key, EVP_sha256()),
                         "X509_sign");
    snprintf(authority->file, sizeof authority->file, "%s/%s.pem", folder, name);
    certificates_write(authority->certificate, authority->file);
}

static inline void authority_release(struct authority *authority)
{
    X509_free(authority->certificate);
    EVP_PKEY_free(authority->key);
}

static inline void credentials_write_key(struct credentials *credentials, EVP_PKEY *key,
                                         const char *password)
{
    BIO *text = BIO_new(BIO_s_mem());
    int bytes = 0;

    certificates_require(text != NULL &&
                             PEM_write_bio_PKCS8PrivateKey(
                                 text, key, password == NULL ? NULL : EVP_aes_256_cbc(), password,
                                 password == NULL ? 0 : (int)strlen(password), NULL, NULL),
                         "writing a key");
    bytes = BIO_read(text, credentials->key, CERTIFICATES_KEY_BYTES - 1);
    certificates_require(bytes > 0, "reading a key");
    credentials->key[bytes] = '\0';
    BIO_free(text);
}

/** Makes a certificate for PEs in folder/name.pem, signed by the authority. */
static inline void credentials_make(struct credentials *credentials,
                                    const struct authority *authority, const char *folder,
                                    const struct certificate_wish *wish)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate;

    certificates_require(key != NULL, "EVP_EC_gen");
    certificate = certificates_draft(wish->name, wish->serial, wish->ends_in_s, key);
    X509_set_issuer_name(certificate, X509_get_subject_name(authority->certificate));
    certificates_extend(certificate, NID_basic_constraints, "CA:FALSE");
    if (wish->hosts != NULL)
        certificates_extend(certificate, NID_subject_alt_name, wish->hosts);
    certificates_require(X509_sign(certificate, authority->key, EVP_sha256()), "X509_sign");
    snprintf(credentials->file, sizeof credentials->file, "%s/%s.pem", folder, wish->name);
    certificates_write(certificate, credentials->file);
    credentials_write_key(credentials, key, wish->password);
    credentials->serial = wish->serial;
    X509_free(certificate);
    EVP_PKEY_free(key);
}

/** Writes the authority's list of revoked certificates: the one with that serial number. */
static inline void authority_revoke(const struct authority *authority, long serial,
                                    const char *path)
{
    X509_CRL *list = X509_CRL_new();
    X509_REVOKED *revoked = X509_REVOKED_new();
    ASN1_INTEGER *number = ASN1_INTEGER_new();
    ASN1_TIME *now = X509_gmtime_adj(NULL, -60);
    ASN1_TIME *next = X509_gmtime_adj(NULL, CERTIFICATES_DAY);
    FILE *file = certificates_create_file(path);

    certificates_require(list != NULL && revoked != NULL && number != NULL && now != NULL &&
                             next != NULL,
                         "X509_CRL_new");
    ASN1_INTEGER_set(number, serial);
    X509_REVOKED_set_serialNumber(revoked, number);
    X509_REVOKED_set_revocationDate(revoked, now);
    X509_CRL_set_version(list, 1);
    X509_CRL_set_issuer_name(list, X509_get_subject_name(authority->certificate));
    X509_CRL_set1_lastUpdate(list, now);
    X509_CRL_set1_nextUpdate(list, next);
    X509_CRL_add0_revoked(list, revoked); /* the list's now */
    certificates_require(
        X509_CRL_sign(list, authority->key, EVP_sha256()) && PEM_write_X509_CRL(file, list), path);
    fclose(file);
    ASN1_INTEGER_free(number);
    ASN1_TIME_free(now);
    ASN1_TIME_free(next);
    X509_CRL_free(list);
}

#endif
