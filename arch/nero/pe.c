/* Assembles processing elements from their parts and buffers. */
#include "arch/nero/pe.h"

enum {
    STORED_WINDOWS = 2, /* of a PE in the board's memory, each way: double buffering */
};

/* "pe[3].reader"; the caller frees it. */
static char *part_name(const NeroPe *self, const char *part)
{
    return g_strdup_printf("pe[%u].%s", self->index, part);
}

SimProcess *nero_pe_process_new(const NeroPe *self,
                                const char *part,
                                NeroKey key,
                                SimResumeFunc resume,
                                gpointer data)
{
    g_autofree char *name = part_name(self, part);

    return sim_process_new(self->task->board->region, nero_board_key(self->index, key),
                           name, SIM_PROCESS_WORKER, resume, data);
}

void nero_pe_move_init(NeroPe *self,
                       NeroMove *move,
                       NeroKey key,
                       const NeroMoveConfig *config)
{
    const NeroBoard *board = self->task->board;
    NeroMoveConfig whole = *config;

    whole.region = board->region;
    whole.key = nero_board_key(self->index, key);
    whole.burst_bytes = board->burst_bytes;
    whole.data = self;
    nero_move_init(move, &whole);
}

NeroPort nero_pe_port(const NeroPe *self)
{
    const NeroBoard *board = self->task->board;

    return (NeroPort){.beat_bytes = self->task->home == ARCH_NERO_ON_CHIP
                                        ? board->word_bytes
                                        : MIN(board->port_bytes, board->word_bytes)};
}

static SimSemaphore *count_new(const NeroPe *self, const char *part, uint64_t value)
{
    g_autofree char *name = part_name(self, part);

    return sim_semaphore_new(name, value);
}

static SimChannel *planes_new(
    const NeroPe *self, const char *part, NeroKey key, guint capacity, SimTime latency)
{
    g_autofree char *name = part_name(self, part);
    SimRegion *region = self->task->board->region;

    return sim_channel_new(&(SimChannelConfig){
        .name = name,
        .sender = region,
        .receiver = region,
        .key = nero_board_key(self->index, key),
        .item_bytes = sizeof(guint),
        .capacity = capacity,
        .latency_cycles = latency,
    });
}

/* Of all rounds, dealt in turn. */
static uint64_t dealt_windows(const NeroTask *task, guint index)
{
    const uint64_t all = task->window_count;

    return all / task->shape.pes + (index < all % task->shape.pes ? 1 : 0);
}

static void add_store(NeroPe *self)
{
    const uint64_t windows = self->task->home == ARCH_NERO_HOST
                                 ? STORED_WINDOWS
                                 : MAX(self->window_count, 1);

    self->inlets_free = count_new(self, "inlet space", windows);
    self->inlets_full = count_new(self, "inlet windows", 0);
    self->outlets_free = count_new(self, "outlet space", windows);
    self->outlets_full = count_new(self, "outlet windows", 0);
    nero_stager_init(self);
    nero_returner_init(self);
}

NeroPe *nero_pe_new(const NeroTask *task, guint index)
{
    NeroPe *self = g_new0(NeroPe, 1);
    const NeroShape *shape = &task->shape;
    const NeroSweepShape *last = &shape->sweeps[shape->sweep_count - 1];
    const ArchNeroReach *reach = &task->windows.reach;

    self->task = task;
    self->index = index;
    self->window_count = dealt_windows(task, index);
    self->channel = nero_board_channel(task->board, index);
    self->window_copies = count_new(self, "window buffers", shape->window_copies);
    self->planes = planes_new(self, "window", NERO_KEY_PLANES,
                              (shape->planes + reach->z_before + reach->z_after) *
                                  shape->window_copies,
                              task->board->input_cycles);
    self->between_free =
        count_new(self, "buffers between sweeps", shape->between_copies);
    self->between_full = count_new(self, "swept windows", 0);
    self->output =
        planes_new(self, "output buffer", NERO_KEY_OUTPUT, shape->output_planes,
                   last->depth_cycles + task->board->output_cycles);
    nero_reader_init(self);
    for (guint i = 0; i < shape->sweep_count; i++) {
        nero_sweep_init(self, i);
    }
    nero_writer_init(self);
    if (task->home != ARCH_NERO_BOARD) {
        add_store(self);
    }
    return self;
}

