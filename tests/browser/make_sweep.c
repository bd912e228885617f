/* Writes the page of a sweep made in memory, for browsers to look at.
 *   make_sweep small|large|hostile|alone FILE.html
 * small has 24 runs, of which two failed and one was lost; large 6000; the names and
 * texts of hostile are full of HTML; alone is one run. */
#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/report/page.h"
#include "traces/file/output.h"
#include "traces/table/table_json.h"

#define HTML                                                                           \
    "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>"     \
    "&quot;\"'"

typedef struct {
    const char *name;
    const char *marker; /* at the end of every name and text */
    guint tiles;        /* values of each axis */
    guint hops;
    guint systems;
} Shape;

static const Shape shapes[] = {
    {"small", "", 4, 3, 2},
    {"large", "", 50, 40, 3},
    {"hostile", HTML, 3, 3, 2},
    {"alone", "", 1, 1, 1},
};

enum {
    COLUMN_COUNT = 9,
};

/* A cell, with the marker where it is a word. */
static char *word(const Shape *shape, const char *text)
{
    return g_strconcat(text, shape->marker, NULL);
}

static void add_columns(TraceTable *table, const Shape *shape)
{
    static const struct {
        const char *name;
        TraceColumnKind kind;
    } columns[COLUMN_COUNT] = {
        {"run", TRACE_COLUMN_STATUS},
        {"status", TRACE_COLUMN_STATUS},
        {"error", TRACE_COLUMN_STATUS},
        {"tiles", TRACE_COLUMN_PARAMETER},
        {"noc.hop_cycles", TRACE_COLUMN_PARAMETER},
        {"system", TRACE_COLUMN_PARAMETER},
        {"energy_joules", TRACE_COLUMN_METRIC}, /* first, and not what is drawn */
        {"seconds", TRACE_COLUMN_METRIC},
        {"check", TRACE_COLUMN_METRIC},
    };

    for (guint i = 0; i < COLUMN_COUNT; i++) {
        g_autofree char *name =
            i < 3 ? g_strdup(columns[i].name) : word(shape, columns[i].name);

        trace_table_add_column(table, name, columns[i].kind);
    }
}

static void
add_row(TraceTable *table, const Shape *shape, guint tile, guint hop, guint system)
{
    static const char *const systems[] = {"n300", "t3000", "galaxy32"};
    const guint run = (tile * shape->hops + hop) * shape->systems + system;
    const guint tiles = 1 << (tile % 12);
    const double seconds =
        1e-5 * (tiles + tile / 12.0) / (system + 1) + 1e-7 * (5 + 4 * hop);
    const char *status = run % 17 == 7 ? "failed" : run == 11 ? "lost" : "done";
    const bool is_done = g_str_equal(status, "done");
    g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);

    g_ptr_array_add(cells, g_strdup_printf("%u", run));
    g_ptr_array_add(cells, g_strdup(status));
    g_ptr_array_add(cells, is_done ? NULL : word(shape, "pcg: tiles = 8, up to 4 fit"));
    g_ptr_array_add(cells, g_strdup_printf("%u", tiles));
    g_ptr_array_add(cells, g_strdup_printf("%u", 5 + 4 * hop));
    g_ptr_array_add(cells, word(shape, systems[system % G_N_ELEMENTS(systems)]));
    g_ptr_array_add(
        cells,
        is_done ? g_strdup_printf("%.9g", 1e-3 / (1 + tile) + 2e-4 * (system + 1) * hop)
                : NULL);
    g_ptr_array_add(cells, is_done ? g_strdup_printf("%.9g", seconds) : NULL);
    g_ptr_array_add(cells, is_done ? word(shape, "passed") : NULL);
    trace_table_add_row(table, (const char *const *) cells->pdata);
}

/* A list of one picture, and the two goals. */
static void add_wishes(JsonObject *sweep, const Shape *shape)
{
    static const char *const names[] = {"x", "by", "y"};
    static const char *const columns[] = {"noc.hop_cycles", "system", "seconds"};
    JsonObject *plot = json_object_new();
    JsonArray *plots = json_array_new();
    JsonArray *goals = json_array_new();
    g_autofree char *title = word(shape, "Time by hops");

    json_object_set_string_member(plot, "title", title);
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *column = word(shape, columns[i]);

        json_object_set_string_member(plot, names[i], column);
    }
    json_array_add_object_element(plots, plot);
    json_object_set_array_member(sweep, "plots", plots);
    for (guint i = 0; i < 2; i++) {
        JsonObject *goal = json_object_new();
        g_autofree char *column = word(shape, i == 0 ? "seconds" : "energy_joules");

        json_object_set_string_member(goal, "name", column);
        json_object_set_boolean_member(goal, "is_maximum", false);
        json_array_add_object_element(goals, goal);
    }
    json_object_set_array_member(sweep, "goals", goals);
}

static void add_fixed(JsonObject *sweep, const Shape *shape)
{
    JsonArray *fixed = json_array_new();
    JsonObject *one = json_object_new();
    g_autofree char *name = word(shape, "iterations");
    g_autofree char *script = word(shape, "pcg");

    json_object_set_string_member(one, "name", name);
    json_object_set_string_member(one, "value", name);
    json_array_add_object_element(fixed, one);
    json_object_set_array_member(sweep, "fixed", fixed);
    json_object_set_string_member(sweep, "script", script);
}

static char *page_of(const Shape *shape)
{
    g_autofree char *title = word(shape, "A sweep of hops");
    g_autoptr(TraceTable) table = trace_table_new(title);

    add_columns(table, shape);
    for (guint tile = 0; tile < shape->tiles; tile++) {
        for (guint hop = 0; hop < shape->hops; hop++) {
            for (guint system = 0; system < shape->systems; system++) {
                add_row(table, shape, tile, hop, system);
            }
        }
    }
    g_autoptr(JsonObject) sweep = trace_table_to_json(table);

    add_wishes(sweep, shape);
    add_fixed(sweep, shape);
    return cmd_report_page_of_sweep(sweep);
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;

    for (gsize i = 0; argc == 3 && i < G_N_ELEMENTS(shapes); i++) {
        if (g_str_equal(argv[1], shapes[i].name)) {
            g_autofree char *page = page_of(&shapes[i]);

            if (!trace_output_write(argv[2], page, &error)) {
                (void) fprintf(stderr, "make_sweep: %s\n", error->message);
            }
            return error != NULL;
        }
    }
    (void) fputs("usage: make_sweep small|large|hostile|alone FILE.html\n", stderr);
    return 1;
}
