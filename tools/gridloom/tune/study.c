/* Runs windows, generation by generation. */
#include "tools/gridloom/tune/study.h"

#include <math.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/progress.h"
#include "tools/gridloom/result_member.h"
#include "tools/gridloom/run/batch.h"
#include "tools/gridloom/tune/search.h"

static void group_free(gpointer data)
{
    TuneGroup *self = data;

    g_free(self->word);
    g_array_unref(self->points);
    g_clear_pointer(&self->front, g_array_unref);
    cmd_run_process_clear(&self->run);
    g_free(self);
}

static TuneGroup *group_new(const TunePlan *plan, guint group)
{
    TuneGroup *self = g_new0(TuneGroup, 1);

    self->word = tune_plan_group(plan, group);
    self->points = g_array_new(FALSE, FALSE, sizeof(TunePoint));
    g_array_set_clear_func(self->points, tune_point_clear);
    self->front = g_array_new(FALSE, FALSE, sizeof(guint));
    self->chosen = -1;
    return self;
}

void tune_study_clear(TuneStudy *self)
{
    g_clear_pointer(&self->groups, g_ptr_array_unref);
}

const TuneGroup *tune_study_group(const TuneStudy *self, guint group)
{
    return g_ptr_array_index(self->groups, group);
}

/* Runs on their way. */
typedef struct {
    TuneStudy *study;
    TuneGroup *group; /* of the runs that are under way */
    guint first;      /* of the group's points: that of the first run */
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
static void read_whole(TunePoint *self, JsonObject *result)
{
    static const char *const names[TUNE_AXES] = {"metrics.window.x", "metrics.window.y",
                                                 "metrics.window.z"};

    for (guint i = 0; i < TUNE_AXES; i++) {
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
        const TuneGoal *goal = &self->study->plan->options->goals[i];

        if (!result_number(result, goal->formula, &values[i], error)) {
            g_prefix_error(error, "--objective %s: ", goal->name);
            return false;
        }
    }
    return true;
}

/* A CmdRunBatchDone. */
static void keep_run(gpointer data, guint index, CmdRunProcess *process)
{
    Work *self = data;
    TunePoint *point =
        &g_array_index(self->group->points, TunePoint, self->first + index);

    self->done++;
    if (process->why == NULL) {
        JsonObject *result = json_node_get_object(process->result);

        point->status = TUNE_RAN;
        read_whole(point, result);
        if (self->error == NULL) {
            (void) read_values(self, result, point->values, &self->error);
        }
    } else {
        /* What is wrong with all windows alike was found before anything ran. */
        point->status = process->code == EXIT_INPUT || process->code == EXIT_UNMODELLED
                            ? TUNE_REFUSED
                            : TUNE_FAILED;
        point->why = g_steal_pointer(&process->why);
        self->failed++;
    }
    progress_runs(self->progress, self->done, self->count, self->failed);
}

static bool stop(Work *self, GError **error)
{
    if (self->error != NULL) {
        g_propagate_error(error, g_steal_pointer(&self->error));
        return false;
    }
    return option_fail(error, "%u of %u runs of the tuning were done", self->done,
                       self->count);
}

/* Does them all, or fails where one of them did or it was stopped. */
static bool do_runs(Work *self, GPtrArray *runs, CmdRunBatchDone done, GError **error)
{
    const CmdRunBatch batch = {.runs = runs,
                               .jobs = self->study->plan->options->jobs,
                               .done = done,
                               .is_stopping = is_stopping,
                               .data = self};

    return (cmd_run_batch_do(&batch) && self->error == NULL) || stop(self, error);
}

static GPtrArray *runs_new(void)
{
    return g_ptr_array_new_with_free_func((GDestroyNotify) g_strfreev);
}

/* Runs the points from `first` on. */
static bool run_points(Work *self, guint group, guint first, GError **error)
{
    const TunePlan *plan = self->study->plan;
    const GArray *points = tune_study_group(self->study, group)->points;
    g_autoptr(GPtrArray) runs = runs_new();

    self->group = g_ptr_array_index(self->study->groups, group);
    self->first = first;
    for (guint i = first; i < points->len; i++) {
        g_ptr_array_add(
            runs, tune_plan_words(plan, group, &tune_point(points, i)->window, false));
    }
    return do_runs(self, runs, keep_run, error);
}

static void add_point(TuneGroup *self, TunePoint point)
{
    point.whole = point.window;
    point.values[0] = NAN;
    point.values[1] = NAN;
    g_array_append_val(self->points, point);
}

static void find_front(TuneGroup *self, const TuneOptions *options)
{
    g_array_unref(self->front);
    self->front = tune_front_new(self->points, options->goals);
}

/* Numbers of the front's windows, for the search. */
static GArray *front_numbers(const TuneGroup *self)
{
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(uint64_t));

    for (guint i = 0; i < self->front->len; i++) {
        const guint index = g_array_index(self->front, guint, i);

        g_array_append_val(numbers, tune_point(self->points, index)->number);
    }
    return numbers;
}

