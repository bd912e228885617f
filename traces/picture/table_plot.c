/* Draws tables of runs. */
#include "traces/picture/table_plot.h"

#include <math.h>
#include <string.h>

#include "traces/error.h"
#include "traces/picture/plot.h"
#include "traces/picture/plot/span.h"
#include "traces/picture/table/curves.h"
#include "traces/table/table_unit.h"

/* Numbers that grow by a factor are drawn on a logarithmic axis: at least this many, by
 * at least this ratio. */
#define GEOMETRIC_LEAST 4
#define GEOMETRIC_RATIO 1.5

/* The columns of a kind, for a message. */
static void list_columns(const TraceTable *table,
                         TraceColumnKind kind,
                         bool is_number,
                         GString *text)
{
    for (guint i = 0; i < trace_table_column_count(table); i++) {
        const TraceColumn *column = trace_table_column(table, i);

        if (column->kind == kind && (column->is_number || !is_number)) {
            g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "",
                                   column->name);
        }
    }
}

int trace_table_plot_column(const TraceTable *table,
                            const char *name,
                            bool is_number,
                            GError **error)
{
    const int column = trace_table_find(table, name);
    g_autoptr(GString) known = g_string_new(NULL);

    list_columns(table, TRACE_COLUMN_PARAMETER, is_number, known);
    list_columns(table, TRACE_COLUMN_METRIC, is_number, known);
    if (column < 0 ||
        trace_table_column(table, (guint) column)->kind == TRACE_COLUMN_STATUS) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ,
                    "%s is no column of the sweep, which has %s", name, known->str);
        return -1;
    }
    if (is_number && !trace_table_column(table, (guint) column)->is_number) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ,
                    "%s holds words, numbers are in %s", name, known->str);
        return -1;
    }
    return column;
}

/* A picture under construction: the source of its series. */
typedef struct {
    TableCurves curves;
    TracePlotExtent x;
    TracePlotExtent y;
    bool is_log_x;
    bool is_log_y;
    bool has_intervals;
    TraceUnit x_unit;
    TraceUnit y_unit;
    GArray *series;    /* of TracePlotSeries */
    GPtrArray *texts;  /* that series borrow */
    GPtrArray *levels; /* ends of lines, which series borrow, too */
} Draft;

static void draft_init(Draft *self)
{
    *self = (Draft){.x = trace_plot_extent_of_nothing(),
                    .y = trace_plot_extent_of_nothing(),
                    .series = g_array_new(FALSE, TRUE, sizeof(TracePlotSeries)),
                    .texts = g_ptr_array_new_with_free_func(g_free),
                    .levels = g_ptr_array_new_with_free_func(g_free)};
}

static void draft_clear(Draft *self)
{
    table_curves_clear(&self->curves);
    g_array_unref(self->series);
    g_ptr_array_unref(self->texts);
    g_ptr_array_unref(self->levels);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Draft, draft_clear)

static void cover_curves(Draft *self)
{
    for (guint i = 0; i < self->curves.curves->len; i++) {
        const TableCurve *curve = table_curves_at(&self->curves, i);

        for (guint k = 0; k < curve->points->len; k++) {
            trace_plot_extent_cover(&self->x,
                                    g_array_index(curve->points, TracePlotPoint, k).x);
            trace_plot_extent_cover(&self->y,
                                    g_array_index(curve->band, TracePlotSpan, k).low);
            trace_plot_extent_cover(&self->y,
                                    g_array_index(curve->band, TracePlotSpan, k).high);
        }
    }
}

/* Is each number of the axis as many times the one before, as in a logarithmic range?
 * Whole numbers are rounded. */
static bool is_geometric(const TableCurves *curves)
{
    g_autoptr(GArray) values = table_curves_places(curves);
    const guint count = values->len;
    const double first = count > 0 ? g_array_index(values, double, 0) : 0;
    double ratio;
    double step;
    bool is_even = true; /* small whole numbers can look like both */

    if (count < GEOMETRIC_LEAST || !(first > 0)) {
        return false;
    }
    step = (g_array_index(values, double, count - 1) - first) / (count - 1);
    ratio = pow(g_array_index(values, double, count - 1) / first, 1.0 / (count - 1));
    for (guint i = 0; i < count; i++) {
        const double value = g_array_index(values, double, i);

        is_even &= fabs(value - first - step * i) <= 1e-6 * value;
        if (fabs(value - first * pow(ratio, i)) > fmax(0.5, 1e-6 * value)) {
            return false;
        }
    }
    return ratio >= GEOMETRIC_RATIO && !is_even;
}

/* The last member of a name, and the value. */
static char *series_name(const char *by, const char *value, bool is_number)
{
    const char *member = strrchr(by, '.');

    return is_number ? g_strdup_printf("%s %s", member != NULL ? member + 1 : by, value)
                     : g_strdup(*value != '\0' ? value : "(empty)");
}

