/* Draws comparisons. */
#include <math.h>

#include "tools/gridloom/compare/result.h"
#include "tools/gridloom/option_value.h"
#include "traces/file/quantity.h"
#include "traces/picture/bars.h"
#include "traces/picture/plot.h"
#include "traces/result/limit.h"

/* Values that differ by more than this are drawn on a logarithmic axis. */
#define WIDE         20.0
#define MICROSECONDS 1e6 /* of a second */

static bool is_usual(const CompareResult *self)
{
    return g_str_equal(self->options->quantity, COMPARE_QUANTITY);
}

/* Bars that own their texts. */
typedef struct {
    GArray *bars; /* of TraceBar */
    GPtrArray *texts;
} Bars;

static void bars_init(Bars *self)
{
    *self = (Bars){.bars = g_array_new(FALSE, FALSE, sizeof(TraceBar)),
                   .texts = g_ptr_array_new_with_free_func(g_free)};
}

static void bars_free(gpointer data)
{
    Bars *self = data;

    g_array_unref(self->bars);
    g_ptr_array_unref(self->texts);
}

/* Takes `text`. */
static void bars_add(Bars *self, const char *label, double value, char *text)
{
    const TraceBar bar = {.label = label, .text = text, .value = value};

    g_ptr_array_add(self->texts, text);
    g_array_append_val(self->bars, bar);
}

/* Closed forms are times. */
static bool has_models(const CompareResult *self)
{
    return is_usual(self) && self->options->has_models;
}

/* A stroke across the last bar where the closed form is, and its ratio in words. */
static void mark_model(Bars *self, const Estimate *model)
{
    TraceBar *bar = &g_array_index(self->bars, TraceBar, self->bars->len - 1);
    g_autofree char *before = quantity_seconds(model->seconds);
    char *text = g_strdup_printf("%s, model %s", bar->text, before);

    g_ptr_array_add(self->texts, text);
    bar->text = text;
    bar->mark = model->seconds;
}

static void add_quantities(const CompareResult *self, Bars *bars)
{
    for (guint i = 0; i < self->rows->len; i++) {
        const CompareRow *row = compare_result_row(self, i);
        char *text = !isfinite(row->quantity) ? g_strdup("failed")
                     : is_usual(self)         ? quantity_seconds(row->quantity)
                                              : g_strdup_printf("%.5g", row->quantity);

        char *label = compare_row_label(row);

        g_ptr_array_add(bars->texts, label);
        bars_add(bars, label, row->quantity, text);
        if (has_models(self) && row->model != NULL) {
            mark_model(bars, row->model);
        }
    }
}

static void add_roofs(const CompareRow *row, Bars *bars)
{
    for (guint i = 0; i < row->roofs->len; i++) {
        const TraceRoofUse *use = &g_array_index(row->roofs, TraceRoofUse, i);

        bars_add(bars, use->name, use->percent, quantity_percent(use->percent));
    }
}

/* Its bars are all there: adding some would move them. */
static void add_panel(GArray *panels, const Bars *bars, TraceBarPanel panel)
{
    panel.bars = (const TraceBar *) (void *) bars->bars->data;
    panel.bar_count = bars->bars->len;
    g_array_append_val(panels, panel);
}

static char *draw_bars(const CompareResult *self)
{
    const guint count = self->rows->len;
    g_autoptr(GArray) panels = g_array_new(FALSE, FALSE, sizeof(TraceBarPanel));
    g_autoptr(GArray) bars = g_array_new(FALSE, TRUE, sizeof(Bars));
    g_autoptr(GPtrArray) titles = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *title =
        g_strdup_printf("%s on several chips", self->options->name);

    g_array_set_clear_func(bars, bars_free);
    g_array_set_size(bars, count + 1);
    for (guint i = 0; i <= count; i++) {
        bars_init(&g_array_index(bars, Bars, i));
    }
    add_quantities(self, &g_array_index(bars, Bars, count));
    add_panel(
        panels, &g_array_index(bars, Bars, count),
        (TraceBarPanel){
            .title = is_usual(self) ? "time per iteration" : self->options->quantity,
            .note = has_models(self) ? "stroke: what the closed form says" : NULL});
    for (guint i = 0; i < count; i++) {
        const CompareRow *row = compare_result_row(self, i);

        add_roofs(row, &g_array_index(bars, Bars, i));
        g_ptr_array_add(titles,
                        g_strdup_printf("%s: percent of its roofs", row->chip->name));
        add_panel(panels, &g_array_index(bars, Bars, i),
                  (TraceBarPanel){.title = g_ptr_array_index(titles, i),
                                  .note = row->limit != NULL ? row->limit : "failed",
                                  .full = 100});
    }
    const TraceBars picture = {.title = title,
                               .panels = (const TraceBarPanel *) (void *) panels->data,
                               .panel_count = panels->len};

    return trace_bars_to_svg(&picture);
}

