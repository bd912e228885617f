/* Finds runs of one workload whose sizes differ. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "traces/file/json_member.h"
#include "traces/roofline/set.h"

#define TILES " tiles"

static void append_side(GString *text, double side)
{
    if (side > 0) {
        g_string_append_printf(text, "%s%.0f", text->len > 0 ? "x" : "", side);
    }
}

/* The cells of a run's problem, "512x112x64", or "256 tiles"; empty where the result
 * does not say. */
static GString *size_of(JsonObject *result)
{
    static const char *const sides[] = {"nx", "ny", "nz"};
    JsonObject *parameters = trace_json_object(result, "parameters");
    JsonArray *grid = trace_json_array(trace_json_object(result, "metrics"), "grid");
    const double tiles = trace_json_number(parameters, "tiles", 0) *
                         fmax(1, trace_json_number(parameters, "rows", 1)) *
                         fmax(1, trace_json_number(parameters, "cols", 1)) *
                         fmax(1, trace_json_number(parameters, "columns", 1));
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
    if (text->len == 0 && tiles > 0) {
        g_string_printf(text, "%.0f" TILES, tiles);
    }
    return text;
}

static bool is_of(const TraceRooflineSet *self, guint index, const char *workload)
{
    return g_str_equal(trace_roofline_set_run(self, index)->workload, workload);
}

/* The size of each run of a workload, empty for the others; the caller frees the list.
 * Tiles are compared with tiles only. */
static GPtrArray *sizes_of(const TraceRooflineSet *self, const char *workload)
{
    GPtrArray *sizes = g_ptr_array_new_with_free_func(g_free);
    bool has_cells = false;

    for (guint i = 0; i < self->files->len; i++) {
        const TraceRun *file = g_ptr_array_index(self->files, i);
        GString *size =
            is_of(self, i, workload) ? size_of(file->result) : g_string_new(NULL);

        has_cells = has_cells || (size->len > 0 && strstr(size->str, TILES) == NULL);
        g_ptr_array_add(sizes, g_string_free(size, FALSE));
    }
    for (guint i = 0; has_cells && i < sizes->len; i++) {
        char *size = g_ptr_array_index(sizes, i);

        if (strstr(size, TILES) != NULL) {
            *size = '\0';
        }
    }
    return sizes;
}

/* " 512x112x64" after the letters of the runs with it, and how many sizes there are. */
static guint
append_sizes(const TraceRooflineSet *self, const char *workload, GString *text)
{
    g_autoptr(GPtrArray) sizes = sizes_of(self, workload);
    guint count = 0;

    for (guint i = 0; i < sizes->len; i++) {
        g_autofree char *size = g_strdup(g_ptr_array_index(sizes, i));
        const char *before = count > 0 ? "; " : "";

        for (guint k = i; *size != '\0' && k < sizes->len; k++) {
            if (g_str_equal(g_ptr_array_index(sizes, k), size)) {
                g_autofree char *letter = trace_roofline_set_letter(self, k);

                g_string_append_printf(text, "%s%s", before, letter);
                before = ", ";
                *(char *) g_ptr_array_index(sizes, k) = '\0';
            }
        }
        if (g_str_equal(before, ", ")) {
            g_string_append_printf(text, " %s", size);
            count++;
        }
    }
    return count;
}

void trace_roofline_set_warn_sizes(TraceRooflineSet *self)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < self->files->len; i++) {
        const char *workload = trace_roofline_set_run(self, i)->workload;
        GString *text = g_string_new(workload);

        g_string_append(text, ": runs of different sizes stand side by side: ");
        if (g_hash_table_add(seen, (gpointer) workload) &&
            append_sizes(self, workload, text) > 1) {
            g_ptr_array_add(self->notes, g_strdup(text->str));
            g_ptr_array_add(self->warnings, g_strdup(text->str));
        }
        g_string_free(text, TRUE);
    }
}
