// SPDX-License-Identifier: BSD-3-Clause
// A C++ program for CANN SHMEM, with its short names and headers: data, streams, signals, teams,
// order.
#include "cann_program.hpp"
#include "host/data_plane/shmem_host_cc.h"
#include "host/data_plane/shmem_host_rma.h"
#include "host/data_plane/shmem_host_so.h"
#include "host/team/shmem_host_team.h"

namespace
{

const int N_PES = 4;

void check_addresses(int pe)
{
    auto *words = static_cast<int64_t *>(shmem_malloc(16 * sizeof(int64_t)));
    int64_t outside = 0;

    EXPECT(words != nullptr && shmem_ptr(words, pe) == words);
    for (int other = 0; other < N_PES; other++) {
        auto *first = static_cast<int64_t *>(shmem_ptr(words, other));

        EXPECT(first != nullptr);
        EXPECT(static_cast<int64_t *>(shmem_ptr(words + 1, other)) - first == 1);
    }
    EXPECT(shmem_ptr(words, -1) == nullptr && shmem_ptr(words, N_PES) == nullptr);
    EXPECT(shmem_ptr(&outside, pe) == nullptr);
    shmem_free(words);
}

// one type after the other, by the macros that CANN SHMEM has for it
template <typename T, typename Put, typename Get>
void check_type(int pe, Put put, Put put_nbi, Get get, Get get_nbi)
{
    auto *row = static_cast<T *>(shmem_calloc(2 * 16, sizeof(T)));
    T mine[16], got[16];
    int right = (pe + 1) % N_PES;

    EXPECT(row != nullptr);
    for (int i = 0; i < 16; i++)
        mine[i] = static_cast<T>(20 * pe + i);
    put(row, mine, 16, right);
    put_nbi(row + 16, mine, 15, right);
    aclshmem_barrier_all();
    for (int other = 0; other < N_PES; other++) {
        T writer = static_cast<T>((other + N_PES - 1) % N_PES);

        get(got, row, 16, other);
        EXPECT(got[0] == 20 * writer && got[15] == 20 * writer + 15);
        get_nbi(got, row + 16, 16, other);
        aclshmem_sync_all();
        EXPECT(got[14] == 20 * writer + 14 && got[15] == 0);
    }
    aclshmem_barrier_all();
    shmem_free(row);
}

void check_types(int pe)
{
#define CHECK(name, type)                                                                          \
    check_type<type>(pe, &shmem_put_##name##_mem, &shmem_put_##name##_mem_nbi,                     \
                     &shmem_get_##name##_mem, &shmem_get_##name##_mem_nbi)
    CHECK(float, float);
    CHECK(double, double);
    CHECK(char, char);
    CHECK(int8, int8_t);
    CHECK(int16, int16_t);
    CHECK(int32, int32_t);
    CHECK(int64, int64_t);
    CHECK(uint8, uint8_t);
    CHECK(uint16, uint16_t);
    CHECK(uint32, uint32_t);
    CHECK(uint64, uint64_t);
#undef CHECK
}

// bytes to oneself, the rest unchanged; 16 bytes from everybody
void check_bytes(int pe)
{
    auto *bytes = static_cast<char *>(shmem_malloc(64));
    char pattern[16], got[16];

    std::memset(bytes, 'x', 64);
    std::memset(pattern, 'a' + pe, sizeof pattern);
    shmem_putmem(bytes, pattern, sizeof pattern, pe);
    EXPECT(aclrtSynchronizeStream(nullptr) == ACL_SUCCESS); // not needed, but programs do it
    EXPECT(std::memcmp(bytes, pattern, 16) == 0 && bytes[16] == 'x' && bytes[63] == 'x');
    aclshmem_barrier_all();
    for (int other = 0; other < N_PES; other++) {
        shmem_getmem(got, bytes, sizeof got, other);
        EXPECT(got[0] == 'a' + other && got[15] == 'a' + other);
    }
    aclshmem_barrier_all();
    shmem_free(bytes);
}

// to the right neighbour and back in a stream, which is complete when it has been waited for
void check_stream(int pe, aclrtStream stream)
{
    auto *words = static_cast<uint64_t *>(shmem_calloc(8, sizeof(uint64_t)));
    uint64_t mine[8], got[8];
    int right = (pe + 1) % N_PES, left = (pe + N_PES - 1) % N_PES;

    for (uint64_t &word : mine)
        word = 1000 + static_cast<uint64_t>(pe);
    shmemx_putmem_on_stream(words, mine, sizeof mine, right, stream);
    shmem_handle_wait(aclshmem_handle_t{ACLSHMEM_TEAM_WORLD}, stream);
    shmemx_barrier_all_on_stream(stream);
    shmemx_getmem_on_stream(got, words, sizeof got, right, stream);
    EXPECT(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
    EXPECT(words[0] == 1000 + static_cast<uint64_t>(left) && words[7] == words[0]);
    EXPECT(got[0] == mine[0] && got[7] == mine[0]);
    aclshmem_barrier_all();
    shmem_free(words);
}

void check_signals(int pe)
{
    auto *data = static_cast<double *>(shmem_calloc(8, sizeof(double)));
    auto *signal = static_cast<int32_t *>(shmem_calloc(2, sizeof(int32_t)));
    double mine[8];
    int right = (pe + 1) % N_PES, left = (pe + N_PES - 1) % N_PES;

    for (double &value : mine)
        value = pe + 0.5;
    shmem_put_double_mem_signal(data, mine, 8, reinterpret_cast<uint8_t *>(signal), 6,
                                ACLSHMEM_SIGNAL_SET, right);
    aclshmem_signal_wait_until(signal, ACLSHMEM_CMP_EQ, 6);
    EXPECT(data[0] == left + 0.5 && data[7] == left + 0.5);
    aclshmem_barrier_all();
    signal[1] = pe;
    aclshmem_barrier_all();
    shmem_putmem_signal(data, mine, sizeof mine, signal + 1, 10, ACLSHMEM_SIGNAL_ADD, right);
    aclshmem_signal_wait_until(signal + 1, ACLSHMEM_CMP_EQ, pe + 10);
    aclshmem_barrier_all();
    shmem_free(signal);
    shmem_free(data);
}

// two values in the neighbour's memory: whoever sees the second one sees the first
void check_order(int pe)
{
    auto *words = static_cast<int64_t *>(shmem_calloc(2, sizeof(int64_t)));
    int right = (pe + 1) % N_PES;

    aclshmem_barrier_all();
    for (int64_t round = 1; round <= 200; round++) {
        shmem_int64_p(words, round, right);
        shmem_int64_p(words + 1, round, right);
        aclshmem_int64_wait_until(words + 1, ACLSHMEM_CMP_GE, round);
        EXPECT(*static_cast<volatile int64_t *>(words) >= round);
    }
    aclshmem_barrier_all();
    shmem_free(words);
}

void check_team(int pe)
{
    aclshmem_team_t odd = ACLSHMEM_TEAM_INVALID;

    EXPECT(shmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 1, 2, N_PES / 2, &odd) == 0);
    if (pe % 2 == 1) {
        EXPECT(shmem_team_n_pes(odd) == N_PES / 2 && shmem_team_my_pe(odd) == pe / 2);
        EXPECT(shmem_team_translate_pe(odd, pe / 2, ACLSHMEM_TEAM_WORLD) == pe);
        aclshmem_barrier(odd);
    } else {
        EXPECT(odd == ACLSHMEM_TEAM_INVALID);
    }
    EXPECT(shmem_my_pe() == pe && shmem_n_pes() == N_PES);
    aclshmem_barrier_all();
    shmem_team_destroy(odd);
}

} // namespace

int main()
{
    std::string address = "tcp://" + find_host_and_port();
    bool good = run_pes(N_PES, [&](int pe) {
        shmem_init_attr_t attributes;
        aclrtStream stream = nullptr;

        EXPECT(aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(pe) == ACL_SUCCESS);
        EXPECT(aclrtCreateStream(&stream) == ACL_SUCCESS);
        attributes.my_pe = pe;
        attributes.n_pes = N_PES;
        attributes.local_mem_size = 1024 * 1024;
        std::strncpy(attributes.ip_port, address.c_str(), sizeof attributes.ip_port - 1);
        EXPECT(shmem_set_conf_store_tls(false, nullptr, 0) == ACLSHMEM_SUCCESS);
        EXPECT(shmem_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == ACLSHMEM_SUCCESS);
        check_addresses(pe);
        check_types(pe);
        check_bytes(pe);
        check_stream(pe, stream);
        check_signals(pe);
        check_order(pe);
        check_team(pe);
        EXPECT(shmem_finalize() == ACLSHMEM_SUCCESS);
        EXPECT(aclrtDestroyStream(stream) == ACL_SUCCESS);
        EXPECT(aclrtResetDevice(pe) == ACL_SUCCESS && aclFinalize() == ACL_SUCCESS);
    });

    return good ? 0 : 1;
}
