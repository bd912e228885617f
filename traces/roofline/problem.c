/* Reads sizes and formats from results of scripts and of GPUs. */
#include "traces/roofline/problem.h"

#include <math.h>
#include <string.h>

#include "traces/file/json_member.h"

#define TILES        " tiles"
#define TILE_NUMBERS 1024

static void append_side(GString *text, double side)
{
    if (side > 0) {
        g_string_append_printf(text, "%s%.0f", text->len > 0 ? "x" : "", side);
    }
}

static double tiles_of(JsonObject *parameters)
{
    return trace_json_number(parameters, "tiles", 0) *
           fmax(1, trace_json_number(parameters, "rows", 1)) *
           fmax(1, trace_json_number(parameters, "cols", 1)) *
           fmax(1, trace_json_number(parameters, "columns", 1));
}

char *trace_problem_size(JsonObject *result)
{
    static const char *const sides[] = {"nx", "ny", "nz"};
    JsonObject *parameters = trace_json_object(result, "parameters");
    JsonArray *grid = trace_json_array(trace_json_object(result, "metrics"), "grid");
    const double elements = trace_json_number(parameters, "elements", 0);
    const double tiles = tiles_of(parameters);
    GString *text = g_string_new(NULL);

    for (gsize i = 0; i < G_N_ELEMENTS(sides); i++) {
        append_side(text, trace_json_number(parameters, sides[i], 0));
    }
    for (guint i = 0; parameters != NULL && i < trace_json_count(grid); i++) {
        JsonNode *side = json_array_get_element(grid, i);

        if (trace_json_number(parameters, "nx", 0) <= 0 &&
            JSON_NODE_HOLDS_VALUE(side)) {
            append_side(text, json_node_get_double(side));
        }
    }
    if (text->len == 0 && elements > 0) {
        g_string_printf(text, "%.0f numbers", elements);
    } else if (text->len == 0 && tiles > 0) {
        g_string_printf(text, "%.0f" TILES, tiles);
    }
    return g_string_free(text, FALSE);
}

bool trace_problem_is_tiles(const char *size)
{
    return g_str_has_suffix(size, TILES);
}

/* 0 where the result does not say. */
static double numbers_of(JsonObject *result)
{
    JsonObject *parameters = trace_json_object(result, "parameters");
    const double nx = trace_json_number(parameters, "nx", 0);
    const double elements = trace_json_number(parameters, "elements", 0);

    if (nx > 0) {
        return nx * fmax(1, trace_json_number(parameters, "ny", 1)) *
               fmax(1, trace_json_number(parameters, "nz", 1));
    }
    return elements > 0 ? elements : TILE_NUMBERS * tiles_of(parameters);
}

bool trace_problem_is_same_size(JsonObject *a, JsonObject *b)
{
    static const char *const sides[] = {"nx", "ny", "nz"};
    JsonObject *own = trace_json_object(a, "parameters");
    JsonObject *other = trace_json_object(b, "parameters");
    bool is_same = true;

    for (gsize i = 0; i < G_N_ELEMENTS(sides); i++) {
        /* Whole numbers, or missing in both. */
        is_same = is_same && fabs(trace_json_number(own, sides[i], 0) -
                                  trace_json_number(other, sides[i], 0)) <= 0;
    }
    if (trace_json_number(own, "nx", 0) > 0 && trace_json_number(other, "nx", 0) > 0) {
        return is_same;
    }
    return fabs(numbers_of(a) - numbers_of(b)) <= 0;
}

const char *trace_problem_format(JsonObject *result)
{
    return trace_json_string(trace_json_object(result, "parameters"), "dtype", "");
}

bool trace_problem_is_same_format(JsonObject *a, JsonObject *b)
{
    const char *own = trace_problem_format(a);
    const char *other = trace_problem_format(b);

    return *own == '\0' || *other == '\0' || g_str_equal(own, other);
}

TraceProblemFit trace_problem_fit(JsonObject *run, JsonObject *result)
{
    const bool is_format = trace_problem_is_same_format(run, result);

    if (!g_str_equal(trace_json_string(run, "workload", ""),
                     trace_json_string(result, "workload", ""))) {
        return TRACE_PROBLEM_FIT_NOT_AT_ALL;
    }
    if (!trace_problem_is_same_size(run, result)) {
        return is_format ? TRACE_PROBLEM_FIT_FORMAT : TRACE_PROBLEM_FIT_NEITHER;
    }
    return is_format ? TRACE_PROBLEM_FIT_EXACT : TRACE_PROBLEM_FIT_SIZE;
}

double trace_problem_bytes(const char *format)
{
    static const struct {
        const char *name;
        double bytes;
    } formats[] = {{"fp64", 8}, {"double", 8}, {"fp32", 4}, {"float", 4},
                   {"bf16", 2}, {"fp16", 2},   {"mixed", 2}};

    for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
        if (g_str_equal(formats[i].name, format)) {
            return formats[i].bytes;
        }
    }
    return 0;
}
