/* Compute: has the kernel make its calls, and the threads go through them. */
#include "arch/tensix/compute/compute.h"

#include "arch/tensix/core_lane.h"
#include "sim/narrow.h"

enum {
    AHEAD_CYCLES = 4096, /* how far threads go beyond the engine's time */
};

static const char *const thread_names[THREADS] = {"unpack", "math", "pack"};

static void advance(SimRegion *region, gpointer data);

bool tensix_compute_is_dst_copy(const TensixCompute *self, const ArchComputeCall *call)
{
    return self->kernel.is_dst_fp32 &&
           arch_format_is_wide(self->core->buffers[call->cb_a].format);
}

bool tensix_compute_poll(TensixCompute *self,
                         TensixThread *thread,
                         TensixLane *unit,
                         const ArchComputeCall *call)
{
    CircularBuffer *buffer = &self->core->buffers[call->cb_a];
    const bool is_wait = call->op == ARCH_COMPUTE_CB_WAIT;
    const SimTime period = self->costs.poll_cycles;
    SimTime when;

    if (thread->step == 0) {
        tensix_thread_spend(thread,
                            is_wait ? self->costs.cb_wait : self->costs.cb_reserve);
        tensix_thread_issue(thread, unit, thread->risc);
        thread->step = 1;
    }
    when = is_wait ? tensix_cb_when_filled(buffer, TENSIX_CB_COMPUTE, call->count)
                   : tensix_cb_when_free(buffer, TENSIX_CB_COMPUTE, call->count);
    if (when == SIM_TIME_NEVER) {
        return false;
    }
    if (when > thread->risc) {
        const SimTime turns = (when - thread->risc + period - 1) / period;

        const TensixCause cause = tensix_compute_probe_move(self, buffer, is_wait);

        thread->risc += turns * period;
        tensix_lane_wait(&thread->lane, thread->risc, TENSIX_LANE_CIRCULAR_BUFFER,
                         cause);
        tensix_lane_wait(unit, thread->risc, TENSIX_LANE_CIRCULAR_BUFFER, cause);
    }
    return true;
}

static guint index_of(const TensixCompute *self, const TensixThread *thread)
{
    return sim_u32(thread - self->threads);
}

/* Instructions that an init takes on a thread. */
static guint init_cost(const TensixCompute *self,
                       const TensixThread *thread,
                       const ArchComputeCall *call)
{
    const guint *cost = tensix_operation_cost(call, &self->costs);

    return cost[index_of(self, thread)];
}

bool tensix_step_spend(TensixCompute *self,
                       TensixThread *thread,
                       const ArchComputeCall *call)
{
    tensix_thread_spend(thread, init_cost(self, thread, call));
    return true;
}

bool tensix_step_mop(TensixCompute *self,
                     TensixThread *thread,
                     const ArchComputeCall *call)
{
    tensix_thread_wait_for(thread, thread->mop, TENSIX_LANE_UNIT, thread->unit,
                           thread->mop);
    tensix_thread_wait(thread, thread->risc + self->costs.mop_sync_cycles,
                       TENSIX_LANE_BUSY);
    return tensix_step_spend(self, thread, call);
}

/* Waits for what unpack has read. */
bool tensix_step_see_value(TensixCompute *self,
                           TensixThread *thread,
                           const ArchComputeCall *call)
{
    uint64_t *seen = &self->values_seen[index_of(self, thread)];
    SimTime when;

    (void) call;
    if (!tensix_times_has(&self->values, *seen)) {
        return false;
    }
    when = tensix_times_at(&self->values, *seen);
    tensix_thread_wait_for(thread, when, TENSIX_LANE_SEMAPHORE,
                           &self->threads[TENSIX_THREAD_UNPACK].lane,
                           when - self->costs.semaphore_cycles);
    (*seen)++;
    return true;
}

bool tensix_step_zone(TensixCompute *self,
                      TensixThread *thread,
                      const ArchComputeCall *call)
{
    tensix_zones_begin(&self->zones[index_of(self, thread)], call->text, thread->risc);
    return true;
}

