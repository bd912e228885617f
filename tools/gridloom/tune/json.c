/* A tuning for programs. */
#include <math.h>
#include <string.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/peak_memory.h"
#include "tools/gridloom/record.h"
#include "tools/gridloom/tune/result.h"
#include "traces/file/json_member.h"
#include "traces/result/result.h"

static const double hundred = 100;

static const char *const statuses[] = {
    [WL_TUNE_RAN] = "done", [WL_TUNE_REFUSED] = "refused", [WL_TUNE_FAILED] = "failed"};

static JsonObject *sizes_object(const WlTuneWindow *window)
{
    static const char *const names[WL_TUNE_AXES] = {"x", "y", "z"};
    JsonObject *object = json_object_new();

    for (guint i = 0; i < WL_TUNE_AXES; i++) {
        if (window->sizes[i] > 0) {
            json_object_set_int_member(object, names[i], window->sizes[i]);
        }
    }
    return object;
}

static JsonObject *values_object(const TuneStudy *self, const double values[2])
{
    const WlTuneGoal *goals = self->plan->options->goals;

    return record_json(
        VALUES(VALUE(goals[0].name, values[0]), VALUE(goals[1].name, values[1])));
}

static JsonObject *point_object(const TuneStudy *self, const WlTunePoint *point)
{
    return record_json(VALUES(VALUE("window", point->name),
                              VALUE("sizes", sizes_object(&point->whole)),
                              VALUE("values", values_object(self, point->values))));
}

/* A window beside the chosen one and the front. */
static JsonObject *
guest_object(const TuneStudy *self, const WlTuneGroup *group, guint index)
{
    const WlTunePlace place = wl_tune_place(group, self->plan->options->goals, index);
    const WlTunePoint *point = wl_tune_group_point(group, index);
    const WlTunePoint *chosen = wl_tune_group_chosen(group);
    const double changes[2] = {(point->values[0] / chosen->values[0] - 1) * hundred,
                               (point->values[1] / chosen->values[1] - 1) * hundred};
    JsonObject *object = point_object(self, point);

    record_add_values(object,
                      VALUES(VALUE("status", statuses[point->status]),
                             VALUE("why", point->why),
                             VALUE("is_candidate", point->is_candidate),
                             VALUE("is_on_front", place.is_on_front),
                             VALUE("percent_to_chosen", values_object(self, changes)),
                             VALUE("percent_from_front", place.percent),
                             VALUE("percent_from_front_alone",
                                   values_object(self, place.percent_alone)),
                             VALUE("beaten_by", place.beaten_by)));
    return object;
}

static JsonArray *
guests_array(const TuneStudy *self, const WlTuneGroup *group, bool is_marked)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < group->points->len; i++) {
        const WlTunePoint *point = wl_tune_group_point(group, i);

        if (is_marked ? point->is_marked : point->is_hand) {
            json_array_add_object_element(array, guest_object(self, group, i));
        }
    }
    return array;
}

static JsonArray *front_array(const TuneStudy *self, const WlTuneGroup *group)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < group->front->len; i++) {
        const guint index = g_array_index(group->front, guint, i);

        json_array_add_object_element(
            array, point_object(self, wl_tune_group_point(group, index)));
    }
    return array;
}

/* A RecordFunc. */
static JsonObject *reason_object(gconstpointer item, gconstpointer context)
{
    const WlTuneReason *reason = item;

    (void) context;
    return record_json(VALUES(VALUE("status", statuses[reason->status]),
                              VALUE("windows", reason->count),
                              VALUE("first", reason->example)));
}

static JsonObject *chosen_object(const TuneStudy *self, const TuneGroup *group)
{
    JsonObject *object = point_object(self, wl_tune_group_chosen(&group->windows));
    JsonObject *check = trace_json_object(
        group->run.result != NULL ? json_node_get_object(group->run.result) : NULL,
        "check");

    record_add_values(
        object, VALUES(VALUE("code", group->run.code), VALUE("why", group->run.why),
                       VALUE("is_same_with_data", group->is_same),
                       VALUE("check", check != NULL ? json_object_ref(check) : NULL)));
    return object;
}

static JsonObject *group_object(const TuneStudy *self, guint index)
{
    const TuneOptions *options = self->plan->options;
    const TuneGroup *group = tune_study_group(self, index);
    const WlTuneGroup *windows = &group->windows;
    g_autoptr(GArray) reasons = wl_tune_reasons(windows);
    const char *value = options->by != NULL ? options->by_values[index] : NULL;

    return record_json(VALUES(
        VALUE("value", value), VALUE("ran", wl_tune_group_count(windows, WL_TUNE_RAN)),
        VALUE("refused", wl_tune_group_count(windows, WL_TUNE_REFUSED)),
        VALUE("failed", wl_tune_group_count(windows, WL_TUNE_FAILED)),
        VALUE("reasons", record_list(reasons, reason_object, NULL)),
        VALUE("front", front_array(self, windows)),
        VALUE("chosen", chosen_object(self, group)),
        VALUE("hand", guests_array(self, windows, false)),
        VALUE("marked", guests_array(self, windows, true))));
}

