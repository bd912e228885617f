/* Runs side by side. */
#include "tools/gridloom/compare/result.h"

#include <math.h>
#include <stdio.h>

#include "tools/gridloom/complaint.h"
#include "traces/file/json_member.h"
#include "traces/file/quantity.h"
#include "traces/reading/used.h"
#include "traces/result/limit.h"
#include "traces/roofline/problem.h"
#include "traces/suite/member.h"
#include "traces/table/grid.h"

static void row_clear(gpointer data)
{
    CompareRow *self = data;

    g_array_unref(self->roofs);
    g_free(self->limit);
    g_free(self->waits);
    g_clear_pointer(&self->model, estimate_free);
    g_free(self->no_model);
    wl_process_clear(&self->run);
}

void compare_result_init(CompareResult *self, const CompareOptions *options)
{
    *self = (CompareResult){.options = options,
                            .rows = g_array_new(FALSE, FALSE, sizeof(CompareRow))};
    g_array_set_clear_func(self->rows, row_clear);
}

void compare_result_clear(CompareResult *self)
{
    g_clear_pointer(&self->rows, g_array_unref);
}

const CompareRow *compare_result_row(const CompareResult *self, guint row)
{
    return &g_array_index(self->rows, CompareRow, row);
}

double compare_row_number(const CompareRow *row, const char *formula)
{
    JsonObject *result = wl_process_result(&row->run);
    double value = NAN;

    return result != NULL && result_number(result, formula, &value, NULL) ? value : NAN;
}

/* Scripts differ in whether they measure launches: those in the measured region are
 * taken out, or those outside of it added. */
static double simulated_seconds(const CompareRow *row, bool has_launches)
{
    return compare_row_number(
        row, has_launches ? "(seconds+metrics.launch_seconds"
                            "-metrics.measured_launch_seconds)/iterations"
                          : "(seconds-metrics.measured_launch_seconds)/iterations");
}

/* The host's clock has the launches, and events around a graph do not. If only one time
 * is known, it is without. */
static double measured_seconds(const CompareRow *row, bool has_launches)
{
    const double clock =
        compare_row_number(row, "metrics.seconds_host_clock/iterations");

    if (has_launches) {
        return clock;
    }
    return compare_row_number(row, isnan(clock) ? COMPARE_QUANTITY
                                                : "metrics.seconds_graph/iterations");
}

double compare_row_seconds(const CompareRow *row, bool has_launches)
{
    JsonObject *metrics = row->chip->over != NULL
                              ? trace_json_object(row->chip->over->result, "metrics")
                              : NULL;

    return trace_json_bool(metrics, "measured") || trace_json_bool(metrics, "published")
               ? measured_seconds(row, has_launches)
               : simulated_seconds(row, has_launches);
}

double compare_result_faster(const CompareResult *self, guint row, bool has_launches)
{
    const guint first = row - row % self->options->chips->len;

    return compare_row_seconds(compare_result_row(self, first), has_launches) /
           compare_row_seconds(compare_result_row(self, row), has_launches);
}

const char *compare_row_mark(const CompareRow *row)
{
    JsonObject *result = wl_process_result(&row->run);

    return result != NULL ? trace_used_mark(result) : NULL;
}

char *compare_row_label(const CompareRow *row)
{
    const char *mark = compare_row_mark(row);
    g_autofree char *origin =
        row->chip->over != NULL
            ? g_strdup_printf(" (%s)", compare_chip_origin(row->chip))
            : g_strdup("");

    return g_strconcat(row->chip->name, origin, mark != NULL ? ", " : NULL, mark, NULL);
}

static void read_quantity(const CompareResult *self, CompareRow *row)
{
    g_autoptr(GError) error = NULL;
    const char *formula = self->options->quantity;

    if (!result_number(wl_process_result(&row->run), formula, &row->quantity, &error)) {
        row->quantity = NAN;
        row->run.code = MAX(row->run.code, EXIT_INPUT);
        if (row->run.why == NULL) {
            row->run.why = g_strdup_printf("--quantity: %s", error->message);
        }
    }
}

