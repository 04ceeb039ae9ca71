/* SPDX-License-Identifier: BSD-3-Clause */
#include "program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const gdb_words[] = {"gdb", "-q", "--args", NULL};
static const char *const valgrind_words[] = {"valgrind",
                                             "-q",
                                             "--log-fd=2",
                                             "--error-exitcode=99",
                                             "--trace-children=no",
                                             "--child-silent-after-fork=yes",
                                             NULL};

/* 0, or the errno value that says why the file cannot be executed. */
static int check_executable(const char *path)
{
    struct stat found;

    if (stat(path, &found) != 0)
        return errno;
    if (S_ISDIR(found.st_mode))
        return EISDIR;
    return access(path, X_OK) == 0 ? 0 : errno;
}

/* Searches PATH as a shell does: a file that is there but not executable is the last resort. */
static int search(const char *name, char **out_path)
{
    const char *folders = getenv("PATH");
    const char *folder = folders == NULL ? "/usr/local/bin:/usr/bin:/bin" : folders;
    int reason = ENOENT;

    for (;;) {
        size_t folder_bytes = strcspn(folder, ":");
        char *path = NULL;
        int error;

        if (asprintf(&path, "%.*s%s%s", (int)folder_bytes, folder, folder_bytes == 0 ? "./" : "/",
                     name) < 0)
            return ENOMEM;
        error = check_executable(path);
        if (error == 0) {
            *out_path = path;
            return 0;
        }
        free(path);
        if (error == EACCES)
            reason = error;
        if (folder[folder_bytes] == '\0')
            return reason;
        folder += folder_bytes + 1;
    }
}

static int find_executable(const char *name, char **out_path)
{
    char *path;
    int error;

    if (name[0] == '\0')
        return ENOENT;
    if (strchr(name, '/') == NULL)
        return search(name, out_path);
    error = check_executable(name);
    if (error != 0)
        return error;
    path = strdup(name);
    if (path == NULL)
        return ENOMEM;
    *out_path = path;
    return 0;
}

static enum shm_status find_program(const char *name, char **out_path)
{
    int error = find_executable(name, out_path);

    if (error == 0)
        return SHM_OK;
    if (error == ENOENT || error == ENOTDIR)
        return shm_fail(SHM_NOT_FOUND, "program \"%.200s\" not found%s", name,
                        strchr(name, '/') == NULL ? " in PATH" : "");
    return shm_fail_errno(SHM_REFUSED, error, "program \"%.200s\" cannot be executed", name);
}

static enum shm_status find_tool(const char *name, char **out_path)
{
    int error = find_executable(name, out_path);

    if (error == 0)
        return SHM_OK;
    return shm_fail_errno(SHM_INVALID_PARAM, error, "--%s needs %s in PATH", name, name);
}

/* Builds the argument list: the words of the tool, then those of the program. */
static enum shm_status join_words(const char *const *tool, char *const *program, char ***out_argv)
{
    size_t n_tool = 0;
    size_t n_program = 0;
    char **argv;

    while (tool != NULL && tool[n_tool] != NULL)
        n_tool++;
    while (program[n_program] != NULL)
        n_program++;
    argv = calloc(n_tool + n_program + 1, sizeof argv[0]);
    if (argv == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for %zu arguments", n_program);
    for (size_t i = 0; i < n_tool; i++)
        argv[i] = (char *)tool[i];
    for (size_t i = 0; i < n_program; i++)
        argv[n_tool + i] = program[i];
    *out_argv = argv;
    return SHM_OK;
}

static enum shm_status use_tool(struct command *command, const char *const *words,
                                char *const *program)
{
    enum shm_status status;

    free(command->path);
    command->path = NULL;
    status = find_tool(words[0], &command->path);
    return status == SHM_OK ? join_words(words, program, &command->argv) : status;
}

enum shm_status program_init(struct program *program, const struct arguments *arguments)
{
    enum shm_status status;

    *program = (struct program){.plain.path = NULL};
    status = find_program(arguments->program[0], &program->plain.path);
    if (status != SHM_OK)
        goto fail;
    if (arguments->valgrind)
        status = use_tool(&program->plain, valgrind_words, arguments->program);
    else
        status = join_words(NULL, arguments->program, &program->plain.argv);
    if (status == SHM_OK && arguments->gdb_pe >= 0)
        status = use_tool(&program->gdb, gdb_words, arguments->program);
    if (status != SHM_OK)
        goto fail;
    return SHM_OK;
fail:
    program_fini(program);
    return status;
}

void program_fini(struct program *program)
{
    free(program->plain.path);
    free(program->plain.argv);
    free(program->gdb.path);
    free(program->gdb.argv);
    *program = (struct program){.plain.path = NULL};
}
