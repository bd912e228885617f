/* Runs windows, each a process of its own. */
#include "tools/gridloom/tune/study.h"

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/envelope.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/progress.h"
#include "traces/file/json_member.h"
#include "traces/suite/member.h"
#include "workloads/batch.h"
#include "workloads/error.h"

static void group_clear(gpointer data)
{
    TuneGroup *self = data;

    g_free(self->word);
    wl_tune_group_clear(&self->windows);
    wl_process_clear(&self->run);
}

void tune_study_clear(TuneStudy *self)
{
    g_clear_pointer(&self->groups, g_array_unref);
}

TuneGroup *tune_study_group(const TuneStudy *self, guint group)
{
    return &g_array_index(self->groups, TuneGroup, group);
}

const char *tune_group_check(const TuneGroup *self)
{
    JsonObject *check = trace_json_object(wl_process_result(&self->run), "check");

    return trace_json_string(check, "status", "none");
}

int tune_study_code(const TuneStudy *self)
{
    int code = EXIT_DONE;

    for (guint i = 0; i < self->groups->len; i++) {
        const TuneGroup *group = tune_study_group(self, i);

        code = MAX(code, group->run.code);
        code = wl_tune_group_count(&group->windows, WL_TUNE_FAILED) > 0
                   ? MAX(code, EXIT_STOPPED)
                   : code;
    }
    return code;
}

/* Runs on their way. */
typedef struct {
    TuneStudy *study;
    GArray *points; /* of the runs that are under way */
    guint first;    /* of the points: that of the first run */
    Watchdog *watchdog;
    Progress *progress;
    guint done;
    guint failed;
    guint count;
    GError *error; /* of a result that does not have what is asked for */
} Work;

static bool is_stopping(gpointer data)
{
    const Work *self = data;

    return self->error != NULL || watchdog_is_stopping(self->watchdog);
}

/* The sizes that a run tells along axes that nobody asked for. */
static void read_whole(WlTunePoint *self, JsonObject *result)
{
    static const char *const names[WL_TUNE_AXES] = {
        "metrics.window.x", "metrics.window.y", "metrics.window.z"};

    for (guint i = 0; i < WL_TUNE_AXES; i++) {
        double size = 0;

        if (self->whole.sizes[i] == 0 && result_number(result, names[i], &size, NULL) &&
            size >= 1 && size <= G_MAXINT32) {
            self->whole.sizes[i] = (guint) size;
        }
    }
}

static bool
read_values(const Work *self, JsonObject *result, double values[2], GError **error)
{
    for (guint i = 0; i < 2; i++) {
        const WlTuneGoal *goal = &self->study->plan->options->goals[i];

        if (!result_number(result, goal->formula, &values[i], error)) {
            g_prefix_error(error, "--objective %s: ", goal->name);
            return false;
        }
    }
    return true;
}

/* A WlBatchDone. */
static void keep_run(gpointer data, guint index, WlProcess *process)
{
    Work *self = data;
    WlTunePoint *point = &g_array_index(self->points, WlTunePoint, self->first + index);

    self->done++;
    if (process->why == NULL) {
        JsonObject *result = json_node_get_object(process->result);

        point->status = WL_TUNE_RAN;
        read_whole(point, result);
        if (self->error == NULL) {
            (void) read_values(self, result, point->values, &self->error);
        }
    } else {
        /* What is wrong with all windows alike was found before anything ran. */
        point->status =
            wl_process_is_refused(process) ? WL_TUNE_REFUSED : WL_TUNE_FAILED;
        point->why = g_steal_pointer(&process->why);
        self->failed++;
    }
    progress_runs(self->progress, self->done, self->count, self->failed);
}

/* Does them all, or fails where one of them did or it was stopped. */
static bool do_runs(Work *self, GPtrArray *runs, WlBatchDone done, GError **error)
{
    const WlBatch batch = {.runs = runs,
                           .jobs = self->study->plan->options->jobs,
                           .done = done,
                           .is_stopping = is_stopping,
                           .data = self};
    const bool is_done = wl_batch_do(&batch);

    if (self->error != NULL) {
        g_propagate_error(error, g_steal_pointer(&self->error));
        return false;
    }
    return is_done || option_fail(error, "%u of %u runs of the tuning were done",
                                  self->done, self->count);
}

