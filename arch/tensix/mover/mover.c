/* Data movers: their own time, circular buffers, semaphores, loads and stores. */
#include "arch/tensix/mover/mover.h"

#include "arch/error.h"
#include "arch/tensix/core_lane.h"
#include "arch/tensix/mover/probe.h"
#include "sim/narrow.h"

enum {
    RUN_AHEAD_CYCLES = 4096, /* of the engine, so that a run can be stopped */
};

static const char *const cb_call_names[TENSIX_CB_OPS] = {
    [ARCH_MOVER_CB_WAIT] = "cb_wait_front",
    [ARCH_MOVER_CB_POP] = "cb_pop_front",
    [ARCH_MOVER_CB_RESERVE] = "cb_reserve_back",
    [ARCH_MOVER_CB_PUSH] = "cb_push_back",
};

static const char *lane_name(const ArchMover *self)
{
    return self->config.index == ARCH_MOVER_NCRISC ? "reader" : "writer";
}

SimTime arch_mover_now(const ArchMover *self)
{
    return self->lane.at;
}

bool tensix_mover_meets_engine(ArchMover *self)
{
    const SimTime now = tensix_mover_engine_now(self);

    if (self->lane.at <= now) {
        return true;
    }
    sim_process_sleep(self->process, self->lane.at - now);
    return false;
}

void tensix_mover_catch_up(ArchMover *self, TensixLaneReason reason)
{
    tensix_lane_wait(&self->lane, tensix_mover_engine_now(self), reason,
                     self->probe.cause);
    self->probe.cause.by = 0;
}

ArchMoverResult tensix_mover_block(ArchMover *self, TensixMoverWait wait)
{
    self->wait = wait;
    if (wait.kind != WAIT_PLACE && wait.kind != WAIT_SLOT) { /* it waits in a queue */
        sim_process_wait(self->process, "what its core reports");
    }
    return ARCH_MOVER_AGAIN;
}

static SimProcessStatus resume(SimProcess *process, gpointer data)
{
    ArchMover *self = data;

    (void) process;
    self->wait.kind = WAIT_NONE;
    if (!self->is_over) {
        self->is_over = self->config.resume(self->config.data) == SIM_PROCESS_FINISHED;
        tensix_core_send_moves(self->core, TENSIX_CB_MOVERS);
        if (self->is_over) {
            tensix_lane_flush(&self->lane);
        }
    }
    if (!self->is_over) {
        return SIM_PROCESS_BLOCKED;
    }
    return tensix_mover_meets_engine(self) ? SIM_PROCESS_FINISHED : SIM_PROCESS_BLOCKED;
}

ArchMover *
arch_mover_start(ArchTensixCore *core, const ArchMoverConfig *config, SimTime delay)
{
    ArchTensix *owner = core->owner;
    SimRegion *region = sim_engine_region(owner->engine, 0);

    g_return_val_if_fail(sim_u32(config->index) < MOVERS, NULL);
    g_return_val_if_fail(config->noc < 2, NULL);
    g_return_val_if_fail(core->movers[config->index] == NULL, NULL);
    ArchMover *self = g_new0(ArchMover, 1);

    tensix_begin(owner);
    if (owner->mover_numbers == NULL) {
        owner->mover_numbers = tensix_mover_numbers_new(owner->params);
    }
    (void) tensix_core_l1(core);
    self->core = core;
    self->numbers = owner->mover_numbers;
    self->config = *config;
    self->config.name = g_strdup(config->name);
    self->name = g_strdup_printf("%s.%s", core->name, lane_name(self));
    self->lane = (TensixLane){.at = owner->start};
    tensix_lane_until(&self->lane, sim_engine_now(owner->engine) + delay,
                      TENSIX_LANE_IDLE);
    /* Its core reports what it waits for. */
    self->process = sim_process_new(
        region, tensix_core_key(core, sim_u16(TENSIX_CORE_PORT_MOVERS + config->index)),
        self->name, SIM_PROCESS_SERVICE, resume, self);
    self->banks = arch_wormhole_noc_l1(owner->noc, core->tile);
    tensix_mover_probe_open(self);
    sim_process_start(self->process, delay);
    core->movers[config->index] = self;
    return self;
}