bool tensix_step_zone_end(TensixCompute *self,
                          TensixThread *thread,
                          const ArchComputeCall *call)
{
    (void) call;
    (void) tensix_zones_end(&self->zones[index_of(self, thread)], thread->risc, NULL);
    return true;
}

bool tensix_step_print(TensixCompute *self,
                       TensixThread *thread,
                       const ArchComputeCall *call)
{
    if (self->kernel.reached != NULL) {
        tensix_works_finish(self->works);
        tensix_core_show_text(
            self->core, self->region, TENSIX_CORE_THREADS, thread->risc,
            self->kernel.reached(self->kernel.data, call->value, thread->risc));
    }
    return true;
}

bool tensix_step_scalar(TensixCompute *self,
                        TensixThread *thread,
                        const ArchComputeCall *call)
{
    (void) self;
    tensix_thread_wait(thread, thread->risc + (SimTime) call->value, TENSIX_LANE_BUSY);
    return true;
}

bool tensix_step_unattributed(TensixCompute *self,
                              TensixThread *thread,
                              const ArchComputeCall *call)
{
    (void) self;
    tensix_thread_wait(thread, thread->risc + (SimTime) call->value,
                       TENSIX_LANE_UNATTRIBUTED);
    return true;
}

/* True when the thread is through with its call; `has_moved` also when with a part. */
static bool step(TensixCompute *self, guint index, bool *has_moved)
{
    TensixThread *thread = &self->threads[index];
    const ArchComputeCall *call = tensix_program_at(thread->program, thread->position);
    const TensixOperation *operation = tensix_operation_of(call);
    const guint before = thread->step;

    if (operation->steps[index] != NULL) {
        if (SIM_PROBES && G_UNLIKELY(self->probes != NULL) && before == 0) {
            tensix_compute_probe_call(self, index, call);
        }
        if (!operation->steps[index](self, thread, call)) {
            *has_moved = *has_moved || thread->step != before;
            return false;
        }
    }
    *has_moved = true;
    thread->step = 0;
    thread->position++;
    return true;
}

static bool is_through(const TensixCompute *self, guint index)
{
    const TensixThread *thread = &self->threads[index];

    return thread->position == thread->program->end;
}

/* Forgets calls that every thread which runs them has finished. */
static void trim(TensixCompute *self)
{
    const TensixThread *threads = self->threads;

    for (guint i = 0; i < THREADS && self->own != NULL; i++) {
        self->own[i].begin = threads[i].position;
    }
    if (self->own == NULL) {
        self->program.begin = MIN(threads[TENSIX_THREAD_UNPACK].position,
                                  MIN(threads[TENSIX_THREAD_MATH].position,
                                      threads[TENSIX_THREAD_PACK].position));
    }
}

/* Each thread as far as it gets; true if one of them moved. */
static bool run_threads(TensixCompute *self, SimTime horizon)
{
    bool has_moved = false;

    for (guint i = 0; i < THREADS; i++) {
        while (!is_through(self, i) && self->threads[i].risc <= horizon &&
               step(self, i, &has_moved)) {
        }
    }
    trim(self);
    return has_moved;
}

/* Whether a thread has nothing to do for want of calls, and its kernel can make some.
 */
static bool wants_calls(const TensixCompute *self, guint index, SimTime horizon)
{
    const TensixThread *thread = &self->threads[index];

    return is_through(self, index) && thread->risc <= horizon &&
           self->status[index] != ARCH_COMPUTE_ENDED &&
           (self->status[index] != ARCH_COMPUTE_WAITS ||
            self->values.count >= thread->program->values_asked);
}

static double last_value(const TensixCompute *self, guint index)
{
    const uint64_t asked = self->threads[index].program->values_asked;

    return asked == 0 ? 0 : self->read[(asked - 1) % TENSIX_TIMES];
}