void compare_result_add(CompareResult *self,
                        guint case_index,
                        const CompareChip *chip,
                        WlProcess run)
{
    const guint before = self->rows->len % self->options->chips->len;
    CompareRow row = {.case_index = case_index,
                      .chip = chip,
                      .run = run,
                      .quantity = NAN,
                      .faster = NAN};
    JsonObject *result = wl_process_result(&row.run);

    row.roofs = result != NULL ? trace_limit_roofs(result)
                               : g_array_new(FALSE, FALSE, sizeof(TraceRoofUse));
    if (result != NULL) {
        row.limit = trace_limit_text(result, NULL);
        row.waits = trace_limit_waits(result);
        read_quantity(self, &row);
    }
    if (self->options->has_models) {
        compare_model_fill(self->options, &row);
    }
    /* The first of its case, which may be this one. */
    const double first =
        before > 0 ? compare_result_row(self, self->rows->len - before)->quantity
                   : row.quantity;

    row.faster = row.quantity > 0 ? first / row.quantity : NAN;
    g_array_append_val(self->rows, row);
}

char *compare_result_case(const CompareResult *self, guint case_index)
{
    const GPtrArray *sweeps = self->options->sweeps;
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < sweeps->len; i++) {
        const CompareSweep *sweep = g_ptr_array_index(sweeps, i);

        g_string_append_printf(text, "%s%s=%s", i > 0 ? " " : "", sweep->name,
                               sweep->values[case_index]);
    }
    return g_string_free(text, FALSE);
}

int compare_result_code(const CompareResult *self)
{
    int code = EXIT_DONE;

    for (guint i = 0; i < self->rows->len; i++) {
        code = MAX(code, compare_result_row(self, i)->run.code);
    }
    if (self->options->has_models && compare_model_is_missing(self)) {
        code = MAX(code, EXIT_UNMODELLED);
    }
    return code;
}

/* The caller frees it; NULL where it is not known. */
static char *seconds_text(const CompareRow *row, bool has_launches)
{
    const double seconds = compare_row_seconds(row, has_launches);

    return isfinite(seconds) ? quantity_seconds(seconds) : NULL;
}

static char *fullest_text(const CompareRow *row)
{
    const TraceRoofUse *fullest = NULL;

    for (guint i = 0; i < row->roofs->len; i++) {
        const TraceRoofUse *use = &g_array_index(row->roofs, TraceRoofUse, i);

        fullest = fullest == NULL || use->percent > fullest->percent ? use : fullest;
    }
    if (fullest == NULL) {
        return NULL;
    }
    g_autofree char *percent = quantity_percent(fullest->percent);

    return g_strdup_printf("%s %s", fullest->name, percent);
}

static void add_line(const CompareResult *self, guint index, Grid *grid)
{
    const CompareRow *row = compare_result_row(self, index);
    JsonObject *result = wl_process_result(&row->run);
    g_autofree char *label = compare_row_label(row);
    g_autofree char *used = result != NULL ? trace_used_text(result) : NULL;
    g_autofree char *with = seconds_text(row, true);
    g_autofree char *without = seconds_text(row, false);
    g_autofree char *fullest = fullest_text(row);
    const char *check = wl_process_check(&row->run);

    if (check == NULL) {
        check = result != NULL ? "none" : "no result";
    }
    /* What is too much falls off. */
    grid_printf(grid, "%s|%s|%.0f|%s|%.4g|%s|%.4g|%.4g|%s|%s|%.4g|%.4g", label, used,
                compare_row_number(row, "iterations"), with,
                compare_result_faster(self, index, true), without,
                compare_result_faster(self, index, false),
                compare_row_number(row, "energy_joules"), fullest, check, row->quantity,
                row->faster);
}