void tensix_mover_free(ArchMover *self)
{
    if (self != NULL) {
        sim_process_free(self->process);
        tensix_mover_drop_orders(self);
        tensix_mover_drop_packets(self);
        tensix_zones_clear(&self->zones);
        if (self->config.free_data != NULL) {
            self->config.free_data(self->config.data);
        }
        g_free((char *) self->config.name);
        g_free(self->name);
        g_free(self);
    }
}

bool tensix_mover_pay(ArchMover *self, SimTime cycles)
{
    if (self->lane.at > tensix_mover_engine_now(self) + RUN_AHEAD_CYCLES &&
        !tensix_mover_meets_engine(self)) {
        return false;
    }
    tensix_lane_until(&self->lane, self->lane.at + cycles, TENSIX_LANE_BUSY);
    self->is_paid = true;
    return true;
}

ArchMoverResult tensix_mover_finish_call(ArchMover *self)
{
    self->is_paid = false;
    return ARCH_MOVER_DONE;
}

/* Polls a circular buffer until the first poll at `when` or later. */
static void poll_until(ArchMover *self, SimTime when, TensixCause cause)
{
    const SimTime period = self->numbers->poll_cycles;

    if (when > self->lane.at) {
        const SimTime polls = (when - self->lane.at + period - 1) / period;

        tensix_lane_wait(&self->lane, self->lane.at + polls * period,
                         TENSIX_LANE_CIRCULAR_BUFFER, cause);
    }
}

static bool check_index(const ArchMover *self, guint cb, GError **error)
{
    return (cb < CIRCULAR_BUFFERS && self->core->buffers[cb].page_count > 0) ||
           arch_refuse(error, "%s has no circular buffer %u", self->core->name, cb);
}

static bool
note_cb(ArchMover *self, ArchMoverCbOp op, guint cb, guint pages, GError **error)
{
    const CircularBuffer *buffer;
    TensixCbLedger *ledger;

    if (!check_index(self, cb, error)) {
        return false;
    }
    buffer = &self->core->buffers[cb];
    ledger = &self->ledgers[cb];
    switch (op) {
    case ARCH_MOVER_CB_WAIT:
        tensix_readings_add(&self->readings, cb_call_names[op], cb,
                            pages <= ledger->waited);
        return tensix_ledger_wait(ledger, buffer, pages, error);
    case ARCH_MOVER_CB_POP:
        tensix_readings_end(&self->readings, self->lane.at);
        return tensix_ledger_pop(ledger, buffer, pages, error);
    case ARCH_MOVER_CB_RESERVE:
        tensix_readings_add(&self->readings, cb_call_names[op], cb,
                            pages <= ledger->reserved);
        return tensix_ledger_reserve(ledger, buffer, pages, error);
    case ARCH_MOVER_CB_PUSH:
        tensix_readings_end(&self->readings, self->lane.at);
        return tensix_ledger_push(ledger, buffer, pages, error);
    }
    return false;
}

/* For who waits for the move that it is about to make. */
static void note_move(const ArchMover *self, CircularBuffer *buffer)
{
    if (tensix_mover_is_watched(self)) {
        buffer->movers[TENSIX_CB_MOVERS] =
            tensix_lane_cause(&self->lane, self->lane.at);
    }
}

/* The move that it has waited for. */
static TensixCause
cause_of(const ArchMover *self, const CircularBuffer *buffer, ArchMoverCbOp op)
{
    return tensix_mover_is_watched(self)
               ? tensix_cb_cause(buffer, TENSIX_CB_MOVERS, op == ARCH_MOVER_CB_WAIT)
               : (TensixCause){0};
}

