/* Sorts runs into curves. */
#include "traces/picture/table/curves.h"

#include <math.h>

#include "sim/compare.h"
#include "traces/file/quantity.h"
#include "traces/picture/table_plot.h"

static void curve_free(gpointer data)
{
    TableCurve *self = data;

    g_free(self->name);
    g_array_unref(self->rows);
    g_array_unref(self->points);
    g_array_unref(self->band);
    g_free(self);
}

static TableCurve *add_curve(TableCurves *self, const char *name)
{
    TableCurve *curve = g_new(TableCurve, 1);

    *curve = (TableCurve){.name = g_strdup(name),
                          .rows = g_array_new(FALSE, FALSE, sizeof(guint)),
                          .points = g_array_new(FALSE, FALSE, sizeof(TracePlotPoint)),
                          .band = g_array_new(FALSE, FALSE, sizeof(TracePlotSpan))};
    g_ptr_array_add(self->curves, curve);
    return curve;
}

/* A table without a column `status` has only such rows. */
static bool is_row_done(const TraceTable *table, guint row)
{
    const int status = trace_table_find(table, "status");

    return status < 0 ||
           g_strcmp0(trace_table_text(table, row, (guint) status), "done") == 0;
}

static bool is_drawn(const TraceTable *table, guint row, guint x, guint y)
{
    return is_row_done(table, row) && trace_table_text(table, row, x) != NULL &&
           !isnan(trace_table_number(table, row, y));
}

/* The beginnings of the ranges of a column with many numbers, ascending; NULL if every
 * value has its own curve. */
static GArray *find_ranges(const TraceTable *table, const GArray *rows, guint column)
{
    g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));
    GArray *begins = NULL;
    guint different = 0;

    for (guint i = 0; i < rows->len; i++) {
        const double number =
            trace_table_number(table, g_array_index(rows, guint, i), column);

        if (isnan(number)) {
            return NULL;
        }
        g_array_append_val(values, number);
    }
    g_array_sort(values, sim_compare_doubles);
    for (guint i = 0; i < values->len; i++) {
        different += i == 0 || g_array_index(values, double, i) !=
                                   g_array_index(values, double, i - 1);
    }
    if (different <= TRACE_TABLE_VALUES_MOST) {
        return NULL;
    }
    begins = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < TRACE_TABLE_RANGES; i++) {
        const double begin =
            g_array_index(values, double, (gsize) values->len *i / TRACE_TABLE_RANGES);

        if (i == 0 || begin > g_array_index(begins, double, begins->len - 1)) {
            g_array_append_val(begins, begin);
        }
    }
    return begins;
}

/* The range that a number lies in. */
static guint range_of(const GArray *begins, double number)
{
    guint range = 0;

    while (range + 1 < begins->len &&
           number >= g_array_index(begins, double, range + 1)) {
        range++;
    }
    return range;
}

/* "2 to 7", of the numbers that are in it. */
static char *range_name(const TraceTable *table, const GArray *rows, guint column)
{
    double low = HUGE_VAL;
    double high = -HUGE_VAL;

    for (guint i = 0; i < rows->len; i++) {
        const double number =
            trace_table_number(table, g_array_index(rows, guint, i), column);

        low = fmin(low, number);
        high = fmax(high, number);
    }
    g_autofree char *first = quantity_short(low, 4);
    g_autofree char *last = quantity_short(high, 4);

    return g_strdup_printf("%s to %s", first, last);
}

static void fill_ranges(TableCurves *self,
                        const TraceTable *table,
                        const GArray *rows,
                        guint column,
                        const GArray *begins)
{
    for (guint i = 0; i < begins->len; i++) {
        (void) add_curve(self, NULL);
    }
    for (guint i = 0; i < rows->len; i++) {
        const guint row = g_array_index(rows, guint, i);
        TableCurve *curve = g_ptr_array_index(
            self->curves, range_of(begins, trace_table_number(table, row, column)));

        g_array_append_val(curve->rows, row);
    }
    for (guint i = 0; i < self->curves->len; i++) {
        TableCurve *curve = g_ptr_array_index(self->curves, i);

        curve->name = range_name(table, curve->rows, column);
    }
}

static TableCurve *curve_named(TableCurves *self, const char *name)
{
    for (guint i = 0; i < self->curves->len; i++) {
        TableCurve *curve = g_ptr_array_index(self->curves, i);

        if (g_str_equal(curve->name, name)) {
            return curve;
        }
    }
    return add_curve(self, name);
}

