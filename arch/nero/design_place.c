/* Places on-chip arrays into blocks, and finds how often their ports let a sweep start
 * a group of points. */
#include "arch/nero/design.h"
#include "sim/narrow.h"

enum {
    LEAST_BRAM_BITS = 9, /* the narrowest shape that keeps its parity bits */
};

static uint64_t quotient_up(uint64_t a, uint64_t b)
{
    g_assert(b > 0);
    return (a + b - 1) / b;
}

/* Of an array of words. UltraRAM has one shape; block RAM may be half as wide and twice
 * as deep, several times. */
static uint64_t blocks_of(const ArchNeroDesign *self,
                          ArchNeroResource memory,
                          uint64_t bits,
                          uint64_t words)
{
    const bool is_bram = memory == ARCH_NERO_BRAM;
    const uint64_t size = arch_params_uint(self->params, is_bram ? "device.bram_bits"
                                                                 : "device.uram_bits");
    const uint64_t widest = arch_params_uint(
        self->params, is_bram ? "device.bram_width_bits" : "device.uram_width_bits");
    const uint64_t narrowest = is_bram ? MIN(LEAST_BRAM_BITS, widest) : widest;
    uint64_t fewest = UINT64_MAX;

    for (uint64_t width = widest; width >= narrowest; width /= 2) {
        const uint64_t depth = MAX(size / width, 1);

        fewest = MIN(fewest, quotient_up(bits, width) * quotient_up(words, depth));
    }
    return fewest;
}

/* How an array would be built in one memory. */
typedef struct {
    ArchNeroResource memory;
    uint64_t side; /* numbers in a word */
    uint64_t blocks;
} Shape;

static uint64_t ports(const ArchNeroDesign *self)
{
    return arch_params_uint(self->params, "pe.memory_ports");
}

static uint64_t most_demand(const NeroArray *array)
{
    return MAX(array->demand[0], array->demand[1]);
}

/* The fewest numbers side by side, a power of two, that feed a group a cycle. */
static uint64_t least_side(const ArchNeroDesign *self, const NeroArray *array)
{
    uint64_t side = 1;

    if (array->side != 0) {
        return array->side;
    }
    if (self->plan.partition != 0) {
        return self->plan.partition;
    }
    while (side * ports(self) < most_demand(array)) {
        side *= 2;
    }
    return side;
}

/* Words are as wide as lanes need them. A reshaped array has wider ones, where they
 * take fewer blocks, unless the width is given. */
static Shape
shape_in(const ArchNeroDesign *self, const NeroArray *array, ArchNeroResource memory)
{
    const uint64_t bits = nero_design_bits(self);
    const bool is_given =
        !self->is_reshaped || array->side != 0 || self->plan.partition != 0;
    Shape best = {.memory = memory, .blocks = UINT64_MAX};

    for (uint64_t side = least_side(self, array); best.side == 0 || !is_given;
         side *= 2) {
        const uint64_t words = quotient_up(array->numbers, side);
        const uint64_t blocks = blocks_of(self, memory, side * bits, words);

        if (blocks < best.blocks) {
            best.side = side;
            best.blocks = blocks;
        }
        if (words == 1 || side >= array->numbers) {
            break;
        }
    }
    return best;
}

static double share(const ArchNeroDesign *self, const Shape *shape)
{
    const double count = self->device[shape->memory];

    return count > 0 ? (double) shape->blocks / count : G_MAXDOUBLE;
}

static bool has_room(const ArchNeroDesign *self, const Shape *shape)
{
    return self->of_pe[shape->memory] + (double) shape->blocks <=
           nero_design_room(self, shape->memory);
}

/* Shallow arrays are LUTs, FIFOs of streams block RAM. */
static Shape choose(const ArchNeroDesign *self, const NeroArray *array)
{
    const uint64_t deepest = arch_params_uint(self->params, "device.lutram_words");
    const uint64_t side = least_side(self, array);
    Shape bram;
    Shape uram;

    if (quotient_up(array->numbers, side) <= deepest && !array->is_stream) {
        return (Shape){ARCH_NERO_LUT, side, side * nero_design_bits(self)};
    }
    bram = shape_in(self, array, ARCH_NERO_BRAM);
    if (array->is_stream) {
        return bram;
    }
    uram = shape_in(self, array, ARCH_NERO_URAM);
    if (share(self, &uram) < share(self, &bram)) {
        return has_room(self, &uram) || !has_room(self, &bram) ? uram : bram;
    }
    return has_room(self, &bram) || !has_room(self, &uram) ? bram : uram;
}

/* One more of the last kind, or the first of a new one. */
static void
note(ArchNeroDesign *self, const NeroArray *array, const Shape *shape, bool is_first)
{
    ArchNeroBuffer *last = NULL;
    const ArchNeroBuffer buffer = {
        .name = array->name,
        .resource = shape->memory,
        .count = 1,
        .bits = array->numbers * nero_design_bits(self),
        .blocks = sim_u32(MIN(shape->blocks, G_MAXUINT)),
    };

    if (!is_first) {
        last = &g_array_index(self->buffers, ArchNeroBuffer, self->buffers->len - 1);
    }
    if (last != NULL && last->resource == shape->memory &&
        last->blocks == buffer.blocks) {
        last->count++;
    } else {
        g_array_append_val(self->buffers, buffer);
    }
    self->of_pe[shape->memory] += (double) shape->blocks;
}

/* How many cycles a group takes at least with that many numbers side by side. */
static void slow_down(ArchNeroDesign *self, const NeroArray *array, uint64_t side)
{
    for (guint sweep = 0; sweep < ARCH_NERO_SWEEPS; sweep++) {
        const uint64_t cycles = quotient_up(array->demand[sweep], side * ports(self));

        self->interval[sweep] = sim_u32(MAX(self->interval[sweep], cycles));
    }
}

void nero_design_place(ArchNeroDesign *self, const GArray *arrays)
{
    guint partition = 1;

    for (guint i = 0; i < arrays->len; i++) {
        const NeroArray *array = &g_array_index(arrays, NeroArray, i);

        for (guint copy = 0; copy < array->count; copy++) {
            const Shape shape = choose(self, array);

            note(self, array, &shape, copy == 0);
            slow_down(self, array, shape.side);
        }
        if (!array->is_stream) {
            partition = MAX(partition, sim_u32(least_side(self, array)));
        }
    }
    self->widest = partition;
}
