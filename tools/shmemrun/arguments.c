/* SPDX-License-Identifier: BSD-3-Clause */
#include "arguments.h"

#include "base/option.h"
#include "environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS_MAX 1e8 /* three years */
#define GRACE_MS 2000

enum argument_id {
    ARGUMENT_N_PES,
    ARGUMENT_TAG,
    ARGUMENT_TIMEOUT,
    ARGUMENT_GRACE,
    ARGUMENT_ENV,
    ARGUMENT_BIND,
    ARGUMENT_GDB,
    ARGUMENT_VALGRIND,
    ARGUMENT_VERBOSE,
    ARGUMENT_HELP,
    ARGUMENT_VERSION
};

struct argument {
    enum argument_id id;
    const char *name, *other_name;
    const char *value; /* NULL = takes none */
    const char *help;
};

static const struct argument known[] = {
    {ARGUMENT_N_PES, "-n", "-np", "N", "start N PEs, 1 to 16384 (default 1)"},
    {ARGUMENT_TAG, "--tag", NULL, NULL, "put \"[PE 3] \" in front of each line of output"},
    {ARGUMENT_TIMEOUT, "--timeout", NULL, "SECONDS",
     "end the job after this time; exit status 124"},
    {ARGUMENT_GRACE, "--grace", NULL, "SECONDS",
     "time that PEs have to end after Ctrl-C (default 2)"},
    {ARGUMENT_ENV, "--env", NULL, "NAME[=VALUE]", "set a variable for the PEs; repeatable"},
    {ARGUMENT_BIND, "--bind", NULL, "core|none", "core: pin each PE to one processor"},
    {ARGUMENT_GDB, "--gdb", NULL, "PE", "run this PE under gdb, at the terminal"},
    {ARGUMENT_VALGRIND, "--valgrind", NULL, NULL, "run every PE under valgrind"},
    {ARGUMENT_VERBOSE, "--verbose", NULL, NULL, "say what is started"},
    {ARGUMENT_HELP, "--help", "-h", NULL, "print this help"},
    {ARGUMENT_VERSION, "--version", NULL, NULL, "print the version"},
};

#define N_KNOWN (sizeof known / sizeof known[0])

void arguments_print_help(void)
{
    printf("usage: shmemrun [-n N] [options] [--] program [arguments]\n"
           "Starts N processing elements (PEs) of a SHMEM program on this machine.\n\n");
    for (size_t i = 0; i < N_KNOWN; i++) {
        char left[64];

        snprintf(left, sizeof left, "%s%s%s%s%s", known[i].name,
                 known[i].other_name == NULL ? "" : ", ",
                 known[i].other_name == NULL ? "" : known[i].other_name,
                 known[i].value == NULL ? "" : " ", known[i].value == NULL ? "" : known[i].value);
        printf("  %-22s %s\n", left, known[i].help);
    }
    printf("\nSIGUSR1 to shmemrun prints what each PE is doing.\n");
}

/* `bytes` of `name` count: what stands before a '='. */
static const struct argument *find_argument(const char *name, size_t bytes)
{
    for (size_t i = 0; i < N_KNOWN; i++) {
        const char *const names[] = {known[i].name, known[i].other_name};

        for (size_t j = 0; j < 2; j++)
            if (names[j] != NULL && strlen(names[j]) == bytes && memcmp(names[j], name, bytes) == 0)
                return &known[i];
    }
    return NULL;
}

/* Puts the option's name in front of the reason that the parser gave. */
static enum shm_status name_option(const struct argument *argument)
{
    char reason[SHM_DETAIL_BYTES];

    memcpy(reason, shm_error_detail(), sizeof reason - 1);
    reason[sizeof reason - 1] = '\0';
    return shm_fail(SHM_INVALID_PARAM, "%s %s", argument->name, reason);
}

static enum shm_status read_number(const struct argument *argument, const char *text, int least,
                                   int *out_number)
{
    int64_t number = 0;

    if (shm_parse_integer(text, least, PES_MAX - 1 + least, &number) != SHM_OK)
        return name_option(argument);
    *out_number = (int)number;
    return SHM_OK;
}

static enum shm_status read_milliseconds(const struct argument *argument, const char *text,
                                         double least, uint64_t *out_ms)
{
    double seconds = 0;

    if (shm_parse_seconds(text, least, SECONDS_MAX, &seconds) != SHM_OK)
        return name_option(argument);
    *out_ms = (uint64_t)(seconds * 1000);
    return SHM_OK;
}

static enum shm_status read_bind(const char *text, bool *out_bind_core)
{
    if (strcmp(text, "core") != 0 && strcmp(text, "none") != 0)
        return shm_fail(SHM_INVALID_PARAM, "--bind \"%.80s\"; expected core or none", text);
    *out_bind_core = text[0] == 'c';
    return SHM_OK;
}

static enum shm_status read_env(struct arguments *arguments, const char *text)
{
    size_t name_bytes = strcspn(text, "=");

