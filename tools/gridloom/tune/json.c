/* A tuning for programs. */
#include <math.h>
#include <string.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/peak_memory.h"
#include "tools/gridloom/tune/result.h"
#include "tools/gridloom/tune/search.h"
#include "traces/file/json_member.h"
#include "traces/result/result.h"

static const double hundred = 100;

static const char *status_text(TuneStatus status)
{
    switch (status) {
    case TUNE_RAN:
        return "done";
    case TUNE_REFUSED:
        return "refused";
    case TUNE_FAILED:
        return "failed";
    }
    return "";
}

static JsonObject *sizes_object(const TuneWindow *window)
{
    static const char *const names[TUNE_AXES] = {"x", "y", "z"};
    JsonObject *object = json_object_new();

    for (guint i = 0; i < TUNE_AXES; i++) {
        if (window->sizes[i] > 0) {
            json_object_set_int_member(object, names[i], window->sizes[i]);
        }
    }
    return object;
}

static JsonObject *values_object(const TuneStudy *self, const double values[2])
{
    JsonObject *object = json_object_new();

    for (guint i = 0; i < 2; i++) {
        json_object_set_double_member(object, self->plan->options->goals[i].name,
                                      values[i]);
    }
    return object;
}

static JsonObject *point_object(const TuneStudy *self, const TunePoint *point)
{
    JsonObject *object = json_object_new();

    json_object_set_string_member(object, "window", point->name);
    json_object_set_object_member(object, "sizes", sizes_object(&point->whole));
    json_object_set_object_member(object, "values", values_object(self, point->values));
    return object;
}

/* A window beside the chosen one and the front. */
static JsonObject *
guest_object(const TuneStudy *self, const TuneGroup *group, guint index)
{
    const TuneGoal *goals = self->plan->options->goals;
    const TunePoint *point = tune_point(group->points, index);
    const TunePoint *chosen = tune_group_chosen(group);
    const double changes[2] = {(point->values[0] / chosen->values[0] - 1) * hundred,
                               (point->values[1] / chosen->values[1] - 1) * hundred};
    const double alone[2] = {
        tune_front_distance_alone(group->points, group->front, goals, point, 0),
        tune_front_distance_alone(group->points, group->front, goals, point, 1)};
    JsonObject *object = point_object(self, point);

    json_object_set_string_member(object, "status", status_text(point->status));
    trace_json_set_text(object, "why", point->why);
    json_object_set_boolean_member(object, "is_candidate", point->is_candidate);
    json_object_set_boolean_member(object, "is_on_front",
                                   tune_group_has_front(group, index));
    json_object_set_object_member(object, "percent_to_chosen",
                                  values_object(self, changes));
    json_object_set_double_member(
        object, "percent_from_front",
        tune_front_distance(group->points, group->front, goals, point));
    json_object_set_object_member(object, "percent_from_front_alone",
                                  values_object(self, alone));
    json_object_set_int_member(object, "beaten_by",
                               point->status == TUNE_RAN
                                   ? tune_front_beaten_by(group->points, goals, point)
                                   : 0);
    return object;
}

static JsonArray *
guests_array(const TuneStudy *self, const TuneGroup *group, bool is_marked)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < group->points->len; i++) {
        const TunePoint *point = tune_point(group->points, i);

        if (is_marked ? point->is_marked : point->is_hand) {
            json_array_add_object_element(array, guest_object(self, group, i));
        }
    }
    return array;
}

static JsonArray *front_array(const TuneStudy *self, const TuneGroup *group)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < group->front->len; i++) {
        json_array_add_object_element(
            array,
            point_object(self, tune_point(group->points,
                                          g_array_index(group->front, guint, i))));
    }
    return array;
}

static JsonArray *reasons_array(const TuneGroup *group)
{
    g_autoptr(GArray) reasons = tune_group_reasons(group);
    JsonArray *array = json_array_new();

    for (guint i = 0; i < reasons->len; i++) {
        const TuneReason *reason = &g_array_index(reasons, TuneReason, i);
        JsonObject *object = json_object_new();

        json_object_set_string_member(object, "status", status_text(reason->status));
        json_object_set_int_member(object, "windows", reason->count);
        trace_json_set_text(object, "first", reason->example);
        json_array_add_object_element(array, object);
    }
    return array;
}

