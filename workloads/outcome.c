/* Creates and frees the outcome of a run. */
#include "workloads/outcome.h"

#include <math.h>
#include <string.h>

static void series_free(gpointer data)
{
    WlPlotSeries *self = data;

    g_free(self->name);
    g_array_unref(self->points);
    g_free(self);
}

WlPlot *wl_plot_new(void)
{
    WlPlot *self = g_new0(WlPlot, 1);

    self->series = g_ptr_array_new_with_free_func(series_free);
    return self;
}

void wl_plot_free(WlPlot *self)
{
    if (self != NULL) {
        g_free(self->name);
        g_free(self->title);
        g_free(self->x);
        g_free(self->y);
        g_ptr_array_unref(self->series);
        g_free(self);
    }
}

WlPlotSeries *wl_plot_add_series(WlPlot *self, const char *name, WlPlotStyle style)
{
    WlPlotSeries *series = g_new(WlPlotSeries, 1);

    *series = (WlPlotSeries){.name = g_strdup(name),
                             .style = style,
                             .points = g_array_new(FALSE, FALSE, sizeof(WlPlotPoint))};
    g_ptr_array_add(self->series, series);
    return series;
}

static void table_free(gpointer data)
{
    WlTable *self = data;

    g_free(self->name);
    g_ptr_array_unref(self->columns);
    g_ptr_array_unref(self->rows);
    g_free(self);
}

static void roof_free(gpointer data)
{
    WlRoof *self = data;

    g_free(self->name);
    g_free(self->unit);
    g_free(self->source);
    g_free(self);
}

static void array_free(gpointer data)
{
    WlSavedArray *self = data;

    g_free(self->name);
    g_bytes_unref(self->file);
    g_free(self);
}

WlOutcome *wl_outcome_new(void)
{
    WlOutcome *self = g_new0(WlOutcome, 1);

    self->iterations = 1;
    self->energy_joules = NAN;
    self->energy_low_joules = NAN;
    self->energy_high_joules = NAN;
    self->reference = g_strdup("the script made no check");
    self->parameters = json_object_new();
    self->metrics = json_object_new();
    self->zones = json_object_new();
    self->busy = json_object_new();
    self->stalls = json_object_new();
    self->tables = g_ptr_array_new_with_free_func(table_free);
    self->plots = g_ptr_array_new_with_free_func((GDestroyNotify) wl_plot_free);
    self->roofs = g_ptr_array_new_with_free_func(roof_free);
    self->arrays = g_ptr_array_new_with_free_func(array_free);
    self->races = g_ptr_array_new_with_free_func(g_free);
    return self;
}

void wl_outcome_free(WlOutcome *self)
{
    if (self != NULL) {
        g_free(self->reference);
        json_object_unref(self->parameters);
        json_object_unref(self->metrics);
        json_object_unref(self->zones);
        json_object_unref(self->busy);
        json_object_unref(self->stalls);
        g_ptr_array_unref(self->tables);
        g_ptr_array_unref(self->plots);
        g_ptr_array_unref(self->roofs);
        g_clear_pointer(&self->work, json_object_unref);
        g_ptr_array_unref(self->arrays);
        g_ptr_array_unref(self->races);
        g_free(self);
    }
}

void wl_outcome_add_check(WlOutcome *self,
                          double max_abs_error,
                          double tolerance,
                          const char *reference)
{
    /* Written so that NaN fails. */
    WlCheckStatus status = max_abs_error <= tolerance ? WL_CHECK_PASS : WL_CHECK_FAIL;
    double shown = isfinite(max_abs_error) ? max_abs_error : HUGE_VAL;
    bool is_worse = self->check == WL_CHECK_SKIPPED || status > self->check ||
                    (status == self->check && shown > self->max_abs_error);

    if (is_worse) {
        self->check = status;
        self->max_abs_error = shown;
        self->tolerance = tolerance;
        g_free(self->reference);
        self->reference = g_strdup(reference);
    }
}

void wl_outcome_add_roof(WlOutcome *self, const WlRoof *roof)
{
    WlRoof *copy = g_new(WlRoof, 1);

    *copy = *roof;
    copy->name = g_strdup(roof->name);
    copy->unit = g_strdup(roof->unit);
    copy->source = g_strdup(roof->source);
    g_ptr_array_add(self->roofs, copy);
}

void wl_outcome_add_array(WlOutcome *self, const char *name, GBytes *file)
{
    WlSavedArray *array = g_new(WlSavedArray, 1);

    array->name = g_strdup(name);
    array->file = file;
    g_ptr_array_add(self->arrays, array);
}

const WlSavedArray *wl_outcome_array(const WlOutcome *self, const char *name)
{
    for (guint i = 0; i < self->arrays->len; i++) {
        const WlSavedArray *array = g_ptr_array_index(self->arrays, i);

        if (g_str_equal(array->name, name)) {
            return array;
        }
    }
    return NULL;
}

const char *wl_check_status_name(WlCheckStatus status)
{
    static const char *const names[] = {
        [WL_CHECK_SKIPPED] = "skipped",
        [WL_CHECK_PASS] = "pass",
        [WL_CHECK_FAIL] = "fail",
    };

    return names[status];
}

WlTable *wl_outcome_add_table(WlOutcome *self, const char *name)
{
    WlTable *table = g_new0(WlTable, 1);

    table->name = g_strdup(name);
    table->columns = g_ptr_array_new_with_free_func(g_free);
    table->rows = g_ptr_array_new_with_free_func((GDestroyNotify) g_ptr_array_unref);
    g_ptr_array_add(self->tables, table);
    return table;
}

/* A text that a spreadsheet would compute; a lone dash stands for nothing. */
static bool is_formula(const char *field)
{
    char *end = NULL;

    if (*field == '\0' || field[1] == '\0' || strchr("=+-@", *field) == NULL) {
        return false;
    }
    (void) g_ascii_strtod(field, &end);
    return *end != '\0';
}

static void append_field(GString *csv, const char *field)
{
    const char *mark = is_formula(field) ? "'" : "";

    if (strpbrk(field, ",\"\r\n") == NULL) {
        g_string_append_printf(csv, "%s%s", mark, field);
        return;
    }
    g_string_append_printf(csv, "\"%s", mark);
    for (const char *c = field; *c != '\0'; c++) {
        if (*c == '"') {
            g_string_append_c(csv, '"');
        }
        g_string_append_c(csv, *c);
    }
    g_string_append_c(csv, '"');
}

static void append_line(GString *csv, const GPtrArray *fields)
{
    for (guint i = 0; i < fields->len; i++) {
        if (i > 0) {
            g_string_append_c(csv, ',');
        }
        append_field(csv, g_ptr_array_index(fields, i));
    }
    g_string_append_c(csv, '\n');
}

char *wl_table_to_csv(const WlTable *self)
{
    GString *csv = g_string_new(NULL);

    append_line(csv, self->columns);
    for (guint i = 0; i < self->rows->len; i++) {
        append_line(csv, g_ptr_array_index(self->rows, i));
    }
    return g_string_free(csv, FALSE);
}
