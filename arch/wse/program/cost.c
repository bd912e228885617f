/* Computes the cost of vector operations on memory: steps, and cycles of bank
 * conflicts. */
#include "arch/wse/program/cost.h"

#include <stdbool.h>
#include <stdlib.h>

#include "arch/wse/program/build.h"
#include "arch/wse/program/live.h"
#include "arch/wse/program/operation.h"
#include "arch/wse/program/walk.h"
#include "sim/narrow.h"

enum {
    READS = 2,      /* that a step makes side by side */
    READ_BYTES = 4, /* of a read that is not wide */
    NO_QUEUE = 0xff,
};

/* Sources that move along memory, the first two of them. */
typedef struct {
    const WseDsd *dsds[READS];
    int32_t offsets[READS];
} Reads;

static Reads reads_of(const ArchWseProgram *self,
                      const WseInstruction *instruction,
                      const int32_t offsets[WSE_OPERANDS])
{
    Reads reads = {.dsds = {NULL}};
    guint count = 0;

    for (guint i = 1; i < instruction->operand_count && count < READS; i++) {
        const WseDsd *dsd = wse_operand(
            (const WseDsd *) (gconstpointer) self->dsds->data, instruction, i);

        if (dsd->kind == WSE_MEMORY && dsd->strides[dsd->rank - 1] != 0) {
            reads.dsds[count] = dsd;
            reads.offsets[count++] = offsets[i];
        }
    }
    g_assert(reads.dsds[0] != NULL && reads.dsds[1] != NULL);
    return reads;
}

/* Extra cycles of a step that collides. */
static SimRatio rate_of(const WseCollisions *rules, WseCollision collision)
{
    switch (collision) {
    case WSE_NARROW:
        return rules->narrow;
    case WSE_WIDE:
        return rules->wide;
    case WSE_NO_COLLISION:
        break;
    }
    return (SimRatio){.num = 0, .den = 1};
}

/* Reads collide that begin in the same 32 bits of a period, which is that of as many
 * banks as both need. */
static bool
collides(const WseCollisions *rules, WseCollision collision, int64_t a, int64_t b)
{
    const uint64_t period =
        collision == WSE_WIDE ? rules->wide_period_bytes : rules->period_bytes;

    return (uint64_t) a % period / READ_BYTES == (uint64_t) b % period / READ_BYTES;
}

/* Of `count` elements, those that collide. Sources with one stride keep their relation
 * along a row. */
static uint32_t colliding(const WseCollisions *rules,
                          WseCollision collision,
                          const WseWalk walks[READS],
                          uint32_t count)
{
    uint32_t hits = 0;

    if (walks[0].step == walks[1].step) {
        return collides(rules, collision, walks[0].address, walks[1].address) ? count
                                                                              : 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        hits +=
            collides(rules, collision, walks[0].address + (int64_t) i * walks[0].step,
                     walks[1].address + (int64_t) i * walks[1].step);
    }
    return hits;
}

static uint32_t count_colliding(const ArchWseProgram *self,
                                const WseInstruction *instruction,
                                const Reads *reads)
{
    const WseCollision collision = (WseCollision) instruction->collision;
    WseWalk walks[READS] = {wse_walk_start(reads->dsds[0], reads->offsets[0], 0),
                            wse_walk_start(reads->dsds[1], reads->offsets[1], 0)};
    uint32_t hits = 0;

    for (uint32_t left = instruction->length; left > 0;) {
        const uint32_t count = MIN(left, MIN(walks[0].left, walks[1].left));

        hits += colliding(&self->collisions, collision, walks, count);
        for (guint i = 0; i < READS; i++) {
            wse_walk_advance(&walks[i], reads->offsets[i], count);
        }
        left -= count;
    }
    return hits;
}

static uint32_t divide_up(uint64_t amount, uint64_t by)
{
    return sim_u32((amount + by - 1) / by);
}

/* Cycles of a step after the first, where it has more sources than can be read in one.
 */
static uint32_t further_reads(const WseCollisions *rules,
                              const WseInstruction *instruction)
{
    return instruction->moving_sources == 0
               ? 0
               : divide_up(instruction->moving_sources, rules->reads_per_cycle) - 1;
}

WseCost wse_program_cost(const ArchWseProgram *self,
                         const WseInstruction *instruction,
                         const int32_t offsets[WSE_OPERANDS],
                         uint32_t *remainder)
{
    const WseCollisions *rules = &self->collisions;
    const SimRatio rate = rate_of(rules, (WseCollision) instruction->collision);
    const uint64_t width = instruction->elements_per_step;
    WseCost cost = {.steps = divide_up(instruction->length, width)};
    Reads reads;
    uint64_t parts = 0;

    if (instruction->is_reduction) {
        cost.steps =
            MAX(cost.steps, divide_up(instruction->length * rules->reduction.num,
                                      rules->reduction.den));
    }
    cost.stalls = cost.steps * further_reads(rules, instruction);
    if (rate.num == 0) {
        return cost;
    }
    reads = reads_of(self, instruction, offsets);
    parts = count_colliding(self, instruction, &reads) * rate.num *
                (rules->unit / (rate.den * width)) +
            *remainder;
    cost.stalls += sim_u32(parts / rules->unit);
    *remainder = sim_u32(parts % rules->unit);
    return cost;
}

