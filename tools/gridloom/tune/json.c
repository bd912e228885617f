/* A tuning for programs. */
#include <math.h>

#include "tools/gridloom/envelope.h"
#include "tools/gridloom/tune/study.h"
#include "traces/file/json_member.h"
#include "traces/table/number_text.h"
#include "traces/table/record.h"

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

    return RECORD(VALUE(goals[0].name, values[0]), VALUE(goals[1].name, values[1]));
}

static JsonObject *point_object(const TuneStudy *self, const WlTunePoint *point)
{
    return RECORD(VALUE("window", point->name),
                  VALUE("sizes", sizes_object(&point->whole)),
                  VALUE("values", values_object(self, point->values)));
}

/* A window beside the chosen one and the front. */
static JsonObject *
guest_object(const TuneStudy *self, const WlTuneGroup *group, guint index)
{
    const WlTunePlace place = wl_tune_place(group, self->plan->options->goals, index);
    const WlTunePoint *point = wl_tune_group_point(group, index);
    const WlTunePoint *chosen = wl_tune_group_chosen(group);
    const double changes[2] = {(point->values[0] / chosen->values[0] - 1) * 100,
                               (point->values[1] / chosen->values[1] - 1) * 100};
    JsonObject *object = point_object(self, point);

    RECORD_ADD(
        object, VALUE("status", statuses[point->status]), VALUE("why", point->why),
        VALUE("is_candidate", point->is_candidate),
        VALUE("is_on_front", place.is_on_front),
        VALUE("percent_to_chosen", values_object(self, changes)),
        VALUE("percent_from_front", place.percent),
        VALUE("percent_from_front_alone", values_object(self, place.percent_alone)),
        VALUE("beaten_by", place.beaten_by));
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
    return RECORD(VALUE("status", statuses[reason->status]),
                  VALUE("windows", reason->count), VALUE("first", reason->example));
}

static JsonObject *chosen_object(const TuneStudy *self, const WlTuned *group)
{
    JsonObject *object = point_object(self, wl_tune_group_chosen(&group->windows));
    JsonObject *check = trace_json_object(wl_process_result(&group->run), "check");

    RECORD_ADD(object, VALUE("code", group->run.code), VALUE("why", group->run.why),
               VALUE("is_same_with_data", group->is_same),
               VALUE("check", check != NULL ? json_object_ref(check) : NULL));
    return object;
}

static JsonObject *group_object(const TuneStudy *self, guint index)
{
    const TuneOptions *options = self->plan->options;
    const WlTuned *group = wl_tune_study_group(&self->tuned, index);
    const WlTuneGroup *windows = &group->windows;
    g_autoptr(GArray) reasons = wl_tune_reasons(windows);
    const char *value = options->by != NULL ? options->by_values[index] : NULL;

    return RECORD(VALUE("value", value),
                  VALUE("ran", wl_tune_group_count(windows, WL_TUNE_RAN)),
                  VALUE("refused", wl_tune_group_count(windows, WL_TUNE_REFUSED)),
                  VALUE("failed", wl_tune_group_count(windows, WL_TUNE_FAILED)),
                  VALUE("reasons", record_list(reasons, reason_object, NULL)),
                  VALUE("front", front_array(self, windows)),
                  VALUE("chosen", chosen_object(self, group)),
                  VALUE("hand", guests_array(self, windows, false)),
                  VALUE("marked", guests_array(self, windows, true)));
}

static JsonArray *goals_array(const TuneOptions *options)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < 2; i++) {
        const WlTuneGoal *goal = &options->goals[i];

        json_array_add_object_element(
            array, RECORD(VALUE("name", goal->name), VALUE("formula", goal->formula),
                          VALUE("better", wl_tune_goal_way(goal))));
    }
    return array;
}

static JsonObject *search_object(const TuneStudy *self)
{
    static const char *const kinds[] = {[WL_TUNE_POWERS] = "powers",
                                        [WL_TUNE_DIVISORS] = "divisors",
                                        [WL_TUNE_ALL] = "all"};
    const TuneOptions *options = self->plan->options;
    const uint64_t windows = wl_tune_space_count(self->plan->space);
    g_autofree char *text = tune_search_text(self);
    guint first = 0;
    const guint budget = wl_tune_budget(&self->tuned.task, &first);
    JsonObject *object =
        RECORD(VALUE("kind", budget == windows ? "exhaustive" : "elitist"),
               VALUE("text", text), VALUE("sizes", kinds[options->sizes]),
               VALUE("windows", windows), VALUE("runs", budget),
               VALUE("limit_runs", options->limit_runs));

    if (budget != windows) {
        RECORD_ADD(object, VALUE("at_random", first),
                   VALUE("generation", WL_TUNE_GENERATION),
                   VALUE("seed", options->seed));
    }
    return object;
}

