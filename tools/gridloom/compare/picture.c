/* Draws comparisons. */
#include <math.h>

#include "tools/gridloom/compare/result.h"
#include "tools/gridloom/option_value.h"
#include "traces/file/quantity.h"
#include "traces/picture/bar_list.h"
#include "traces/picture/plot_list.h"
#include "traces/result/limit.h"

/* Values that differ by more than this are drawn on a logarithmic axis. */
#define WIDE         20.0
#define MICROSECONDS 1e6 /* of a second */

static bool is_usual(const CompareResult *self)
{
    return g_str_equal(self->options->quantity, COMPARE_QUANTITY);
}

/* What is drawn unless another quantity or closed forms are asked for: iterations, all
 * of them with launches or all without. */
static bool is_alike(const CompareResult *self)
{
    return is_usual(self) && !self->options->has_models;
}

/* Closed forms are times. */
static bool has_models(const CompareResult *self)
{
    return is_usual(self) && self->options->has_models;
}

/* The quantities, each with a stroke where its closed form is. */
static void add_quantities(const CompareResult *self, TraceBarList *bars)
{
    trace_bar_list_panel(
        bars, "%s", is_usual(self) ? "time per iteration" : self->options->quantity);
    if (has_models(self)) {
        trace_bar_list_note(bars, "stroke: what the closed form says");
    }
    for (guint i = 0; i < self->rows->len; i++) {
        const CompareRow *row = compare_result_row(self, i);
        const Estimate *model = has_models(self) ? row->model : NULL;
        const double mark = model != NULL ? model->seconds : 0;
        g_autofree char *before = quantity_seconds(mark);
        g_autofree char *text = !isfinite(row->quantity) ? g_strdup("failed")
                                : is_usual(self)
                                    ? quantity_seconds(row->quantity)
                                    : g_strdup_printf("%.5g", row->quantity);
        g_autofree char *label = compare_row_label(row);

        trace_bar_list_add(bars, label, row->quantity, mark, "%s%s%s", text,
                           model != NULL ? ", model " : "",
                           model != NULL ? before : "");
    }
}

/* Like with like: scripts differ in whether they measure launches. */
static void
add_iterations(const CompareResult *self, TraceBarList *bars, bool has_launches)
{
    trace_bar_list_panel(bars, "iteration %s launches",
                         has_launches ? "with" : "without");
    for (guint i = 0; i < self->rows->len; i++) {
        const CompareRow *row = compare_result_row(self, i);
        const double seconds = compare_row_seconds(row, has_launches);
        g_autofree char *label = compare_row_label(row);
        g_autofree char *text = isfinite(seconds)         ? quantity_seconds(seconds)
                                : row->run.result == NULL ? g_strdup("failed")
                                                          : g_strdup("not known");

        trace_bar_list_add(bars, label, seconds, 0, "%s", text);
    }
}

static char *draw_bars(const CompareResult *self)
{
    g_autoptr(TraceBarList) bars =
        trace_bar_list_new("%s on several chips", self->options->name);

    if (is_alike(self)) {
        add_iterations(self, bars, true);
        add_iterations(self, bars, false);
    } else {
        add_quantities(self, bars);
    }
    for (guint i = 0; i < self->rows->len; i++) {
        const CompareRow *row = compare_result_row(self, i);

        g_autofree char *label = compare_row_label(row);

        trace_bar_list_panel(bars, "%s: percent of its roofs", label);
        trace_bar_list_note(bars, "%s", row->limit != NULL ? row->limit : "failed");
        trace_bar_list_scale(bars, 100);
        for (guint k = 0; k < row->roofs->len; k++) {
            const TraceRoofUse *use = &g_array_index(row->roofs, TraceRoofUse, k);
            g_autofree char *percent = quantity_percent(use->percent);

            trace_bar_list_add(bars, use->name, use->percent, 0, "%s", percent);
        }
    }
    return trace_bar_list_to_svg(bars);
}

/* The range that an axis covers. */
typedef struct {
    double low;
    double high;
} Span;

static void cover(Span *span, double value)
{
    span->low = fmin(span->low, value);
    span->high = fmax(span->high, value);
}

