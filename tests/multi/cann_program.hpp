// SPDX-License-Identifier: BSD-3-Clause
// PEs of a C++ program that is written as those for CANN SHMEM are: it forks them itself.
#ifndef CANN_PROGRAM_HPP
#define CANN_PROGRAM_HPP

#include "host/shmem_host_def.h"
#include "shmem.h"

#include <arpa/inet.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "PE %d: %s:%d: %s\n", shmem_my_pe(), __FILE__, __LINE__,          \
                         #condition);                                                              \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

// "127.0.0.1:port", with a port that was free a moment ago
inline std::string find_host_and_port()
{
    sockaddr_in any{};
    socklen_t bytes = sizeof any;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(fd, reinterpret_cast<sockaddr *>(&any), bytes) != 0 ||
        getsockname(fd, reinterpret_cast<sockaddr *>(&any), &bytes) != 0)
        std::abort();
    close(fd);
    return "127.0.0.1:" + std::to_string(ntohs(any.sin_port));
}

// "[::1]:port", or nothing where there is no IPv6
inline std::string find_ipv6_host_and_port()
{
    sockaddr_in6 any{};
    socklen_t bytes = sizeof any;
    int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);

    any.sin6_family = AF_INET6;
    any.sin6_addr = in6addr_loopback;
    bool is_bound = fd >= 0 && bind(fd, reinterpret_cast<sockaddr *>(&any), bytes) == 0 &&
                    getsockname(fd, reinterpret_cast<sockaddr *>(&any), &bytes) == 0;
    if (fd >= 0)
        close(fd);
    return is_bound ? "[::1]:" + std::to_string(ntohs(any.sin6_port)) : "";
}

// PE 0 tells the others by pipes that were there before the fork.
class Announcement
{
  public:
    explicit Announcement(int n_pes) : pipes(static_cast<size_t>(n_pes))
    {
        for (Pipe &one : pipes)
            if (pipe(one.ends) != 0)
                std::abort();
    }

    ~Announcement()
    {
        for (const Pipe &one : pipes) {
            close(one.ends[0]);
            close(one.ends[1]);
        }
    }

    Announcement(const Announcement &) = delete;
    Announcement &operator=(const Announcement &) = delete;

    void tell(const shmem_uniqueid_t &id) const
    {
        for (const Pipe &one : pipes)
            EXPECT(write(one.ends[1], &id, sizeof id) == static_cast<ssize_t>(sizeof id));
    }

    void hear(int pe, shmem_uniqueid_t &id) const
    {
        const Pipe &mine = pipes[static_cast<size_t>(pe)];

        EXPECT(read(mine.ends[0], &id, sizeof id) == static_cast<ssize_t>(sizeof id));
    }

  private:
    struct Pipe {
        int ends[2];
    };

    std::vector<Pipe> pipes;
};

// Runs body(pe) in n_pes processes; whether all of them ended well.
template <typename Body> bool run_pes(int n_pes, Body body)
{
    std::vector<pid_t> pids;
    bool good = true;

    for (int pe = 0; pe < n_pes; pe++) {
        pid_t pid = fork();

        if (pid == 0) {
            alarm(60);
            body(pe);
            _exit(0);
        }
        pids.push_back(pid);
    }
    for (pid_t pid : pids) {
        int status = 1;

        good = waitpid(pid, &status, 0) == pid && status == 0 && good;
    }
    return good;
}

#endif
