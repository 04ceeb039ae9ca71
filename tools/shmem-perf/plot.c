/* SPDX-License-Identifier: BSD-3-Clause */
/* The curves of latency and bandwidth over size, as SVG; both axes are logarithmic. */
#include "rows.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define PANEL_WIDTH 420
#define PANEL_HEIGHT 300
#define LEFT 70
#define TOP 60
#define GAP 110
#define LEGEND_STEP 18

static const struct curve {
    const char *name;
    const char *colour;
    const char *dashes;
} curves[] = {
    {"put", "#1f6fb2", "none"},
    {"get", "#c4501b", "none"},
    {"memcpy", "#555555", "6 4"}, /* the machine's limit */
};

#define CURVES (sizeof curves / sizeof *curves)

struct axis {
    double least, most; /* powers of ten around all values */
};

struct panel {
    const struct rows *rows;
    const char *group;
    const char *unit;
    double left;
    struct axis bytes, value;
    FILE *out;
};

static void widen(struct axis *axis, double value, double base)
{
    double below = pow(base, floor(log(value) / log(base)));
    double above = pow(base, ceil(log(value) / log(base)));

    if (axis->least == 0 || below < axis->least)
        axis->least = below;
    if (above > axis->most)
        axis->most = above;
}

static bool is_drawn(const struct panel *panel, const struct row *row)
{
    if (strcmp(row->group, panel->group) != 0 || row->size == 0 || row->value <= 0)
        return false;
    for (size_t i = 0; i < CURVES; i++) {
        if (strcmp(row->name, curves[i].name) == 0)
            return true;
    }
    return false;
}

/* False when the panel has nothing to show. */
static bool scale(struct panel *panel)
{
    for (size_t i = 0; i < panel->rows->count; i++) {
        const struct row *row = &panel->rows->row[i];

        if (!is_drawn(panel, row))
            continue;
        widen(&panel->bytes, (double)row->size, 8);
        widen(&panel->value, row->value, 10);
    }
    if (panel->bytes.least == panel->bytes.most)
        panel->bytes.most *= 8;
    if (panel->value.least == panel->value.most)
        panel->value.most *= 10;
    return panel->bytes.least > 0;
}

static double place(const struct axis *axis, double value)
{
    return log(value / axis->least) / log(axis->most / axis->least);
}

static double x_of(const struct panel *panel, double bytes)
{
    return panel->left + place(&panel->bytes, bytes) * PANEL_WIDTH;
}

static double y_of(const struct panel *panel, double value)
{
    return TOP + (1 - place(&panel->value, value)) * PANEL_HEIGHT;
}

static void print_bytes(FILE *out, double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    size_t unit = 0;

    while (bytes >= 1024 && unit + 1 < sizeof units / sizeof *units) {
        bytes /= 1024;
        unit++;
    }
    fprintf(out, "%.0f %s", bytes, units[unit]);
}

static void draw_grid(const struct panel *panel)
{
    FILE *out = panel->out;

    for (double bytes = panel->bytes.least; bytes < panel->bytes.most * 1.01; bytes *= 8) {
        double x = x_of(panel, bytes);

        fprintf(out, "<path class=\"grid\" d=\"M%.1f %d V%d\"/>", x, TOP, TOP + PANEL_HEIGHT);
        fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x,
                TOP + PANEL_HEIGHT + 18);
        print_bytes(out, bytes);
        fprintf(out, "</text>\n");
    }
    for (double value = panel->value.least; value < panel->value.most * 1.01; value *= 10) {
        double y = y_of(panel, value);

        fprintf(out, "<path class=\"grid\" d=\"M%.1f %.1f h%d\"/>", panel->left, y, PANEL_WIDTH);
        fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", panel->left - 6,
                y + 4, value);
    }
}

static void draw_curve(const struct panel *panel, const struct curve *curve)
{
    const char *step = "M";

    fprintf(panel->out, "<path class=\"curve\" stroke=\"%s\" stroke-dasharray=\"%s\" d=\"",
            curve->colour, curve->dashes);
    for (size_t i = 0; i < panel->rows->count; i++) {
        const struct row *row = &panel->rows->row[i];

        if (!is_drawn(panel, row) || strcmp(row->name, curve->name) != 0)
            continue;
        fprintf(panel->out, "%s%.1f %.1f", step, x_of(panel, (double)row->size),
                y_of(panel, row->value));
        step = " L";
    }
    fprintf(panel->out, "\"/>\n");
}

static void draw_legend(const struct panel *panel, bool is_at_top)
{
    for (size_t i = 0; i < CURVES; i++) {
        double y = TOP + 14 + (double)i * LEGEND_STEP;

        if (!is_at_top)
            y += PANEL_HEIGHT - 12 - (double)CURVES * LEGEND_STEP;
        fprintf(panel->out,
                "<path class=\"curve\" stroke=\"%s\" stroke-dasharray=\"%s\" d=\"M%.1f %.1f h28\"/>"
                "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                curves[i].colour, curves[i].dashes,
                is_at_top ? panel->left + 10 : panel->left + PANEL_WIDTH - 100, y - 4,
                is_at_top ? panel->left + 44 : panel->left + PANEL_WIDTH - 66, y, curves[i].name);
    }
}

static void draw_panel(struct panel *panel, bool has_legend_at_top)
{
    fprintf(panel->out, "<text x=\"%.1f\" y=\"%d\" class=\"title\">%s (%s)</text>\n", panel->left,
            TOP - 12, panel->group, panel->unit);
    if (!scale(panel)) {
        fprintf(panel->out, "<text x=\"%.1f\" y=\"%d\">not measured</text>\n", panel->left,
                TOP + 20);
        return;
    }
    draw_grid(panel);
    for (size_t i = 0; i < CURVES; i++)
        draw_curve(panel, &curves[i]);
    draw_legend(panel, has_legend_at_top);
}

void rows_plot(const struct rows *rows, const struct circumstances *circumstances, FILE *out)
{
    int width = 2 * PANEL_WIDTH + LEFT + GAP + 40;
    struct panel latency = {
        .rows = rows, .group = "latency", .unit = "us", .left = LEFT, .out = out};
    struct panel bandwidth = {.rows = rows,
                              .group = "bandwidth",
                              .unit = "MB/s",
                              .left = LEFT + PANEL_WIDTH + GAP,
                              .out = out};

    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<style>.grid{stroke:#dddddd;fill:none}.curve{fill:none;stroke-width:2}"
            ".title{font-size:14px;font-weight:bold}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
            "<text x=\"%d\" y=\"22\">SHMEM %s, %d PEs on %d processors</text>\n",
            width, TOP + PANEL_HEIGHT + 40, LEFT, circumstances->version, circumstances->n_pes,
            circumstances->processors);
    draw_panel(&latency, true);
    draw_panel(&bandwidth, false);
    fprintf(out, "</svg>\n");
}
