/* A study for other programs: JSON, CSV, and both files of it. */
#include "tools/gridloom/uncertainty/study.h"
#include "traces/file/named_files.h"
#include "traces/table/number_text.h"
#include "traces/table/record.h"

static JsonObject *interval_object(const UncertaintyStudy *self, guint index)
{
    const TraceInterval interval = uncertainty_interval(self, index);

    return RECORD(VALUE("value", trace_trials_number(&self->numbers, index)->value),
                  VALUE("low", interval.low), VALUE("median", interval.median),
                  VALUE("high", interval.high), VALUE("least", interval.least),
                  VALUE("most", interval.most));
}

/* Intervals by name, and those of formulas in the order in which they were given. */
static void
add_intervals(const UncertaintyStudy *self, JsonObject *intervals, JsonArray *formulas)
{
    for (guint i = 0; i < self->numbers.numbers->len; i++) {
        const TraceTrialNumber *metric = trace_trials_number(&self->numbers, i);
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
        const char *why = g_ptr_array_index(self->numbers.failures, trial);
        JsonObject *member = RECORD(
            VALUE("set", arch_range_end(key->range, i)),
            VALUE("seconds", trace_trials_number(&self->numbers, 0)->trials[trial]));

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

    return RECORD(VALUE("key", key->path), VALUE("value", key->value),
                  VALUE("range", arch_range_text(key->range)),
                  VALUE("spread_seconds", influence->most - influence->least),
                  VALUE("rank_correlation", influence->correlation),
                  VALUE("ends", ends_array(study, key)));
}

static JsonArray *failures_array(const UncertaintyStudy *self)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < wl_trials_sample_count(self->trials); i++) {
        const char *why = g_ptr_array_index(self->numbers.failures, i);

        if (why != NULL) {
            json_array_add_object_element(
                array, RECORD(VALUE("sample", i), VALUE("error", why)));
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
    const GPtrArray *left_out = self->numbers.left_out;
    const char *why;

    add_intervals(self, intervals, formulas);
    json_object_set_object_member(
        metrics, "uncertainty",
        RECORD(VALUE("samples", wl_trials_sample_count(self->trials)),
               VALUE("failed", uncertainty_study_failed(self, &why)),
               VALUE("failures", failures_array(self)),
               VALUE("is_timing_only", self->is_timing_only),
               VALUE("intervals", intervals), VALUE("formulas", formulas),
               VALUE("left_out", record_texts((const char *const *) left_out->pdata,
                                              left_out->len)),
               VALUE("keys", record_list(influences, influence_object, self))));
}

/* Of a trial; of the run itself, whose number is that of all. */
static void add_csv(const UncertaintyStudy *self, guint trial, GString *csv)
{
    const guint samples = wl_trials_sample_count(self->trials);
    const bool is_central = trial == wl_trials_count(self->trials);
    const char *why =
        is_central ? NULL : g_ptr_array_index(self->numbers.failures, trial);

    if (is_central) {
        trace_csv_printf(csv, "central");
    } else if (trial < samples) {
        trace_csv_printf(csv, "sample %u", trial);
    } else {
        trace_csv_printf(csv, "end %u", trial - samples);
    }
    trace_csv_printf(csv, "%s|%s", why == NULL ? "done" : "failed", why);
    for (guint i = 0; i < wl_trials_key_count(self->trials); i++) {
        const char *value = is_central ? NULL : wl_trials_value(self->trials, trial, i);

        trace_csv_printf(csv, "%s",
                         value != NULL ? value : wl_trials_key(self->trials, i)->value);
    }
    for (guint i = 0; i < self->numbers.numbers->len; i++) {
        const TraceTrialNumber *number = trace_trials_number(&self->numbers, i);

        trace_csv_printf(csv, "%.17g",
                         is_central ? number->value : number->trials[trial]);
    }
    csv->str[csv->len - 1] = '\n';
}

static char *to_csv(gconstpointer study)
{
    const UncertaintyStudy *self = study;
    const guint count = wl_trials_count(self->trials);
    GString *csv = g_string_new("run,status,error,");

    for (guint i = 0; i < wl_trials_key_count(self->trials); i++) {
        trace_csv_printf(csv, "%s", wl_trials_key(self->trials, i)->path);
    }
    for (guint i = 0; i < self->numbers.numbers->len; i++) {
        trace_csv_printf(csv, "%s", trace_trials_number(&self->numbers, i)->name);
    }
    csv->str[csv->len - 1] = '\n';
    add_csv(self, count, csv);
    for (guint i = 0; i < count; i++) {
        add_csv(self, i, csv);
    }
    return g_string_free(csv, FALSE);
}

static const TraceNamedOutput outputs[] = {
    {NULL, "uncertainty.csv", to_csv},
    {NULL, "uncertainty.svg", uncertainty_to_svg},
};

bool uncertainty_write(const UncertaintyStudy *self, const char *folder, GError **error)
{
    return self == NULL || trace_named_outputs_write(outputs, G_N_ELEMENTS(outputs),
                                                     folder, self, error);
}

void uncertainty_add_files(const UncertaintyStudy *self,
                           const char *folder,
                           GPtrArray *files)
{
    for (gsize i = 0; self != NULL && folder != NULL && i < G_N_ELEMENTS(outputs);
         i++) {
        g_ptr_array_add(files, g_strdup_printf("%s/%s", folder, outputs[i].name));
    }
}
