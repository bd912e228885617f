/* A comparison for other programs: JSON and CSV. */
#include <math.h>

#include "tools/gridloom/compare/result.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/envelope.h"
#include "traces/file/json_member.h"
#include "traces/result/limit.h"
#include "workloads/outcome.h"

/* Members of a run's result that rows have, under the same names. */
static const char *const numbers[] = {"cycles", "seconds", "iterations",
                                      "seconds_per_iteration", "energy_joules"};
static const struct {
    const char *name;
    const char *formula;
} times[] = {
    {"launch_seconds", "metrics.launch_seconds"},
    {"device_seconds", "metrics.device_seconds"},
};

/* With --model. */
static const char *const models[] = {"model_cycles", "model_seconds", "model_ratio",
                                     "model_largest_part"};

static void set_number(JsonObject *object, const char *name, double value)
{
    /* What is not finite becomes null. */
    json_object_set_double_member(object, name, value);
}

static JsonArray *roofs_array(const CompareRow *row)
{
    JsonArray *roofs = json_array_new();

    for (guint i = 0; i < row->roofs->len; i++) {
        const TraceRoofUse *use = &g_array_index(row->roofs, TraceRoofUse, i);
        JsonObject *roof = json_object_new();

        json_object_set_string_member(roof, "name", use->name);
        json_object_set_double_member(roof, "percent", use->percent);
        json_array_add_object_element(roofs, roof);
    }
    return roofs;
}

static JsonObject *case_object(const CompareOptions *options, guint case_index)
{
    JsonObject *object = json_object_new();

    for (guint i = 0; i < options->sweeps->len; i++) {
        const CompareSweep *sweep = g_ptr_array_index(options->sweeps, i);

        json_object_set_string_member(object, sweep->name, sweep->values[case_index]);
    }
    return object;
}

/* Copies a member of the run's result; null where there is none. */
static void copy_member(JsonObject *object, const CompareRow *row, const char *name)
{
    JsonNode *node =
        row->run.result != NULL
            ? json_object_get_member(json_node_get_object(row->run.result), name)
            : NULL;

    if (node != NULL) {
        json_object_set_member(object, name, json_node_copy(node));
    } else {
        json_object_set_null_member(object, name);
    }
}

static JsonObject *row_object(const CompareResult *self, const CompareRow *row)
{
    JsonObject *object = json_object_new();

    json_object_set_string_member(
        object, "chip",
        row->chip->over != NULL ? trace_json_string(row->chip->over->result, "chip", "")
                                : row->chip->name);
    json_object_set_string_member(object, "run", row->chip->name);
    json_object_set_string_member(object, "origin", compare_chip_origin(row->chip));
    json_object_set_object_member(object, "case",
                                  case_object(self->options, row->case_index));
    json_object_set_int_member(object, "code", row->run.code);
    json_object_set_string_member(object, "why", row->run.why);
    for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
        copy_member(object, row, numbers[i]);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(times); i++) {
        set_number(object, times[i].name, compare_row_number(row, times[i].formula));
    }
    set_number(object, "quantity", row->quantity);
    set_number(object, "times_faster", row->faster);
    json_object_set_array_member(object, "roofs", roofs_array(row));
    json_object_set_string_member(object, "limit", row->limit);
    json_object_set_string_member(object, "waits", row->waits);
    copy_member(object, row, "check");
    copy_member(object, row, "parameters");
    copy_member(object, row, "overrides");
    copy_member(object, row, "counters");
    copy_member(object, row, "chip_digest");
    if (self->options->has_models) {
        compare_model_set_member(object, row);
    }
    return object;
}

static JsonObject *metrics_object(const CompareResult *self)
{
    JsonObject *metrics = json_object_new();
    JsonArray *chips = json_array_new();

    json_object_set_string_member(metrics, "script", self->options->name);
    json_object_set_string_member(metrics, "quantity", self->options->quantity);
    for (guint i = 0; i < self->rows->len; i++) {
        json_array_add_object_element(chips,
                                      row_object(self, compare_result_row(self, i)));
    }
    json_object_set_array_member(metrics, "chips", chips);
    return metrics;
}

static guint count_code(const CompareResult *self, int code)
{
    guint count = 0;

    for (guint i = 0; i < self->rows->len; i++) {
        count += compare_result_row(self, i)->run.code == code;
    }
    return count;
}