static JsonObject *chosen_object(const TuneStudy *self, const TuneGroup *group)
{
    JsonObject *object = point_object(self, tune_group_chosen(group));
    JsonObject *result =
        group->run.result != NULL ? json_node_get_object(group->run.result) : NULL;
    JsonObject *check = trace_json_object(result, "check");

    json_object_set_int_member(object, "code", group->run.code);
    trace_json_set_text(object, "why", group->run.why);
    json_object_set_boolean_member(object, "is_same_with_data", group->is_same);
    if (check != NULL) {
        json_object_set_object_member(object, "check", json_object_ref(check));
    } else {
        json_object_set_null_member(object, "check");
    }
    return object;
}

static JsonObject *group_object(const TuneStudy *self, guint index)
{
    const TuneGroup *group = tune_study_group(self, index);
    JsonObject *object = json_object_new();

    trace_json_set_text(
        object, "value",
        self->plan->options->by != NULL ? self->plan->options->by_values[index] : NULL);
    json_object_set_int_member(object, "ran", tune_group_count(group, TUNE_RAN));
    json_object_set_int_member(object, "refused",
                               tune_group_count(group, TUNE_REFUSED));
    json_object_set_int_member(object, "failed", tune_group_count(group, TUNE_FAILED));
    json_object_set_array_member(object, "reasons", reasons_array(group));
    json_object_set_array_member(object, "front", front_array(self, group));
    json_object_set_object_member(object, "chosen", chosen_object(self, group));
    json_object_set_array_member(object, "hand", guests_array(self, group, false));
    json_object_set_array_member(object, "marked", guests_array(self, group, true));
    return object;
}

static JsonArray *goals_array(const TuneOptions *options)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < 2; i++) {
        const TuneGoal *goal = &options->goals[i];
        JsonObject *object = json_object_new();

        json_object_set_string_member(object, "name", goal->name);
        json_object_set_string_member(object, "formula", goal->formula);
        json_object_set_string_member(object, "better", tune_goal_way(goal));
        json_array_add_object_element(array, object);
    }
    return array;
}

static JsonObject *search_object(const TuneStudy *self)
{
    static const char *const kinds[] = {[TUNE_SIZES_POWERS] = "powers",
                                        [TUNE_SIZES_DIVISORS] = "divisors",
                                        [TUNE_SIZES_ALL] = "all"};
    const TuneOptions *options = self->plan->options;
    JsonObject *object = json_object_new();
    g_autofree char *text = tune_search_text(self);

    json_object_set_string_member(object, "kind",
                                  self->is_exhaustive ? "exhaustive" : "elitist");
    json_object_set_string_member(object, "text", text);
    json_object_set_string_member(object, "sizes", kinds[options->sizes]);
    json_object_set_int_member(object, "windows",
                               (gint64) tune_space_count(self->plan->space));
    json_object_set_int_member(object, "runs", self->budget);
    json_object_set_int_member(object, "limit_runs", options->limit_runs);
    if (!self->is_exhaustive) {
        json_object_set_int_member(object, "at_random", self->first);
        json_object_set_int_member(object, "generation", TUNE_GENERATION);
        json_object_set_int_member(object, "seed", (gint64) options->seed);
    }
    return object;
}

static JsonObject *metrics_object(const TuneStudy *self)
{
    const TunePlan *plan = self->plan;
    JsonObject *metrics = json_object_new();
    JsonArray *groups = json_array_new();
    TuneWindow domain = {{0}};
    g_autofree char *rule = tune_rule_text(self);

    for (guint i = 0; i < tune_space_axis_count(plan->space); i++) {
        const TuneAxis *axis = tune_space_axis(plan->space, i);

        domain.sizes[axis->axis] = axis->domain;
    }
    json_object_set_string_member(metrics, "script", plan->options->name);
    json_object_set_object_member(metrics, "domain", sizes_object(&domain));
    json_object_set_array_member(metrics, "objectives", goals_array(plan->options));
    json_object_set_object_member(metrics, "search", search_object(self));
    json_object_set_double_member(metrics, "within_percent",
                                  plan->options->within_percent);
    json_object_set_string_member(metrics, "rule", rule);
    trace_json_set_text(metrics, "by", plan->options->by);
    for (guint i = 0; i < self->groups->len; i++) {
        json_array_add_object_element(groups, group_object(self, i));
    }
    json_object_set_array_member(metrics, "groups", groups);
    return metrics;
}

