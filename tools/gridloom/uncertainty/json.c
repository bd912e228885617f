/* A study for other programs: JSON and CSV. */
#include <math.h>

#include "tools/gridloom/uncertainty/result.h"
#include "workloads/outcome.h"

static JsonObject *interval_object(const UncertaintyStudy *self, guint index)
{
    const UncertaintyMetric *metric = uncertainty_study_metric(self, index);
    const UncertaintyInterval interval = uncertainty_interval(self, index);
    JsonObject *object = json_object_new();

    json_object_set_double_member(object, "value", metric->value);
    json_object_set_double_member(object, "low", interval.low);
    json_object_set_double_member(object, "median", interval.median);
    json_object_set_double_member(object, "high", interval.high);
    json_object_set_double_member(object, "least", interval.least);
    json_object_set_double_member(object, "most", interval.most);
    return object;
}

static JsonObject *intervals_object(const UncertaintyStudy *self)
{
    JsonObject *object = json_object_new();

    for (guint i = 0; i < self->metrics->len; i++) {
        const UncertaintyMetric *metric = uncertainty_study_metric(self, i);

        if (!metric->is_formula) {
            json_object_set_object_member(object, metric->name,
                                          interval_object(self, i));
        }
    }
    return object;
}

/* In the order in which they were given. */
static JsonArray *formulas_array(const UncertaintyStudy *self)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < self->metrics->len; i++) {
        const UncertaintyMetric *metric = uncertainty_study_metric(self, i);

        if (metric->is_formula) {
            JsonObject *object = interval_object(self, i);

            json_object_set_string_member(object, "formula", metric->name);
            json_array_add_object_element(array, object);
        }
    }
    return array;
}

static JsonArray *ends_array(const UncertaintyStudy *self, guint key)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < self->ends->len; i++) {
        const UncertaintyEnd *end = &g_array_index(self->ends, UncertaintyEnd, i);
        const ArchRange *range = uncertainty_plan_key(self->plan, end->key)->range;
        JsonObject *member;

        if (end->key != key) {
            continue;
        }
        member = json_object_new();
        json_object_set_string_member(member, "set", arch_range_end(range, end->end));
        json_object_set_double_member(member, "seconds",
                                      uncertainty_study_metric(self, 0)->ends[i]);
        if (end->why != NULL) {
            json_object_set_string_member(member, "error", end->why);
        }
        json_array_add_object_element(array, member);
    }
    return array;
}

static JsonArray *keys_array(const UncertaintyStudy *self)
{
    g_autoptr(GArray) influences = uncertainty_influences(self, 0);
    JsonArray *array = json_array_new();

    for (guint i = 0; i < influences->len; i++) {
        const UncertaintyInfluence *influence =
            &g_array_index(influences, UncertaintyInfluence, i);
        const UncertaintyKey *key = uncertainty_plan_key(self->plan, influence->key);
        JsonObject *member = json_object_new();

        json_object_set_string_member(member, "key", key->path);
        json_object_set_string_member(member, "value", key->value);
        json_object_set_string_member(member, "range", arch_range_text(key->range));
        json_object_set_double_member(member, "spread_seconds",
                                      influence->most - influence->least);
        json_object_set_double_member(member, "rank_correlation",
                                      influence->correlation);
        json_object_set_array_member(member, "ends", ends_array(self, influence->key));
        json_array_add_object_element(array, member);
    }
    return array;
}

static JsonArray *failures_array(const UncertaintyStudy *self)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < self->failures->len; i++) {
        const char *why = g_ptr_array_index(self->failures, i);
        JsonObject *member;

        if (why == NULL) {
            continue;
        }
        member = json_object_new();
        json_object_set_int_member(member, "sample", i);
        json_object_set_string_member(member, "error", why);
        json_array_add_object_element(array, member);
    }
    return array;
}

void uncertainty_add_json(const UncertaintyStudy *self, JsonObject *metrics)
{
    JsonObject *object;
    JsonArray *left_out;
    const char *why;

    if (self == NULL) {
        return;
    }
    object = json_object_new();
    left_out = json_array_new();
    for (guint i = 0; i < self->left_out->len; i++) {
        json_array_add_string_element(left_out, g_ptr_array_index(self->left_out, i));
    }
    json_object_set_int_member(object, "samples", self->failures->len);
    json_object_set_int_member(object, "failed", uncertainty_study_failed(self, &why));
    json_object_set_array_member(object, "failures", failures_array(self));
    json_object_set_boolean_member(object, "is_timing_only", self->is_timing_only);
    json_object_set_object_member(object, "intervals", intervals_object(self));
    json_object_set_array_member(object, "formulas", formulas_array(self));
    json_object_set_array_member(object, "left_out", left_out);
    json_object_set_array_member(object, "keys", keys_array(self));
    json_object_set_object_member(metrics, "uncertainty", object);
}