/* Numbers ascending; of words, which are 0 all, the order stays. */
static gint compare_curves(gconstpointer a, gconstpointer b)
{
    const TableCurve *first = *(const TableCurve *const *) a;
    const TableCurve *second = *(const TableCurve *const *) b;
    const double one = g_ascii_strtod(first->name, NULL);
    const double two = g_ascii_strtod(second->name, NULL);

    return (one > two) - (one < two);
}

static void fill_values(TableCurves *self,
                        const TraceTable *table,
                        const GArray *rows,
                        guint column)
{
    for (guint i = 0; i < rows->len; i++) {
        const guint row = g_array_index(rows, guint, i);
        const char *text = trace_table_text(table, row, column);
        TableCurve *curve = curve_named(self, text != NULL ? text : "");

        g_array_append_val(curve->rows, row);
    }
    if (trace_table_column(table, column)->is_number) {
        g_ptr_array_sort(self->curves, compare_curves);
    }
}

/* The position of a row along the axis. */
static double place_of(TableCurves *self, const TraceTable *table, guint row, guint x)
{
    const char *text = trace_table_text(table, row, x);
    guint place = 0;

    if (self->x_names == NULL) {
        return trace_table_number(table, row, x);
    }
    while (place < self->x_names->len &&
           !g_str_equal(g_ptr_array_index(self->x_names, place), text)) {
        place++;
    }
    if (place == self->x_names->len) {
        g_ptr_array_add(self->x_names, g_strdup(text));
    }
    return place + 1;
}

static gint compare_points(gconstpointer a, gconstpointer b)
{
    const TracePlotPoint *first = a;
    const TracePlotPoint *second = b;

    return first->x != second->x ? (first->x > second->x) - (first->x < second->x)
                                 : (first->y > second->y) - (first->y < second->y);
}

/* Puts points of one x, which are sorted, into one. */
static void add_median(TableCurve *self, const TracePlotPoint *points, guint count)
{
    const double middle = (points[(count - 1) / 2].y + points[count / 2].y) / 2;
    const TracePlotPoint point = {.x = points[0].x, .y = middle};
    const TracePlotSpan span = {.low = points[0].y, .high = points[count - 1].y};

    g_array_append_val(self->points, point);
    g_array_append_val(self->band, span);
    self->has_band |= span.high > span.low;
}

static void find_points(
    TableCurves *self, TableCurve *curve, const TraceTable *table, guint x, guint y)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(TracePlotPoint));
    const TracePlotPoint *points;
    guint from = 0;

    for (guint i = 0; i < curve->rows->len; i++) {
        const guint row = g_array_index(curve->rows, guint, i);
        const TracePlotPoint point = {.x = place_of(self, table, row, x),
                                      .y = trace_table_number(table, row, y)};

        g_array_append_val(all, point);
    }
    g_array_sort(all, compare_points);
    points = (const TracePlotPoint *) (gpointer) all->data;
    for (guint i = 1; i <= all->len; i++) {
        if (i == all->len || points[i].x != points[from].x) {
            add_median(curve, points + from, i - from);
            from = i;
        }
    }
}

static TracePlotSpan *band_at(const TableCurve *self, double x)
{
    guint i = 0;

    while (g_array_index(self->points, TracePlotPoint, i).x != x) {
        i++;
    }
    return &g_array_index(self->band, TracePlotSpan, i);
}

void table_curves_widen(
    TableCurves *self, const TraceTable *table, guint x, guint low, guint high)
{
    for (guint i = 0; i < self->curves->len; i++) {
        TableCurve *curve = g_ptr_array_index(self->curves, i);

        for (guint k = 0; k < curve->rows->len; k++) {
            const guint row = g_array_index(curve->rows, guint, k);
            TracePlotSpan *span = band_at(curve, place_of(self, table, row, x));

            /* fmin() and fmax() ignore NaN. */
            span->low = fmin(span->low, trace_table_number(table, row, low));
            span->high = fmax(span->high, trace_table_number(table, row, high));
            curve->has_band |= span->high > span->low;
        }
    }
}

/* Do numbers of a column only rise, or only fall, from place to place? Then they go
 * with the axis: 2 x 2 cores, 4 x 4 cores. */