static void scale_curve(const Draft *self, const TableCurve *curve)
{
    for (guint i = 0; i < curve->points->len; i++) {
        TracePlotPoint *point = &g_array_index(curve->points, TracePlotPoint, i);
        TracePlotSpan *span = &g_array_index(curve->band, TracePlotSpan, i);

        point->x *= self->x_unit.factor;
        point->y *= self->y_unit.factor;
        span->low *= self->y_unit.factor;
        span->high *= self->y_unit.factor;
    }
}

static void add_series(Draft *self, const TableCurve *curve, char *name)
{
    const TracePlotSeries series = {
        .name = name,
        .style = curve->is_cloud ? TRACE_PLOT_POINTS : TRACE_PLOT_BOTH,
        .points = (const TracePlotPoint *) (gpointer) curve->points->data,
        .point_count = curve->points->len,
        .band = curve->has_band && !curve->is_cloud
                    ? (const TracePlotSpan *) (gpointer) curve->band->data
                    : NULL};

    g_ptr_array_add(self->texts, name);
    g_array_append_val(self->series, series);
}

/* Do rows of a curve that stand together, or all of a cloud, differ in a column? */
static bool
is_mixed(const TableCurve *curve, const TraceTable *table, guint x, guint column)
{
    g_autoptr(GHashTable) firsts = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < curve->rows->len; i++) {
        const guint row = g_array_index(curve->rows, guint, i);
        const char *place = curve->is_cloud ? "" : trace_table_text(table, row, x);
        gpointer first = NULL;

        if (!g_hash_table_lookup_extended(firsts, place, NULL, &first)) {
            (void) g_hash_table_insert(firsts, (gpointer) place, GUINT_TO_POINTER(row));
        } else if (g_strcmp0(trace_table_text(table, GPOINTER_TO_UINT(first), column),
                             trace_table_text(table, row, column)) != 0) {
            return true;
        }
    }
    return false;
}

/* Parameters, but for the two of the picture, in which runs at one place differ. */
static char *list_varied(const Draft *self, const TraceTable *table, int x, int by)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < trace_table_column_count(table); i++) {
        const TraceColumn *column = trace_table_column(table, i);
        bool is_varied = false;

        if (column->kind != TRACE_COLUMN_PARAMETER || (int) i == x || (int) i == by) {
            continue;
        }
        for (guint k = 0; !is_varied && k < self->curves.curves->len; k++) {
            is_varied =
                is_mixed(table_curves_at(&self->curves, k), table, (guint) x, i);
        }
        if (is_varied) {
            g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "",
                                   column->name);
        }
    }
    return g_string_free(text, FALSE);
}

/* Puts intervals of y around the curves, where the table has them. */
static void widen(Draft *self, const TraceTable *table, const TraceTablePlot *plot)
{
    g_autofree char *low_name = g_strconcat(plot->y, "_low", NULL);
    g_autofree char *high_name = g_strconcat(plot->y, "_high", NULL);
    const int low = plot->has_intervals ? trace_table_find(table, low_name) : -1;
    const int high = plot->has_intervals ? trace_table_find(table, high_name) : -1;

    if (low >= 0 && high >= 0) {
        table_curves_widen(&self->curves, table,
                           (guint) trace_table_find(table, plot->x), (guint) low,
                           (guint) high);
        self->has_intervals = true;
    }
}

/* The meaning of bands; `varied` is empty if no two runs share an x. */
static const char *band_text(const Draft *self, const char *varied)
{
    if (!self->has_intervals) {
        return "Medians; bands are from the lowest to the highest run";
    }
    return *varied != '\0'
               ? "Medians; bands are from the lowest to the highest interval"
               : "Bands are intervals: 5 to 95 % of samples";
}

/* A note on what the picture does not show, or NULL. */
static char *note_of(const Draft *self, const TraceTable *table, int x, int by)
{
    GString *note = g_string_new(NULL);
    g_autofree char *varied = list_varied(self, table, x, by);
    bool has_band = false;

    for (guint i = 0; i < self->curves.curves->len; i++) {
        const TableCurve *curve = table_curves_at(&self->curves, i);

        has_band |= curve->has_band && !curve->is_cloud;
    }
    if (has_band) {
        g_string_append(note, band_text(self, varied));
    }
    if (*varied != '\0') {
        g_string_append_printf(note, "%s %s%s",
                               has_band ? " of different" : "Runs differ in", varied,
                               has_band ? "." : ", too.");
    } else if (has_band) {
        g_string_append_c(note, '.');
    }
    if (self->curves.left_out > 0) {
        g_string_append_printf(note, "%s%u of %u runs are not here: no result.",
                               note->len > 0 ? " " : "", self->curves.left_out,
                               trace_table_row_count(table));
    }
    return g_string_free(note, note->len == 0);
}

