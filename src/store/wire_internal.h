/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Wire format of the store. A frame is, in little-endian order,
 *
 *     u32 bytes of the whole frame | u8 operation | u8 flags | u8 keys | u8 values |
 *     u32 sequence | i32 status | u64 number |
 *     u32 length of each key, then of each value | the keys | the values
 *
 * so that every length is known, and checked, before the bulk of the frame arrives.
 */
#ifndef SHM_STORE_WIRE_INTERNAL_H
#define SHM_STORE_WIRE_INTERNAL_H

#include "store/store.h"

enum shm_store_operation {
    SHM_STORE_HELLO = 1, /* one value: struct shm_store_hello */
    SHM_STORE_SET = 2,
    SHM_STORE_GET = 3, /* number: limit in ms, UINT64_MAX = none */
    SHM_STORE_ADD = 4, /* number: what is added */
    SHM_STORE_REMOVE = 5,
    SHM_STORE_APPEND = 6,
    SHM_STORE_CAS = 7,   /* values: expected, desired */
    SHM_STORE_ABORT = 8, /* status of the frame: exit status; has no reply */
    SHM_STORE_GOODBYE = 9,
    /* barrier in one exchange. Keys: who has come (a count), what the last one sets, and old ones
     * that it removes. Waits for the second, as GET does, with the same number */
    SHM_STORE_MEET = 10,
    SHM_STORE_REPLY = 64, /* sequence of the request; a failure has one value, the reason */
    SHM_STORE_NOTICE = 65 /* number: rank << 32 | exit status; one value, the reason */
};

/* Flag of GET: past its limit, everyone who waits on the same key gives up at once. */
#define SHM_STORE_GROUP 1u

#define SHM_STORE_HEADER_BYTES 24u
#define SHM_STORE_HEAD_BYTES_MAX (SHM_STORE_HEADER_BYTES + 4 * 2 * SHM_STORE_ITEMS_MAX)
#define SHM_STORE_FRAME_BYTES_MAX                                                                  \
    (SHM_STORE_HEAD_BYTES_MAX +                                                                    \
     SHM_STORE_ITEMS_MAX * (SHM_STORE_KEY_BYTES_MAX + SHM_STORE_VALUE_BYTES_MAX))

#define SHM_STORE_MAGIC 0x534d4853u
#define SHM_STORE_VERSION 2u
#define SHM_STORE_HELLO_BYTES 24u
#define SHM_STORE_HELLO_FRAME_BYTES (SHM_STORE_HEADER_BYTES + 4 + SHM_STORE_HELLO_BYTES)

struct shm_store_frame {
    enum shm_store_operation operation;
    uint32_t flags;
    uint32_t key_count;
    uint32_t value_count;
    uint32_t sequence;
    int32_t status;
    uint64_t number;
    size_t bytes; /* of the whole frame; set by the parser */
    struct shm_store_slice keys[SHM_STORE_ITEMS_MAX];
    struct shm_store_slice values[SHM_STORE_ITEMS_MAX];
};

struct shm_store_hello {
    uint32_t magic;
    uint32_t version;
    uint32_t rank;
    uint32_t n_ranks;
    uint64_t job_id;
};

/**
 * Parses the frame at the start of `data`; its slices point into `data`. SHM_AGAIN (without a
 * detail) when it is not complete yet; SHM_PROTOCOL as soon as it cannot become a valid frame of
 * at most `limit_bytes`.
 */
SHM_MUST_CHECK enum shm_status shm_store_frame_parse(const uint8_t *data, size_t bytes,
                                                     size_t limit_bytes,
                                                     struct shm_store_frame *out_frame);

/** Writes header and lengths of a frame, which the keys and values must follow; returns their
 *  bytes. The caller has checked the limits. */
size_t shm_store_frame_write_head(const struct shm_store_frame *frame,
                                  uint8_t head[SHM_STORE_HEAD_BYTES_MAX]);

void shm_store_hello_write(const struct shm_store_hello *hello,
                           uint8_t bytes[SHM_STORE_HELLO_BYTES]);
void shm_store_hello_read(const uint8_t bytes[SHM_STORE_HELLO_BYTES],
                          struct shm_store_hello *out_hello);

/** Bytes received and not yet consumed. Grows as they arrive; holds no memory when empty. */
struct shm_store_reader {
    uint8_t *data;
    size_t capacity;
    size_t used;
    size_t dropped; /* consumed bytes at the start */
};

/** Makes room for at least one more byte. */
SHM_MUST_CHECK enum shm_status shm_store_reader_room(struct shm_store_reader *reader,
                                                     uint8_t **out_room, size_t *out_bytes);

/** Parses the first frame that is not consumed. */
SHM_MUST_CHECK enum shm_status shm_store_reader_peek(const struct shm_store_reader *reader,
                                                     size_t limit_bytes,
                                                     struct shm_store_frame *out_frame);

/** Consumes `bytes` bytes. */
void shm_store_reader_drop(struct shm_store_reader *reader, size_t bytes);

/** Consumes the first frame, of `bytes` bytes, and hands over the block in which its slices
 *  lie. */
SHM_MUST_CHECK enum shm_status shm_store_reader_take(struct shm_store_reader *reader, size_t bytes,
                                                     void **out_block);

void shm_store_reader_fini(struct shm_store_reader *reader);

#endif
