/* Runs the jobs of a board with a loaded design. */
#include "arch/nero.h"

#include <string.h>

#include "arch/error.h"
#include "arch/nero/board.h"
#include "arch/nero/run.h"

/* A job that waits for those before it, with copies of its lists. */
typedef struct {
    ArchNeroJob job;
    uint64_t *inputs, *outputs;
    const uint8_t **host_inputs;
    uint8_t **host_outputs;
} Waiting;

struct ArchNero {
    NeroBoard board;
    const ArchParams *params;
    ArchDram *dram;
    ArchNeroDesign *design;
    NeroRun *run;    /* the last one, or NULL */
    GPtrArray *past; /* runs that have ended but still have pending events */
    GQueue queue;    /* of Waiting */
    ArchNeroJob job; /* of the run */
    SimTime since;
    uint64_t busy_since; /* busy cycles when it began */
    double joules;
};

/* Of `count` elements of `size` bytes; NULL stays NULL. */
static gpointer copy(gconstpointer list, guint count, gsize size)
{
    gpointer copied = NULL;

    if (list != NULL) {
        copied = g_malloc(MAX(count, 1) * size);
        memcpy(copied, list, count * size);
    }
    return copied;
}

static Waiting *waiting_new(const ArchNeroJob *job, const ArchNeroPlan *plan)
{
    const guint results =
        arch_nero_datapath_result_count(plan->sweeps[plan->sweep_count - 1]);
    Waiting *self = g_new0(Waiting, 1);

    self->inputs = copy(job->inputs, plan->fields, sizeof *job->inputs);
    self->outputs = copy(job->outputs, results, sizeof *job->outputs);
    self->host_inputs = copy(job->host_inputs, plan->fields, sizeof *job->host_inputs);
    self->host_outputs = copy(job->host_outputs, results, sizeof *job->host_outputs);
    self->job = *job;
    self->job.inputs = self->inputs;
    self->job.outputs = self->outputs;
    self->job.host_inputs = self->host_inputs;
    self->job.host_outputs = self->host_outputs;
    return self;
}

static void waiting_free(gpointer data)
{
    Waiting *self = data;

    g_free(self->inputs);
    g_free(self->outputs);
    g_free(self->host_inputs);
    g_free(self->host_outputs);
    g_free(self);
}

ArchNero *arch_nero_new(SimEngine *engine, const ArchParams *params, ArchDram *dram)
{
    ArchNero *self = g_new0(ArchNero, 1);

    self->params = params;
    self->dram = dram;
    self->past = g_ptr_array_new();
    g_queue_init(&self->queue);
    nero_board_init(&self->board, engine, params);
    return self;
}

void arch_nero_free(ArchNero *self)
{
    if (self != NULL) {
        nero_run_free(self->run);
        for (guint i = 0; i < self->past->len; i++) {
            nero_run_free(self->past->pdata[i]);
        }
        g_ptr_array_unref(self->past);
        g_queue_clear_full(&self->queue, waiting_free);
        arch_nero_design_free(self->design);
        nero_board_clear(&self->board);
        g_free(self);
    }
}

static bool is_running(const ArchNero *self)
{
    return self->run != NULL && !nero_run_has_ended(self->run);
}

/* Sweeps may still drain when the host knows the last window. */
static void retire_run(ArchNero *self)
{
    if (self->run != NULL) {
        g_ptr_array_add(self->past, g_steal_pointer(&self->run));
    }
    for (guint i = self->past->len; i-- > 0;) {
        if (nero_run_is_at_rest(self->past->pdata[i])) {
            nero_run_free(g_ptr_array_remove_index(self->past, i));
        }
    }
}

void arch_nero_load(ArchNero *self, ArchNeroDesign *design)
{
    g_return_if_fail(!is_running(self));

    retire_run(self);
    arch_nero_design_free(self->design);
    self->design = design;
}

const ArchNeroDesign *arch_nero_design(const ArchNero *self)
{
    return self->design;
}

/* Joules of the cycles since a job began, with PEs as busy as they were. */
static double joules_since(const ArchNero *self)
{
    const double cycles = (double) (sim_region_now(self->board.region) - self->since);
    const double busy = (double) (self->board.tally.busy_cycles - self->busy_since);
    const double pes = arch_nero_design_plan(self->design)->pes;

    if (cycles <= 0) {
        return 0;
    }
    return arch_nero_design_watts(self->design, busy / (cycles * pes)) * cycles /
           (double) arch_params_uint(self->params, "chip.clock_hz");
}

static void begin(ArchNero *self, const ArchNeroJob *job);

/* The host has been told of the last window, and the next job begins. */
static void end(gpointer data)
{
    ArchNero *self = data;
    Waiting *next;

    self->joules += joules_since(self);
    if (self->job.ended != NULL) {
        self->job.ended(self->job.data, sim_region_now(self->board.region));
    }
    next = is_running(self) ? NULL : g_queue_pop_head(&self->queue);
    if (next != NULL) {
        begin(self, &next->job);
        waiting_free(next);
    }
}

static void begin(ArchNero *self, const ArchNeroJob *job)
{
    retire_run(self);
    self->job = *job;
    self->since = sim_region_now(self->board.region);
    self->busy_since = self->board.tally.busy_cycles;
    self->run = nero_run_new(&(NeroRunConfig){
        .board = &self->board,
        .design = self->design,
        .dram = self->dram,
        .job = job,
        .ended = end,
        .data = self,
    });
}

bool arch_nero_start(ArchNero *self, const ArchNeroJob *job, GError **error)
{
    if (self->design == NULL) {
        return arch_refuse(error, "%s: no design is loaded",
                           arch_params_name(self->params));
    }
    if (!nero_job_check(job, self->design, self->dram, error)) {
        return false;
    }
    if (is_running(self)) {
        g_queue_push_tail(&self->queue,
                          waiting_new(job, arch_nero_design_plan(self->design)));
    } else {
        begin(self, job);
    }
    return true;
}

ArchNeroUse arch_nero_use(const ArchNero *self)
{
    const NeroTally *tally = &self->board.tally;

    return (ArchNeroUse){
        .windows = tally->windows,
        .padded_points = tally->padded_points,
        .memory_bytes = nero_board_memory_bytes(&self->board),
        .link_bytes = self->board.link.bytes,
        .flops = tally->flops,
        .control_cycles = nero_control_busy_cycles(self->board.control),
        .host_cycles = nero_control_host_cycles(self->board.control),
        .busy_cycles = tally->busy_cycles,
        .joules = self->joules + (is_running(self) ? joules_since(self) : 0),
    };
}

GArray *arch_nero_parts(const ArchNero *self)
{
    GArray *parts = g_array_new(FALSE, FALSE, sizeof(ArchNeroPart));

    for (guint pe = 0; pe < self->board.pe_count; pe++) {
        for (guint lane = 0; lane < NERO_LANES; lane++) {
            const NeroPart *part = nero_board_part(&self->board, pe, lane);

            for (guint state = NERO_BUSY; state < NERO_STATES; state++) {
                const ArchNeroPart row = {.pe = pe,
                                          .part = nero_lane_name(lane),
                                          .reason = nero_state_name(state),
                                          .cycles = part->cycles[state]};

                if (row.cycles > 0) {
                    g_array_append_val(parts, row);
                }
            }
        }
    }
    return parts;
}