static bool search_group(Work *self, guint group, GError **error)
{
    const TunePlan *plan = self->study->plan;
    TuneGroup *of = g_ptr_array_index(self->study->groups, group);
    g_autoptr(TuneSearch) search =
        tune_search_new(plan->space, plan->options->limit_runs, plan->options->seed);

    for (;;) {
        g_autoptr(GArray) front = front_numbers(of);
        g_autoptr(GArray) numbers = tune_search_next(search, front);
        const guint first = of->points->len;

        if (numbers->len == 0) {
            break;
        }
        for (guint i = 0; i < numbers->len; i++) {
            const uint64_t number = g_array_index(numbers, uint64_t, i);

            add_point(of, (TunePoint){.window = tune_space_window(plan->space, number),
                                      .number = number,
                                      .is_candidate = true});
        }
        if (!run_points(self, group, first, error)) {
            return false;
        }
        find_front(of, plan->options);
    }
    if (of->front->len == 0) {
        return option_fail(error, "%s%sno window runs; the first, because: %s",
                           of->word, *of->word != '\0' ? ": " : "",
                           tune_point(of->points, 0)->why);
    }
    return true;
}

/* A window with the sizes that the first run tells where it has none. */
static TuneWindow fill_window(const TuneGroup *self, const TuneWindow *window)
{
    const TunePoint *first = NULL;
    TuneWindow whole = *window;

    for (guint i = 0; first == NULL && i < self->points->len; i++) {
        const TunePoint *point = tune_point(self->points, i);

        first = point->status == TUNE_RAN ? point : NULL;
    }
    for (guint i = 0; first != NULL && i < TUNE_AXES; i++) {
        whole.sizes[i] = whole.sizes[i] > 0 ? whole.sizes[i] : first->whole.sizes[i];
    }
    return whole;
}

/* Points that did not run have the other sizes of those that did. */
static void fill_points(TuneGroup *self)
{
    for (guint i = 0; i < self->points->len; i++) {
        TunePoint *point = &g_array_index(self->points, TunePoint, i);

        if (point->status != TUNE_RAN) {
            point->whole = fill_window(self, &point->window);
        }
        g_free(point->name);
        point->name = tune_window_text(&point->whole);
    }
}

/* The point of a window, a new one where there is none. */
static TunePoint *point_of(TuneGroup *self, const TuneWindow *window)
{
    const TuneWindow whole = fill_window(self, window);

    for (guint i = 0; i < self->points->len; i++) {
        TunePoint *point = &g_array_index(self->points, TunePoint, i);

        if (tune_window_equal(&whole, &point->whole)) {
            return point;
        }
    }
    add_point(self, (TunePoint){.window = *window});
    return &g_array_index(self->points, TunePoint, self->points->len - 1);
}

/* What else is to be compared; it does not change the front. */
static bool run_guests(Work *self, guint group, GError **error)
{
    const TunePlan *plan = self->study->plan;
    TuneGroup *of = g_ptr_array_index(self->study->groups, group);
    const guint first = of->points->len;

    for (guint i = 0; i < plan->guests->len; i++) {
        const TuneGuest *guest = &g_array_index(plan->guests, TuneGuest, i);

        if (guest->group < 0 || guest->group == (int) group) {
            TunePoint *point = point_of(of, &guest->window);

            point->is_hand = point->is_hand || !guest->is_marked;
            point->is_marked = point->is_marked || guest->is_marked;
        }
    }
    self->count += of->points->len - first;
    return run_points(self, group, first, error);
}

/* A CmdRunBatchDone, of chosen windows with data. */
static void keep_chosen(gpointer data, guint index, CmdRunProcess *process)
{
    Work *self = data;
    TuneGroup *group = g_ptr_array_index(self->study->groups, index);

    group->run = *process;
    *process = (CmdRunProcess){0};
    if (group->run.result != NULL) {
        const TunePoint *point = tune_group_chosen(group);
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
    const TunePlan *plan = self->study->plan;
    g_autoptr(GPtrArray) runs = runs_new();

    for (guint i = 0; i < plan->group_count; i++) {
        g_ptr_array_add(
            runs,
            tune_plan_words(
                plan, i, &tune_group_chosen(tune_study_group(self->study, i))->window,
                true));
    }
    return do_runs(self, runs, keep_chosen, error);
}

static bool tune_group(Work *self, guint group, GError **error)
{
    const TuneOptions *options = self->study->plan->options;
    TuneGroup *of = g_ptr_array_index(self->study->groups, group);

    if (!search_group(self, group, error)) {
        return false;
    }
    fill_points(of);
    if (!run_guests(self, group, error)) {
        return false;
    }
    fill_points(of);
    of->chosen = tune_front_choose(of->points, of->front, options->goals,
                                   options->within_percent);
    return true;
}

static void begin(TuneStudy *self, const TunePlan *plan)
{
    g_autoptr(TuneSearch) search =
        tune_search_new(plan->space, plan->options->limit_runs, plan->options->seed);

    *self = (TuneStudy){.plan = plan,
                        .groups = g_ptr_array_new_with_free_func(group_free),
                        .is_exhaustive = tune_search_is_exhaustive(search),
                        .budget = tune_search_budget(search),
                        .first = tune_search_first(search)};
    for (guint i = 0; i < plan->group_count; i++) {
        g_ptr_array_add(self->groups, group_new(plan, i));
    }
}

bool tune_study_do(TuneStudy *self,
                   const TunePlan *plan,
                   Watchdog *watchdog,
                   GError **error)
{
    const gint64 start = g_get_monotonic_time();
    g_autoptr(Progress) progress = progress_new("tune", !plan->options->is_quiet);
    Work work = {.study = self, .watchdog = watchdog, .progress = progress};

    begin(self, plan);
    work.count = plan->group_count * (self->budget + 1);
    for (guint i = 0; i < plan->group_count; i++) {
        if (!tune_group(&work, i, error)) {
            return false;
        }
    }
    if (!check_chosen(&work, error)) {
        return false;
    }
    self->wall_seconds = (double) (g_get_monotonic_time() - start) / G_USEC_PER_SEC;
    return true;
}
