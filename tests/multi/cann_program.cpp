// SPDX-License-Identifier: BSD-3-Clause
// A C++ program for CANN SHMEM, with its short names and headers: how PEs meet, and what it
// refuses.
#include "cann_program.hpp"

#include "host/init/shmem_host_init.h"
#include "host/mem/shmem_host_heap.h"

namespace
{

const int N_PES = 3;
const uint64_t HEAP_BYTES = 4UL * 1024 * 1024;

shmem_init_attr_t attributes_for(int pe, const std::string &host_and_port)
{
    shmem_init_attr_t attributes;

    attributes.my_pe = pe;
    attributes.n_pes = N_PES;
    attributes.local_mem_size = HEAP_BYTES;
    std::snprintf(attributes.ip_port, sizeof attributes.ip_port, "tcp://%s", host_and_port.c_str());
    return attributes;
}

void use_and_end(int pe)
{
    int right = (pe + 1) % N_PES, left = (pe + N_PES - 1) % N_PES;

    EXPECT(shmem_init_status() == ACLSHMEM_STATUS_IS_INITIALIZED);
    EXPECT(shmem_my_pe() == pe && shmem_n_pes() == N_PES);
    EXPECT(aclshmemx_get_heap_base() != nullptr);
    EXPECT(aclshmemx_get_heap_base() == aclshmemx_get_heap_base(DEVICE_SIDE));
    auto *words = static_cast<int32_t *>(shmem_calloc(N_PES, sizeof(int32_t)));
    EXPECT(words != nullptr);
    shmem_int32_p(words + pe, 10 + pe, right);
    aclshmem_barrier_all();
    EXPECT(words[left] == 10 + left);
    EXPECT(shmem_int32_g(words + pe, right) == 10 + pe);
    aclshmem_barrier_all();
    shmem_free(words);
    EXPECT(shmem_finalize() == ACLSHMEM_SUCCESS);
    EXPECT(shmem_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
}

void meet_at_address(int pe, const std::string &host_and_port)
{
    shmem_init_attr_t attributes = attributes_for(pe, host_and_port);

    EXPECT(shmem_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == ACLSHMEM_SUCCESS);
}

void meet_by_id(int pe, const Announcement &announcement)
{
    shmem_uniqueid_t id = ACLSHMEM_UNIQUEID_INITIALIZER;
    shmem_init_attr_t attributes;

    if (pe == 0) {
        EXPECT(shmem_get_uniqueid(&id) == ACLSHMEM_SUCCESS);
        EXPECT(id.version == 65672);
        announcement.tell(id);
    }
    announcement.hear(pe, id);
    EXPECT(shmem_set_attr_uniqueid_args(pe, N_PES, HEAP_BYTES, &id, &attributes) == 0);
    EXPECT(attributes.my_pe == pe && attributes.n_pes == N_PES);
    EXPECT(attributes.local_mem_size == HEAP_BYTES && attributes.comm_args != nullptr);
    EXPECT(shmem_init_attr(ACLSHMEMX_INIT_WITH_UNIQUEID, &attributes) == ACLSHMEM_SUCCESS);
}

// three times in one process: the port must be free after finalize
bool test_address()
{
    std::string address = find_host_and_port();

    return run_pes(N_PES, [&](int pe) {
        for (int round = 0; round < 3; round++) {
            meet_at_address(pe, address);
            use_and_end(pe);
        }
    });
}

bool test_unique_id()
{
    Announcement announcement(N_PES);

    return run_pes(N_PES, [&](int pe) {
        for (int round = 0; round < 5; round++) {
            meet_by_id(pe, announcement);
            use_and_end(pe);
        }
    });
}

// by id and at the address, in turn, with one port
bool test_both_in_turn()
{
    std::string address = find_host_and_port();
    Announcement announcement(N_PES);

    setenv("SHMEM_UID_SESSION_ID", address.c_str(), 1);
    bool good = run_pes(N_PES, [&](int pe) {
        for (int round = 0; round < 3; round++) {
            meet_by_id(pe, announcement);
            use_and_end(pe);
            meet_at_address(pe, address);
            use_and_end(pe);
        }
    });
    unsetenv("SHMEM_UID_SESSION_ID");
    return good;
}

bool test_default_takes_an_id_where_there_is_no_address()
{
    Announcement announcement(N_PES);

    return run_pes(N_PES, [&](int pe) {
        shmem_uniqueid_t id;
        shmem_init_attr_t attributes;

        if (pe == 0) {
            EXPECT(shmem_get_uniqueid(&id) == ACLSHMEM_SUCCESS);
            announcement.tell(id);
        }
        announcement.hear(pe, id);
        EXPECT(shmem_set_attr_uniqueid_args(pe, N_PES, HEAP_BYTES, &id, &attributes) == 0);
        attributes.ip_port[0] = '\0';
        EXPECT(shmem_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == ACLSHMEM_SUCCESS);
        use_and_end(pe);
    });
}

bool test_a_second_init_is_refused()
{
    std::string address = find_host_and_port();

    return run_pes(N_PES, [&](int pe) {
        shmem_init_attr_t attributes = attributes_for(pe, address);

        EXPECT(shmem_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == ACLSHMEM_SUCCESS);
        EXPECT(shmem_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == ACLSHMEM_INNER_ERROR);
        use_and_end(pe);
        meet_at_address(pe, address);
        use_and_end(pe);
    });
}

// localhost is a name; an underscore belongs to none
bool test_names_of_hosts()
{
    return run_pes(1, [&](int) {
        std::string port = find_host_and_port().substr(std::strlen("127.0.0.1"));
        shmem_init_attr_t attributes = attributes_for(0, "localhost" + port);

        attributes.n_pes = 1;
        EXPECT(shmem_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == ACLSHMEM_SUCCESS);
        EXPECT(shmem_finalize() == ACLSHMEM_SUCCESS);
        attributes = attributes_for(0, "nonexistent_host_invalid_12345:9999");
        EXPECT(shmem_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == ACLSHMEM_INVALID_PARAM);
        EXPECT(shmem_finalize() == ACLSHMEM_SUCCESS);
    });
}

// IPv6 without a network, or nothing where the machine has none
bool test_ipv6()
{
    std::string session = find_ipv6_host_and_port();

    if (session.empty()) {
        std::printf("no IPv6 here\n");
        return true;
    }
    Announcement announcement(N_PES);

    setenv("SHMEM_UID_SESSION_ID", session.c_str(), 1);
    bool good = run_pes(N_PES, [&](int pe) {
        shmem_init_attr_t attributes = attributes_for(pe, "");

        meet_by_id(pe, announcement);
        use_and_end(pe);
        std::snprintf(attributes.ip_port, sizeof attributes.ip_port, "tcp6://%s", session.c_str());
        EXPECT(shmem_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == ACLSHMEM_SUCCESS);
        use_and_end(pe);
    });
    unsetenv("SHMEM_UID_SESSION_ID");
    return good;
}

// attributes as older programs fill them: zeros, then a list that leaves out the socket
bool test_old_attributes()
{
    std::string address = find_host_and_port();

    return run_pes(N_PES, [&](int pe) {
        shmem_init_attr_t attributes;

        std::memset(static_cast<void *>(&attributes), 0, sizeof attributes);
        attributes.my_pe = pe;
        attributes.n_pes = N_PES;
        attributes.local_mem_size = HEAP_BYTES;
        std::snprintf(attributes.ip_port, sizeof attributes.ip_port, "tcp://%s", address.c_str());
        attributes.option_attr = {(1 << 16) + static_cast<int>(sizeof(shmem_init_optional_attr_t)),
                                  ACLSHMEM_DATA_OP_MTE,
                                  DEFAULT_TIMEOUT,
                                  DEFAULT_TIMEOUT,
                                  DEFAULT_TIMEOUT,
                                  0};
        EXPECT(shmem_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == ACLSHMEM_SUCCESS);
        use_and_end(pe);
    });
}

// more than the machine has, of which nothing is touched
bool test_a_large_heap()
{
    return run_pes(1, [&](int) {
        shmem_init_attr_t attributes = attributes_for(0, find_host_and_port());

        attributes.n_pes = 1;
        attributes.local_mem_size = 38UL * 1024 * 1024 * 1024;
        setenv("SHMEM_OVERCOMMIT", "1", 1);
        EXPECT(shmem_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == ACLSHMEM_SUCCESS);
        EXPECT(shmem_finalize() == ACLSHMEM_SUCCESS);
        attributes.local_mem_size = 41UL * 1024 * 1024 * 1024;
        EXPECT(shmem_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == ACLSHMEM_INVALID_VALUE);
    });
}

// nobody else comes: the limit ends it, and the next attempt is a new one
bool test_the_limit_for_meeting()
{
    return run_pes(1, [&](int) {
        for (int pe = 0; pe < 2; pe++) {
            shmem_init_attr_t attributes = attributes_for(pe, find_host_and_port());

            attributes.option_attr.shm_init_timeout = 1;
            EXPECT(shmem_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) < 0);
            EXPECT(shmem_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
        }
    });
}

// PE 1 stays away from finalize until PE 0 has given up waiting for it
bool test_a_pe_that_does_not_finalize()
{
    std::string address = find_host_and_port();
    Announcement announcement(N_PES);

    return run_pes(2, [&](int pe) {
        shmem_init_attr_t attributes = attributes_for(pe, address);
        shmem_uniqueid_t end = ACLSHMEM_UNIQUEID_INITIALIZER;

        attributes.n_pes = 2;
        attributes.option_attr.control_operation_timeout = 1;
        EXPECT(shmem_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == ACLSHMEM_SUCCESS);
        if (pe == 1) {
            announcement.hear(pe, end);
            _exit(0);
        }
        EXPECT(shmem_finalize() < 0);
        EXPECT(shmem_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
        announcement.tell(end);
    });
}

bool test_wrong_ids()
{
    return run_pes(1, [&](int) {
        shmem_uniqueid_t id = ACLSHMEM_UNIQUEID_INITIALIZER;
        shmem_init_attr_t attributes;
        int64_t too_large = static_cast<int64_t>(ACLSHMEM_MAX_LOCAL_SIZE) + 1;

        EXPECT(shmem_get_uniqueid(nullptr) == ACLSHMEM_INVALID_PARAM);
        EXPECT(shmem_set_attr_uniqueid_args(0, 1, too_large, &id, &attributes) ==
               ACLSHMEM_INVALID_VALUE);
        EXPECT(shmem_set_attr_uniqueid_args(0, 16385, HEAP_BYTES, &id, &attributes) ==
               ACLSHMEM_INVALID_VALUE);
        EXPECT(shmem_set_attr_uniqueid_args(16384, 16384, HEAP_BYTES, &id, &attributes) ==
               ACLSHMEM_INVALID_VALUE);
        EXPECT(shmem_set_attr_uniqueid_args(0, 1, HEAP_BYTES, &id, &attributes) == 0);
        // an id that nobody made has no address
        EXPECT(shmem_init_attr(ACLSHMEMX_INIT_WITH_UNIQUEID, &attributes) ==
               ACLSHMEM_INVALID_PARAM);
        attributes.comm_args = nullptr;
        EXPECT(shmem_init_attr(ACLSHMEMX_INIT_WITH_UNIQUEID, &attributes) ==
               ACLSHMEM_INVALID_PARAM);
        EXPECT(shmem_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
    });
}

} // namespace

int main()
{
    struct {
        const char *name;
        bool (*run)();
    } tests[] = {
        {"address", test_address},
        {"unique id", test_unique_id},
        {"both in turn", test_both_in_turn},
        {"default takes an id", test_default_takes_an_id_where_there_is_no_address},
        {"second init", test_a_second_init_is_refused},
        {"names of hosts", test_names_of_hosts},
        {"IPv6", test_ipv6},
        {"old attributes", test_old_attributes},
        {"large heap", test_a_large_heap},
        {"limit for meeting", test_the_limit_for_meeting},
        {"no finalize", test_a_pe_that_does_not_finalize},
        {"wrong ids", test_wrong_ids},
    };

    int failed = 0;

    for (const auto &test : tests) {
        bool good = test.run();

        std::printf("%s: %s\n", test.name, good ? "good" : "FAILED");
        failed += !good;
    }
    return failed != 0;
}