static void print_table(const CompareResult *self)
{
    const CompareOptions *options = self->options;
    const GPtrArray *sweeps = options->sweeps;
    const bool is_usual = g_str_equal(options->quantity, COMPARE_QUANTITY);
    g_autoptr(Grid) grid = grid_new(sweeps->len + (is_usual ? 10 : 12));

    for (guint i = 0; i < sweeps->len; i++) {
        grid_put(grid, ((const CompareSweep *) g_ptr_array_index(sweeps, i))->name);
    }
    grid_printf(grid,
                "chip|used|iterations|iteration with launches|times faster|without "
                "launches|times faster|joules|fullest roof|check|%s|times faster",
                options->quantity);
    for (guint i = 0; i < self->rows->len; i++) {
        const CompareRow *row = compare_result_row(self, i);

        for (guint k = 0; k < sweeps->len; k++) {
            const CompareSweep *sweep = g_ptr_array_index(sweeps, k);

            grid_put(grid, sweep->values[row->case_index]);
        }
        add_line(self, i, grid);
    }
    grid_print(grid, stdout, 0);
}

char *compare_row_differences(const CompareResult *self, const CompareRow *row)
{
    static const struct {
        const char *name;
        const char *formula;
    } sizes[] = {{"nx", "parameters.nx"},
                 {"ny", "parameters.ny"},
                 {"nz", "parameters.nz"},
                 {"iterations", "iterations"}};
    const CompareRow *first = compare_result_row(self, 0);
    JsonObject *result = wl_process_result(&row->run);
    JsonObject *others = wl_process_result(&first->run);
    GString *text = g_string_new(NULL);

    for (gsize i = 0; row->chip->over != NULL && i < G_N_ELEMENTS(sizes); i++) {
        const double own = compare_row_number(row, sizes[i].formula);
        const double other = compare_row_number(first, sizes[i].formula);

        if (isfinite(own) && isfinite(other) && (own < other || own > other)) {
            g_string_append_printf(text, "%s%s %.0f, not %.0f",
                                   text->len > 0 ? "; " : "", sizes[i].name, own,
                                   other);
        }
    }
    if (row->chip->over != NULL && result != NULL && others != NULL &&
        !trace_problem_is_same_format(result, others)) {
        g_string_append_printf(text, "%sdtype %s, not %s", text->len > 0 ? "; " : "",
                               trace_problem_format(result),
                               trace_problem_format(others));
    }
    return g_string_free(text, text->len == 0);
}

static void print_differences(const CompareResult *self, const CompareRow *row)
{
    g_autofree char *text = compare_row_differences(self, row);

    if (text != NULL) {
        printf("  differs %s: another problem than above\n", text);
    }
}

/* Prints the note of a measured or published result. */
static void print_note(const CompareRow *row)
{
    const char *note = trace_json_string(
        trace_json_object(wl_process_result(&row->run), "metrics"), "note", NULL);

    if (row->chip->over != NULL && note != NULL) {
        printf("  note    %s\n", note);
    }
}

/* Below the table, what does not fit into it. */
static void print_roofs(const CompareResult *self, const CompareRow *row)
{
    g_autofree char *name = compare_result_case(self, row->case_index);
    g_autofree char *label = compare_row_label(row);

    printf("\n%s%s%s\n", label, *name != '\0' ? ", " : "", name);
    if (wl_process_result(&row->run) == NULL) {
        printf("  failed  %s\n", row->run.why);
        return;
    }
    printf("  roofs   ");
    for (guint i = 0; i < row->roofs->len; i++) {
        const TraceRoofUse *use = &g_array_index(row->roofs, TraceRoofUse, i);

        g_autofree char *percent = quantity_percent(use->percent);

        printf("%s%s %s", i > 0 ? ", " : "", use->name, percent);
    }
    printf("%s\n  limit   %s\n", row->roofs->len == 0 ? "none known" : "", row->limit);
    print_differences(self, row);
    print_note(row);
    if (row->waits != NULL) {
        printf("  waits   %s\n", row->waits);
    }
    if (self->options->has_models) {
        compare_model_print_row(row);
    }
}

void compare_result_print(const CompareResult *self)
{
    g_autofree char *wall = quantity_seconds(self->wall_seconds);

    print_table(self);
    if (self->options->has_models) {
        compare_model_print(self);
    }
    for (guint i = 0; i < self->rows->len; i++) {
        print_roofs(self, compare_result_row(self, i));
    }
    printf("\n%u %s in %s\n", self->rows->len, self->rows->len == 1 ? "run" : "runs",
           wall);
}
