/* Runs a sweep of a PE: plane after plane of a window, then the pipeline drains. */
#include "arch/nero/pe.h"

enum {
    WINDOW,
    INPUT,
    CARRY,
    OUTPUT,
    DRAIN,
    FLUSH,
};

static bool is_last(const NeroSweep *self)
{
    return self->index + 1 == self->pe->task->shape.sweep_count;
}

static const NeroSweepShape *shape_of(const NeroSweep *self)
{
    return &self->pe->task->shape.sweeps[self->index];
}

/* What has to be there before it can begin with a window: a buffer for what it leaves
 * to the second sweep, or a window that the first one is through with. */
static bool take_window(NeroSweep *self)
{
    NeroPe *pe = self->pe;

    if (pe->task->shape.sweep_count == 1) {
        return true;
    }
    if (self->index == 0) {
        if (sim_semaphore_take(pe->between_free, 1, self->process)) {
            return true;
        }
        nero_part_enter(self->part, NERO_BUFFER);
        return false;
    }
    if (sim_semaphore_take(pe->between_full, 1, self->process)) {
        return true;
    }
    nero_part_enter(self->part, NERO_INPUT);
    return false;
}

/* Planes of the window that must have come before it computes its present one. */
static guint needed_planes(const NeroSweep *self)
{
    const NeroPe *pe = self->pe;
    const NeroWindow window = nero_pe_window(pe, self->window);
    const guint leading =
        pe->task->shape.is_downwards ? window.planes_after : window.planes_before;

    return MIN(leading + self->plane + 1 + shape_of(self)->planes_ahead,
               nero_pe_window_planes(pe, self->window));
}

/* All planes are there when a second sweep begins. */
static bool take_planes(NeroSweep *self)
{
    guint plane;
    guint needed;

    if (self->index > 0) {
        return true;
    }
    needed = self->plane + 1 == self->pe->task->shape.planes
                 ? nero_pe_window_planes(self->pe, self->window)
                 : needed_planes(self);
    for (; self->inputs < needed; self->inputs++) {
        if (!sim_channel_pop(self->pe->planes, &plane, self->process)) {
            nero_part_enter(self->part, NERO_INPUT);
            return false;
        }
    }
    return true;
}

static void sleep_as(NeroSweep *self, NeroState state, SimTime cycles, guint step)
{
    nero_part_enter(self->part, state);
    self->step = step;
    sim_process_sleep(self->process, cycles);
}

static void begin_compute(NeroSweep *self)
{
    NeroPe *pe = self->pe;

    if (pe->computing++ == 0) {
        pe->computing_since = sim_region_now(self->part->region);
    }
}

static void end_compute(NeroSweep *self)
{
    NeroPe *pe = self->pe;

    if (--pe->computing == 0) {
        pe->task->board->tally.busy_cycles +=
            sim_region_now(self->part->region) - pe->computing_since;
    }
}

static void count(const NeroSweep *self)
{
    NeroBoard *board = self->pe->task->board;
    const NeroSweepShape *shape = shape_of(self);
    const ArchNeroFormat format = self->pe->task->shape.format;

    board->tally.flops += shape->plane_flops;
    sim_region_count(board->region, board->flops, shape->plane_flops);
    sim_region_count(board->region, board->format_flops[format], shape->plane_flops);
    sim_region_count(board->region, board->sram_bytes, shape->plane_sram_bytes);
    nero_part_count(self->part,
                    format == ARCH_NERO_FP32 ? "flops+fp32_flops" : "flops+fp16_flops",
                    shape->plane_flops, shape->plane_sram_bytes);
}

/* The pipeline is empty: releases the buffers held for the window. */
static void leave_window(NeroSweep *self)
{
    NeroPe *pe = self->pe;

    if (self->index == 0) {
        sim_semaphore_give(pe->window_copies, 1);
    }
    if (!is_last(self)) {
        sim_semaphore_give(pe->between_full, 1);
    } else if (self->index > 0) {
        sim_semaphore_give(pe->between_free, 1);
    }
}

/* Does one step; returns false if it has to wait. */
static bool advance(NeroSweep *self)
{
    const NeroSweepShape *shape = shape_of(self);
    const SimTime rest =
        shape->plane_minimum - MIN(shape->plane_minimum, shape->plane_cycles);

    switch (self->step) {
    case WINDOW:
        if (!take_window(self)) {
            return false;
        }
        self->plane = 0;
        self->inputs = 0;
        self->step = INPUT;
        return true;
    case INPUT:
        if (!take_planes(self)) {
            return false;
        }
        self->part->window = self->window;
        count(self);
        begin_compute(self);
        sleep_as(self, NERO_BUSY, shape->plane_cycles, CARRY);
        return false;
    case CARRY:
        end_compute(self);
        if (self->plane + 1 == self->pe->task->shape.planes) {
            self->pe->task->swept(self->pe->task->data, self->pe->index, self->window,
                                  self->index);
        }
        if (rest > 0) {
            sleep_as(self, NERO_RECURRENCE, rest, OUTPUT);
            return false;
        }
        self->step = OUTPUT;
        return true;
    case OUTPUT:
        if (is_last(self) &&
            !sim_channel_push(self->pe->output, &self->plane, self->process)) {
            nero_part_enter(self->part, NERO_BUFFER);
            return false;
        }
        self->plane++;
        if (self->plane < self->pe->task->shape.planes) {
            self->step = INPUT;
            return true;
        }
        sleep_as(self, NERO_DRAIN, shape->depth_cycles, DRAIN);
        return false;
    case DRAIN:
        leave_window(self);
        sleep_as(self, NERO_DRAIN, self->pe->task->board->flush_cycles, FLUSH);
        return false;
    case FLUSH:
        self->window++;
        self->step = WINDOW;
        return true;
    default:
        g_assert_not_reached();
    }
}

static SimProcessStatus resume(SimProcess *process, gpointer data)
{
    NeroSweep *self = data;

    (void) process;
    do {
        if (self->window == self->pe->window_count) {
            nero_part_enter(self->part, NERO_IDLE);
            return SIM_PROCESS_FINISHED;
        }
    } while (advance(self));
    return SIM_PROCESS_BLOCKED;
}

void nero_sweep_init(NeroPe *pe, guint index)
{
    static const char *const names[ARCH_NERO_SWEEPS] = {"forward", "backward"};
    NeroSweep *self = &pe->sweeps[index];

    self->pe = pe;
    self->index = index;
    self->part = nero_board_part(pe->task->board, pe->index, NERO_LANE_FORWARD + index);
    self->process =
        nero_pe_process_new(pe, names[index], NERO_KEY_FORWARD + index, resume, self);
}

void nero_sweep_clear(NeroPe *pe, guint index)
{
    g_clear_pointer(&pe->sweeps[index].process, sim_process_free);
}