/* Where on the axis a case is; false where the values are no numbers. */
static bool place(const CompareSweep *sweep, guint case_index, double *x)
{
    return option_is_number(sweep->values[case_index], x);
}

static bool has_places(const CompareResult *self)
{
    double x = 0;

    for (guint i = 0; i < self->options->case_count; i++) {
        if (!place(g_ptr_array_index(self->options->sweeps, 0), i, &x)) {
            return false;
        }
    }
    return true;
}

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

/* What the horizontal axis shows: the first parameter and those that go along. */
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

/* Curves, and what the axes have to cover. */
typedef struct {
    const CompareResult *result;
    bool has_numbers; /* of cases, along x */
    Span x;
    Span y;
} Curves;

/* One chip's curve: of runs, or of their closed forms. */
static void add_curve(Curves *self,
                      guint chip,
                      bool is_model,
                      TracePlotPoint *points,
                      TracePlotSeries *series)
{
    const CompareOptions *options = self->result->options;
    const double scale = is_usual(self->result) ? MICROSECONDS : 1;

    series->points = points;
    for (guint i = 0; i < options->case_count; i++) {
        const CompareRow *row =
            compare_result_row(self->result, i * options->chips->len + chip);
        const double value = !is_model            ? row->quantity
                             : row->model != NULL ? row->model->seconds
                                                  : NAN;
        TracePlotPoint point = {.x = i + 1, .y = value * scale};

        if (self->has_numbers) {
            (void) place(g_ptr_array_index(options->sweeps, 0), i, &point.x);
        }
        if (isfinite(point.y)) {
            points[series->point_count++] = point;
            cover(&self->x, point.x);
            cover(&self->y, point.y);
        }
    }
}

static char *draw_curves(const CompareResult *self)
{
    const CompareOptions *options = self->options;
    const guint chips = options->chips->len;
    const guint count = has_models(self) ? 2 * chips : chips;
    g_autofree TracePlotPoint *points =
        g_new(TracePlotPoint, (gsize) count * options->case_count);
    g_autofree TracePlotSeries *series = g_new0(TracePlotSeries, count);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *title = g_strdup_printf("%s on several chips", options->name);
    Curves curves = {.result = self,
                     .has_numbers = has_places(self),
                     .x = {HUGE_VAL, -HUGE_VAL},
                     .y = {HUGE_VAL, -HUGE_VAL}};
    g_autofree char *x_words = words_of_cases(self, curves.has_numbers);

    for (guint i = 0; i < count; i++) {
        const bool is_model = i >= chips;
        const guint chip = is_model ? i - chips : i;

        g_ptr_array_add(
            names,
            g_strconcat(((CompareChip *) g_ptr_array_index(options->chips, chip))->name,
                        is_model ? ", closed form" : NULL, NULL));
        series[i].name = g_ptr_array_index(names, i);
        add_curve(&curves, chip, is_model, points + (gsize) i * options->case_count,
                  &series[i]);
    }
    const TracePlot plot = {
        .title = title,
        .x = x_words,
        .y = is_usual(self) ? "time per iteration (us)" : options->quantity,
        .is_log_x = is_wide(&curves.x),
        .is_log_y = is_wide(&curves.y),
        .series = series,
        .series_count = count,
    };

    return trace_plot_to_svg(&plot);
}

char *compare_picture_to_svg(gconstpointer result)
{
    const CompareResult *self = result;

    return self->options->sweeps->len > 0 ? draw_curves(self) : draw_bars(self);
}