static void add_number(GPtrArray *fields, double number)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    g_ptr_array_add(
        fields,
        g_strdup(isfinite(number) ? g_ascii_dtostr(text, sizeof text, number) : ""));
}

static GPtrArray *row_new(const char *run, const char *why)
{
    GPtrArray *fields = g_ptr_array_new_with_free_func(g_free);

    g_ptr_array_add(fields, g_strdup(run));
    g_ptr_array_add(fields, g_strdup(why == NULL ? "done" : "failed"));
    g_ptr_array_add(fields, g_strdup(why == NULL ? "" : why));
    return fields;
}

static GPtrArray *columns_of(const UncertaintyStudy *self)
{
    GPtrArray *columns = g_ptr_array_new_with_free_func(g_free);

    g_ptr_array_add(columns, g_strdup("run"));
    g_ptr_array_add(columns, g_strdup("status"));
    g_ptr_array_add(columns, g_strdup("error"));
    for (guint i = 0; i < uncertainty_plan_key_count(self->plan); i++) {
        g_ptr_array_add(columns, g_strdup(uncertainty_plan_key(self->plan, i)->path));
    }
    for (guint i = 0; i < self->metrics->len; i++) {
        g_ptr_array_add(columns, g_strdup(uncertainty_study_metric(self, i)->name));
    }
    return columns;
}

static GPtrArray *central_row(const UncertaintyStudy *self)
{
    GPtrArray *row = row_new("central", NULL);

    for (guint i = 0; i < uncertainty_plan_key_count(self->plan); i++) {
        g_ptr_array_add(row, g_strdup(uncertainty_plan_key(self->plan, i)->value));
    }
    for (guint i = 0; i < self->metrics->len; i++) {
        add_number(row, uncertainty_study_metric(self, i)->value);
    }
    return row;
}

static GPtrArray *sample_row(const UncertaintyStudy *self, guint sample)
{
    g_autofree char *name = g_strdup_printf("sample %u", sample);
    GPtrArray *row = row_new(name, g_ptr_array_index(self->failures, sample));

    for (guint i = 0; i < uncertainty_plan_key_count(self->plan); i++) {
        g_ptr_array_add(row, g_strdup(uncertainty_plan_sample(self->plan, sample, i)));
    }
    for (guint i = 0; i < self->metrics->len; i++) {
        add_number(row, uncertainty_study_metric(self, i)->samples[sample]);
    }
    return row;
}

static GPtrArray *end_row(const UncertaintyStudy *self, guint index)
{
    const UncertaintyEnd *end = &g_array_index(self->ends, UncertaintyEnd, index);
    g_autofree char *name = g_strdup_printf("end %u", index);
    GPtrArray *row = row_new(name, end->why);

    for (guint i = 0; i < uncertainty_plan_key_count(self->plan); i++) {
        const UncertaintyKey *key = uncertainty_plan_key(self->plan, i);

        g_ptr_array_add(row,
                        g_strdup(i == end->key ? arch_range_end(key->range, end->end)
                                               : key->value));
    }
    for (guint i = 0; i < self->metrics->len; i++) {
        add_number(row, uncertainty_study_metric(self, i)->ends[index]);
    }
    return row;
}

char *uncertainty_to_csv(const UncertaintyStudy *self)
{
    g_autoptr(GPtrArray) columns = columns_of(self);
    g_autoptr(GPtrArray) rows =
        g_ptr_array_new_with_free_func((GDestroyNotify) g_ptr_array_unref);
    const WlTable table = {.columns = columns, .rows = rows};

    g_ptr_array_add(rows, central_row(self));
    for (guint i = 0; i < self->failures->len; i++) {
        g_ptr_array_add(rows, sample_row(self, i));
    }
    for (guint i = 0; i < self->ends->len; i++) {
        g_ptr_array_add(rows, end_row(self, i));
    }
    return wl_table_to_csv(&table);
}
