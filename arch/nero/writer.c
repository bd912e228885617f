/* The writer of a PE: planes of results leave as bursts, a window's last one short. */
#include "arch/nero/pe.h"

enum {
    SPACE,
    PLANE,
    SENT,
};

static void pass_port(gpointer data, uint64_t bytes)
{
    NeroPe *pe = data;
    NeroWriter *self = &pe->writer;
    SimTime now = sim_region_now(pe->task->board->region);

    if (self->port.free_at <= now) {
        self->wait = self->is_blocked     ? NERO_LINK
                     : self->move.is_held ? NERO_MEMORY
                                          : NERO_INPUT;
    }
    self->is_blocked = false;
    nero_move_leave(
        &self->move, 0,
        nero_port_pass(&self->port, (NeroSpan){.begin = now, .end = now}, bytes));
}

static void left_port(gpointer data, uint64_t bytes)
{
    const NeroPe *pe = data;
    NeroWriter *self = &((NeroPe *) data)->writer;

    nero_part_pass(self->part, self->wait,
                   sim_region_now(self->part->region) -
                       nero_port_cycles(&self->port, bytes),
                   self->passed / nero_pe_result_bytes(pe));
    self->passed += bytes;
}

static void served(gpointer data, uint64_t bytes, NeroSpan span)
{
    (void) bytes;
    nero_move_leave(&((NeroPe *) data)->writer.move, 1, span.end);
}

static void write_memory(gpointer data, uint64_t bytes)
{
    NeroPe *pe = data;

    if (pe->task->home == ARCH_NERO_ON_CHIP) {
        nero_move_leave(&pe->writer.move, 1, sim_region_now(pe->task->board->region));
        return;
    }
    if (pe->writer.requested % nero_pe_result_bytes(pe) == 0) {
        pe->writer.address =
            nero_pe_result_address(pe, pe->writer.requested / nero_pe_result_bytes(pe));
    }
    nero_channel_request(pe->channel, &(NeroBurst){.direction = NERO_WRITE,
                                                   .bytes = bytes,
                                                   .address = pe->writer.address,
                                                   .served = served,
                                                   .data = pe});
    pe->writer.address += bytes;
    pe->writer.requested += bytes;
}

static void acknowledged(gpointer data, uint64_t bytes)
{
    NeroPe *pe = data;
    NeroWriter *self = &pe->writer;

    self->bytes += bytes;
    if (self->bytes < (self->written + 1) * nero_pe_result_bytes(pe)) {
        return;
    }
    self->written++;
    if (pe->outlets_full != NULL) {
        sim_semaphore_give(pe->outlets_full, 1);
    } else {
        pe->task->written(pe->task->data, pe->index, self->written - 1);
    }
}

static void begun(gpointer data)
{
    sim_process_wake(((NeroPe *) data)->writer.process);
}

/* Does one step; returns false if it has to wait. */
static bool advance(NeroPe *pe)
{
    NeroWriter *self = &pe->writer;
    const NeroShape *shape = &pe->task->shape;
    guint plane;

    switch (self->step) {
    case SPACE:
        if (pe->outlets_free != NULL &&
            !sim_semaphore_take(pe->outlets_free, 1, self->process)) {
            self->is_blocked = true;
            return false;
        }
        self->plane = 0;
        self->step = PLANE;
        return true;
    case PLANE:
        if (!sim_channel_pop(pe->output, &plane, self->process)) {
            return false;
        }
        self->plane++;
        self->step = SENT;
        nero_move_add(&self->move, shape->plane_out_bytes,
                      self->plane == shape->planes);
        return true;
    case SENT:
        if (!nero_move_is_begun(&self->move)) {
            sim_process_wait(self->process, "bursts under way");
            return false;
        }
        self->step = PLANE;
        if (self->plane == shape->planes) {
            self->window++;
            self->step = SPACE;
        }
        return true;
    default:
        g_assert_not_reached();
    }
}

static SimProcessStatus resume(SimProcess *process, gpointer data)
{
    NeroPe *pe = data;

    (void) process;
    do {
        if (pe->writer.window == pe->window_count) {
            return SIM_PROCESS_FINISHED;
        }
    } while (advance(pe));
    return SIM_PROCESS_BLOCKED;
}

void nero_writer_init(NeroPe *pe)
{
    NeroBoard *board = pe->task->board;
    NeroWriter *self = &pe->writer;

    self->part = nero_board_part(board, pe->index, NERO_LANE_WRITER);
    self->port = nero_pe_port(pe);
    nero_pe_move_init(pe, &self->move, NERO_KEY_WRITER,
                      &(NeroMoveConfig){.limit = board->outstanding_bursts,
                                        .hop_count = 2,
                                        .hops = {pass_port, write_memory},
                                        .left = left_port,
                                        .arrived = acknowledged,
                                        .begun = begun});
    self->process = nero_pe_process_new(pe, "writer", NERO_KEY_WRITER, resume, pe);
}

void nero_writer_clear(NeroPe *pe)
{
    g_clear_pointer(&pe->writer.process, sim_process_free);
    nero_move_clear(&pe->writer.move);
}