static JsonObject *metrics_object(const TuneStudy *self)
{
    const TuneOptions *options = self->plan->options;
    const WlTuneSpace *space = self->plan->space;
    JsonArray *groups = json_array_new();
    WlTuneWindow domain = {{0}};
    g_autofree char *rule = wl_tune_rule_text(&self->tuned.task);

    for (guint i = 0; i < wl_tune_space_axis_count(space); i++) {
        const WlTuneAxis *axis = wl_tune_space_axis(space, i);

        domain.sizes[axis->axis] = axis->domain;
    }
    for (guint i = 0; i < self->tuned.groups->len; i++) {
        json_array_add_object_element(groups, group_object(self, i));
    }
    return RECORD(
        VALUE("script", options->name), VALUE("domain", sizes_object(&domain)),
        VALUE("objectives", goals_array(options)), VALUE("search", search_object(self)),
        VALUE("within_percent", options->within_percent), VALUE("rule", rule),
        VALUE("by", options->by), VALUE("groups", groups));
}

static guint count_checks(const TuneStudy *self, const char *status)
{
    guint count = 0;

    for (guint i = 0; i < self->tuned.groups->len; i++) {
        const WlTuned *group = wl_tune_study_group(&self->tuned, i);

        count += g_strcmp0(wl_process_check(&group->run), status) == 0;
    }
    return count;
}

char *tune_to_json(gconstpointer study)
{
    const TuneStudy *self = study;
    const guint passed = count_checks(self, "pass");
    /* Chosen windows whose check failed, or that have none. */
    const guint failed =
        self->tuned.groups->len - passed - count_checks(self, "skipped");

    return envelope_to_json(
        (TraceResult){
            .workload = "tune",
            .chip = self->plan->chip,
            .chip_digest = self->plan->chip_digest,
            .seed = self->plan->options->seed,
            .metrics = metrics_object(self),
            .check_status = failed > 0    ? "fail"
                            : passed == 0 ? "skipped"
                                          : "pass",
            .max_abs_error = failed,
            .reference = "chosen windows that failed with data, or whose own check did",
            .wall_seconds = self->wall_seconds,
        },
        NULL);
}

static void add_row(const WlTuneGroup *group, guint index, GString *csv)
{
    const WlTunePoint *point = wl_tune_group_point(group, index);

    trace_csv_printf(csv, "%s", point->name);
    for (guint i = 0; i < WL_TUNE_AXES; i++) {
        const double size = point->whole.sizes[i];

        trace_csv_printf(csv, "%.0f", size > 0 ? size : NAN);
    }
    trace_csv_printf(csv, "%s|%.17g|%.17g|%d|%d|%d|%d|%d|%s\n", statuses[point->status],
                     point->values[0], point->values[1], point->is_candidate,
                     wl_tune_group_has_front(group, index),
                     (int) index == group->chosen, point->is_hand, point->is_marked,
                     point->why);
}

char *tune_to_csv(gconstpointer study)
{
    const TuneStudy *self = study;
    const TuneOptions *options = self->plan->options;
    GString *csv = g_string_new(NULL);

    if (options->by != NULL) {
        trace_csv_printf(csv, "%s", options->by);
    }
    trace_csv_printf(csv,
                     "window|window_x|window_y|window_z|status|%s|%s|candidate|front|"
                     "chosen|hand|marked|why\n",
                     options->goals[0].name, options->goals[1].name);
    for (guint i = 0; i < self->tuned.groups->len; i++) {
        const WlTuneGroup *windows = &wl_tune_study_group(&self->tuned, i)->windows;

        for (guint k = 0; k < windows->points->len; k++) {
            if (options->by != NULL) {
                trace_csv_printf(csv, "%s", options->by_values[i]);
            }
            add_row(windows, k, csv);
        }
    }
    return g_string_free(csv, FALSE);
}
