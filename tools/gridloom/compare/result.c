/* Runs side by side. */
#include "tools/gridloom/compare/result.h"

#include <math.h>
#include <stdio.h>

#include "tools/gridloom/complaint.h"
#include "traces/file/json_member.h"
#include "traces/file/quantity.h"
#include "traces/result/limit.h"
#include "traces/suite/member.h"
#include "traces/table/grid.h"

/* Scripts differ in whether they measure the start of programs. */
#define WITHOUT_START "metrics.device_seconds/iterations"

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

char *compare_row_label(const CompareRow *row)
{
    return row->chip->over == NULL ? g_strdup(row->chip->name)
                                   : g_strdup_printf("%s (%s)", row->chip->name,
                                                     compare_chip_origin(row->chip));
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

/* The caller frees it. */
static char *seconds_text(const CompareRow *row, const char *formula)
{
    const double seconds = compare_row_number(row, formula);

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

static void add_line(const CompareRow *row, Grid *grid)
{
    g_autofree char *label = compare_row_label(row);
    g_autofree char *time = seconds_text(row, "seconds");
    g_autofree char *iteration = seconds_text(row, COMPARE_QUANTITY);
    g_autofree char *without = seconds_text(row, WITHOUT_START);
    g_autofree char *fullest = fullest_text(row);
    const char *check = wl_process_check(&row->run);

    grid_printf(grid, "%s|%.0f|%s|%s|%s|%.4g|%.4g|%s|%s|%.4g", label,
                compare_row_number(row, "cycles"), time, iteration, without,
                compare_row_number(row, "energy_joules"), row->faster, fullest,
                check != NULL             ? check
                : row->run.result != NULL ? "none"
                                          : "no result",
                row->quantity);
}

static void print_table(const CompareResult *self)
{
    const CompareOptions *options = self->options;
    const GPtrArray *sweeps = options->sweeps;
    const bool is_usual = g_str_equal(options->quantity, COMPARE_QUANTITY);
    g_autoptr(Grid) grid = grid_new(sweeps->len + (is_usual ? 9 : 10));

    for (guint i = 0; i < sweeps->len; i++) {
        grid_put(grid, ((const CompareSweep *) g_ptr_array_index(sweeps, i))->name);
    }
    grid_printf(grid,
                "chip|cycles|time|per iteration|without start|joules|times faster|"
                "fullest roof|check|%s",
                options->quantity);
    for (guint i = 0; i < self->rows->len; i++) {
        const CompareRow *row = compare_result_row(self, i);

        for (guint k = 0; k < sweeps->len; k++) {
            const CompareSweep *sweep = g_ptr_array_index(sweeps, k);

            grid_put(grid, sweep->values[row->case_index]);
        }
        add_line(row, grid);
    }
    grid_print(grid, stdout, 0);
}

/* A run that is over may be of another size than the first. */
static void print_differences(const CompareResult *self, const CompareRow *row)
{
    static const char *const sizes[] = {"nx", "ny", "nz"};
    const CompareRow *first = compare_result_row(self, 0);
    g_autoptr(GString) text = g_string_new(NULL);

    for (gsize i = 0; row->chip->over != NULL && i < G_N_ELEMENTS(sizes); i++) {
        g_autofree char *formula = g_strconcat("parameters.", sizes[i], NULL);
        const double own = compare_row_number(row, formula);
        const double other = compare_row_number(first, formula);

        if (isfinite(own) && isfinite(other) && (own < other || own > other)) {
            g_string_append_printf(text, "%s%s %.0f, not %.0f",
                                   text->len > 0 ? "; " : "", sizes[i], own, other);
        }
    }
    if (text->len > 0) {
        printf("  differs %s: another problem than above\n", text->str);
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
