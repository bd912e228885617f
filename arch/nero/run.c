/* Runs a job from its start to its last notification. */
#include "arch/nero/run.h"

#include "arch/nero/pe.h"
#include "arch/nero/values.h"

struct NeroRun {
    NeroTask task;
    void (*ended)(gpointer data);
    gpointer data;
    NeroValues *values; /* NULL: nothing is computed */
    NeroPe **pes;
    uint64_t notified; /* windows that the host knows of */
};

static void notified(gpointer data)
{
    NeroRun *self = data;

    self->notified++;
    self->task.board->tally.windows++;
    if (nero_run_has_ended(self)) {
        nero_board_flush(self->task.board);
        self->ended(self->data);
    }
}

/* Results of a PE's window are where they belong. All rounds compute the same: the
 * first one does it for them. */
static void written(gpointer data, guint index, uint64_t window)
{
    NeroRun *self = data;
    const uint64_t dealt = window * self->task.shape.pes + index;
    const NeroWindow at = nero_pe_window(self->pes[index], window);

    self->task.board->tally.padded_points += at.padded_points;
    if (self->values != NULL && dealt < nero_windows_count(&self->task.windows)) {
        nero_values_compute(self->values, &at);
    }
    nero_control_notify(self->task.board->control);
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
    self->task = (NeroTask){
        .board = config->board,
        .shape = nero_shape_of(config->design),
        .home = job->home,
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
    if (self == NULL) {
        return;
    }
    for (guint i = 0; i < self->task.shape.pes; i++) {
        nero_pe_free(self->pes[i]);
    }
    g_free(self->pes);
    nero_values_free(self->values);
    g_free(self);
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
