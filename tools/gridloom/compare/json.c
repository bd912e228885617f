/* A comparison for other programs: JSON and CSV. */
#include <math.h>

#include "tools/gridloom/compare/result.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/envelope.h"
#include "traces/file/json_member.h"
#include "traces/reading/used.h"
#include "traces/result/limit.h"
#include "traces/table/number_text.h"
#include "traces/table/record.h"

/* Members of a run's result that rows have, under the same names. */
static const char *const numbers[] = {"cycles", "seconds", "iterations",
                                      "seconds_per_iteration", "energy_joules"};
static const char *const others[] = {"check",    "parameters",  "overrides",
                                     "counters", "chip_digest", "chip_used"};

/* A RecordFunc. */
static JsonObject *roof_object(gconstpointer item, gconstpointer context G_GNUC_UNUSED)
{
    const TraceRoofUse *use = item;

    return RECORD(VALUE("name", use->name), VALUE("percent", use->percent));
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

/* Copies members of the run's result; null where there is none. */
static void copy_members(JsonObject *object,
                         const CompareRow *row,
                         const char *const *names,
                         gsize count)
{
    JsonObject *result = wl_process_result(&row->run);

    for (gsize i = 0; i < count; i++) {
        JsonNode *node =
            result != NULL ? json_object_get_member(result, names[i]) : NULL;

        json_object_set_member(object, names[i],
                               node != NULL ? json_node_copy(node)
                                            : json_node_new(JSON_NODE_NULL));
    }
}

/* A RecordFunc, in the context of the result. */
static JsonObject *row_object(gconstpointer item, gconstpointer context)
{
    const CompareResult *self = context;
    const CompareOptions *options = self->options;
    const CompareRow *row = item;
    const guint index = (guint) (row - compare_result_row(self, 0));
    const CompareChip *chip = row->chip;
    g_autofree char *differs = compare_row_differences(self, row);
    const char *name = chip->over != NULL
                           ? trace_json_string(chip->over->result, "chip", "")
                           : chip->name;
    JsonObject *object = RECORD(VALUE("chip", name), VALUE("run", chip->name),
                                VALUE("origin", compare_chip_origin(chip)),
                                VALUE("case", case_object(options, row->case_index)),
                                VALUE("code", row->run.code),
                                VALUE("why", row->run.why), VALUE("differs", differs));

    copy_members(object, row, numbers, G_N_ELEMENTS(numbers));
    RECORD_ADD(
        object,
        VALUE("launch_seconds", compare_row_number(row, "metrics.launch_seconds")),
        VALUE("device_seconds", compare_row_number(row, "metrics.device_seconds")),
        VALUE("seconds_with_launches", compare_row_seconds(row, true)),
        VALUE("times_faster_with_launches", compare_result_faster(self, index, true)),
        VALUE("seconds_without_launches", compare_row_seconds(row, false)),
        VALUE("times_faster_without_launches",
              compare_result_faster(self, index, false)),
        VALUE("includes", compare_row_mark(row)), VALUE("quantity", row->quantity),
        VALUE("times_faster", row->faster),
        VALUE("roofs", record_list(row->roofs, roof_object, NULL)),
        VALUE("limit", row->limit), VALUE("waits", row->waits));
    copy_members(object, row, others, G_N_ELEMENTS(others));
    if (options->has_models) {
        compare_model_set_member(object, row);
    }
    return object;
}

char *compare_result_to_json(gconstpointer result)
{
    const CompareResult *self = result;
    const CompareOptions *options = self->options;
    guint failed = 0;

    for (guint i = 0; i < self->rows->len; i++) {
        failed += compare_result_row(self, i)->run.code != EXIT_DONE;
    }
    return envelope_to_json(
        (TraceResult){
            .workload = "compare",
            .seed = options->seed,
            .metrics = RECORD(
                VALUE("script", options->name), VALUE("quantity", options->quantity),
                VALUE("chips", record_list(self->rows, row_object, self))),
            .check_status = failed > 0                ? "fail"
                            : options->is_timing_only ? "skipped"
                                                      : "pass",
            .max_abs_error = failed,
            .reference = "runs that failed, or whose own check did",
            .wall_seconds = self->wall_seconds,
            .threads = options->threads,
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

static void add_header(const CompareResult *self, const GPtrArray *roofs, GString *csv)
{
    for (guint i = 0; i < self->options->sweeps->len; i++) {
        const CompareSweep *sweep = g_ptr_array_index(self->options->sweeps, i);

        trace_csv_printf(csv, "%s", sweep->name);
    }
    g_string_append(csv, "chip,code,cycles,seconds,iterations,seconds_per_iteration,"
                         "energy_joules,launch_seconds,device_seconds,"
                         "seconds_with_launches,seconds_without_launches,used,"
                         "includes,quantity,times_faster,");
    for (guint i = 0; i < roofs->len; i++) {
        trace_csv_printf(csv, "percent of %s", (char *) roofs->pdata[i]);
    }
    g_string_append(csv,
                    self->options->has_models
                        ? "model_cycles,model_seconds,model_ratio,model_largest_part,"
                        : "");
    g_string_append(csv, "limit,waits,why\n");
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

static void add_row(const CompareResult *self,
                    const CompareRow *row,
                    const GPtrArray *roofs,
                    GString *csv)
{
    const Estimate none = {.cycles = NAN, .seconds = NAN, .ratio = NAN};
    const Estimate *model = row->model != NULL ? row->model : &none;
    JsonObject *result = wl_process_result(&row->run);
    g_autofree char *used = result != NULL ? trace_used_text(result) : NULL;

    for (guint i = 0; i < self->options->sweeps->len; i++) {
        const CompareSweep *sweep = g_ptr_array_index(self->options->sweeps, i);

        trace_csv_printf(csv, "%s", sweep->values[row->case_index]);
    }
    trace_csv_printf(csv, "%s|%d", row->chip->name, row->run.code);
    for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
        trace_csv_printf(csv, "%.17g", compare_row_number(row, numbers[i]));
    }
    trace_csv_printf(csv, "%.17g|%.17g|%.17g|%.17g|%s|%s|%.17g|%.17g",
                     compare_row_number(row, "metrics.launch_seconds"),
                     compare_row_number(row, "metrics.device_seconds"),
                     compare_row_seconds(row, true), compare_row_seconds(row, false),
                     used, compare_row_mark(row), row->quantity, row->faster);
    for (guint i = 0; i < roofs->len; i++) {
        trace_csv_printf(csv, "%.17g", percent_of(row, g_ptr_array_index(roofs, i)));
    }
    if (self->options->has_models) {
        trace_csv_printf(csv, "%.17g|%.17g|%.17g|%s", model->cycles, model->seconds,
                         model->ratio,
                         row->model != NULL ? estimate_largest(model)->name : "");
    }
    trace_csv_printf(csv, "%s|%s|%s\n", row->limit, row->waits, row->run.why);
}

char *compare_result_to_csv(gconstpointer result)
{
    const CompareResult *self = result;
    g_autoptr(GPtrArray) roofs = roof_names(self);
    GString *csv = g_string_new(NULL);

    add_header(self, roofs, csv);
    for (guint i = 0; i < self->rows->len; i++) {
        add_row(self, compare_result_row(self, i), roofs, csv);
    }
    return g_string_free(csv, FALSE);
}
