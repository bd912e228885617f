/* Counts the operators of a datapath and the depth of its pipeline. */
#include <math.h>
#include <string.h>

#include "arch/nero/datapath.h"
#include "sim/narrow.h"

/* A multiplication by a power of two. */
static bool is_shift(const ArchNeroDatapath *self, const NeroNode *node)
{
    for (guint n = 0; node->operation == ARCH_NERO_MUL && n < node->operand_count;
         n++) {
        const NeroNode *operand = nero_datapath_node(self, node->operands[n]);
        int exponent = 0;

        if (operand->kind == NERO_CONSTANT &&
            fabs(frexp(operand->number, &exponent)) == 0.5) {
            return true;
        }
    }
    return false;
}

static guint flops_of(ArchNeroOperator operation)
{
    return operation != ARCH_NERO_NEGATE && operation != ARCH_NERO_SELECT ? 1 : 0;
}

ArchNeroWork arch_nero_datapath_work(const ArchNeroDatapath *self)
{
    g_autofree NeroNeed *needs = nero_datapath_needs(self);
    g_autofree bool *is_stage = g_new0(bool, self->nodes->len + 1);
    ArchNeroWork work = {0};

    g_assert(needs != NULL);
    for (guint i = 0; i < self->nodes->len; i++) {
        const NeroNode *node = nero_datapath_node(self, i);

        if (needs[i].is_used && node->kind == NERO_OPERATOR) {
            work.operators[node->operation]++;
            work.flops += flops_of(node->operation);
            work.shifts += is_shift(self, node);
        } else if (needs[i].is_used && node->kind == NERO_TAKE &&
                   !is_stage[node->operands[0]]) {
            is_stage[node->operands[0]] = true;
            work.stages++;
        } else if (needs[i].is_used && node->kind == NERO_CARRY) {
            work.carries++;
        }
    }
    return work;
}

/* By operator; the last is of multiplications by a power of two. */
typedef guint Latencies[ARCH_NERO_OPERATORS + 1];

static guint latency(const ArchParams *params, const char *path, ArchNeroFormat format)
{
    gsize count = 0;
    const uint64_t *cycles = arch_params_list(params, path, &count);

    g_assert(count == 2);
    return sim_u32(cycles[format]);
}

static void
read_latencies(Latencies cycles, const ArchParams *params, ArchNeroFormat format)
{
    cycles[ARCH_NERO_ADD] = latency(params, "operator.add_cycles", format);
    cycles[ARCH_NERO_SUB] = cycles[ARCH_NERO_ADD];
    cycles[ARCH_NERO_MUL] = latency(params, "operator.mul_cycles", format);
    cycles[ARCH_NERO_DIV] = latency(params, "operator.div_cycles", format);
    cycles[ARCH_NERO_SELECT] = latency(params, "operator.select_cycles", format);
    cycles[ARCH_NERO_NEGATE] = 0; /* a sign bit */
    cycles[ARCH_NERO_OPERATORS] = latency(params, "operator.shift_cycles", format);
}

/* A stage is a register further. */
static guint
node_cycles(const ArchNeroDatapath *self, const NeroNode *node, const Latencies cycles)
{
    if (node->kind == NERO_TAKE) {
        return 1;
    }
    return cycles[is_shift(self, node) ? ARCH_NERO_OPERATORS : node->operation];
}

/* Cycles from the start to each node; negative where the start is not what it takes
 * from. */
static void lengthen(const ArchNeroDatapath *self, const Latencies cycles, int *lengths)
{
    for (guint i = 0; i < self->nodes->len; i++) {
        const NeroNode *node = nero_datapath_node(self, i);
        int longest = -1;

        if (node->kind != NERO_OPERATOR && node->kind != NERO_TAKE) {
            continue;
        }
        for (guint n = 0; n < node->operand_count; n++) {
            longest = MAX(longest, lengths[node->operands[n]]);
        }
        lengths[i] =
            longest < 0 ? -1 : longest + sim_i32(node_cycles(self, node, cycles));
    }
}

/* How long the operands of a node wait for the last of them. */
static void note_waits(const ArchNeroDatapath *self,
                       const NeroNode *node,
                       int begin,
                       const int *lengths,
                       guint *waits)
{
    for (guint n = 0; n < node->operand_count; n++) {
        const guint operand = node->operands[n];

        if (nero_datapath_node(self, operand)->kind != NERO_CONSTANT) {
            waits[operand] = MAX(waits[operand], sim_u32(begin - lengths[operand]));
        }
    }
}

