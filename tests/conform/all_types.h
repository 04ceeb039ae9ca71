/* SPDX-License-Identifier: BSD-3-Clause */
/** The types of the specification's tables, written down once more: a test of types.tsv. */
#ifndef ALL_TYPES_H
#define ALL_TYPES_H

#define FOR_RMA_TYPES(F)                                                                           \
    F(float, float)                                                                                \
    F(double, double)                                                                              \
    F(longdouble, long double)                                                                     \
    F(char, char)                                                                                  \
    F(schar, signed char)                                                                          \
    F(short, short)                                                                                \
    F(int, int)                                                                                    \
    F(long, long)                                                                                  \
    F(longlong, long long)                                                                         \
    F(uchar, unsigned char)                                                                        \
    F(ushort, unsigned short)                                                                      \
    F(uint, unsigned int)                                                                          \
    F(ulong, unsigned long)                                                                        \
    F(ulonglong, unsigned long long)                                                               \
    F(int8, int8_t)                                                                                \
    F(int16, int16_t)                                                                              \
    F(int32, int32_t)                                                                              \
    F(int64, int64_t)                                                                              \
    F(uint8, uint8_t)                                                                              \
    F(uint16, uint16_t)                                                                            \
    F(uint32, uint32_t)                                                                            \
    F(uint64, uint64_t)                                                                            \
    F(size, size_t)                                                                                \
    F(ptrdiff, ptrdiff_t)

#define FOR_SIGNED_AMO_TYPES(F)                                                                    \
    F(int, int)                                                                                    \
    F(long, long)                                                                                  \
    F(longlong, long long)                                                                         \
    F(int32, int32_t)                                                                              \
    F(int64, int64_t)                                                                              \
    F(ptrdiff, ptrdiff_t)

#define FOR_UNSIGNED_AMO_TYPES(F)                                                                  \
    F(uint, unsigned int)                                                                          \
    F(ulong, unsigned long)                                                                        \
    F(ulonglong, unsigned long long)                                                               \
    F(uint32, uint32_t)                                                                            \
    F(uint64, uint64_t)                                                                            \
    F(size, size_t)

#define FOR_AMO_TYPES(F) FOR_SIGNED_AMO_TYPES(F) FOR_UNSIGNED_AMO_TYPES(F)

#define FOR_AMO_EXTENDED_TYPES(F) FOR_AMO_TYPES(F) F(float, float) F(double, double)

#define FOR_AMO_BITWISE_TYPES(F)                                                                   \
    F(uint, unsigned int)                                                                          \
    F(ulong, unsigned long)                                                                        \
    F(ulonglong, unsigned long long)                                                               \
    F(int32, int32_t)                                                                              \
    F(int64, int64_t)                                                                              \
    F(uint32, uint32_t)                                                                            \
    F(uint64, uint64_t)

#define FOR_REDUCE_BITWISE_TYPES(F)                                                                \
    F(uchar, unsigned char)                                                                        \
    F(ushort, unsigned short)                                                                      \
    F(uint, unsigned int)                                                                          \
    F(ulong, unsigned long)                                                                        \
    F(ulonglong, unsigned long long)                                                               \
    F(int8, int8_t)                                                                                \
    F(int16, int16_t)                                                                              \
    F(int32, int32_t)                                                                              \
    F(int64, int64_t)                                                                              \
    F(uint8, uint8_t)                                                                              \
    F(uint16, uint16_t)                                                                            \
    F(uint32, uint32_t)                                                                            \
    F(uint64, uint64_t)                                                                            \
    F(size, size_t)

#define FOR_REAL_TYPES(F)                                                                          \
    F(float, float)                                                                                \
    F(double, double)                                                                              \
    F(longdouble, long double)

#define FOR_COMPLEX_TYPES(F)                                                                       \
    F(complexf, float _Complex)                                                                    \
    F(complexd, double _Complex)

/* the integers of the reductions over active sets */
#define FOR_OLD_REDUCE_INTEGERS(F)                                                                 \
    F(short, short)                                                                                \
    F(int, int)                                                                                    \
    F(long, long)                                                                                  \
    F(longlong, long long)

#define FOR_SIZES(F) F(8) F(16) F(32) F(64) F(128)

#define FOR_ACLSHMEM_TYPES(F)                                                                      \
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

#endif