static GPtrArray *runs_new(void)
{
    return g_ptr_array_new_with_free_func((GDestroyNotify) g_strfreev);
}

/* A function of WlTuneTask. */
static bool
run_points(gpointer data, guint group, GArray *points, guint first, GError **error)
{
    Work *self = data;
    g_autoptr(GPtrArray) runs = runs_new();

    self->points = points;
    self->first = first;
    for (guint i = first; i < points->len; i++) {
        const WlTunePoint *point = &g_array_index(points, WlTunePoint, i);

        self->count += point->is_candidate ? 0 : 1;
        g_ptr_array_add(
            runs, tune_plan_words(self->study->plan, group, &point->window, false));
    }
    return do_runs(self, runs, keep_run, error);
}

/* A WlBatchDone, of chosen windows with data. */
static void keep_chosen(gpointer data, guint index, WlProcess *process)
{
    Work *self = data;
    TuneGroup *group = tune_study_group(self->study, index);

    group->run = *process;
    *process = (WlProcess){0};
    if (group->run.result != NULL) {
        const WlTunePoint *point = wl_tune_group_chosen(&group->windows);
        double values[2];

        group->is_same =
            read_values(self, json_node_get_object(group->run.result), values, NULL) &&
            values[0] == point->values[0] && values[1] == point->values[1];
    }
    self->done++;
    progress_runs(self->progress, self->done, self->count, self->failed);
}

static bool check_chosen(Work *self, GError **error)
{
    g_autoptr(GPtrArray) runs = runs_new();

    for (guint i = 0; i < self->study->groups->len; i++) {
        const WlTuneGroup *windows = &tune_study_group(self->study, i)->windows;

        g_ptr_array_add(runs,
                        tune_plan_words(self->study->plan, i,
                                        &wl_tune_group_chosen(windows)->window, true));
    }
    return do_runs(self, runs, keep_chosen, error);
}

static bool tune_groups(const Work *self, GError **error)
{
    for (guint i = 0; i < self->study->groups->len; i++) {
        TuneGroup *group = tune_study_group(self->study, i);

        if (!wl_tune_group_do(&group->windows, i, &self->study->task, error)) {
            if (*group->word != '\0' &&
                g_error_matches(*error, WL_ERROR, WL_ERROR_FIT)) {
                g_prefix_error(error, "%s: ", group->word);
            }
            return false;
        }
    }
    return true;
}

bool tune_study_do(TuneStudy *self,
                   const TunePlan *plan,
                   Watchdog *watchdog,
                   GError **error)
{
    const TuneOptions *options = plan->options;
    const gint64 start = g_get_monotonic_time();
    g_autoptr(Progress) progress = progress_new("tune", !options->is_quiet);
    Work work = {.study = self, .watchdog = watchdog, .progress = progress};
    guint first = 0;

    *self = (TuneStudy){.plan = plan,
                        .groups = g_array_new(FALSE, TRUE, sizeof(TuneGroup)),
                        .task = {.space = plan->space,
                                 .goals = options->goals,
                                 .guests = plan->guests,
                                 .limit = options->limit_runs,
                                 .seed = options->seed,
                                 .within_percent = options->within_percent,
                                 .run = run_points,
                                 .data = &work}};
    g_array_set_clear_func(self->groups, group_clear);
    g_array_set_size(self->groups, plan->group_count);
    work.count = plan->group_count * (wl_tune_budget(&self->task, &first) + 1);
    for (guint i = 0; i < plan->group_count; i++) {
        tune_study_group(self, i)->word = tune_plan_group(plan, i);
        wl_tune_group_init(&tune_study_group(self, i)->windows);
    }
    if (!tune_groups(&work, error) || !check_chosen(&work, error)) {
        return false;
    }
    self->task.data = NULL;
    self->wall_seconds = envelope_seconds(start);
    return true;
}