static JsonArray *goals_array(const TuneOptions *options)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < 2; i++) {
        const WlTuneGoal *goal = &options->goals[i];

        json_array_add_object_element(
            array, record_json(VALUES(VALUE("name", goal->name),
                                      VALUE("formula", goal->formula),
                                      VALUE("better", tune_goal_way(goal)))));
    }
    return array;
}

static JsonObject *search_object(const TuneStudy *self)
{
    static const char *const kinds[] = {[WL_TUNE_POWERS] = "powers",
                                        [WL_TUNE_DIVISORS] = "divisors",
                                        [WL_TUNE_ALL] = "all"};
    const TuneOptions *options = self->plan->options;
    g_autofree char *text = tune_search_text(self);
    JsonObject *object = record_json(
        VALUES(VALUE("kind", self->is_exhaustive ? "exhaustive" : "elitist"),
               VALUE("text", text), VALUE("sizes", kinds[options->sizes]),
               VALUE("windows", wl_tune_space_count(self->plan->space)),
               VALUE("runs", self->budget), VALUE("limit_runs", options->limit_runs)));

    if (!self->is_exhaustive) {
        record_add_values(object, VALUES(VALUE("at_random", self->first),
                                         VALUE("generation", WL_TUNE_GENERATION),
                                         VALUE("seed", options->seed)));
    }
    return object;
}

static JsonObject *metrics_object(const TuneStudy *self)
{
    const TuneOptions *options = self->plan->options;
    const WlTuneSpace *space = self->plan->space;
    JsonArray *groups = json_array_new();
    WlTuneWindow domain = {{0}};
    g_autofree char *rule = tune_rule_text(self);

    for (guint i = 0; i < wl_tune_space_axis_count(space); i++) {
        const WlTuneAxis *axis = wl_tune_space_axis(space, i);

        domain.sizes[axis->axis] = axis->domain;
    }
    for (guint i = 0; i < self->groups->len; i++) {
        json_array_add_object_element(groups, group_object(self, i));
    }
    return record_json(VALUES(
        VALUE("script", options->name), VALUE("domain", sizes_object(&domain)),
        VALUE("objectives", goals_array(options)), VALUE("search", search_object(self)),
        VALUE("within_percent", options->within_percent), VALUE("rule", rule),
        VALUE("by", options->by), VALUE("groups", groups)));
}

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
    /* Chosen windows whose check failed, or that have none. */
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

static void
add_row(const TuneStudy *self, const TuneGroup *group, guint index, TraceTable *table)
{
    const WlTunePoint *point = wl_tune_group_point(&group->windows, index);
    const bool marks[] = {
        point->is_candidate, wl_tune_group_has_front(&group->windows, index),
        (int) index == group->windows.chosen, point->is_hand, point->is_marked};
    g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);

    if (self->plan->options->by != NULL) {
        g_ptr_array_add(cells, g_strdup(strchr(group->word, '=') + 1));
    }
    g_ptr_array_add(cells, g_strdup(point->name));
    for (guint i = 0; i < WL_TUNE_AXES; i++) {
        g_ptr_array_add(cells, point->whole.sizes[i] > 0
                                   ? g_strdup_printf("%u", point->whole.sizes[i])
                                   : NULL);
    }
    g_ptr_array_add(cells, g_strdup(statuses[point->status]));
    for (guint i = 0; i < 2; i++) {
        char text[G_ASCII_DTOSTR_BUF_SIZE];

        g_ptr_array_add(
            cells, isfinite(point->values[i])
                       ? g_strdup(g_ascii_dtostr(text, sizeof text, point->values[i]))
                       : NULL);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(marks); i++) {
        g_ptr_array_add(cells, g_strdup(marks[i] ? "1" : "0"));
    }
    g_ptr_array_add(cells, g_strdup(point->why));
    trace_table_add_row(table, (const char *const *) cells->pdata);
}

TraceTable *tune_to_table(const TuneStudy *self)
{
    const TuneOptions *options = self->plan->options;
    const struct {
        const char *name;
        TraceColumnKind kind;
    } columns[] = {
        {options->by, TRACE_COLUMN_PARAMETER},
        {"window", TRACE_COLUMN_PARAMETER},
        {"window_x", TRACE_COLUMN_PARAMETER},
        {"window_y", TRACE_COLUMN_PARAMETER},
        {"window_z", TRACE_COLUMN_PARAMETER},
        {"status", TRACE_COLUMN_STATUS},
        {options->goals[0].name, TRACE_COLUMN_METRIC},
        {options->goals[1].name, TRACE_COLUMN_METRIC},
        {"candidate", TRACE_COLUMN_STATUS},
        {"front", TRACE_COLUMN_STATUS},
        {"chosen", TRACE_COLUMN_STATUS},
        {"hand", TRACE_COLUMN_STATUS},
        {"marked", TRACE_COLUMN_STATUS},
        {"why", TRACE_COLUMN_STATUS},
    };
    g_autofree char *title = tune_title(self);
    TraceTable *table = trace_table_new(title);

    for (gsize i = options->by != NULL ? 0 : 1; i < G_N_ELEMENTS(columns); i++) {
        (void) trace_table_add_column(table, columns[i].name, columns[i].kind);
    }
    for (guint i = 0; i < self->groups->len; i++) {
        const TuneGroup *group = tune_study_group(self, i);

        for (guint k = 0; k < group->windows.points->len; k++) {
            add_row(self, group, k, table);
        }
    }
    return table;
}