/* Has the kernels of threads that want it make calls; true if one was asked. */
static bool make_calls(TensixCompute *self, SimTime horizon)
{
    const ArchComputeKernel *kernel = &self->kernel;
    bool has_asked = false;

    for (guint i = 0; i < THREADS; i++) {
        if (!wants_calls(self, i, horizon)) {
            continue;
        }
        has_asked = true;
        if (self->own != NULL) {
            self->status[i] = kernel->more_of(kernel->data, i, last_value(self, i));
        } else {
            self->status[0] = kernel->more(kernel->data, last_value(self, i));
            self->status[1] = self->status[0];
            self->status[2] = self->status[0];
        }
    }
    return has_asked;
}

static void finish(SimRegion *region, gpointer data)
{
    TensixCompute *self = data;

    (void) region;
    tensix_works_finish(self->works);
    if (self->kernel.ended != NULL) {
        self->kernel.ended(self->kernel.data, self->end);
    }
}

static void schedule(TensixCompute *self, SimTime when, SimEventFunc func)
{
    sim_region_at(self->region, when,
                  tensix_core_key(self->core, TENSIX_CORE_PORT_COMPUTE), func, self);
}

static void end(TensixCompute *self)
{
    SimTime last = sim_region_now(self->region);

    for (guint i = 0; i < THREADS; i++) {
        last = MAX(last, MAX(self->threads[i].risc, self->threads[i].stream));
    }
    last = MAX(last, MAX(MAX(self->math_idle, self->sfpu_idle), self->pack_idle));
    self->end = last;
    self->is_over = true;
    tensix_compute_probe_end(self);
    schedule(self, last, finish);
}

/* All threads are through with a kernel that has ended, or one is beyond the horizon,
 * or all wait for somebody who will wake them. */
static void pause_or_end(TensixCompute *self, SimTime horizon)
{
    bool is_ahead = false;
    bool is_over = true;

    for (guint i = 0; i < THREADS; i++) {
        is_ahead = is_ahead || self->threads[i].risc > horizon;
        is_over =
            is_over && self->status[i] == ARCH_COMPUTE_ENDED && is_through(self, i);
    }
    if (is_over) {
        end(self);
    } else if (is_ahead && !self->is_scheduled) {
        self->is_scheduled = true;
        schedule(self, horizon, advance);
    }
}

static void advance(SimRegion *region, gpointer data)
{
    TensixCompute *self = data;
    const SimTime horizon = sim_region_now(region) + AHEAD_CYCLES;

    self->is_scheduled = false;
    if (self->is_over) {
        return;
    }
    self->is_advancing = true;
    while (make_calls(self, horizon) || run_threads(self, horizon)) {
    }
    self->is_advancing = false;
    tensix_core_send_moves(self->core, TENSIX_CB_COMPUTE);
    pause_or_end(self, horizon);
}

void tensix_compute_cb_changed(TensixCompute *self, guint index)
{
    (void) index;
    if (!self->is_advancing && !self->is_scheduled && !self->is_over) {
        self->is_scheduled = true;
        schedule(self, sim_region_now(self->region), advance);
    }
}

static void start_lane(TensixLane *lane, SimTime now, SimTime start)
{
    lane->at = now;
    tensix_lane_until(lane, start, TENSIX_LANE_IDLE);
}

static void start_threads(TensixCompute *self, SimTime now)
{
    static const TensixComputeUnit units[THREADS] = {UNIT_UNPACKER, UNIT_FPU,
                                                     UNIT_PACKER};

    for (guint i = 0; i < THREADS; i++) {
        TensixThread *thread = &self->threads[i];

        thread->name = thread_names[i];
        thread->unit = &self->units[units[i]];
        thread->program = self->own != NULL ? &self->own[i] : &self->program;
        thread->fetch = self->costs.fetch[i];
        thread->fifo_entries = self->costs.fifo_entries[i];
        tensix_thread_start(thread, self->start);
        start_lane(&thread->lane, now, self->start);
    }
    for (guint i = 0; i < UNITS; i++) {
        start_lane(&self->units[i], now, self->start);
    }
}