    if (name_bytes == 0)
        return shm_fail(SHM_INVALID_PARAM, "--env \"%.80s\"; expected NAME=VALUE or NAME", text);
    if (environment_is_reserved(text, name_bytes))
        return shm_fail(SHM_INVALID_PARAM,
                        "--env %.*s; expected a variable that shmemrun does not "
                        "set itself",
                        (int)name_bytes, text);
    if (text[name_bytes] == '\0') {
        /* on one machine PEs inherit what is set here; all there is to do is to check that */
        if (getenv(text) == NULL)
            return shm_fail(SHM_INVALID_PARAM,
                            "--env %.80s: it is not set here; expected --env NAME=VALUE", text);
        return SHM_OK;
    }
    arguments->env[arguments->n_env++] = text;
    return SHM_OK;
}

static enum shm_status apply(struct arguments *arguments, const struct argument *argument,
                             const char *text)
{
    switch (argument->id) {
    case ARGUMENT_N_PES:
        return read_number(argument, text, 1, &arguments->n_pes);
    case ARGUMENT_TIMEOUT:
        return read_milliseconds(argument, text, 0.001, &arguments->timeout_ms);
    case ARGUMENT_GRACE:
        return read_milliseconds(argument, text, 0, &arguments->grace_ms);
    case ARGUMENT_ENV:
        return read_env(arguments, text);
    case ARGUMENT_BIND:
        return read_bind(text, &arguments->bind_core);
    case ARGUMENT_GDB:
        return read_number(argument, text, 0, &arguments->gdb_pe);
    case ARGUMENT_TAG:
        arguments->tag = true;
        break;
    case ARGUMENT_VALGRIND:
        arguments->valgrind = true;
        break;
    case ARGUMENT_VERBOSE:
        arguments->verbose = true;
        break;
    case ARGUMENT_HELP:
        arguments->help = true;
        break;
    case ARGUMENT_VERSION:
        arguments->version = true;
        break;
    }
    return SHM_OK;
}

/* Reads the option at argv[at]; gives the place of the next one. */
static enum shm_status read_option(int argc, char **argv, int at, struct arguments *arguments,
                                   int *out_next)
{
    const char *text = argv[at];
    size_t name_bytes = text[1] == '-' ? strcspn(text, "=") : strlen(text);
    const struct argument *argument = find_argument(text, name_bytes);
    bool has_value = text[name_bytes] == '=';
    const char *value = has_value ? text + name_bytes + 1 : NULL;

    if (argument == NULL)
        return shm_fail(SHM_INVALID_PARAM, "unknown option %.80s; see shmemrun --help", text);
    if (argument->value == NULL && has_value)
        return shm_fail(SHM_INVALID_PARAM, "%s takes no value", argument->name);
    if (argument->value != NULL && !has_value) {
        at++;
        if (at == argc)
            return shm_fail(SHM_INVALID_PARAM, "%s needs a value: %s", text, argument->value);
        value = argv[at];
    }
    *out_next = at + 1;
    return apply(arguments, argument, value);
}

static enum shm_status check_together(const struct arguments *arguments)
{
    if (arguments->help || arguments->version)
        return SHM_OK;
    if (arguments->program[0] == NULL)
        return shm_fail(SHM_INVALID_PARAM, "no program given; expected shmemrun [-n N] [options] "
                                           "program [arguments]");
    if (arguments->gdb_pe >= arguments->n_pes)
        return shm_fail(SHM_INVALID_PARAM, "--gdb %d; expected a PE of this job, 0 to %d",
                        arguments->gdb_pe, arguments->n_pes - 1);
    if (arguments->gdb_pe >= 0 && arguments->valgrind)
        return shm_fail(SHM_INVALID_PARAM, "--gdb and --valgrind; expected one of the two");
    return SHM_OK;
}

enum shm_status arguments_read(int argc, char **argv, struct arguments *out_arguments)
{
    struct arguments arguments = {.n_pes = 1, .gdb_pe = -1, .grace_ms = GRACE_MS};
    enum shm_status status = SHM_OK;
    int at = 1;

    arguments.env = calloc((size_t)argc + 1, sizeof arguments.env[0]);
    if (arguments.env == NULL)
        return shm_fail(SHM_MALLOC_FAILED, "no memory for %d arguments", argc);
    while (status == SHM_OK && at < argc && argv[at][0] == '-' && argv[at][1] != '\0') {
        if (strcmp(argv[at], "--") == 0) {
            at++;
            break;
        }
        status = read_option(argc, argv, at, &arguments, &at);
    }
    arguments.program = argv + at;
    if (status == SHM_OK)
        status = check_together(&arguments);
    if (status != SHM_OK) {
        arguments_fini(&arguments);
        return status;
    }
    *out_arguments = arguments;
    return SHM_OK;
}

void arguments_fini(struct arguments *arguments)
{
    free(arguments->env);
    arguments->env = NULL;
}
