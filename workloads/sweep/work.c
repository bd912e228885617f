/* Makes the runs of a sweep and stores their outcomes. */
#include "workloads/sweep/cluster.h"

/* A sweep at work. */
typedef struct {
    const WlSweepKeeper *keeper;
    WlSweepWork *work;
    gint64 start;
    GArray *lost; /* of SweepTask; NULL: none is tried again */
} Worker;

static bool is_to_do(WlSweepStatus status, bool is_retrying)
{
    return status == WL_SWEEP_MISSING || status == WL_SWEEP_LOST ||
           (status == WL_SWEEP_FAILED && is_retrying);
}

static GArray *
tasks_of(const WlSweep *sweep, const WlSweepKeeper *keeper, bool is_retrying)
{
    GArray *tasks = g_array_new(FALSE, FALSE, sizeof(SweepTask));

    for (guint i = 0; i < wl_sweep_run_count(sweep); i++) {
        const SweepTask task = {.run = i};

        if (is_to_do(keeper->status(keeper->data, i), is_retrying)) {
            g_array_append_val(tasks, task);
        }
    }
    return tasks;
}

guint wl_sweep_to_do(const WlSweep *sweep,
                     const WlSweepKeeper *keeper,
                     bool is_retrying)
{
    g_autoptr(GArray) tasks = tasks_of(sweep, keeper, is_retrying);

    return tasks->len;
}

static void count_status(WlSweepTally *self, WlSweepStatus status)
{
    guint *const counts[] = {[WL_SWEEP_MISSING] = &self->missing,
                             [WL_SWEEP_DONE] = &self->done,
                             [WL_SWEEP_FAILED] = &self->failed,
                             [WL_SWEEP_LOST] = &self->lost};

    (*counts[status])++;
}

WlSweepTally wl_sweep_tally(const WlSweep *sweep, const WlSweepKeeper *keeper)
{
    WlSweepTally tally = {0};

    for (guint i = 0; i < wl_sweep_run_count(sweep); i++) {
        count_status(&tally, keeper->status(keeper->data, i));
    }
    return tally;
}

static void tell(const Worker *self)
{
    self->work->wall_seconds =
        (double) (g_get_monotonic_time() - self->start) / G_USEC_PER_SEC;
    self->keeper->tell(self->keeper->data, self->work);
}

/* A function of SweepTaker. */
static bool take(gpointer data, const WlSweepAnswer *answer, GError **error)
{
    const Worker *self = data;
    const SweepTask task = {.run = answer->run};

    /* While everything is being ended, it is unknown what ended this run. */
    if (answer->status == WL_SWEEP_LOST &&
        self->keeper->is_stopping(self->keeper->data)) {
        return true;
    }
    if (!self->keeper->put(self->keeper->data, answer, error)) {
        return false;
    }
    self->work->run_count++;
    self->work->run_seconds += answer->wall_seconds;
    count_status(&self->work->tally, answer->status);
    if (answer->status == WL_SWEEP_LOST && self->lost != NULL) {
        g_array_append_val(self->lost, task);
    }
    tell(self);
    return true;
}

static bool is_stopping(gpointer data)
{
    const Worker *self = data;

    tell(self);
    self->work->is_stopped = self->keeper->is_stopping(self->keeper->data);
    return self->work->is_stopped;
}

/* All, and those that are lost by that again. */
static bool
do_all(const WlSweepEngine *engine, Worker *self, const GArray *tasks, GError **error)
{
    g_autoptr(GArray) lost = g_array_new(FALSE, FALSE, sizeof(SweepTask));
    const SweepTaker taker = {.answer = take,
                              .is_stopping = is_stopping,
                              .keeper = self->keeper,
                              .data = self};

    self->lost = lost;
    if (!sweep_cluster_do(engine, tasks, &taker, error)) {
        return false;
    }
    self->lost = NULL;
    if (lost->len == 0 || self->work->is_stopped) {
        return true;
    }
    self->work->task_count += lost->len;
    self->work->tally.lost -= MIN(self->work->tally.lost, lost->len);
    return sweep_cluster_do(engine, lost, &taker, error);
}

bool wl_sweep_engine_do(WlSweepEngine *self,
                        const WlSweepKeeper *keeper,
                        bool is_retrying,
                        WlSweepWork *work,
                        GError **error)
{
    g_autoptr(GArray) tasks = tasks_of(self->common.sweep, keeper, is_retrying);
    Worker worker = {.keeper = keeper, .work = work, .start = g_get_monotonic_time()};
    bool is_done;

    *work = (WlSweepWork){.task_count = tasks->len};
    is_done = do_all(self, &worker, tasks, error);
    work->wall_seconds =
        (double) (g_get_monotonic_time() - worker.start) / G_USEC_PER_SEC;
    return is_done;
}