GArray *nero_datapath_waits(const ArchNeroDatapath *self,
                            const ArchParams *params,
                            ArchNeroFormat format)
{
    g_autofree int *lengths = g_new0(int, self->nodes->len + 1);
    g_autofree guint *waits = g_new0(guint, self->nodes->len + 1);
    g_autofree NeroNeed *needs = nero_datapath_needs(self);
    GArray *all = g_array_new(FALSE, FALSE, sizeof(guint));
    Latencies cycles = {0};

    g_assert(needs != NULL);
    read_latencies(cycles, params, format);
    lengthen(self, cycles, lengths);
    for (guint i = 0; i < self->nodes->len; i++) {
        const NeroNode *node = nero_datapath_node(self, i);

        if (needs[i].is_used && node->kind == NERO_OPERATOR) {
            note_waits(self, node,
                       lengths[i] - sim_i32(node_cycles(self, node, cycles)), lengths,
                       waits);
        }
    }
    for (guint i = 0; i < self->nodes->len; i++) {
        if (waits[i] > 0) {
            g_array_append_val(all, waits[i]);
        }
    }
    return all;
}

guint arch_nero_datapath_depth(const ArchNeroDatapath *self,
                               const ArchParams *params,
                               ArchNeroFormat format)
{
    g_autofree int *lengths = g_new0(int, self->nodes->len + 1);
    g_autofree NeroNeed *needs = nero_datapath_needs(self);
    Latencies cycles = {0};
    int depth = 0;

    g_assert(needs != NULL);
    read_latencies(cycles, params, format);
    lengthen(self, cycles, lengths);
    for (guint i = 0; i < self->nodes->len; i++) {
        depth = needs[i].is_used ? MAX(depth, lengths[i]) : depth;
    }
    return sim_u32(depth);
}

/* Of those that are used, in order. */
static GArray *used_carries(const ArchNeroDatapath *self)
{
    g_autofree NeroNeed *needs = nero_datapath_needs(self);
    GArray *carries = g_array_new(FALSE, FALSE, sizeof(guint));

    g_assert(needs != NULL);
    for (guint i = 0; i < self->nodes->len; i++) {
        if (needs[i].is_used && nero_datapath_node(self, i)->kind == NERO_CARRY) {
            g_array_append_val(carries, i);
        }
    }
    return carries;
}

/* paths[from * count + to]: cycles from one carry to what closes another, or -1. */
static int *paths_between(const ArchNeroDatapath *self,
                          const GArray *carries,
                          const Latencies cycles)
{
    g_autofree int *lengths = g_new(int, self->nodes->len);
    int *paths = g_new(int, (gsize) carries->len * carries->len);

    for (guint from = 0; from < carries->len; from++) {
        for (guint i = 0; i < self->nodes->len; i++) {
            lengths[i] = -1;
        }
        lengths[g_array_index(carries, guint, from)] = 0;
        lengthen(self, cycles, lengths);
        for (guint to = 0; to < carries->len; to++) {
            const NeroNode *carry =
                nero_datapath_node(self, g_array_index(carries, guint, to));

            paths[from * carries->len + to] = lengths[carry->operands[0]];
        }
    }
    return paths;
}

/* The longest way of `steps` steps that comes back to where it began: all of them
 * together take `steps` planes. */
static int longest_round(const int *paths, guint count, guint from, guint steps)
{
    g_autofree int *now = g_new(int, count);
    g_autofree int *next = g_new(int, count);

    for (guint i = 0; i < count; i++) {
        now[i] = i == from ? 0 : -1;
    }
    for (guint step = 0; step < steps; step++) {
        for (guint to = 0; to < count; to++) {
            next[to] = -1;
            for (guint via = 0; via < count; via++) {
                const int path = paths[via * count + to];

                if (now[via] >= 0 && path >= 0) {
                    next[to] = MAX(next[to], now[via] + path);
                }
            }
        }
        memcpy(now, next, count * sizeof *now);
    }
    return now[from];
}

guint arch_nero_datapath_recurrence(const ArchNeroDatapath *self,
                                    const ArchParams *params,
                                    ArchNeroFormat format)
{
    g_autoptr(GArray) carries = used_carries(self);
    g_autofree int *paths = NULL;
    Latencies cycles = {0};
    guint most = 0;

    read_latencies(cycles, params, format);
    paths = paths_between(self, carries, cycles);
    for (guint from = 0; from < carries->len; from++) {
        for (guint steps = 1; steps <= carries->len; steps++) {
            const int round = longest_round(paths, carries->len, from, steps);

            if (round > 0) {
                most = MAX(most, (sim_u32(round) + steps - 1) / steps);
            }
        }
    }
    return most;
}
