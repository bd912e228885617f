/* Runs windows, each a process of its own. */
#include "sim/narrow.h"
#include "workloads/batch.h"
#include "workloads/error.h"
#include "workloads/tune_study.h"

static void tuned_clear(gpointer data)
{
    WlTuned *self = data;

    g_free(self->name);
    wl_tune_group_clear(&self->windows);
    wl_process_clear(&self->run);
}

void wl_tune_study_clear(WlTuneStudy *self)
{
    g_clear_pointer(&self->groups, g_array_unref);
}

WlTuned *wl_tune_study_group(const WlTuneStudy *self, guint group)
{
    return &g_array_index(self->groups, WlTuned, group);
}

int wl_tune_study_code(const WlTuneStudy *self)
{
    int code = 0;

    for (guint i = 0; i < self->groups->len; i++) {
        const WlTuned *group = wl_tune_study_group(self, i);

        code = MAX(code, group->run.code);
        code = wl_tune_group_count(&group->windows, WL_TUNE_FAILED) > 0
                   ? MAX(code, WL_EXIT_STOPPED)
                   : code;
    }
    return code;
}

/* Runs on their way. */
typedef struct {
    WlTuneStudy *study;
    const WlTuneOrder *order;
    GArray *points; /* of the runs that are under way */
    guint first;    /* of the points: that of the first run */
    guint done;
    guint failed;
    guint count;
    GError *error; /* of a result that does not have what is asked for */
} Work;

static bool is_stopping(gpointer data)
{
    const Work *self = data;

    return self->error != NULL || self->order->is_stopping(self->order->data);
}

static void tell(const Work *self)
{
    self->order->tell(self->order->data, self->done, self->count, self->failed);
}

/* Reads the sizes that a run reports along axes that were not requested. */
static void read_whole(const Work *self, WlTunePoint *point, JsonObject *result)
{
    static const char *const names[WL_TUNE_AXES] = {
        "metrics.window.x", "metrics.window.y", "metrics.window.z"};

    for (guint i = 0; i < WL_TUNE_AXES; i++) {
        double size = 0;

        if (point->whole.sizes[i] == 0 &&
            self->order->number(result, names[i], &size, NULL) && size >= 1 &&
            size <= G_MAXINT32) {
            point->whole.sizes[i] = sim_u32(size);
        }
    }
}

static bool
read_values(const Work *self, JsonObject *result, double values[2], GError **error)
{
    for (guint i = 0; i < 2; i++) {
        const WlTuneGoal *goal = &self->order->task.goals[i];

        if (!self->order->number(result, goal->formula, &values[i], error)) {
            g_prefix_error(error, "%s: ", goal->name);
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
        JsonObject *result = wl_process_result(process);

        point->status = WL_TUNE_RAN;
        read_whole(self, point, result);
        if (self->error == NULL) {
            (void) read_values(self, result, point->values, &self->error);
        }
    } else {
        /* Errors common to all windows were found before anything ran. */
        point->status =
            wl_process_is_refused(process) ? WL_TUNE_REFUSED : WL_TUNE_FAILED;
        point->why = g_steal_pointer(&process->why);
        self->failed++;
    }
    tell(self);
}

/* Does them all, or fails where one of them did or it was stopped. */
static bool do_runs(Work *self, GPtrArray *runs, WlBatchDone done, GError **error)
{
    const WlBatch batch = {.runs = runs,
                           .jobs = self->order->jobs,
                           .done = done,
                           .is_stopping = is_stopping,
                           .data = self};
    const bool is_done = wl_batch_do(&batch);

    if (self->error != NULL) {
        g_propagate_error(error, g_steal_pointer(&self->error));
        return false;
    }
    if (!is_done) {
        g_set_error(error, WL_ERROR, WL_ERROR_LIMIT,
                    "%u of %u runs of the tuning were done", self->done, self->count);
    }
    return is_done;
}

static void add_run(const Work *self,
                    GPtrArray *runs,
                    guint group,
                    const WlTuneWindow *window,
                    bool is_functional)
{
    g_ptr_array_add(
        runs, self->order->words(self->order->data, group, window, is_functional));
}

/* A function of WlTuneTask. */
static bool
run_points(gpointer data, guint group, GArray *points, guint first, GError **error)
{
    Work *self = data;
    g_autoptr(GPtrArray) runs = wl_batch_runs_new();

    self->points = points;
    self->first = first;
    for (guint i = first; i < points->len; i++) {
        const WlTunePoint *point = &g_array_index(points, WlTunePoint, i);

        self->count += point->is_candidate ? 0 : 1;
        add_run(self, runs, group, &point->window, false);
    }
    return do_runs(self, runs, keep_run, error);
}

/* A WlBatchDone, of chosen windows with data. */
static void keep_chosen(gpointer data, guint index, WlProcess *process)
{
    Work *self = data;
    WlTuned *group = wl_tune_study_group(self->study, index);
    const WlTunePoint *point = wl_tune_group_chosen(&group->windows);
    double values[2];

    group->run = *process;
    *process = (WlProcess){0};
    group->is_same = group->run.result != NULL &&
                     read_values(self, wl_process_result(&group->run), values, NULL) &&
                     values[0] == point->values[0] && values[1] == point->values[1];
    self->done++;
    tell(self);
}

static bool check_chosen(Work *self, GError **error)
{
    g_autoptr(GPtrArray) runs = wl_batch_runs_new();

    for (guint i = 0; i < self->study->groups->len; i++) {
        const WlTuneGroup *windows = &wl_tune_study_group(self->study, i)->windows;

        add_run(self, runs, i, &wl_tune_group_chosen(windows)->window, true);
    }
    return do_runs(self, runs, keep_chosen, error);
}

static bool tune_groups(const Work *self, GError **error)
{
    for (guint i = 0; i < self->study->groups->len; i++) {
        WlTuned *group = wl_tune_study_group(self->study, i);

        if (!wl_tune_group_do(&group->windows, i, &self->study->task, error)) {
            if (*group->name != '\0' &&
                g_error_matches(*error, WL_ERROR, WL_ERROR_FIT)) {
                g_prefix_error(error, "%s: ", group->name);
            }
            return false;
        }
    }
    return true;
}

bool wl_tune_study_do(WlTuneStudy *self, const WlTuneOrder *order, GError **error)
{
    Work work = {.study = self, .order = order};
    guint first = 0;

    *self = (WlTuneStudy){.groups = g_array_new(FALSE, TRUE, sizeof(WlTuned)),
                          .task = order->task};
    self->task.run = run_points;
    self->task.data = &work;
    g_array_set_clear_func(self->groups, tuned_clear);
    g_array_set_size(self->groups, order->group_count);
    work.count = order->group_count * (wl_tune_budget(&self->task, &first) + 1);
    for (guint i = 0; i < order->group_count; i++) {
        wl_tune_study_group(self, i)->name = order->name(order->data, i);
        wl_tune_group_init(&wl_tune_study_group(self, i)->windows);
    }
    if (!tune_groups(&work, error) || !check_chosen(&work, error)) {
        return false;
    }
    self->task.data = NULL;
    return true;
}