static bool check_counts(const Draft *self, const TraceTablePlot *plot, GError **error)
{
    if (self->curves.curves->len > TRACE_TABLE_SERIES_MOST) {
        return trace_refuse(
            error, "%s has %u values, at most %d series can be told apart", plot->by,
            self->curves.curves->len, TRACE_TABLE_SERIES_MOST);
    }
    if (self->curves.x_names != NULL &&
        self->curves.x_names->len > TRACE_TABLE_NAMES_MOST + 1) {
        return trace_refuse(error, "%s has %u words, at most %d fit below an axis",
                            plot->x, self->curves.x_names->len - 1,
                            TRACE_TABLE_NAMES_MOST);
    }
    return true;
}

static TraceAxisScale x_scale_of(const Draft *self, TraceAxisScale wanted)
{
    if (self->curves.x_names != NULL) {
        return TRACE_AXIS_LINEAR;
    }
    return wanted == TRACE_AXIS_AUTO && is_geometric(&self->curves) ? TRACE_AXIS_LOG
                                                                    : wanted;
}

static bool choose_scales(Draft *self, const TraceTablePlot *plot, GError **error)
{
    cover_curves(self);
    for (guint i = 0; i < plot->level_count; i++) {
        trace_plot_extent_cover(&self->y, plot->levels[i].y);
    }
    self->x_unit = trace_table_unit(plot->x, self->curves.x_names == NULL
                                                 ? trace_plot_extent_largest(&self->x)
                                                 : 0);
    self->y_unit = trace_table_unit(plot->y, trace_plot_extent_largest(&self->y));
    return trace_plot_extent_choose_scale(&self->x, x_scale_of(self, plot->x_scale),
                                          plot->x, &self->is_log_x, error) &&
           trace_plot_extent_choose_scale(&self->y, plot->y_scale, plot->y,
                                          &self->is_log_y, error);
}

static void add_curves(Draft *self, const TraceTable *table, const char *by, int column)
{
    for (guint i = 0; i < self->curves.curves->len; i++) {
        const TableCurve *curve = table_curves_at(&self->curves, i);

        scale_curve(self, curve);
        add_series(
            self, curve,
            curve->name != NULL && by != NULL
                ? series_name(by, curve->name,
                              trace_table_column(table, (guint) column)->is_number)
                : NULL);
    }
}

/* From the first to the last x; none where there are no runs. */
static void add_levels(Draft *self, const TraceTablePlot *plot)
{
    for (guint i = 0; i < plot->level_count && self->x.low <= self->x.high; i++) {
        const double y = plot->levels[i].y * self->y_unit.factor;
        TracePlotPoint *ends = g_new(TracePlotPoint, 2);
        const TracePlotSeries series = {.name = plot->levels[i].name,
                                        .style = TRACE_PLOT_LINE,
                                        .points = ends,
                                        .point_count = 2};

        ends[0] = (TracePlotPoint){self->x.low * self->x_unit.factor, y};
        ends[1] = (TracePlotPoint){self->x.high * self->x_unit.factor, y};
        g_ptr_array_add(self->levels, ends);
        g_array_append_val(self->series, series);
    }
}

char *trace_table_plot(const TraceTable *table,
                       const TraceTablePlot *plot,
                       TracePictureForm form,
                       GError **error)
{
    g_auto(Draft) draft = {0};
    const int x = trace_table_plot_column(table, plot->x, false, error);
    const int y = x >= 0 ? trace_table_plot_column(table, plot->y, true, error) : -1;
    const int by = y >= 0 && plot->by != NULL
                       ? trace_table_plot_column(table, plot->by, false, error)
                       : -1;

    draft_init(&draft);
    if (x < 0 || y < 0 || (plot->by != NULL && by < 0)) {
        return NULL;
    }
    table_curves_init(&draft.curves, table, (guint) x, by, (guint) y);
    widen(&draft, table, plot);
    if (!check_counts(&draft, plot, error) || !choose_scales(&draft, plot, error)) {
        return NULL;
    }
    add_curves(&draft, table, plot->by, by);
    add_levels(&draft, plot);
    g_autofree char *x_words = trace_table_unit_words(plot->x, draft.x_unit);
    g_autofree char *y_words = trace_table_unit_words(plot->y, draft.y_unit);
    g_autofree char *title = trace_table_marked_title(table, plot->title);
    g_autofree char *note = note_of(&draft, table, x, by);
    const TracePlot picture = {
        .title = title,
        .x = x_words,
        .y = y_words,
        .is_log_x = draft.is_log_x,
        .is_log_y = draft.is_log_y,
        .x_names = draft.curves.x_names != NULL
                       ? (const char *const *) draft.curves.x_names->pdata
                       : NULL,
        .note = note,
        .series = (const TracePlotSeries *) (gpointer) draft.series->data,
        .series_count = draft.series->len};

    return form == TRACE_PICTURE_SVG ? trace_plot_to_svg(&picture)
                                     : trace_plot_to_text(&picture);
}