static bool goes_along(TableCurves *self,
                       const TableCurve *curve,
                       const TraceTable *table,
                       guint x,
                       guint column)
{
    g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(TracePlotPoint));
    bool rises = true;
    bool falls = true;

    for (guint i = 0; i < curve->rows->len; i++) {
        const guint row = g_array_index(curve->rows, guint, i);
        const TracePlotPoint pair = {.x = place_of(self, table, row, x),
                                     .y = trace_table_number(table, row, column)};

        g_array_append_val(pairs, pair);
    }
    g_array_sort(pairs, compare_points);
    for (guint i = 1; i < pairs->len; i++) {
        const double before = g_array_index(pairs, TracePlotPoint, i - 1).y;
        const double now = g_array_index(pairs, TracePlotPoint, i).y;

        rises &= now >= before;
        falls &= now <= before;
    }
    return rises || falls;
}

static bool is_varied(const TableCurve *curve, const TraceTable *table, guint column)
{
    const guint first = g_array_index(curve->rows, guint, 0);

    for (guint i = 1; i < curve->rows->len; i++) {
        if (g_strcmp0(trace_table_text(table, first, column),
                      trace_table_text(table, g_array_index(curve->rows, guint, i),
                                       column)) != 0) {
            return true;
        }
    }
    return false;
}

/* Do rows of a curve differ in a parameter that is neither of two columns, and does not
 * go along with the axis? */
static bool has_more(TableCurves *self,
                     const TableCurve *curve,
                     const TraceTable *table,
                     guint x,
                     int by)
{
    for (guint i = 0; i < trace_table_column_count(table); i++) {
        const TraceColumn *column = trace_table_column(table, i);

        if (column->kind == TRACE_COLUMN_PARAMETER && i != x && (int) i != by &&
            is_varied(curve, table, i) &&
            !(column->is_number && goes_along(self, curve, table, x, i))) {
            return true;
        }
    }
    return false;
}

void table_curves_init(
    TableCurves *self, const TraceTable *table, guint x, int by, guint y)
{
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autoptr(GArray) begins = NULL;

    *self = (TableCurves){.curves = g_ptr_array_new_with_free_func(curve_free)};
    if (!trace_table_column(table, x)->is_number) {
        self->x_names = g_ptr_array_new_with_free_func(g_free);
    }
    for (guint i = 0; i < trace_table_row_count(table); i++) {
        if (is_drawn(table, i, x, y)) {
            g_array_append_val(rows, i);
        } else {
            self->left_out++;
        }
    }
    /* Words have their places in the order of rows, not of curves. */
    for (guint i = 0; i < rows->len; i++) {
        (void) place_of(self, table, g_array_index(rows, guint, i), x);
    }
    begins = by >= 0 ? find_ranges(table, rows, (guint) by) : NULL;
    if (begins != NULL) {
        fill_ranges(self, table, rows, (guint) by, begins);
    } else if (by >= 0) {
        fill_values(self, table, rows, (guint) by);
    } else {
        TableCurve *curve = add_curve(self, NULL);

        g_array_append_vals(curve->rows, rows->data, rows->len);
    }
    for (guint i = 0; i < self->curves->len; i++) {
        TableCurve *curve = g_ptr_array_index(self->curves, i);

        find_points(self, curve, table, x, y);
        curve->is_cloud = curve->rows->len > 1 &&
                          curve->points->len == curve->rows->len &&
                          has_more(self, curve, table, x, begins != NULL ? -1 : by);
    }
    if (self->x_names != NULL) {
        g_ptr_array_add(self->x_names, NULL);
    }
}

void table_curves_clear(TableCurves *self)
{
    g_clear_pointer(&self->curves, g_ptr_array_unref);
    g_clear_pointer(&self->x_names, g_ptr_array_unref);
}

const TableCurve *table_curves_at(const TableCurves *self, guint index)
{
    return g_ptr_array_index(self->curves, index);
}

GArray *table_curves_places(const TableCurves *self)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(double));
    GArray *places = g_array_new(FALSE, FALSE, sizeof(double));

    for (guint i = 0; i < self->curves->len; i++) {
        const GArray *points = table_curves_at(self, i)->points;

        for (guint k = 0; k < points->len; k++) {
            g_array_append_val(all, g_array_index(points, TracePlotPoint, k).x);
        }
    }
    g_array_sort(all, sim_compare_doubles);
    for (guint i = 0; i < all->len; i++) {
        if (i == 0 ||
            g_array_index(all, double, i) != g_array_index(all, double, i - 1)) {
            g_array_append_val(places, g_array_index(all, double, i));
        }
    }
    return places;
}
