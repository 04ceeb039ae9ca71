/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fork while another thread is in finalize, at the point where no call means the instance any
 * more: the child has its own copy of the static data all the same, and can start a job of its own.
 */
#include <aclshmem.h>
#include <pthread.h>
#include <semaphore.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

static int word = 1; /* symmetric */
static sem_t is_leaving, may_go_on;

/* Gets all messages; the thread of finalize stays here at one of them. */
static void hold_up(int level, const char *text)
{
    (void)level;
    if (strstr(text, "left the job") == NULL)
        return;
    sem_post(&is_leaving);
    sem_wait(&may_go_on);
}

static void *finalize(void *unused)
{
    (void)unused;
    shmem_finalize();
    return NULL;
}

static void be_child(void)
{
    alarm(20);
    EXPECT(word == 1);
    word = 2;
    EXPECT(aclshmemx_set_extern_logger(NULL) == 0);
    shmem_init();
    EXPECT(shmem_n_pes() == 1 && word == 2);
    shmem_finalize();
    EXPECT(word == 2);
    _exit(0);
}

int main(void)
{
    pthread_t thread;
    pid_t child;
    int provided;
    int status = -1;

    EXPECT(sem_init(&is_leaving, 0, 0) == 0 && sem_init(&may_go_on, 0, 0) == 0);
    EXPECT(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0);
    EXPECT(aclshmemx_set_extern_logger(hold_up) == 0);
    EXPECT(pthread_create(&thread, NULL, finalize, NULL) == 0);
    EXPECT(sem_wait(&is_leaving) == 0);
    child = fork();
    if (child == 0)
        be_child();
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT(word == 1);
    EXPECT(status == 0);
    sem_post(&may_go_on);
    EXPECT(pthread_join(thread, NULL) == 0);
    EXPECT(word == 1);
    return 0;
}
