/* Runs a job from its start to its last notification. */
#include "arch/nero/run.h"

#include <string.h>

#include <glib.h>

#include "arch/memory/dram.h"
#include "arch/nero.h"
#include "arch/nero/pe.h"
#include "arch/nero/windows.h"
#include "arch/number/half.h"
#include "arch/number/nan.h"

typedef struct NeroValues NeroValues;

/* Numbers of a window with a margin, as the datapaths want them. */
typedef struct {
    float *numbers;
    guint width, height, depth; /* of all of it */
    guint x, y, z;              /* of the window's first point in it */
} Block;

/* A grid: in the board's memory, or in the host's. */
typedef struct {
    uint64_t address;
    const uint8_t *source; /* NULL: at `address` */
    uint8_t *target;
} Place;

struct NeroValues {
    const ArchNeroPlan *plan;
    const NeroWindows *windows;
    ArchDram *dram;
    guint number_bytes;
    guint8 *row;     /* of a window, as grids store it */
    GArray *inputs;  /* of Place */
    GArray *outputs; /* of Place */
    GArray *fields;  /* of Block: inputs, then results of the first of two sweeps */
    GArray *results; /* of Block: of the last sweep */
};

static Block block_new(const ArchNeroPlan *plan, const ArchNeroReach *reach)
{
    Block block = {
        .width = plan->window_x + reach->x_before + reach->x_after,
        .height = plan->window_y + reach->y_before + reach->y_after,
        .depth = plan->window_z + reach->z_before + reach->z_after,
        .x = reach->x_before,
        .y = reach->y_before,
        .z = reach->z_before,
    };

    block.numbers = g_new0(float, (gsize) block.width *block.height *block.depth);
    return block;
}

static void block_clear(gpointer data)
{
    g_free(((Block *) data)->numbers);
}

static float *block_at(const Block *self, guint x, guint y, guint z)
{
    return self->numbers + x + (gsize) self->width * (y + (gsize) self->height * z);
}

static GArray *blocks_new(void)
{
    GArray *blocks = g_array_new(FALSE, FALSE, sizeof(Block));

    g_array_set_clear_func(blocks, block_clear);
    return blocks;
}

static void add_blocks(GArray *blocks,
                       guint count,
                       const ArchNeroPlan *plan,
                       const ArchNeroReach *reach)
{
    for (guint i = 0; i < count; i++) {
        const Block block = block_new(plan, reach);

        g_array_append_val(blocks, block);
    }
}

/* Boxes whose first point is the window's. */
static ArchNeroBox *boxes(const GArray *blocks)
{
    ArchNeroBox *boxes = g_new(ArchNeroBox, blocks->len);

    for (guint i = 0; i < blocks->len; i++) {
        const Block *block = &g_array_index(blocks, Block, i);

        boxes[i] = (ArchNeroBox){
            .origin = block_at(block, block->x, block->y, block->z),
            .row = block->width,
            .plane = (gsize) block->width * block->height,
        };
    }
    return boxes;
}

static void add_places(NeroValues *self, const ArchNeroJob *job)
{
    const bool is_on_board = job->home == ARCH_NERO_BOARD;

    for (guint i = 0; i < self->plan->fields; i++) {
        const Place place = {.address = is_on_board ? job->inputs[i] : 0,
                             .source = is_on_board ? NULL : job->host_inputs[i]};

        g_array_append_val(self->inputs, place);
    }
    for (guint i = 0; i < self->results->len; i++) {
        const Place place = {.address = is_on_board ? job->outputs[i] : 0,
                             .target = is_on_board ? NULL : job->host_outputs[i]};

        g_array_append_val(self->outputs, place);
    }
}

/* All are borrowed, `job` only for now. */
static NeroValues *nero_values_new(const ArchNeroDesign *design,
                                   const NeroWindows *windows,
                                   const ArchNeroJob *job,
                                   ArchDram *dram)
{
    NeroValues *self = g_new0(NeroValues, 1);
    const ArchNeroPlan *plan = arch_nero_design_plan(design);
    const ArchNeroReach none = {0};
    const ArchNeroReach reach = arch_nero_design_reach(design);

    self->plan = plan;
    self->windows = windows;
    self->dram = dram;
    self->number_bytes = arch_nero_format_bytes(plan->format);
    self->inputs = g_array_new(FALSE, FALSE, sizeof(Place));
    self->outputs = g_array_new(FALSE, FALSE, sizeof(Place));
    self->fields = blocks_new();
    self->results = blocks_new();
    add_blocks(self->fields, plan->fields, plan, &reach);
    if (plan->sweep_count > 1) {
        add_blocks(self->fields, arch_nero_datapath_result_count(plan->sweeps[0]), plan,
                   &none);
    }
    add_blocks(self->results,
               arch_nero_datapath_result_count(plan->sweeps[plan->sweep_count - 1]),
               plan, &none);
    add_places(self, job);
    self->row = g_malloc((gsize) self->number_bytes *
                         g_array_index(self->fields, Block, 0).width);
    return self;
}

static void nero_values_free(NeroValues *self)
{
    if (self == NULL) {
        return;
    }
    g_free(self->row);
    g_array_unref(self->results);
    g_array_unref(self->fields);
    g_array_unref(self->outputs);
    g_array_unref(self->inputs);
    g_free(self);
}