char *compare_result_to_json(const CompareResult *self)
{
    const guint failed = self->rows->len - count_code(self, EXIT_DONE);

    return envelope_to_json(
        (TraceResult){
            .workload = "compare",
            .seed = self->options->seed,
            .metrics = metrics_object(self),
            .check_status = failed > 0                      ? "fail"
                            : self->options->is_timing_only ? "skipped"
                                                            : "pass",
            .max_abs_error = failed,
            .reference = "runs that failed, or whose own check did",
            .wall_seconds = self->wall_seconds,
            .threads = self->options->threads,
        },
        NULL);
}

/* Names of the roofs of all rows, in the order in which they come; borrowed. */
static GPtrArray *roof_names(const CompareResult *self)
{
    GPtrArray *names = g_ptr_array_new();

    for (guint i = 0; i < self->rows->len; i++) {
        const GArray *roofs = compare_result_row(self, i)->roofs;

        for (guint k = 0; k < roofs->len; k++) {
            const char *name = g_array_index(roofs, TraceRoofUse, k).name;

            if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL)) {
                g_ptr_array_add(names, (gpointer) name);
            }
        }
    }
    return names;
}

static void add_text(GPtrArray *fields, const char *text)
{
    g_ptr_array_add(fields, g_strdup(text != NULL ? text : ""));
}

/* Empty where there is none. */
static void add_number(GPtrArray *fields, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    add_text(fields, isfinite(value) ? g_ascii_dtostr(text, sizeof text, value) : "");
}

static void
add_columns(const CompareResult *self, const GPtrArray *roofs, GPtrArray *columns)
{
    for (guint i = 0; i < self->options->sweeps->len; i++) {
        add_text(columns,
                 ((CompareSweep *) g_ptr_array_index(self->options->sweeps, i))->name);
    }
    add_text(columns, "chip");
    add_text(columns, "code");
    for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
        add_text(columns, numbers[i]);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(times); i++) {
        add_text(columns, times[i].name);
    }
    add_text(columns, "quantity");
    add_text(columns, "times_faster");
    for (guint i = 0; i < roofs->len; i++) {
        g_ptr_array_add(columns,
                        g_strdup_printf("percent of %s", (char *) roofs->pdata[i]));
    }
    for (gsize i = 0; self->options->has_models && i < G_N_ELEMENTS(models); i++) {
        add_text(columns, models[i]);
    }
    add_text(columns, "limit");
    add_text(columns, "waits");
    add_text(columns, "why");
}

static double percent_of(const CompareRow *row, const char *name)
{
    for (guint i = 0; i < row->roofs->len; i++) {
        const TraceRoofUse *use = &g_array_index(row->roofs, TraceRoofUse, i);

        if (g_str_equal(use->name, name)) {
            return use->percent;
        }
    }
    return NAN;
}

/* In the order of `models`. */
static void add_model(GPtrArray *fields, const Estimate *model)
{
    add_number(fields, model != NULL ? model->cycles : NAN);
    add_number(fields, model != NULL ? model->seconds : NAN);
    add_number(fields, model != NULL ? model->ratio : NAN);
    add_text(fields, model != NULL ? estimate_largest(model)->name : "");
}

static GPtrArray *
csv_row(const CompareResult *self, const CompareRow *row, const GPtrArray *roofs)
{
    GPtrArray *fields = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < self->options->sweeps->len; i++) {
        const CompareSweep *sweep = g_ptr_array_index(self->options->sweeps, i);

        add_text(fields, sweep->values[row->case_index]);
    }
    add_text(fields, row->chip->name);
    add_number(fields, row->run.code);
    for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
        add_number(fields, compare_row_number(row, numbers[i]));
    }
    for (gsize i = 0; i < G_N_ELEMENTS(times); i++) {
        add_number(fields, compare_row_number(row, times[i].formula));
    }
    add_number(fields, row->quantity);
    add_number(fields, row->faster);
    for (guint i = 0; i < roofs->len; i++) {
        add_number(fields, percent_of(row, g_ptr_array_index(roofs, i)));
    }
    if (self->options->has_models) {
        add_model(fields, row->model);
    }
    add_text(fields, row->limit);
    add_text(fields, row->waits);
    add_text(fields, row->run.why);
    return fields;
}

char *compare_result_to_csv(const CompareResult *self)
{
    g_autoptr(GPtrArray) roofs = roof_names(self);
    g_autoptr(GPtrArray) columns = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) rows =
        g_ptr_array_new_with_free_func((GDestroyNotify) g_ptr_array_unref);
    const WlTable table = {.columns = columns, .rows = rows};

    add_columns(self, roofs, columns);
    for (guint i = 0; i < self->rows->len; i++) {
        g_ptr_array_add(rows, csv_row(self, compare_result_row(self, i), roofs));
    }
    return wl_table_to_csv(&table);
}
