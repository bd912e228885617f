/* A study for other programs: JSON, CSV, and both files of it. */
#include <math.h>

#include "tools/gridloom/record.h"
#include "tools/gridloom/uncertainty/result.h"
#include "traces/file/output.h"
#include "workloads/outcome.h"

static JsonObject *interval_object(const UncertaintyStudy *self, guint index)
{
    const TraceInterval interval = uncertainty_interval(self, index);

    return record_json(
        VALUES(VALUE("value", uncertainty_study_metric(self, index)->value),
               VALUE("low", interval.low), VALUE("median", interval.median),
               VALUE("high", interval.high), VALUE("least", interval.least),
               VALUE("most", interval.most)));
}

/* Intervals by name, and those of formulas in the order in which they were given. */
static void
add_intervals(const UncertaintyStudy *self, JsonObject *intervals, JsonArray *formulas)
{
    for (guint i = 0; i < self->metrics->len; i++) {
        const UncertaintyMetric *metric = uncertainty_study_metric(self, i);
        JsonObject *object = interval_object(self, i);

        if (metric->is_formula) {
            json_object_set_string_member(object, "formula", metric->name);
            json_array_add_object_element(formulas, object);
        } else {
            json_object_set_object_member(intervals, metric->name, object);
        }
    }
}

static JsonArray *ends_array(const UncertaintyStudy *self, const WlTrialKey *key)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < key->end_count; i++) {
        const guint trial = key->first_end + i;
        const char *why = g_ptr_array_index(self->failures, trial);
        JsonObject *member = record_json(
            VALUES(VALUE("set", arch_range_end(key->range, i)),
                   VALUE("seconds", uncertainty_study_metric(self, 0)->trials[trial])));

        if (why != NULL) {
            json_object_set_string_member(member, "error", why);
        }
        json_array_add_object_element(array, member);
    }
    return array;
}

/* A RecordFunc. */
static JsonObject *influence_object(gconstpointer item, gconstpointer context)
{
    const UncertaintyStudy *study = context;
    const TraceInfluence *influence = item;
    const WlTrialKey *key = wl_trials_key(study->trials, influence->key);

    return record_json(
        VALUES(VALUE("key", key->path), VALUE("value", key->value),
               VALUE("range", arch_range_text(key->range)),
               VALUE("spread_seconds", influence->most - influence->least),
               VALUE("rank_correlation", influence->correlation),
               VALUE("ends", ends_array(study, key))));
}

static JsonArray *failures_array(const UncertaintyStudy *self)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < wl_trials_sample_count(self->trials); i++) {
        const char *why = g_ptr_array_index(self->failures, i);

        if (why != NULL) {
            json_array_add_object_element(
                array, record_json(VALUES(VALUE("sample", i), VALUE("error", why))));
        }
    }
    return array;
}

void uncertainty_add_json(const UncertaintyStudy *self, JsonObject *metrics)
{
    if (self == NULL) {
        return;
    }
    g_autoptr(GArray) influences = uncertainty_influences(self);
    JsonObject *intervals = json_object_new();
    JsonArray *formulas = json_array_new();
    JsonArray *left_out = json_array_new();
    const char *why;

    add_intervals(self, intervals, formulas);
    for (guint i = 0; i < self->left_out->len; i++) {
        json_array_add_string_element(left_out, g_ptr_array_index(self->left_out, i));
    }
    json_object_set_object_member(
        metrics, "uncertainty",
        record_json(
            VALUES(VALUE("samples", wl_trials_sample_count(self->trials)),
                   VALUE("failed", uncertainty_study_failed(self, &why)),
                   VALUE("failures", failures_array(self)),
                   VALUE("is_timing_only", self->is_timing_only),
                   VALUE("intervals", intervals), VALUE("formulas", formulas),
                   VALUE("left_out", left_out),
                   VALUE("keys", record_list(influences, influence_object, self)))));
}

static void add_cell(GPtrArray *row, const char *text)
{
    g_ptr_array_add(row, g_strdup(text));
}

static GPtrArray *columns_of(const UncertaintyStudy *self)
{
    GPtrArray *columns = g_ptr_array_new_with_free_func(g_free);

    add_cell(columns, "run");
    add_cell(columns, "status");
    add_cell(columns, "error");
    for (guint i = 0; i < wl_trials_key_count(self->trials); i++) {
        add_cell(columns, wl_trials_key(self->trials, i)->path);
    }
    for (guint i = 0; i < self->metrics->len; i++) {
        add_cell(columns, uncertainty_study_metric(self, i)->name);
    }
    return columns;
}

/* Of a trial, and of the run itself where there is none. */
static GPtrArray *row_of(const UncertaintyStudy *self, const guint *trial)
{
    const guint samples = wl_trials_sample_count(self->trials);
    const char *why = trial == NULL ? NULL : g_ptr_array_index(self->failures, *trial);
    GPtrArray *row = g_ptr_array_new_with_free_func(g_free);

    g_ptr_array_add(row, trial == NULL ? g_strdup("central")
                         : *trial < samples
                             ? g_strdup_printf("sample %u", *trial)
                             : g_strdup_printf("end %u", *trial - samples));
    add_cell(row, why == NULL ? "done" : "failed");
    add_cell(row, why == NULL ? "" : why);
    for (guint i = 0; i < wl_trials_key_count(self->trials); i++) {
        const char *value =
            trial == NULL ? NULL : wl_trials_value(self->trials, *trial, i);

        add_cell(row, value != NULL ? value : wl_trials_key(self->trials, i)->value);
    }
    for (guint i = 0; i < self->metrics->len; i++) {
        const UncertaintyMetric *metric = uncertainty_study_metric(self, i);
        const double number = trial == NULL ? metric->value : metric->trials[*trial];
        char text[G_ASCII_DTOSTR_BUF_SIZE];

        add_cell(row,
                 isfinite(number) ? g_ascii_dtostr(text, sizeof text, number) : "");
    }
    return row;
}

char *uncertainty_to_csv(const UncertaintyStudy *self)
{
    g_autoptr(GPtrArray) columns = columns_of(self);
    g_autoptr(GPtrArray) rows =
        g_ptr_array_new_with_free_func((GDestroyNotify) g_ptr_array_unref);
    const WlTable table = {.columns = columns, .rows = rows};

    g_ptr_array_add(rows, row_of(self, NULL));
    for (guint i = 0; i < wl_trials_count(self->trials); i++) {
        g_ptr_array_add(rows, row_of(self, &i));
    }
    return wl_table_to_csv(&table);
}

static const struct {
    const char *file;
    char *(*to_text)(const UncertaintyStudy *);
} files_of_study[] = {
    {"uncertainty.csv", uncertainty_to_csv},
    {"uncertainty.svg", uncertainty_to_svg},
};

bool uncertainty_write(const UncertaintyStudy *self, const char *folder, GError **error)
{
    for (gsize i = 0; self != NULL && i < G_N_ELEMENTS(files_of_study); i++) {
        g_autofree char *path = g_build_filename(folder, files_of_study[i].file, NULL);
        g_autofree char *text = files_of_study[i].to_text(self);

        if (!trace_output_write(path, text, error)) {
            return false;
        }
    }
    return true;
}

void uncertainty_add_files(const UncertaintyStudy *self,
                           const char *folder,
                           GPtrArray *files)
{
    for (gsize i = 0;
         self != NULL && folder != NULL && i < G_N_ELEMENTS(files_of_study); i++) {
        g_ptr_array_add(files,
                        g_strdup_printf("%s/%s", folder, files_of_study[i].file));
    }
}
