/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The heat equation on a plate whose rows are spread over the PEs. Neighbours exchange their edge
 * rows by put and a flag. At the end PE 0 fetches all rows, writes a picture and prints a check
 * sum, which is the same for any number of PEs.
 *
 *   oshcc -O2 -ffp-contract=off main.c grid.c image_png.c ../common/job.c -lpng -o heat
 *   shmemrun -n 4 ./heat --steps 2000 --output heat.png
 *
 * Without libpng: image_ppm.c instead of image_png.c, and no -lpng.
 */
#include "../common/job.h"
#include "../common/number.h"
#include "grid.h"
#include "image.h"

#include <getopt.h>
#include <inttypes.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REASON_BYTES 512

struct options {
    long width, height, steps;
    const char *output;
    bool help;
};

static const char usage[] =
    "usage: heat [OPTION]...\n"
    "The heat equation on a plate, by all PEs together.\n"
    "\n"
    "  --width N      columns (3 to 8192, default 480)\n"
    "  --height N     rows (3 to 8192, default 320; at least one for each PE)\n"
    "  --steps N      steps (0 to 100000000, default 2000)\n"
    "  --output FILE  where the picture goes (default %s)\n"
    "  --help         show this text\n";

static struct options parse(int argc, char **argv)
{
    static const struct option known[] = {
        {"width", required_argument, NULL, 'w'}, {"height", required_argument, NULL, 'r'},
        {"steps", required_argument, NULL, 's'}, {"output", required_argument, NULL, 'o'},
        {"help", no_argument, NULL, 'h'},        {NULL, 0, NULL, 0}};
    struct options options = {
        .width = 480, .height = 320, .steps = 2000, .output = image_default_path};
    int letter;

    opterr = 0; /* one line, from PE 0 */
    while ((letter = getopt_long(argc, argv, "", known, NULL)) >= 0) {
        if ((letter == 'w' && parse_long(optarg, 3, 8192, &options.width)) ||
            (letter == 'r' && parse_long(optarg, 3, 8192, &options.height)) ||
            (letter == 's' && parse_long(optarg, 0, 100000000, &options.steps)))
            continue;
        if (letter != 'o' && letter != 'h')
            job_refuse(JOB_USAGE_ERROR, "cannot understand '%s'; --help shows the usage",
                       argv[optind - 1]);
        options.help |= letter == 'h';
        options.output = letter == 'o' ? optarg : options.output;
    }
    if (optind < argc)
        job_refuse(JOB_USAGE_ERROR, "cannot understand '%s'; --help shows the usage", argv[optind]);
    if (options.height < shmem_n_pes())
        job_refuse(JOB_USAGE_ERROR, "%ld rows for %d PEs, expected at least one each",
                   options.height, shmem_n_pes());
    return options;
}

static unsigned char brightness(double value)
{
    return (unsigned char)(255 * (value < 0 ? 0 : value > 1 ? 1 : value));
}

/* From black over red and yellow to white. */
static void paint(const double *temperatures, size_t count, unsigned char *rgb)
{
    for (size_t i = 0; i < count; i++) {
        rgb[3 * i] = brightness(3 * temperatures[i]);
        rgb[3 * i + 1] = brightness(3 * temperatures[i] - 1);
        rgb[3 * i + 2] = brightness(3 * temperatures[i] - 2);
    }
}

/* FNV-1a over the bits of each number. */
static uint64_t add_to_checksum(uint64_t checksum, const double *temperatures, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;

        memcpy(&bits, &temperatures[i], sizeof bits);
        checksum = (checksum ^ bits) * 0x100000001b3;
    }
    return checksum;
}

/* PE 0 alone. */
static void show(const struct grid *grid, const struct options *options, double seconds)
{
    double *row = job_alloc(grid->width, sizeof *row);
    unsigned char *rgb = job_alloc(grid->height, grid->width * 3);
    uint64_t checksum = 0xcbf29ce484222325;
    char reason[REASON_BYTES];

    for (size_t y = 0; y < grid->height; y++) {
        grid_fetch_row(grid, options->steps, y, row);
        paint(row, grid->width, rgb + y * grid->width * 3);
        checksum = add_to_checksum(checksum, row, grid->width);
    }
    if (!image_write(options->output, grid->width, grid->height, rgb, reason, sizeof reason))
        job_fail("%s", reason);
    free(rgb);
    free(row);
    printf("heat: %zu x %zu, %ld steps, %d PEs, %.4f s\n", grid->width, grid->height,
           options->steps, grid->n_pes, seconds);
    printf("picture: %s\n", options->output);
    printf("checksum: %016" PRIx64 "\n", checksum);
}

static void run(const struct options *options)
{
    struct grid grid;
    double start;

    grid_create((size_t)options->width, (size_t)options->height, &grid);
    start = job_seconds();
    grid_run(&grid, options->steps);
    if (grid.pe == 0)
        show(&grid, options, job_seconds() - start);
    shmem_barrier_all(); /* the rows stay until PE 0 has them */
    grid_destroy(&grid);
}

int main(int argc, char **argv)
{
    struct options options;

    shmem_init();
    options = parse(argc, argv);
    if (!options.help)
        run(&options);
    else if (shmem_my_pe() == 0)
        printf(usage, image_default_path);
    shmem_finalize();
    return 0;
}
