/* Moves the numbers of windows from grids to PEs and back, and computes them there. */
#include "arch/nero/values.h"

#include <string.h>

#include "arch/number/half.h"
#include "arch/number/nan.h"

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

/* The numbers of a window that is in a PE. */
typedef struct {
    GArray *fields;  /* of Block: inputs, then results of the first of two sweeps */
    GArray *results; /* of Block: of the last sweep */
} Content;

struct NeroValues {
    const ArchNeroPlan *plan;
    const NeroWindows *windows;
    ArchDram *dram;
    ArchNeroReach reach;
    guint number_bytes;
    guint output_count;
    bool is_stepped;
    guint next_input;     /* of steps: the input that the result becomes */
    guint8 *row;          /* of a window, as grids store it */
    GArray *inputs;       /* of Place */
    GArray *outputs;      /* of Place */
    GHashTable *contents; /* Content of windows in PEs, by their number as dealt */
    GPtrArray *spare;     /* Content */
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
    for (guint i = 0; i < self->output_count; i++) {
        const Place place = {.address = is_on_board ? job->outputs[i] : 0,
                             .target = is_on_board ? NULL : job->host_outputs[i]};

        g_array_append_val(self->outputs, place);
    }
}

static Content *content_new(const NeroValues *self)
{
    Content *content = g_new0(Content, 1);
    const ArchNeroPlan *plan = self->plan;
    const ArchNeroReach none = {0};

    content->fields = blocks_new();
    content->results = blocks_new();
    add_blocks(content->fields, plan->fields, plan, &self->reach);
    if (plan->sweep_count > 1) {
        add_blocks(content->fields, arch_nero_datapath_result_count(plan->sweeps[0]),
                   plan, &none);
    }
    add_blocks(content->results, self->output_count, plan, &none);
    return content;
}

static void content_free(gpointer data)
{
    Content *content = data;

    g_array_unref(content->results);
    g_array_unref(content->fields);
    g_free(content);
}

NeroValues *nero_values_new(const ArchNeroDesign *design,
                            const NeroWindows *windows,
                            const ArchNeroJob *job,
                            ArchDram *dram)
{
    NeroValues *self = g_new0(NeroValues, 1);
    const ArchNeroPlan *plan = arch_nero_design_plan(design);

    self->plan = plan;
    self->windows = windows;
    self->dram = dram;
    self->reach = arch_nero_design_reach(design);
    self->is_stepped = job->is_stepped;
    self->next_input = job->next_input;
    self->number_bytes = arch_nero_format_bytes(plan->format);
    self->output_count =
        arch_nero_datapath_result_count(plan->sweeps[plan->sweep_count - 1]);
    self->inputs = g_array_new(FALSE, FALSE, sizeof(Place));
    self->outputs = g_array_new(FALSE, FALSE, sizeof(Place));
    self->contents =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, content_free);
    self->spare = g_ptr_array_new_with_free_func(content_free);
    add_places(self, job);
    self->row = g_malloc((gsize) self->number_bytes *
                         (plan->window_x + self->reach.x_before + self->reach.x_after));
    return self;
}

void nero_values_free(NeroValues *self)
{
    if (self == NULL) {
        return;
    }
    g_free(self->row);
    g_ptr_array_unref(self->spare);
    g_hash_table_unref(self->contents);
    g_array_unref(self->outputs);
    g_array_unref(self->inputs);
    g_free(self);
}

/* Of a grid in a round. Every second step the result and the input it becomes change
 * places. */
static const Place *
place_of(const NeroValues *self, bool is_input, guint index, uint64_t round)
{
    const bool is_swapped =
        self->is_stepped && round % 2 == 1 && (!is_input || index == self->next_input);

    if (is_swapped) {
        return is_input ? &g_array_index(self->outputs, Place, 0)
                        : &g_array_index(self->inputs, Place, self->next_input);
    }
    return &g_array_index(is_input ? self->inputs : self->outputs, Place, index);
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
static void
take(NeroValues *self, const NeroWindow *window, const Place *place, const Block *block)
{
    const NeroGrid *grid = &self->windows->grid;
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
static void
put(NeroValues *self, const NeroWindow *window, const Place *place, const Block *block)
{
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

static uint64_t round_of(const NeroValues *self, uint64_t dealt)
{
    return dealt / nero_windows_count(self->windows);
}

static NeroWindow window_of(const NeroValues *self, uint64_t dealt)
{
    return nero_windows_at(self->windows, dealt % nero_windows_count(self->windows));
}

/* All rounds that are no steps compute the same: the first one does it for them. */
static bool is_moved(const NeroValues *self, uint64_t dealt)
{
    return self->is_stepped || round_of(self, dealt) == 0;
}

static Content *content_of(const NeroValues *self, uint64_t dealt)
{
    Content *content = g_hash_table_lookup(self->contents, &dealt);

    g_assert(content != NULL);
    return content;
}

void nero_values_take(NeroValues *self, uint64_t dealt)
{
    const NeroWindow window = window_of(self, dealt);
    uint64_t *key;
    Content *content;

    if (!is_moved(self, dealt)) {
        return;
    }
    content = self->spare->len > 0
                  ? g_ptr_array_steal_index(self->spare, self->spare->len - 1)
                  : content_new(self);
    for (guint i = 0; i < self->plan->fields; i++) {
        take(self, &window, place_of(self, true, i, round_of(self, dealt)),
             &g_array_index(content->fields, Block, i));
    }
    key = g_new(uint64_t, 1);
    *key = dealt;
    g_hash_table_insert(self->contents, key, content);
}

void nero_values_sweep(NeroValues *self, uint64_t dealt, guint sweep)
{
    const ArchNeroPlan *plan = self->plan;
    const NeroWindow window = window_of(self, dealt);
    const ArchNeroExtent extent = {
        .nx = plan->window_x,
        .ny = plan->window_y,
        .nz = window.zs.end - window.zs.begin,
        .z_first = window.z,
        .grid_depth = self->windows->grid.nz,
    };
    const bool is_last = sweep + 1 == plan->sweep_count;

    if (!is_moved(self, dealt)) {
        return;
    }
    g_autofree ArchNeroBox *fields = boxes(content_of(self, dealt)->fields);
    g_autofree ArchNeroBox *results = boxes(content_of(self, dealt)->results);

    arch_nero_datapath_compute(plan->sweeps[sweep], plan->format, &extent, fields,
                               is_last ? results : fields + plan->fields);
}

/* Points that are border, or outside of the grid, keep what the output has there. */
void nero_values_put(NeroValues *self, uint64_t dealt)
{
    const NeroWindow window = window_of(self, dealt);
    g_autofree gpointer key = NULL;
    gpointer content = NULL;

    if (!is_moved(self, dealt)) {
        return;
    }
    if (!g_hash_table_steal_extended(self->contents, &dealt, &key, &content)) {
        g_assert_not_reached();
    }
    for (guint i = 0; i < self->output_count; i++) {
        put(self, &window, place_of(self, false, i, round_of(self, dealt)),
            &g_array_index(((Content *) content)->results, Block, i));
    }
    g_ptr_array_add(self->spare, content);
}
