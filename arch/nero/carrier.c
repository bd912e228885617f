/* Moves windows between host memory and a PE's store, over the host link. */
#include "arch/nero/pe.h"

enum {
    SPACE,
    MOVE,
};

static void link_in(gpointer data, uint64_t bytes)
{
    NeroPe *pe = data;

    nero_move_leave(&pe->stager.move, 0,
                    nero_link_request(&pe->task->board->link, NERO_READ, bytes));
}

static void link_out(gpointer data, uint64_t bytes)
{
    NeroPe *pe = data;

    nero_move_leave(&pe->returner.move, pe->task->home == ARCH_NERO_HOST ? 1 : 0,
                    nero_link_request(&pe->task->board->link, NERO_WRITE, bytes));
}

static void stored_burst(gpointer data, uint64_t bytes, NeroSpan span)
{
    (void) bytes;
    nero_move_leave(&((NeroPe *) data)->stager.move, 1, span.end);
}

static void store(gpointer data, uint64_t bytes)
{
    NeroCarrier *self = &((NeroPe *) data)->stager;

    nero_channel_request(((NeroPe *) data)->channel,
                         &(NeroBurst){.direction = NERO_WRITE,
                                      .bytes = bytes,
                                      .address = self->address,
                                      .served = stored_burst,
                                      .data = data});
    self->address += bytes;
}

static void fetched_burst(gpointer data, uint64_t bytes, NeroSpan span)
{
    (void) bytes;
    nero_move_leave(&((NeroPe *) data)->returner.move, 0, span.end);
}

static void fetch(gpointer data, uint64_t bytes)
{
    NeroCarrier *self = &((NeroPe *) data)->returner;

    nero_channel_request(((NeroPe *) data)->channel,
                         &(NeroBurst){.direction = NERO_READ,
                                      .bytes = bytes,
                                      .address = self->address,
                                      .served = fetched_burst,
                                      .data = data});
    self->address += bytes;
}

static void carry(NeroCarrier *self, uint64_t bytes, uint64_t window_bytes)
{
    self->bytes += bytes;
    if (self->bytes == window_bytes) {
        sim_process_wake(self->process);
    }
}

static void stored(gpointer data, uint64_t bytes)
{
    NeroPe *pe = data;

    carry(&pe->stager, bytes, nero_pe_window_bytes(pe, pe->stager.window));
}

static void returned(gpointer data, uint64_t bytes)
{
    NeroPe *pe = data;

    carry(&pe->returner, bytes, nero_pe_result_bytes(pe));
}

/* Waits for `from`, then moves a window of `bytes`, which the store has at `address`;
 * true when it has moved. */
static bool
move_window(NeroCarrier *self, SimSemaphore *from, uint64_t bytes, uint64_t address)
{
    if (self->step == MOVE) {
        self->step = SPACE;
        self->window++;
        return true;
    }
    if (sim_semaphore_take(from, 1, self->process)) {
        self->step = MOVE;
        self->bytes = 0;
        self->address = address;
        nero_move_add(&self->move, bytes, true);
        sim_process_wait(self->process, "bursts over the host link");
    }
    return false;
}

static SimProcessStatus resume_stager(SimProcess *process, gpointer data)
{
    NeroPe *pe = data;

    (void) process;
    while (pe->stager.window < pe->window_count) {
        if (!move_window(&pe->stager, pe->inlets_free,
                         nero_pe_window_bytes(pe, pe->stager.window),
                         nero_pe_window_address(pe, pe->stager.window))) {
            return SIM_PROCESS_BLOCKED;
        }
        pe->task->taken(pe->task->data, pe->index, pe->stager.window - 1);
        sim_semaphore_give(pe->inlets_full, 1);
    }
    return SIM_PROCESS_FINISHED;
}

static SimProcessStatus resume_returner(SimProcess *process, gpointer data)
{
    NeroPe *pe = data;

    (void) process;
    while (pe->returner.window < pe->window_count) {
        if (!move_window(&pe->returner, pe->outlets_full, nero_pe_result_bytes(pe),
                         nero_pe_result_address(pe, pe->returner.window))) {
            return SIM_PROCESS_BLOCKED;
        }
        sim_semaphore_give(pe->outlets_free, 1);
        pe->task->written(pe->task->data, pe->index, pe->returner.window - 1);
    }
    return SIM_PROCESS_FINISHED;
}

/* The link's buffer and the channel have bursts under way, each as many as it may. */
static void
init(NeroPe *pe, NeroCarrier *self, NeroKey key, const NeroMoveConfig *config)
{
    const NeroBoard *board = pe->task->board;
    NeroMoveConfig whole = *config;

    whole.limit = board->link_bursts + board->outstanding_bursts;
    whole.hop_count = pe->task->home == ARCH_NERO_HOST ? 2 : 1;
    nero_pe_move_init(pe, &self->move, key, &whole);
}

void nero_stager_init(NeroPe *pe)
{
    init(pe, &pe->stager, NERO_KEY_STAGER,
         &(NeroMoveConfig){.hops = {link_in, store}, .arrived = stored});
    pe->stager.process =
        nero_pe_process_new(pe, "stager", NERO_KEY_STAGER, resume_stager, pe);
}

void nero_returner_init(NeroPe *pe)
{
    const bool is_fetched = pe->task->home == ARCH_NERO_HOST;

    init(pe, &pe->returner, NERO_KEY_RETURNER,
         &(NeroMoveConfig){.hops = {is_fetched ? fetch : link_out, link_out},
                           .arrived = returned});
    pe->returner.process =
        nero_pe_process_new(pe, "returner", NERO_KEY_RETURNER, resume_returner, pe);
}

void nero_carrier_clear(NeroCarrier *self)
{
    g_clear_pointer(&self->process, sim_process_free);
    nero_move_clear(&self->move);
}
