/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file is not trusted: each byte and number is checked, and memory grows with what has been
 * read, never with what a header promises.
 */
#include "graph.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define MAX_NODES INT32_MAX
/* a small file may inflate to a thousand times its size */
#define MAX_TEXT_BYTES ((size_t)1 << 30)

static const char damaged[] = "the compressed file is damaged or cut off";

struct reader {
    gzFile file;
    const char *path;
    size_t line;
    size_t bytes;
    int next; /* the character to come, -1 at the end and on a read error */
    char *reason;
    size_t reason_bytes;
};

__attribute__((format(printf, 2, 3))) static bool fail(const struct reader *reader,
                                                       const char *format, ...)
{
    int written = snprintf(reader->reason, reader->reason_bytes, "%s, line %zu: ", reader->path,
                           reader->line);
    va_list arguments;

    if (written < 0 || (size_t)written >= reader->reason_bytes)
        return false;
    va_start(arguments, format);
    vsnprintf(reader->reason + written, reader->reason_bytes - (size_t)written, format, arguments);
    va_end(arguments);
    return false;
}

static void advance(struct reader *reader)
{
    if (reader->next == '\n')
        reader->line++;
    reader->next = ++reader->bytes <= MAX_TEXT_BYTES ? gzgetc(reader->file) : -1;
}

/* What stands at the current place is not what belongs there. */
static bool fail_expected(const struct reader *reader, const char *expected)
{
    int code = Z_OK;

    gzerror(reader->file, &code);
    if (reader->bytes > MAX_TEXT_BYTES)
        return fail(reader, "the text is longer than %zu bytes", MAX_TEXT_BYTES);
    if (code == Z_ERRNO)
        return fail(reader, "%s", strerror(errno));
    if (code != Z_OK)
        return fail(reader, "%s", damaged);
    if (reader->next < 0)
        return fail(reader, "the file ends, expected %s", expected);
    if (reader->next == '\n')
        return fail(reader, "the line ends, expected %s", expected);
    if (reader->next > ' ' && reader->next < 127)
        return fail(reader, "found '%c', expected %s", reader->next, expected);
    return fail(reader, "found byte %d, expected %s", reader->next, expected);
}

static bool read_character(struct reader *reader, char wanted, const char *expected)
{
    if (reader->next != wanted)
        return fail_expected(reader, expected);
    advance(reader);
    return true;
}

static bool read_number(struct reader *reader, size_t max, const char *expected, size_t *out_value)
{
    size_t value = 0;

    if (reader->next < '0' || reader->next > '9')
        return fail_expected(reader, expected);
    while (reader->next >= '0' && reader->next <= '9') {
        size_t digit = (size_t)(reader->next - '0');

        if (digit > max || value > (max - digit) / 10)
            return fail(reader, "a number is too large, expected %s of at most %zu", expected, max);
        value = value * 10 + digit;
        advance(reader);
    }
    *out_value = value;
    return true;
}

/* Printable ASCII from `lowest` on (' ' lets blanks pass), up to the first other character. */
static bool read_text(struct reader *reader, int lowest, char *buffer, size_t buffer_bytes,
                      const char *expected)
{
    size_t used = 0;

    while (reader->next >= lowest && reader->next < 127) {
        if (used + 1 == buffer_bytes)
            return fail(reader, "%s of more than %zu characters", expected, buffer_bytes - 1);
        buffer[used++] = (char)reader->next;
        advance(reader);
    }
    if (used == 0)
        return fail_expected(reader, expected);
    buffer[used] = '\0';
    return true;
}

static bool read_header(struct reader *reader, struct graph *graph)
{
    for (const char *magic = "graph 1 "; *magic != '\0'; magic++)
        if (!read_character(reader, *magic, "'graph 1 ' at the start of the file"))
            return false;
    if (!read_number(reader, MAX_NODES, "the number of nodes", &graph->nodes))
        return false;
    if (graph->nodes == 0)
        return fail(reader, "the graph has no node");
    return read_character(reader, ' ', "a blank") &&
           read_number(reader, MAX_TEXT_BYTES, "the number of edges", &graph->edges) &&
           read_character(reader, ' ', "a blank") &&
           read_text(reader, ' ', graph->title, sizeof graph->title, "a title") &&
           read_character(reader, '\n', "the end of the line");
}

