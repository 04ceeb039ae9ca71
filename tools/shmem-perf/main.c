/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures what the library does on this machine. */
#include "groups.h"

#include <getopt.h>
#include <sched.h>
#include <shmemx.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: shmemrun -n N shmem-perf [--groups LIST] [--repetitions N] [--time MS]\n"
    "                                [--largest BYTES] [--json] [--plot FILE.svg]\n"
    "       shmem-perf --startup LIST [--launcher FILE] [--repetitions N] [--json]\n"
    "Measures latency, bandwidth, rates, atomic operations, barriers, collectives and memory "
    "calls\n"
    "of the SHMEM library on this machine; needs 2 PEs or more. PE 0 prints the figures.\n"
    "  --groups LIST      only these: latency,bandwidth,rate,atomics,meeting,collectives,memory\n"
    "  --repetitions N    a figure is the median of N (1 to 101; default 7)\n"
    "  --time MS          wanted length of a repetition in milliseconds (default 20)\n"
    "  --largest BYTES    largest transfer, 8 to 1 GiB (default 16777216)\n"
    "  --json             one JSON document with median, least and most of each figure\n"
    "  --plot FILE.svg    also draw latency and bandwidth over size, beside the machine's memcpy\n"
    "  --startup LIST     instead, without shmemrun: time whole jobs of so many PEs, as 2,16,64\n"
    "  --launcher FILE    start these jobs with it (default: shmemrun beside this program)\n"
    "  --version, --help\n";

static const struct group {
    const char *name;
    void (*measure)(const struct plan *plan, struct rows *rows);
} groups[] = {
    {"latency", measure_latency}, {"bandwidth", measure_bandwidth},
    {"rate", measure_rate},       {"atomics", measure_atomics},
    {"meeting", measure_meeting}, {"collectives", measure_collectives},
    {"memory", measure_memory},
};

#define GROUPS (sizeof groups / sizeof *groups)
#define LARGEST_OF_ALL (1ull << 30)

struct wishes {
    struct plan plan;
    bool is_wanted[GROUPS];
    bool is_json;
    const char *plot;
    const char *startup, *launcher;

    enum { MEASURE, DO_NOTHING, SHOW_VERSION, SHOW_HELP } what;
};

/* ---- the command line: PE 0 says what it may hold and what is wrong with it ---- */

static bool may_speak(void)
{
    const char *pe = getenv("SHMEM_PE");

    return pe == NULL || strcmp(pe, "0") == 0;
}

static bool read_number(const char *option, const char *text, unsigned long long least,
                        unsigned long long most, unsigned long long *out)
{
    char *end;
    unsigned long long number = strtoull(text, &end, 10);

    if (*text >= '0' && *text <= '9' && *end == '\0' && number >= least && number <= most) {
        *out = number;
        return true;
    }
    if (may_speak())
        fprintf(stderr, "shmem-perf: --%s %s: expected a number from %llu to %llu\n", option, text,
                least, most);
    return false;
}

static bool want_group(struct wishes *wishes, const char *name, size_t length)
{
    for (size_t i = 0; i < GROUPS; i++) {
        if (strlen(groups[i].name) == length && strncmp(groups[i].name, name, length) == 0) {
            wishes->is_wanted[i] = true;
            return true;
        }
    }
    if (may_speak())
        fprintf(stderr, "shmem-perf: --groups: no group %.*s, see --help\n", (int)length, name);
    return false;
}

static bool read_groups(struct wishes *wishes, const char *list)
{
    memset(wishes->is_wanted, 0, sizeof wishes->is_wanted);
    for (const char *name = list;; name += strcspn(name, ",") + 1) {
        size_t length = strcspn(name, ",");

        if (!want_group(wishes, name, length))
            return false;
        if (name[length] == '\0')
            return true;
    }
}

enum option_number {
    GROUP_LIST,
    REPETITIONS,
    TIME,
    LARGEST,
    JSON,
    PLOT,
    STARTUP,
    LAUNCHER,
    NOTHING,
    VERSION,
    HELP
};

static bool take_option(struct wishes *wishes, enum option_number option, const char *text)
{
    unsigned long long number = 0;

    switch (option) {
    case GROUP_LIST:
        return read_groups(wishes, text);
    case REPETITIONS:
        if (!read_number("repetitions", text, 1, MOST_REPETITIONS, &number))
            return false;
        wishes->plan.effort.repetitions = (int)number;
        return true;
    case TIME:
        if (!read_number("time", text, 1, 60000, &number))
            return false;
        wishes->plan.effort.repetition_us = (double)number * 1e3;
        return true;
    case LARGEST:
        if (!read_number("largest", text, 8, LARGEST_OF_ALL, &number))
            return false;
        wishes->plan.largest = (size_t)number;
        return true;
    case JSON:
        wishes->is_json = true;
        return true;
    case PLOT:
        wishes->plot = text;
        return true;
    case STARTUP:
        wishes->startup = text;
        return true;
    case LAUNCHER:
        wishes->launcher = text;
        return true;
    default:
        wishes->what = option == NOTHING   ? DO_NOTHING
                       : option == VERSION ? SHOW_VERSION
                                           : SHOW_HELP;
        return true;
    }
}