ArchMoverResult
arch_mover_cb(ArchMover *self, ArchMoverCbOp op, guint cb, guint pages, GError **error)
{
    const SimTime visible = self->core->owner->window;
    CircularBuffer *buffer;
    SimTime when = 0;

    if (!self->is_paid) {
        if (tensix_mover_is_watched(self)) {
            tensix_mover_probe_call(self, cb_call_names[op], "cb", cb, "pages", pages);
        }
        if (!tensix_mover_pay(self, self->numbers->cb_cycles[op])) {
            return ARCH_MOVER_AGAIN;
        }
        if (!note_cb(self, op, cb, pages, error)) {
            self->is_paid = false;
            return ARCH_MOVER_FAILED;
        }
    }
    buffer = &self->core->buffers[cb];
    switch (op) {
    case ARCH_MOVER_CB_WAIT:
        when = tensix_cb_when_filled(buffer, TENSIX_CB_MOVERS, pages);
        break;
    case ARCH_MOVER_CB_RESERVE:
        when = tensix_cb_when_free(buffer, TENSIX_CB_MOVERS, pages);
        break;
    case ARCH_MOVER_CB_POP:
        note_move(self, buffer);
        tensix_cb_pop(buffer, TENSIX_CB_MOVERS, pages, self->lane.at + visible);
        break;
    case ARCH_MOVER_CB_PUSH:
        note_move(self, buffer);
        tensix_cb_push(buffer, TENSIX_CB_MOVERS, pages, self->lane.at + visible);
        break;
    }
    if (when == SIM_TIME_NEVER) {
        return tensix_mover_block(self, (TensixMoverWait){.kind = WAIT_CIRCULAR_BUFFER,
                                                          .op = op,
                                                          .cb = cb,
                                                          .pages = pages});
    }
    poll_until(self, when, cause_of(self, buffer, op));
    return tensix_mover_finish_call(self);
}

bool arch_mover_cb_pointer(
    ArchMover *self, guint cb, bool is_write, uint32_t *address, GError **error)
{
    const CircularBuffer *buffer;
    uint64_t page;

    if (!check_index(self, cb, error)) {
        return false;
    }
    buffer = &self->core->buffers[cb];
    /* Its own count: the other side's may be another region's. */
    page = is_write ? self->ledgers[cb].pushed : self->ledgers[cb].popped;
    *address =
        buffer->address + sim_u32(page % buffer->page_count) * buffer->page_bytes;
    return true;
}

void tensix_mover_cb_changed(ArchMover *self, guint index)
{
    if (self->wait.kind == WAIT_CIRCULAR_BUFFER && self->wait.cb == index) {
        sim_process_wake(self->process);
    }
}

void tensix_mover_l1_changed(ArchMover *self, uint64_t address, uint64_t bytes)
{
    if (self->wait.kind == WAIT_SEMAPHORE && self->wait.address >= address &&
        self->wait.address < address + bytes) {
        self->probe.cause = self->core->cause;
        sim_process_wake(self->process);
    }
}

ArchMoverResult arch_mover_spend(ArchMover *self, const char *name, SimTime cycles)
{
    if (tensix_mover_is_watched(self)) {
        tensix_mover_probe_call(self, name, NULL, 0, NULL, 0);
    }
    if (!tensix_mover_pay(self, cycles)) {
        return ARCH_MOVER_AGAIN;
    }
    if (!self->readings.is_repeating) { /* otherwise it is a pause between two polls */
        tensix_readings_end(&self->readings, self->lane.at);
    }
    return tensix_mover_finish_call(self);
}

uint64_t tensix_mover_progress(const ArchMover *self, SimTime now)
{
    return self->readings.work + self->is_over +
           (!self->readings.is_repeating && self->lane.at > now + RUN_AHEAD_CYCLES ? now
                                                                                   : 0);
}

void arch_mover_print(const ArchMover *self, const char *text)
{
    tensix_core_show_text(self->core, sim_process_region(self->process),
                          self->config.index == ARCH_MOVER_NCRISC ? TENSIX_CORE_READER
                                                                  : TENSIX_CORE_WRITER,
                          self->lane.at, text);
}

void arch_mover_zone_begin(ArchMover *self, const char *name)
{
    tensix_zones_begin(&self->zones, name, self->lane.at);
}

bool arch_mover_zone_end(ArchMover *self, GError **error)
{
    return tensix_zones_end(&self->zones, self->lane.at, error);
}

void tensix_mover_uses(const ArchMover *self, SimTime end, GArray *uses)
{
    tensix_lane_report(&self->lane, lane_name(self), end, uses);
}

void tensix_mover_zones(const ArchMover *self, GHashTable *by_name)
{
    tensix_zones_collect(&self->zones, by_name);
}