static void init_programs(TensixCompute *self)
{
    const CircularBuffer *buffers = self->core->buffers;
    const bool is_dst_fp32 = self->kernel.is_dst_fp32;

    tensix_program_init(&self->program, TENSIX_PROGRAM_OF_ALL, buffers, is_dst_fp32,
                        self->costs.dst_tiles);
    self->own = self->kernel.more_of == NULL ? NULL : g_new0(TensixProgram, THREADS);
    for (guint i = 0; i < THREADS && self->own != NULL; i++) {
        tensix_program_init(&self->own[i], i, buffers, is_dst_fp32,
                            self->costs.dst_tiles);
    }
}

void arch_compute_start(ArchTensixCore *core,
                        const ArchComputeKernel *kernel,
                        SimTime delay)
{
    ArchTensix *owner = core->owner;
    TensixCompute *self = g_new0(TensixCompute, 1);

    g_return_if_fail(core->compute == NULL);
    self->core = core;
    self->region = sim_engine_region(owner->engine, core->region);
    self->kernel = *kernel;
    self->name = g_strdup(kernel->name);
    self->kernel.name = self->name;
    for (guint i = 0; i < THREADS; i++) {
        self->status[i] = ARCH_COMPUTE_GOES_ON;
    }
    tensix_compute_costs_load(&self->costs, owner->params, kernel);
    init_programs(self);
    if (owner->options.is_functional) {
        /* Compiled kernels may read L1 at any time. Who looks for races sees them. */
        const bool is_put_off = self->own == NULL && owner->races == NULL;

        self->works =
            tensix_works_new(is_put_off ? sim_engine_crew(owner->engine) : NULL,
                             (TensixRegistersConfig){.is_dst_fp32 = kernel->is_dst_fp32,
                                                     .is_ieee = owner->options.is_ieee,
                                                     .dst_tiles = self->costs.dst_tiles,
                                                     .fidelity = kernel->fidelity});
    }
    self->counters = tensix_compute_counters_of(owner->engine);
    tensix_begin(owner);
    (void) tensix_core_l1(core);
    self->start = sim_engine_now(owner->engine) + delay;
    start_threads(self, owner->start);
    tensix_compute_probe_open(self);
    core->compute = self;
    self->is_scheduled = true;
    schedule(self, self->start, advance);
}

void tensix_compute_free(TensixCompute *self)
{
    if (self != NULL) {
        for (guint i = 0; i < THREADS; i++) {
            tensix_zones_clear(&self->zones[i]);
            if (self->own != NULL) {
                tensix_program_clear(&self->own[i]);
            }
        }
        g_free(self->own);
        if (self->kernel.free_data != NULL) {
            self->kernel.free_data(self->kernel.data);
        }
        tensix_works_free(self->works);
        g_free(self->probes);
        tensix_program_clear(&self->program);
        g_free(self->name);
        g_free(self);
    }
}

bool arch_compute_call(ArchTensixCore *core,
                       const ArchComputeCall *call,
                       GError **error)
{
    TensixCompute *self = core->compute;
    const uint64_t first = self->program.end;

    if (!tensix_program_add(&self->program, call, error)) {
        return false;
    }
    if (self->kernel.place != NULL &&
        (call->op == ARCH_COMPUTE_CB_WAIT || call->op == ARCH_COMPUTE_CB_RESERVE ||
         arch_compute_wants_places(core))) {
        tensix_program_note_place(&self->program, first,
                                  self->kernel.place(self->kernel.data));
    }
    return true;
}

bool arch_compute_check_end(ArchTensixCore *core, GError **error)
{
    return tensix_program_check_end(&core->compute->program, error);
}

bool arch_compute_call_on(ArchTensixCore *core,
                          guint thread,
                          const ArchComputeCall *call,
                          GError **error)
{
    return tensix_program_add(&core->compute->own[thread], call, error);
}

SimTime arch_compute_now(const ArchTensixCore *core, guint thread)
{
    return core->compute->threads[thread].risc;
}

void arch_compute_spend(ArchTensixCore *core, guint thread, SimTime when)
{
    tensix_thread_wait(&core->compute->threads[thread], when, TENSIX_LANE_BUSY);
}

bool arch_compute_check_end_on(ArchTensixCore *core, guint thread, GError **error)
{
    return tensix_program_check_end(&core->compute->own[thread], error);
}