/* Chosen windows whose check failed, or that have none. */
static guint count_checks(const TuneStudy *self, const char *status)
{
    guint count = 0;

    for (guint i = 0; i < self->groups->len; i++) {
        count += g_str_equal(tune_group_check(tune_study_group(self, i)), status);
    }
    return count;
}

char *tune_to_json(const TuneStudy *self)
{
    g_autoptr(JsonObject) metrics = metrics_object(self);
    const guint failed =
        self->groups->len - count_checks(self, "pass") - count_checks(self, "skipped");
    const TraceResult result = {
        .gridloom = GRIDLOOM_VERSION,
        .workload = "tune",
        .chip = self->plan->chip,
        .chip_digest = self->plan->chip_digest,
        .seed = self->plan->options->seed,
        .iterations = 1,
        .metrics = metrics,
        .check_status = failed > 0                        ? "fail"
                        : count_checks(self, "pass") == 0 ? "skipped"
                                                          : "pass",
        .max_abs_error = failed,
        .tolerance = 0,
        .reference = "chosen windows that failed with data, or whose own check did",
        .wall_seconds = self->wall_seconds,
        .peak_rss_bytes = peak_memory_bytes(),
        .threads = 1,
    };

    return trace_result_to_json(&result);
}

/* Takes a text for each column. */
static void
add_row(const TuneStudy *self, const TuneGroup *group, guint index, TraceTable *table)
{
    const TunePoint *point = tune_point(group->points, index);
    g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);

    if (self->plan->options->by != NULL) {
        g_ptr_array_add(cells,
                        g_strdup(group->word + strlen(self->plan->options->by) + 1));
    }
    g_ptr_array_add(cells, g_strdup(point->name));
    for (guint i = 0; i < TUNE_AXES; i++) {
        g_ptr_array_add(cells, point->whole.sizes[i] > 0
                                   ? g_strdup_printf("%u", point->whole.sizes[i])
                                   : NULL);
    }
    g_ptr_array_add(cells, g_strdup(status_text(point->status)));
    for (guint i = 0; i < 2; i++) {
        char text[G_ASCII_DTOSTR_BUF_SIZE];

        g_ptr_array_add(
            cells, isfinite(point->values[i])
                       ? g_strdup(g_ascii_dtostr(text, sizeof text, point->values[i]))
                       : NULL);
    }
    g_ptr_array_add(cells, g_strdup(point->is_candidate ? "1" : "0"));
    g_ptr_array_add(cells, g_strdup(tune_group_has_front(group, index) ? "1" : "0"));
    g_ptr_array_add(cells, g_strdup((int) index == group->chosen ? "1" : "0"));
    g_ptr_array_add(cells, g_strdup(point->is_hand ? "1" : "0"));
    g_ptr_array_add(cells, g_strdup(point->is_marked ? "1" : "0"));
    g_ptr_array_add(cells, g_strdup(point->why));
    trace_table_add_row(table, (const char *const *) cells->pdata);
}

TraceTable *tune_to_table(const TuneStudy *self)
{
    static const char *const before[] = {"window", "window_x", "window_y", "window_z"};
    static const char *const behind[] = {"candidate", "front",  "chosen",
                                         "hand",      "marked", "why"};
    const TuneOptions *options = self->plan->options;
    g_autofree char *title = tune_title(self);
    TraceTable *table = trace_table_new(title);

    if (options->by != NULL) {
        (void) trace_table_add_column(table, options->by, TRACE_COLUMN_PARAMETER);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(before); i++) {
        (void) trace_table_add_column(table, before[i], TRACE_COLUMN_PARAMETER);
    }
    (void) trace_table_add_column(table, "status", TRACE_COLUMN_STATUS);
    for (guint i = 0; i < 2; i++) {
        (void) trace_table_add_column(table, options->goals[i].name,
                                      TRACE_COLUMN_METRIC);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(behind); i++) {
        (void) trace_table_add_column(table, behind[i], TRACE_COLUMN_STATUS);
    }
    for (guint i = 0; i < self->groups->len; i++) {
        const TuneGroup *group = tune_study_group(self, i);

        for (guint k = 0; k < group->points->len; k++) {
            add_row(self, group, k, table);
        }
    }
    return table;
}