static bool is_wide(const Span *span)
{
    return span->low > 0 && span->high > WIDE * span->low;
}

/* Where on the axis cases are: at the values of the first parameter or, where those are
 * no numbers, one after the other. */
static bool find_places(const CompareOptions *options, double *places)
{
    const CompareSweep *sweep = g_ptr_array_index(options->sweeps, 0);
    bool has_numbers = true;

    for (guint i = 0; i < options->case_count; i++) {
        has_numbers = has_numbers && option_is_number(sweep->values[i], &places[i]);
    }
    for (guint i = 0; !has_numbers && i < options->case_count; i++) {
        places[i] = i + 1;
    }
    return has_numbers;
}

/* The name of the horizontal axis: the first parameter and those that vary with it. */
static char *words_of_cases(const CompareResult *self, bool has_numbers)
{
    const GPtrArray *sweeps = self->options->sweeps;
    GString *words = g_string_new(has_numbers ? "" : "case of ");

    for (guint i = 0; i < sweeps->len; i++) {
        const CompareSweep *sweep = g_ptr_array_index(sweeps, i);
        g_autofree char *values = g_strjoinv(", ", sweep->values);

        if (i == 0 && has_numbers) {
            g_string_append(words, sweep->name);
        } else {
            g_string_append_printf(words, "%s%s = %s",
                                   i == 0        ? ""
                                   : has_numbers ? ", with "
                                                 : "; ",
                                   sweep->name, values);
        }
    }
    return g_string_free(words, FALSE);
}

/* The name of a chip's curve, with the mark of its runs; the caller frees it. */
static char *words_of_curve(const CompareResult *self, guint column, bool is_model)
{
    const CompareChip *chip = g_ptr_array_index(self->options->chips, column);
    const char *mark = compare_row_mark(compare_result_row(self, column));

    if (is_model) {
        return g_strconcat(chip->name, ", closed form", NULL);
    }
    return g_strconcat(chip->name, mark != NULL ? ", " : NULL, mark, NULL);
}

/* What a curve shows of a run. */
static double value_of(const CompareResult *self, const CompareRow *row, bool is_model)
{
    if (is_model) {
        return row->model != NULL ? row->model->seconds : NAN;
    }
    return is_alike(self) ? compare_row_seconds(row, false) : row->quantity;
}

static const char *words_of_values(const CompareResult *self)
{
    if (is_alike(self)) {
        return "iteration without launches (us)";
    }
    return is_usual(self) ? "time per iteration (us)" : self->options->quantity;
}

static char *draw_curves(const CompareResult *self)
{
    const CompareOptions *options = self->options;
    const guint chips = options->chips->len;
    const double scale = is_usual(self) ? MICROSECONDS : 1;
    g_autofree double *places = g_new0(double, options->case_count);
    g_autofree char *title = g_strdup_printf("%s on several chips", options->name);
    g_autofree char *x_words = words_of_cases(self, find_places(options, places));
    g_autoptr(TracePlotList) curves = trace_plot_list_new();
    Span x = {HUGE_VAL, -HUGE_VAL};
    Span y = x;

    for (guint i = 0; i < (has_models(self) ? 2 * chips : chips); i++) {
        const bool is_model = i >= chips;
        const guint column = is_model ? i - chips : i;
        g_autofree char *name = words_of_curve(self, column, is_model);

        trace_plot_list_series(curves, TRACE_PLOT_BOTH, "%s", name);
        for (guint k = 0; k < options->case_count; k++) {
            const CompareRow *row = compare_result_row(self, k * chips + column);
            const double value = value_of(self, row, is_model) * scale;

            if (isfinite(value)) {
                trace_plot_list_add(curves, places[k], value);
                cover(&x, places[k]);
                cover(&y, value);
            }
        }
    }
    const TracePlot plot = {
        .title = title,
        .x = x_words,
        .y = words_of_values(self),
        .is_log_x = is_wide(&x),
        .is_log_y = is_wide(&y),
    };

    return trace_plot_list_draw(curves, &plot, trace_plot_to_svg);
}

char *compare_picture_to_svg(gconstpointer result)
{
    const CompareResult *self = result;

    return self->options->sweeps->len > 0 ? draw_curves(self) : draw_bars(self);
}