static bool read_command_line(int argc, char **argv, struct wishes *wishes)
{
    static const struct option options[] = {
        {"groups", required_argument, NULL, GROUP_LIST},
        {"repetitions", required_argument, NULL, REPETITIONS},
        {"time", required_argument, NULL, TIME},
        {"largest", required_argument, NULL, LARGEST},
        {"json", no_argument, NULL, JSON},
        {"plot", required_argument, NULL, PLOT},
        {"startup", required_argument, NULL, STARTUP},
        {"launcher", required_argument, NULL, LAUNCHER},
        {"nothing", no_argument, NULL, NOTHING}, /* what --startup starts */
        {"version", no_argument, NULL, VERSION},
        {"help", no_argument, NULL, HELP},
        {NULL, 0, NULL, 0},
    };
    int option;

    opterr = may_speak();
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == '?' || !take_option(wishes, (enum option_number)option, optarg))
            return false;
    }
    if (optind == argc)
        return true;
    if (may_speak())
        fprintf(stderr, "shmem-perf: unknown argument %s, see --help\n", argv[optind]);
    return false;
}

/* ---- showing ---- */

static struct circumstances circumstances_of(const struct plan *plan, int n_pes)
{
    shmemx_info_item_t item = {.value = ""};
    cpu_set_t allowed;

    shmemx_info_item(0, &item); /* "version" comes first */
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof allowed, &allowed);
    return (struct circumstances){item.value, n_pes, CPU_COUNT(&allowed), plan->effort.repetitions};
}

static int plot(const struct wishes *wishes, const struct rows *rows,
                const struct circumstances *circumstances)
{
    FILE *out = fopen(wishes->plot, "we");
    bool is_written;

    if (out != NULL) {
        rows_plot(rows, circumstances, out);
        is_written = !ferror(out);
        if (fclose(out) == 0 && is_written)
            return 0;
    }
    fprintf(stderr, "shmem-perf: cannot write %s: %m\n", wishes->plot);
    return 1;
}

static int show(const struct wishes *wishes, const struct rows *rows, int n_pes)
{
    struct circumstances circumstances = circumstances_of(&wishes->plan, n_pes);

    if (wishes->is_json)
        rows_print_json(rows, &circumstances, stdout);
    else
        rows_print_table(rows, &circumstances, stdout);
    if (fflush(stdout) != 0 || ferror(stdout))
        return 1;
    return wishes->plot != NULL ? plot(wishes, rows, &circumstances) : 0;
}

/* ---- running ---- */

static int time_startup(const struct wishes *wishes)
{
    struct rows rows = {0};
    int status =
        measure_startup(wishes->startup, wishes->launcher, wishes->plan.effort.repetitions, &rows);

    if (status == 0)
        status = show(wishes, &rows, 0);
    rows_free(&rows);
    return status;
}

static int measure_all(const struct wishes *wishes)
{
    struct rows rows = {0};
    int status = 0;

    shmem_init();
    if (shmem_n_pes() < 2) {
        fprintf(stderr, "shmem-perf: needs 2 PEs or more: shmemrun -n 2 shmem-perf\n");
        shmem_finalize();
        return 2;
    }
    for (size_t i = 0; i < GROUPS; i++) {
        if (wishes->is_wanted[i])
            groups[i].measure(&wishes->plan, &rows);
    }
    if (shmem_my_pe() == 0)
        status = show(wishes, &rows, shmem_n_pes());
    rows_free(&rows);
    shmem_finalize();
    return status;
}

static int do_nothing(void)
{
    shmem_init();
    shmem_finalize();
    return 0;
}

int main(int argc, char **argv)
{
    struct wishes wishes = {.plan = {{7, 20000}, 16u << 20}};

    memset(wishes.is_wanted, true, sizeof wishes.is_wanted);
    if (!read_command_line(argc, argv, &wishes))
        return 2;
    if (wishes.what == SHOW_HELP)
        return may_speak() && fputs(usage, stdout) < 0;
    if (wishes.what == SHOW_VERSION) {
        printf("%s\n", circumstances_of(&wishes.plan, 0).version);
        return 0;
    }
    if (wishes.what == DO_NOTHING)
        return do_nothing();
    return wishes.startup != NULL ? time_startup(&wishes) : measure_all(&wishes);
}