uint32_t wse_program_step_stall(const ArchWseProgram *self,
                                const WseInstruction *instruction,
                                const int32_t offsets[WSE_OPERANDS])
{
    const WseCollision collision = (WseCollision) instruction->collision;
    const SimRatio rate = rate_of(&self->collisions, collision);
    Reads reads;
    WseWalk walks[READS];

    const uint32_t further = further_reads(&self->collisions, instruction);

    if (rate.num == 0) {
        return further;
    }
    reads = reads_of(self, instruction, offsets);
    for (guint i = 0; i < READS; i++) {
        walks[i] = wse_walk_start(reads.dsds[i], reads.offsets[i], 0);
    }
    return colliding(&self->collisions, collision, walks, 1) == 0
               ? further
               : further + divide_up(rate.num, rate.den);
}

static int inner_stride(const WseDsd *dsd)
{
    return dsd->strides[dsd->rank - 1];
}

static bool moves_memory(const WseDsd *dsd)
{
    return (dsd->kind == WSE_MEMORY && inner_stride(dsd) != 0) || dsd->kind == WSE_FIFO;
}

/* Elements per cycle that banks give at a stride: Cerebras SDK documentation, SIMD mode
 * appendix. */
static guint stride_limit(int stride)
{
    switch (abs(stride) % 8) {
    case 0:
        return stride == 0 ? G_MAXUINT : 1;
    case 1:
        return abs(stride) == 1 ? G_MAXUINT : 2;
    case 4:
    case 7:
        return 2;
    default:
        return G_MAXUINT;
    }
}

/* `widest` is of the elements that move, in bytes. */
static WseCollision
collision_of(guint moving_sources, guint widest, guint elements_per_step)
{
    if (moving_sources < 2) {
        return WSE_NO_COLLISION;
    }
    return elements_per_step * widest > READ_BYTES ? WSE_WIDE : WSE_NARROW;
}

/* The same numbers in the same order. */
static bool is_same_place(const WseDsd *a, const WseDsd *b)
{
    if (a->kind != WSE_MEMORY || b->kind != WSE_MEMORY || a->address != b->address ||
        a->variable != b->variable || a->rank != b->rank) {
        return false;
    }
    for (guint i = 0; i < a->rank; i++) {
        if (a->strides[i] != b->strides[i] || a->extents[i] != b->extents[i]) {
            return false;
        }
    }
    return true;
}

void wse_vector_costs(WseInstruction *vector, const WseDsd *const dsds[WSE_OPERANDS])
{
    const WseDsd *destination = dsds[0];
    guint rate = vector->elements_per_step;
    guint moving_sources = 0;
    guint widest = 0;

    for (guint i = 0; i < vector->operand_count; i++) {
        const WseDsd *dsd = dsds[i];

        if (dsd->kind == WSE_MEMORY) {
            rate = MIN(rate, stride_limit(inner_stride(dsd)));
        }
        if (moves_memory(dsd)) {
            vector->memory_words_x2 =
                sim_u8(vector->memory_words_x2 + arch_wse_type_bytes(dsd->type) / 2);
            if (i > 0 && dsd->kind == WSE_MEMORY) {
                moving_sources++;
                widest = MAX(widest, arch_wse_type_bytes(dsd->type));
            }
        }
        vector->is_reduction =
            vector->is_reduction ||
            (i > 0 && destination->kind == WSE_MEMORY && destination->length > 1 &&
             inner_stride(destination) == 0 && is_same_place(destination, dsd));
    }
    if (destination->zeroed > 0 && moves_memory(dsds[destination->zeroed])) {
        vector->memory_words_x2 =
            sim_u8(vector->memory_words_x2 +
                   arch_wse_type_bytes(dsds[destination->zeroed]->type) / 2);
    }
    const bool has_stream = vector->input != NO_QUEUE || vector->output != NO_QUEUE;

    vector->elements_per_step = sim_u8(rate);
    vector->is_wide = vector->is_wide && has_stream && rate > vector->per_wavelet;
    if (vector->has_fifo && !has_stream) {
        vector->per_wavelet = sim_u8(rate); /* a FIFO is memory, and goes as fast */
    }
    vector->collision =
        sim_u8(collision_of(moving_sources, widest, has_stream ? 1 : rate));
    vector->moving_sources = sim_u8(moving_sources);
}
