/* Runs on their way into the database. */
#include "tools/gridloom/sweep/work.h"

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/progress.h"
#include "tools/gridloom/quantity.h"

/* A sweep at work. */
typedef struct {
    const CmdSweepSite *site;
    CmdSweepWork *work;
    Progress *progress;
    gint64 start;
    guint task_count;
    CmdSweepTally tally; /* of this time */
    GArray *lost;        /* of CmdSweepTask; NULL: none is tried again */
    bool *is_reported;   /* of each metric: that a run has none of it */
} Worker;

static bool is_to_do(TraceRunStatus status, bool is_retrying)
{
    return status == TRACE_RUN_MISSING || status == TRACE_RUN_LOST ||
           (status == TRACE_RUN_FAILED && is_retrying);
}

guint cmd_sweep_work_count(const WlSweep *sweep,
                           const TraceSweepStore *store,
                           bool is_retrying)
{
    guint count = 0;

    for (guint i = 0; i < wl_sweep_run_count(sweep); i++) {
        count += is_to_do(trace_sweep_store_status(store, i), is_retrying) ? 1 : 0;
    }
    return count;
}

static void count_status(CmdSweepTally *self, TraceRunStatus status)
{
    switch (status) {
    case TRACE_RUN_MISSING:
        self->missing++;
        return;
    case TRACE_RUN_DONE:
        self->done++;
        return;
    case TRACE_RUN_FAILED:
        self->failed++;
        return;
    case TRACE_RUN_LOST:
        self->lost++;
        return;
    }
}

CmdSweepTally cmd_sweep_work_tally(const WlSweep *sweep, const TraceSweepStore *store)
{
    CmdSweepTally tally = {0};

    for (guint i = 0; i < wl_sweep_run_count(sweep); i++) {
        count_status(&tally, trace_sweep_store_status(store, i));
    }
    return tally;
}

static void tell(const Worker *self)
{
    const guint over = self->work->run_count;
    const double seconds =
        (double) (g_get_monotonic_time() - self->start) / G_USEC_PER_SEC;
    const double rate = seconds > 0 ? over / seconds : 0;
    const guint left = self->task_count > over ? self->task_count - over : 0;
    g_autofree char *eta = quantity_seconds(rate > 0 ? left / rate : 0);
    g_autofree char *text = g_strdup_printf(
        "%u of %u, %u done, %u failed, %u lost, %.3g/s, ETA %s", over, self->task_count,
        self->tally.done, self->tally.failed, self->tally.lost, rate, eta);

    progress_tell(self->progress, text);
}

/* An empty cell may be a slip in the file; the first one is told of. What has none has
 * no interval either. */
static void look_for_gaps(const Worker *self, const CmdSweepAnswer *answer)
{
    for (guint i = 0; answer->metrics != NULL && answer->metrics[i] != NULL &&
                      i < wl_sweep_own_record_count(self->site->sweep);
         i++) {
        if (*answer->metrics[i] == '\0' && !self->is_reported[i]) {
            self->is_reported[i] = true;
            (void) complain("run %u has no %s; its cell stays empty", answer->run + 1,
                            wl_sweep_record(self->site->sweep, i)->formula);
        }
    }
}

/* The row of an answer, which has nothing of its own. */
static bool put(const Worker *self, const CmdSweepAnswer *answer, GError **error)
{
    const WlSweep *sweep = self->site->sweep;
    const guint axis_count = wl_sweep_axis_count(sweep);
    const guint metric_count = wl_sweep_record_count(sweep);
    g_autofree const char **values = g_new(const char *, axis_count);
    g_autofree const char **metrics = g_new0(const char *, metric_count);

    for (guint i = 0; i < axis_count; i++) {
        values[i] = wl_sweep_run_text(sweep, answer->run, i);
    }
    for (guint i = 0; answer->metrics != NULL && i < metric_count; i++) {
        const char *text = answer->metrics[i];

        if (text == NULL) {
            break;
        }
        metrics[i] = *text != '\0' ? text : NULL;
    }
    const TraceSweepRow row = {.run = answer->run,
                               .status = answer->status,
                               .error = answer->error,
                               .values = values,
                               .metrics = metrics,
                               .worker = answer->worker,
                               .wall_seconds = answer->wall_seconds};

    return trace_sweep_store_put(self->site->store, &row, error);
}

/* A function of CmdSweepClusterCalls. */
static bool take(gpointer data, const CmdSweepAnswer *answer, GError **error)
{
    Worker *self = data;
    const CmdSweepTask task = {.run = answer->run};

    /* Where everything is being ended, nobody knows who ended this. */
    if (answer->status == TRACE_RUN_LOST &&
        self->site->stop->is_stopping(self->site->stop->data)) {
        return true;
    }
    if (!put(self, answer, error)) {
        return false;
    }
    look_for_gaps(self, answer);
    self->work->run_count++;
    self->work->run_seconds += answer->wall_seconds;
    count_status(&self->tally, answer->status);
    if (answer->status == TRACE_RUN_LOST && self->lost != NULL) {
        g_array_append_val(self->lost, task);
    }
    tell(self);
    return true;
}

static bool is_stopping(gpointer data)
{
    Worker *self = data;

    tell(self);
    self->work->is_stopped = self->site->stop->is_stopping(self->site->stop->data);
    return self->work->is_stopped;
}

static void note_gone(gpointer data, int rank)
{
    const Worker *self = data;

    self->site->stop->gone(self->site->stop->data, rank);
}

static GArray *tasks_of(const CmdSweepSite *site)
{
    GArray *tasks = g_array_new(FALSE, FALSE, sizeof(CmdSweepTask));

    for (guint i = 0; i < wl_sweep_run_count(site->sweep); i++) {
        const CmdSweepTask task = {.run = i};

        if (is_to_do(trace_sweep_store_status(site->store, i),
                     site->options->is_retrying)) {
            g_array_append_val(tasks, task);
        }
    }
    return tasks;
}

/* All, and those that are lost by that again. */
static bool do_all(Worker *self, const GArray *tasks, GError **error)
{
    g_autoptr(GArray) lost = g_array_new(FALSE, FALSE, sizeof(CmdSweepTask));
    const CmdSweepClusterCalls calls = {
        .answer = take, .is_stopping = is_stopping, .gone = note_gone, .data = self};

    self->lost = lost;
    if (!cmd_sweep_cluster_do(self->site->cluster, tasks, &calls, error)) {
        return false;
    }
    self->lost = NULL;
    if (lost->len == 0 || self->work->is_stopped) {
        return true;
    }
    self->task_count += lost->len;
    self->tally.lost -= MIN(self->tally.lost, lost->len);
    return cmd_sweep_cluster_do(self->site->cluster, lost, &calls, error);
}

bool cmd_sweep_work_do(CmdSweepWork *self, const CmdSweepSite *site, GError **error)
{
    g_autoptr(GArray) tasks = tasks_of(site);
    g_autoptr(Progress) progress = progress_new("sweep", !site->options->is_quiet);
    g_autofree bool *is_reported = g_new0(bool, wl_sweep_record_count(site->sweep));
    Worker worker = {.site = site,
                     .work = self,
                     .progress = progress,
                     .start = g_get_monotonic_time(),
                     .task_count = tasks->len,
                     .is_reported = is_reported};
    bool is_done;

    *self = (CmdSweepWork){0};
    is_done = do_all(&worker, tasks, error);
    self->wall_seconds =
        (double) (g_get_monotonic_time() - worker.start) / G_USEC_PER_SEC;
    return is_done;
}
