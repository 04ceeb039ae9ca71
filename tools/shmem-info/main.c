/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what the library is, what it found on this machine, and every setting. */
#include "topology.h"

#include <shmemx.h>
#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: shmem-info [--json | --topo]\n"
    "Prints the version of the SHMEM library, how it was built, the engines and bootstraps that\n"
    "it finds, and every environment variable with its present value, default and meaning.\n"
    "  --json     the same as one JSON document\n"
    "  --topo     which engines reach which PEs, and the node of each; under shmemrun, of its job\n"
    "  --version  the library's version alone\n"
    "  --help     this text\n";

static void print_json_text(const char *name, const char *text, const char *end)
{
    printf("\"%s\": ", name);
    if (text == NULL) {
        printf("null%s", end);
        return;
    }
    putchar('"');
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            printf("\\%c", *c);
        else if (*c < 0x20 || *c == 0x7f)
            printf("\\u%04x", *c);
        else
            putchar(*c);
    }
    printf("\"%s", end);
}

static void print_json(void)
{
    shmemx_info_item_t item;

    printf("[");
    for (size_t i = 0; shmemx_info_item(i, &item); i++) {
        printf("%s\n  {", i == 0 ? "" : ",");
        print_json_text("category", item.category, ", ");
        print_json_text("name", item.name, ", ");
        print_json_text("value", item.value, ", ");
        print_json_text("default", item.default_value, ", ");
        print_json_text("help", item.help, "}");
    }
    printf("\n]\n");
}

static void print_variable(const shmemx_info_item_t *item)
{
    const char *default_value = item->default_value != NULL ? item->default_value : "none";

    if (item->value != NULL)
        printf("  %s=%s (default: %s)\n", item->name, item->value, default_value);
    else
        printf("  %s: %s (default)\n", item->name, default_value);
    printf("      %s\n", item->help);
}

static void print_text(void)
{
    const char *category = "";
    shmemx_info_item_t item;

    for (size_t i = 0; shmemx_info_item(i, &item); i++) {
        if (strcmp(category, item.category) != 0)
            printf("%s%s\n", i == 0 ? "" : "\n", item.category);
        category = item.category;
        if (strcmp(category, "variable") == 0)
            print_variable(&item);
        else
            printf("  %-14s %-12s %s\n", item.name, item.value, item.help);
    }
}

static void print_version(void)
{
    shmemx_info_item_t item;

    if (shmemx_info_item(0, &item))
        printf("%s\n", item.value);
}

int main(int argc, char **argv)
{
    if (argc == 1)
        print_text();
    else if (argc == 2 && strcmp(argv[1], "--json") == 0)
        print_json();
    else if (argc == 2 && strcmp(argv[1], "--topo") == 0)
        return shmem_info_topology();
    else if (argc == 2 && strcmp(argv[1], "--version") == 0)
        print_version();
    else if (argc == 2 && strcmp(argv[1], "--help") == 0)
        fputs(usage, stdout);
    else {
        fprintf(stderr,
                "shmem-info: unknown argument %s, expected --json, --topo, --version or "
                "--help\n",
                argc == 2 ? argv[1] : "list");
        return 2;
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