void nero_pe_free(NeroPe *self)
{
    if (self == NULL) {
        return;
    }
    nero_carrier_clear(&self->returner);
    nero_carrier_clear(&self->stager);
    nero_writer_clear(self);
    for (guint i = 0; i < self->task->shape.sweep_count; i++) {
        nero_sweep_clear(self, i);
    }
    nero_reader_clear(self);
    sim_semaphore_free(self->outlets_full);
    sim_semaphore_free(self->outlets_free);
    sim_semaphore_free(self->inlets_full);
    sim_semaphore_free(self->inlets_free);
    sim_channel_free(self->output);
    sim_semaphore_free(self->between_full);
    sim_semaphore_free(self->between_free);
    sim_channel_free(self->planes);
    sim_semaphore_free(self->window_copies);
    g_free(self);
}

void nero_pe_start(NeroPe *self)
{
    if (self->stager.process != NULL) {
        sim_process_start(self->stager.process, 0);
        sim_process_start(self->returner.process, 0);
    }
    sim_process_start(self->reader.process, 0);
    for (guint i = 0; i < self->task->shape.sweep_count; i++) {
        sim_process_start(self->sweeps[i].process, 0);
    }
    sim_process_start(self->writer.process, 0);
}

static bool has_finished(const SimProcess *process)
{
    return process == NULL || sim_process_is_finished(process);
}

bool nero_pe_is_at_rest(const NeroPe *self)
{
    return has_finished(self->reader.process) &&
           has_finished(self->sweeps[0].process) &&
           has_finished(self->sweeps[1].process) &&
           has_finished(self->writer.process) && self->writer.move.under_way == 0 &&
           has_finished(self->stager.process) && has_finished(self->returner.process);
}

uint64_t nero_task_dealt(const NeroTask *task, guint pe, uint64_t window)
{
    return window * task->shape.pes + pe;
}

NeroWindow nero_pe_window(const NeroPe *self, uint64_t window)
{
    const uint64_t dealt = nero_task_dealt(self->task, self->index, window);

    return nero_windows_at(&self->task->windows,
                           dealt % nero_windows_count(&self->task->windows));
}

guint nero_pe_window_planes(const NeroPe *self, uint64_t window)
{
    const NeroWindow at = nero_pe_window(self, window);

    return at.planes_before + self->task->shape.planes + at.planes_after;
}

uint64_t nero_pe_window_bytes(const NeroPe *self, uint64_t window)
{
    return nero_pe_window_planes(self, window) * self->task->shape.plane_in_bytes;
}

uint64_t nero_pe_result_bytes(const NeroPe *self)
{
    return self->task->shape.planes * self->task->shape.plane_out_bytes;
}

/* Number `window` of pieces of `bytes` behind one another, as often round as half of a
 * PE's share has space for. */
static uint64_t
address_of(const NeroPe *self, uint64_t window, uint64_t bytes, guint half)
{
    const NeroBoard *board = self->task->board;
    const guint channels = board->channel_count;
    const guint slots = (self->task->shape.pes + channels - 1) / channels;
    const uint64_t share = board->channel_bytes / slots;
    const uint64_t pages = (bytes + board->page_bytes - 1) / board->page_bytes;
    const uint64_t piece = MAX(pages, 1) * board->page_bytes;
    uint64_t room = MAX(share / 2 / piece, 1);

    if (self->task->home == ARCH_NERO_HOST) {
        room = MIN(room, STORED_WINDOWS);
    }
    return self->index / channels * share + half * (share / 2) + window % room * piece;
}

uint64_t nero_pe_window_address(const NeroPe *self, uint64_t window)
{
    return address_of(self, window, nero_pe_window_bytes(self, window), 0);
}

uint64_t nero_pe_result_address(const NeroPe *self, uint64_t window)
{
    return address_of(self, window, nero_pe_result_bytes(self), 1);
}
