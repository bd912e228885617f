/* Finds which values of a datapath are used, at which points, and which input fields
 * that takes. */
#include "arch/nero/datapath.h"
#include "sim/narrow.h"

static NeroNeed at_distance(NeroNeed need, const NeroNode *node)
{
    need.x_low += node->at.dx;
    need.x_high += node->at.dx;
    need.y_low += node->at.dy;
    need.y_high += node->at.dy;
    return need;
}

/* Returns whether `self` has grown. */
static bool widen(NeroNeed *self, const NeroNeed *by)
{
    const bool is_wider = !self->is_used || by->x_low < self->x_low ||
                          by->x_high > self->x_high || by->y_low < self->y_low ||
                          by->y_high > self->y_high;

    if (!self->is_used) {
        *self = *by;
    }
    self->x_low = MIN(self->x_low, by->x_low);
    self->x_high = MAX(self->x_high, by->x_high);
    self->y_low = MIN(self->y_low, by->y_low);
    self->y_high = MAX(self->y_high, by->y_high);
    return is_wider;
}

/* From users to what they use, once. */
static bool spread(const ArchNeroDatapath *self, NeroNeed *needs)
{
    bool is_wider = false;

    for (guint i = self->nodes->len; i-- > 0;) {
        const NeroNode *node = nero_datapath_node(self, i);
        const NeroNeed need =
            node->kind == NERO_TAKE ? at_distance(needs[i], node) : needs[i];

        for (guint n = 0; needs[i].is_used && n < node->operand_count; n++) {
            if (node->operands[n] != NERO_OPEN) {
                is_wider |= widen(&needs[node->operands[n]], &need);
            }
        }
    }
    return is_wider;
}

NeroNeed *nero_datapath_needs(const ArchNeroDatapath *self)
{
    const NeroNeed window = {.is_used = true};
    g_autofree NeroNeed *needs = g_new0(NeroNeed, self->nodes->len + 1);

    for (guint i = 0; i < self->results->len; i++) {
        (void) widen(&needs[g_array_index(self->results, ArchNeroValue, i)], &window);
    }
    /* Each round is final for what is behind one more carry. */
    for (guint round = 0; round <= self->nodes->len; round++) {
        if (!spread(self, needs)) {
            return g_steal_pointer(&needs);
        }
    }
    return NULL;
}

NeroSource nero_datapath_source(const ArchNeroDatapath *self, guint index)
{
    NeroSource source = {.node = index};

    for (const NeroNode *node = nero_datapath_node(self, index);
         node->kind == NERO_TAKE; node = nero_datapath_node(self, source.node)) {
        source.node = node->operands[0];
        source.dx += node->at.dx;
        source.dy += node->at.dy;
    }
    return source;
}

guint *nero_datapath_passes(const ArchNeroDatapath *self)
{
    guint *passes = g_new0(guint, self->nodes->len + 1);

    for (guint i = 0; i < self->nodes->len; i++) {
        const NeroNode *node = nero_datapath_node(self, i);

        if (node->kind == NERO_TAKE) {
            const guint source = nero_datapath_source(self, i).node;
            const bool is_computed =
                nero_datapath_node(self, source)->kind == NERO_OPERATOR;

            passes[i] = is_computed ? passes[source] + 1 : 0;
        } else if (node->kind == NERO_OPERATOR) {
            for (guint n = 0; n < node->operand_count; n++) {
                passes[i] = MAX(passes[i], passes[node->operands[n]]);
            }
        }
    }
    return passes;
}

static guint clamp(int64_t distance)
{
    return sim_u32(CLAMP(distance, 0, G_MAXINT));
}

static void reach_to(ArchNeroReach *self, const NeroNeed *need, ArchNeroTap at)
{
    self->x_before = MAX(self->x_before, clamp(-(need->x_low + at.dx)));
    self->x_after = MAX(self->x_after, clamp(need->x_high + at.dx));
    self->y_before = MAX(self->y_before, clamp(-(need->y_low + at.dy)));
    self->y_after = MAX(self->y_after, clamp(need->y_high + at.dy));
    self->z_before = MAX(self->z_before, clamp(-(int64_t) at.dz));
    self->z_after = MAX(self->z_after, clamp(at.dz));
}

/* Of nodes of a kind, of fields only the one that is asked for where there is one. */
static ArchNeroReach
reach_of(const ArchNeroDatapath *self, NeroKind kind, const guint *field)
{
    g_autofree NeroNeed *needs = nero_datapath_needs(self);
    ArchNeroReach reach = {0};

    g_assert(needs != NULL);
    for (guint i = 0; i < self->nodes->len; i++) {
        const NeroNode *node = nero_datapath_node(self, i);

        if (needs[i].is_used && node->kind == kind &&
            (field == NULL || node->field == *field)) {
            reach_to(&reach, &needs[i], node->at);
        }
    }
    return reach;
}

ArchNeroReach arch_nero_datapath_reach(const ArchNeroDatapath *self)
{
    return reach_of(self, NERO_FIELD, NULL);
}

ArchNeroReach arch_nero_datapath_field_reach(const ArchNeroDatapath *self, guint field)
{
    return reach_of(self, NERO_FIELD, &field);
}

ArchNeroReach arch_nero_datapath_margin(const ArchNeroDatapath *self)
{
    return reach_of(self, NERO_OPERATOR, NULL);
}

guint arch_nero_datapath_taps(const ArchNeroDatapath *self, guint field)
{
    g_autofree NeroNeed *needs = nero_datapath_needs(self);
    guint taps = 0;

    g_assert(needs != NULL && field < self->fields);
    for (guint i = 0; i < self->nodes->len; i++) {
        const NeroNode *node = nero_datapath_node(self, i);

        taps += needs[i].is_used && node->kind == NERO_FIELD && node->field == field;
    }
    return taps;
}

static void add_line(GArray *lines, const NeroNeed *need)
{
    const NeroLines line = {
        .rows = clamp(need->y_high - need->y_low),
        .columns = clamp(need->x_high - need->x_low),
    };

    g_array_append_val(lines, line);
}

/* All taps of one field in one plane, at once; from the first of them. */
static void add_field_lines(const ArchNeroDatapath *self,
                            const NeroNeed *needs,
                            guint first,
                            GArray *lines)
{
    const NeroNode *like = nero_datapath_node(self, first);
    NeroNeed all = {0};

    for (guint i = 0; i < self->nodes->len; i++) {
        const NeroNode *node = nero_datapath_node(self, i);
        const NeroNeed need = at_distance(needs[i], node);

        if (need.is_used && node->kind == NERO_FIELD && node->field == like->field &&
            node->at.dz == like->at.dz) {
            if (i < first) {
                return;
            }
            (void) widen(&all, &need);
        }
    }
    add_line(lines, &all);
}

GArray *nero_datapath_lines(const ArchNeroDatapath *self)
{
    g_autofree NeroNeed *needs = nero_datapath_needs(self);
    g_autofree bool *is_stage = g_new0(bool, self->nodes->len + 1);
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(NeroLines));

    g_assert(needs != NULL);
    for (guint i = 0; i < self->nodes->len; i++) {
        const NeroNode *node = nero_datapath_node(self, i);

        if (needs[i].is_used && node->kind == NERO_TAKE &&
            !is_stage[node->operands[0]]) {
            is_stage[node->operands[0]] = true;
            add_line(lines, &needs[node->operands[0]]);
        } else if (needs[i].is_used && node->kind == NERO_FIELD) {
            add_field_lines(self, needs, i, lines);
        }
    }
    return lines;
}
