/* The reader of a PE: asks for a window, waits for space, and reads it burst by burst.
 */
#include "arch/nero/pe.h"

enum {
    ASK,
    GIVEN,
    STORED,
    SPACE,
    READ,
};

static void given(gpointer data)
{
    sim_process_wake(((NeroPe *) data)->reader.process);
}

static void pass_port(gpointer data, uint64_t bytes, NeroSpan span)
{
    NeroReader *self = &((NeroPe *) data)->reader;

    nero_move_leave(&self->move, 0, nero_port_pass(&self->port, span, bytes));
}

/* A burst comes from the board's memory, or from on-chip memory, through the port. */
static void request(gpointer data, uint64_t bytes)
{
    NeroPe *pe = data;
    const SimTime now = sim_region_now(pe->task->board->region);

    if (pe->task->home == ARCH_NERO_ON_CHIP) {
        pass_port(pe, bytes, (NeroSpan){.begin = now, .end = now});
        return;
    }
    nero_channel_request(pe->channel, &(NeroBurst){.direction = NERO_READ,
                                                   .bytes = bytes,
                                                   .address = pe->reader.address,
                                                   .served = pass_port,
                                                   .data = pe});
    pe->reader.address += bytes;
}

static void arrived(gpointer data, uint64_t bytes)
{
    NeroPe *pe = data;
    NeroReader *self = &pe->reader;
    const uint64_t plane_bytes = pe->task->shape.plane_in_bytes;

    nero_part_pass(self->part, NERO_MEMORY,
                   sim_region_now(self->part->region) -
                       nero_port_cycles(&self->port, bytes),
                   self->window);
    self->bytes += bytes;
    for (; (self->planes + 1) * plane_bytes <= self->bytes; self->planes++) {
        bool has_space = sim_channel_push(pe->planes, &self->planes, NULL);

        g_assert(has_space);
    }
    if (self->bytes == nero_pe_window_bytes(pe, self->window)) {
        if (pe->task->home == ARCH_NERO_BOARD) {
            pe->task->taken(pe->task->data, pe->index, self->window);
        }
        sim_process_wake(self->process);
    }
}

static SimProcessStatus ask(NeroPe *pe)
{
    NeroReader *self = &pe->reader;

    if (self->window == pe->window_count) {
        nero_part_enter(self->part, NERO_IDLE);
        return SIM_PROCESS_FINISHED;
    }
    nero_part_enter(self->part, NERO_CONTROL);
    if (!pe->task->may_ask(pe->task->data, pe->index, self->window)) {
        self->is_held = true;
        sim_process_wait(self->process, "the time step before");
        return SIM_PROCESS_BLOCKED;
    }
    nero_control_ask(pe->task->board->control, &self->asker);
    sim_process_wait(self->process, "a window from the control");
    self->step = GIVEN;
    return SIM_PROCESS_BLOCKED;
}

static SimProcessStatus begin_read(NeroPe *pe)
{
    NeroReader *self = &pe->reader;

    nero_part_enter(self->part, NERO_MEMORY);
    self->bytes = 0;
    self->planes = 0;
    self->address = nero_pe_window_address(pe, self->window);
    self->step = READ;
    nero_move_add(&self->move, nero_pe_window_bytes(pe, self->window), true);
    sim_process_wait(self->process, "bursts of its window");
    return SIM_PROCESS_BLOCKED;
}

static SimProcessStatus resume(SimProcess *process, gpointer data)
{
    NeroPe *pe = data;
    NeroReader *self = &pe->reader;

    if (self->step == READ) {
        if (pe->inlets_free != NULL) {
            sim_semaphore_give(pe->inlets_free, 1);
        }
        self->window++;
        self->step = ASK;
    }
    if (self->step == ASK) {
        return ask(pe);
    }
    if (self->step == GIVEN) {
        self->step = STORED;
    }
    if (self->step == STORED) {
        if (pe->inlets_full != NULL &&
            !sim_semaphore_take(pe->inlets_full, 1, process)) {
            nero_part_enter(self->part, NERO_LINK);
            return SIM_PROCESS_BLOCKED;
        }
        self->step = SPACE;
    }
    if (!sim_semaphore_take(pe->window_copies, 1, process)) {
        nero_part_enter(self->part, NERO_BUFFER);
        return SIM_PROCESS_BLOCKED;
    }
    return begin_read(pe);
}

void nero_reader_go_on(NeroPe *pe)
{
    if (pe->reader.is_held) {
        pe->reader.is_held = false;
        sim_process_wake(pe->reader.process);
    }
}

void nero_reader_init(NeroPe *pe)
{
    NeroBoard *board = pe->task->board;
    NeroReader *self = &pe->reader;

    self->part = nero_board_part(board, pe->index, NERO_LANE_READER);
    self->asker = (NeroAsker){.given = given, .data = pe};
    self->port = nero_pe_port(pe);
    nero_pe_move_init(pe, &self->move, NERO_KEY_READER,
                      &(NeroMoveConfig){.limit = board->outstanding_bursts,
                                        .hop_count = 1,
                                        .hops = {request},
                                        .arrived = arrived});
    self->process = nero_pe_process_new(pe, "reader", NERO_KEY_READER, resume, pe);
}

void nero_reader_clear(NeroPe *pe)
{
    g_clear_pointer(&pe->reader.process, sim_process_free);
    nero_move_clear(&pe->reader.move);
}