/* Bytes of a grid before its point (x, y, z). */
static uint64_t offset_of(const NeroValues *self, guint x, guint y, guint z)
{
    const NeroGrid *grid = &self->windows->grid;

    return (((uint64_t) z * grid->ny + y) * grid->nx + x) * self->number_bytes;
}

static void decode(const NeroValues *self, float *numbers, guint count)
{
    if (self->plan->format == ARCH_NERO_FP32) {
        memcpy(numbers, self->row, count * sizeof *numbers);
        return;
    }
    for (guint i = 0; i < count; i++) {
        uint16_t half;

        memcpy(&half, self->row + i * sizeof half, sizeof half);
        numbers[i] = arch_half_to_float(half);
    }
}

static void encode(const NeroValues *self, const float *numbers, guint count)
{
    if (self->plan->format == ARCH_NERO_FP32) {
        for (guint i = 0; i < count; i++) {
            const float number = arch_nan_same(numbers[i]);

            memcpy(self->row + i * sizeof number, &number, sizeof number);
        }
        return;
    }
    for (guint i = 0; i < count; i++) {
        const uint16_t half = arch_half_from_double(numbers[i]);

        memcpy(self->row + i * sizeof half, &half, sizeof half);
    }
}

static void read_row(NeroValues *self, const Place *place, uint64_t offset, guint count)
{
    const gsize bytes = (gsize) count * self->number_bytes;

    if (place->source != NULL) {
        memcpy(self->row, place->source + offset, bytes);
    } else {
        bool is_there =
            arch_dram_read(self->dram, place->address + offset, self->row, bytes, NULL);

        g_assert(is_there);
    }
}

static void
write_row(NeroValues *self, const Place *place, uint64_t offset, guint count)
{
    const gsize bytes = (gsize) count * self->number_bytes;

    if (place->target != NULL) {
        memcpy(place->target + offset, self->row, bytes);
    } else {
        bool is_there = arch_dram_write(self->dram, place->address + offset, self->row,
                                        bytes, NULL);

        g_assert(is_there);
    }
}

/* Of `width` points from `before` points before `first` on, those that a grid of
 * `count` has. */
static NeroRange in_grid(guint first, guint before, guint width, guint count)
{
    return (NeroRange){.begin = first - MIN(before, first),
                       .end = MIN(first + width - before, count)};
}

/* What is outside of the grid is 0. */
static void take(NeroValues *self, const NeroWindow *window, guint input)
{
    const NeroGrid *grid = &self->windows->grid;
    const Place *place = &g_array_index(self->inputs, Place, input);
    const Block *block = &g_array_index(self->fields, Block, input);
    const NeroRange xs = in_grid(window->x, block->x, block->width, grid->nx);
    const NeroRange ys = in_grid(window->y, block->y, block->height, grid->ny);
    const NeroRange zs = {.begin = window->z - window->planes_before,
                          .end = window->zs.end + window->planes_after};

    memset(block->numbers, 0,
           sizeof(float) * block->width * block->height * block->depth);
    for (guint z = zs.begin; z < zs.end; z++) {
        for (guint y = ys.begin; y < ys.end; y++) {
            const guint count = xs.end - xs.begin;

            read_row(self, place, offset_of(self, xs.begin, y, z), count);
            decode(self,
                   block_at(block, xs.begin + block->x - window->x,
                            y + block->y - window->y, z + block->z - window->z),
                   count);
        }
    }
}

/* Border points and points outside the grid are not written back. */
static void put(NeroValues *self, const NeroWindow *window, guint output)
{
    const Place *place = &g_array_index(self->outputs, Place, output);
    const Block *block = &g_array_index(self->results, Block, output);
    const guint count = window->xs.end - window->xs.begin;

    for (guint z = window->zs.begin; z < window->zs.end; z++) {
        for (guint y = window->ys.begin; y < window->ys.end; y++) {
            encode(self,
                   block_at(block, window->xs.begin - window->x, y - window->y,
                            z - window->z),
                   count);
            write_row(self, place, offset_of(self, window->xs.begin, y, z), count);
        }
    }
}

/* Points that are border, or outside of the grid, keep what the output has there. */
static void nero_values_compute(NeroValues *self, const NeroWindow *window)
{
    const ArchNeroPlan *plan = self->plan;
    const ArchNeroExtent extent = {
        .nx = plan->window_x,
        .ny = plan->window_y,
        .nz = window->zs.end - window->zs.begin,
        .z_first = window->z,
        .grid_depth = self->windows->grid.nz,
    };
    g_autofree ArchNeroBox *results = boxes(self->results);
    g_autofree ArchNeroBox *fields = boxes(self->fields);

    for (guint i = 0; i < plan->fields; i++) {
        take(self, window, i);
    }
    if (plan->sweep_count > 1) {
        arch_nero_datapath_compute(plan->sweeps[0], plan->format, &extent, fields,
                                   fields + plan->fields);
    }
    arch_nero_datapath_compute(plan->sweeps[plan->sweep_count - 1], plan->format,
                               &extent, fields, results);
    for (guint i = 0; i < self->results->len; i++) {
        put(self, window, i);
    }
}

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
