/* Runs a job from its start to its last notification. */
#include "arch/nero/run.h"

#include <glib.h>

#include "arch/nero.h"
#include "arch/nero/pe.h"
#include "arch/nero/values.h"
#include "arch/nero/windows.h"

struct NeroRun {
    NeroTask task;
    void (*ended)(gpointer data);
    gpointer data;
    NeroValues *values; /* NULL: nothing is computed */
    NeroPe **pes;
    uint64_t notified; /* windows that the host knows of */
    bool is_stepped;
};

static void notified(gpointer data)
{
    NeroRun *self = data;

    self->notified++;
    self->task.board->tally.windows++;
    if (self->is_stepped &&
        self->notified % nero_windows_count(&self->task.windows) == 0) {
        for (guint i = 0; i < self->task.shape.pes; i++) {
            nero_reader_go_on(self->pes[i]);
        }
    }
    if (nero_run_has_ended(self)) {
        nero_board_flush(self->task.board);
        self->ended(self->data);
    }
}

/* The fields of a PE's window have come. */
static void taken(gpointer data, guint index, uint64_t window)
{
    NeroRun *self = data;

    if (self->values != NULL) {
        nero_values_take(self->values, nero_task_dealt(&self->task, index, window));
    }
}

static void swept(gpointer data, guint index, uint64_t window, guint sweep)
{
    NeroRun *self = data;

    if (self->values != NULL) {
        nero_values_sweep(self->values, nero_task_dealt(&self->task, index, window),
                          sweep);
    }
}

/* Results of a PE's window are where they belong. */
static void written(gpointer data, guint index, uint64_t window)
{
    NeroRun *self = data;
    const NeroWindow at = nero_pe_window(self->pes[index], window);

    self->task.board->tally.padded_points += at.padded_points;
    if (self->values != NULL) {
        nero_values_put(self->values, nero_task_dealt(&self->task, index, window));
    }
    nero_control_notify(self->task.board->control);
}

/* Rounds that are time steps begin when the host knows all windows of the one before.
 */
static bool may_ask(gpointer data, guint index, uint64_t window)
{
    const NeroRun *self = data;
    const uint64_t count = nero_windows_count(&self->task.windows);
    const uint64_t round = nero_task_dealt(&self->task, index, window) / count;

    return !self->is_stepped || self->notified >= round * count;
}

NeroRun *nero_run_new(const NeroRunConfig *config)
{
    NeroRun *self = g_new0(NeroRun, 1);
    const ArchNeroJob *job = config->job;
    const ArchNeroReach reach = arch_nero_design_reach(config->design);
    const NeroGrid grid = {
        .nx = job->nx, .ny = job->ny, .nz = job->nz, .border = job->border};

    self->ended = config->ended;
    self->data = config->data;
    self->is_stepped = job->is_stepped;
    self->task = (NeroTask){
        .board = config->board,
        .shape = nero_shape_of(config->design),
        .home = job->home,
        .may_ask = may_ask,
        .taken = taken,
        .swept = swept,
        .written = written,
        .data = self,
    };
    nero_windows_init(&self->task.windows, &grid, arch_nero_design_plan(config->design),
                      &reach);
    self->task.window_count = nero_windows_count(&self->task.windows) * job->rounds;
    if (job->is_functional) {
        self->values =
            nero_values_new(config->design, &self->task.windows, job, config->dram);
    }
    nero_control_listen(config->board->control, notified, self);
    self->pes = g_new0(NeroPe *, self->task.shape.pes);
    for (guint i = 0; i < self->task.shape.pes; i++) {
        self->pes[i] = nero_pe_new(&self->task, i);
        nero_pe_start(self->pes[i]);
    }
    return self;
}

void nero_run_free(NeroRun *self)
{
    if (self != NULL) {
        for (guint i = 0; i < self->task.shape.pes; i++) {
            nero_pe_free(self->pes[i]);
        }
        g_free(self->pes);
        nero_values_free(self->values);
        g_free(self);
    }
}

bool nero_run_has_ended(const NeroRun *self)
{
    return self->notified == self->task.window_count;
}

bool nero_run_is_at_rest(const NeroRun *self)
{
    for (guint i = 0; i < self->task.shape.pes; i++) {
        if (!nero_pe_is_at_rest(self->pes[i])) {
            return false;
        }
    }
    return nero_run_has_ended(self);
}