/* Room for `needed` elements in *array, whose old contents stay. */
static bool grow(const struct reader *reader, void *array, size_t *capacity, size_t needed,
                 size_t element_bytes)
{
    size_t wanted = *capacity * 2 > needed ? *capacity * 2 : needed + 64;
    void *old, *grown;

    if (needed <= *capacity)
        return true;
    memcpy(&old, array, sizeof old);
    grown = reallocarray(old, wanted, element_bytes);
    if (grown == NULL)
        return fail(reader, "out of memory for %zu elements of %zu bytes", wanted, element_bytes);
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

/* The two arrays with an element per node; edge_start has one more. */
static bool grow_nodes(const struct reader *reader, struct graph *graph)
{
    size_t capacity = graph->node_capacity, needed = graph->count + 2;

    return grow(reader, &graph->name_start, &capacity, needed, sizeof *graph->name_start) &&
           grow(reader, &graph->edge_start, &graph->node_capacity, needed,
                sizeof *graph->edge_start);
}

static bool keep_node(const struct reader *reader, const char *name, struct graph *graph)
{
    size_t bytes = strlen(name) + 1;

    if (!grow_nodes(reader, graph) ||
        !grow(reader, &graph->names, &graph->name_capacity, graph->name_bytes + bytes, 1))
        return false;
    memcpy(graph->names + graph->name_bytes, name, bytes);
    graph->name_start[graph->count] = graph->name_bytes;
    graph->name_bytes += bytes;
    graph->edge_start[graph->count + 1] = graph->edge_start[graph->count];
    graph->count++;
    return true;
}

static bool keep_edge(const struct reader *reader, size_t target, struct graph *graph)
{
    size_t *end = &graph->edge_start[graph->count];

    if (!grow(reader, &graph->target, &graph->edge_capacity, *end + 1, sizeof *graph->target))
        return false;
    graph->target[(*end)++] = (int32_t)target;
    return true;
}

/* One line: the name, the first target, and for each further one the distance to the last. */
static bool read_node(struct reader *reader, size_t node, bool kept, struct graph *graph,
                      size_t *edges)
{
    char name[GRAPH_NAME_BYTES];
    size_t target = 0;

    if (!read_text(reader, '!', name, sizeof name, "the name of a node") ||
        (kept && !keep_node(reader, name, graph)))
        return false;
    for (bool is_first = true; reader->next == ' '; is_first = false) {
        size_t gap = 0;

        advance(reader);
        if (!read_number(reader, graph->nodes - 1 - target, "the distance of a target", &gap))
            return false;
        if (gap == 0 && !is_first)
            return fail(reader, "the same target twice");
        target += gap;
        if (target == node)
            return fail(reader, "an edge from a node to itself");
        if (kept && !keep_edge(reader, target, graph))
            return false;
        ++*edges;
    }
    return read_character(reader, '\n', "a blank or the end of the line");
}

static bool read_graph(struct reader *reader, int part, int parts, struct graph *graph)
{
    size_t edges = 0, end;

    if (!read_header(reader, graph) || !grow_nodes(reader, graph))
        return false;
    graph->edge_start[0] = 0;
    graph->first_node = graph_block_start(graph->nodes, part, parts);
    end = graph_block_start(graph->nodes, part + 1, parts);
    for (size_t node = 0; node < graph->nodes; node++)
        if (!read_node(reader, node, node >= graph->first_node && node < end, graph, &edges))
            return false;
    if (edges != graph->edges)
        return fail(reader, "%zu edges in the file, expected %zu as in its first line", edges,
                    graph->edges);
    if (reader->next >= 0)
        return fail(reader, "text after the last of %zu nodes", graph->nodes);
    return true;
}

size_t graph_block_start(size_t nodes, int part, int parts)
{
    return nodes * (size_t)part / (size_t)parts;
}

bool graph_read(const char *path, int part, int parts, struct graph *out_graph, char *reason,
                size_t reason_bytes)
{
    struct reader reader = {
        .path = path, .line = 1, .reason = reason, .reason_bytes = reason_bytes};
    struct graph graph = {.count = 0};
    bool read;

    errno = 0;
    reader.file = gzopen(path, "rbe");
    if (reader.file == NULL) {
        snprintf(reason, reason_bytes, "%s: %s", path,
                 errno != 0 ? strerror(errno) : "out of memory");
        return false;
    }
    advance(&reader);
    read = read_graph(&reader, part, parts, &graph);
    /* closing reports a check sum that is wrong or missing */
    if (gzclose_r(reader.file) != Z_OK && read)
        read = fail(&reader, "%s", damaged);
    if (read)
        *out_graph = graph;
    else
        graph_destroy(&graph);
    return read;
}

void graph_destroy(struct graph *graph)
{
    free(graph->edge_start);
    free(graph->target);
    free(graph->names);
    free(graph->name_start);
    *graph = (struct graph){.count = 0};
}

const char *graph_name(const struct graph *graph, size_t i)
{
    return graph->names + graph->name_start[i];
}

size_t graph_degree(const struct graph *graph, size_t i)
{
    return graph->edge_start[i + 1] - graph->edge_start[i];
}
