/* Builds a datapath node by node, and refuses one that no synthesis tool could build.
 */
#include "arch/nero/datapath.h"

#include <string.h>

#include "arch/error.h"

guint arch_nero_format_bytes(ArchNeroFormat format)
{
    return format == ARCH_NERO_FP32 ? 4 : 2;
}

ArchNeroDatapath *
arch_nero_datapath_new(const char *name, ArchNeroDirection direction, guint fields)
{
    ArchNeroDatapath *self = g_new0(ArchNeroDatapath, 1);

    self->name = g_strdup(name);
    self->direction = direction;
    self->fields = fields;
    self->nodes = g_array_new(FALSE, FALSE, sizeof(NeroNode));
    self->results = g_array_new(FALSE, FALSE, sizeof(ArchNeroValue));
    return self;
}

void arch_nero_datapath_free(ArchNeroDatapath *self)
{
    if (self != NULL) {
        g_array_unref(self->nodes);
        g_array_unref(self->results);
        g_free(self->name);
        g_free(self);
    }
}

static ArchNeroValue add(ArchNeroDatapath *self, const NeroNode *node)
{
    g_array_append_vals(self->nodes, node, 1);
    return self->nodes->len - 1;
}

/* By bits: 0 and -0 are two, a NaN is itself. */
static bool is_same_number(double a, double b)
{
    uint64_t a_bits = 0;
    uint64_t b_bits = 0;

    memcpy(&a_bits, &a, sizeof a_bits);
    memcpy(&b_bits, &b, sizeof b_bits);
    return a_bits == b_bits;
}

static bool is_same(const NeroNode *a, const NeroNode *b)
{
    return a->kind == b->kind && a->operation == b->operation && a->field == b->field &&
           memcmp(a->operands, b->operands, sizeof a->operands) == 0 &&
           memcmp(&a->at, &b->at, sizeof a->at) == 0 &&
           is_same_number(a->number, b->number);
}

static ArchNeroValue find_or_add(ArchNeroDatapath *self, const NeroNode *node)
{
    for (guint i = 0; i < self->nodes->len; i++) {
        if (is_same(nero_datapath_node(self, i), node)) {
            return i;
        }
    }
    return add(self, node);
}

ArchNeroValue
arch_nero_datapath_field(ArchNeroDatapath *self, guint field, ArchNeroTap at)
{
    const NeroNode node = {.kind = NERO_FIELD, .field = field, .at = at};

    g_assert(field < self->fields);
    return find_or_add(self, &node);
}

ArchNeroValue arch_nero_datapath_constant(ArchNeroDatapath *self, double number)
{
    const NeroNode node = {.kind = NERO_CONSTANT, .number = number};

    return find_or_add(self, &node);
}

static guint operand_count(ArchNeroOperator operation)
{
    if (operation == ARCH_NERO_SELECT) {
        return 3;
    }
    return operation == ARCH_NERO_NEGATE ? 1 : 2;
}

ArchNeroValue arch_nero_datapath_apply(ArchNeroDatapath *self,
                                       ArchNeroOperator operation,
                                       const ArchNeroValue *operands)
{
    NeroNode node = {.kind = NERO_OPERATOR, .operation = operation};

    g_assert(operation < ARCH_NERO_OPERATORS);
    node.operand_count = operand_count(operation);
    for (guint i = 0; i < node.operand_count; i++) {
        g_assert(operands[i] < self->nodes->len);
        node.operands[i] = operands[i];
    }
    return find_or_add(self, &node);
}

bool arch_nero_datapath_stage(ArchNeroDatapath *self,
                              ArchNeroValue of,
                              ArchNeroTap at,
                              ArchNeroValue *value,
                              GError **error)
{
    const NeroNode node = {
        .kind = NERO_TAKE, .operand_count = 1, .operands = {of}, .at = at};

    g_assert(of < self->nodes->len);
    if (at.dz != 0) {
        return arch_refuse(error,
                           "%s: a stage is taken %d planes away; line buffers hold one "
                           "plane, what was one plane before is a carry",
                           self->name, at.dz);
    }
    *value = find_or_add(self, &node);
    return true;
}

ArchNeroValue arch_nero_datapath_carry(ArchNeroDatapath *self)
{
    const NeroNode node = {
        .kind = NERO_CARRY, .operand_count = 1, .operands = {NERO_OPEN}};

    return add(self, &node);
}

void arch_nero_datapath_close(ArchNeroDatapath *self,
                              ArchNeroValue carry,
                              ArchNeroValue of)
{
    NeroNode *node = NULL;

    g_assert(carry < self->nodes->len && of < self->nodes->len);
    node = &g_array_index(self->nodes, NeroNode, carry);
    g_assert(node->kind == NERO_CARRY);
    node->operands[0] = of;
}

guint arch_nero_datapath_result(ArchNeroDatapath *self, ArchNeroValue value)
{
    g_assert(value < self->nodes->len);
    g_array_append_vals(self->results, &value, 1);
    return self->results->len - 1;
}

static bool refuse(const ArchNeroDatapath *self, GError **error, const char *what)
{
    return arch_refuse(error, "%s: %s", self->name, what);
}

static bool is_closed(const ArchNeroDatapath *self)
{
    for (guint i = 0; i < self->nodes->len; i++) {
        const NeroNode *node = nero_datapath_node(self, i);

        if (node->kind == NERO_CARRY && node->operands[0] == NERO_OPEN) {
            return false;
        }
    }
    return true;
}

static guint farthest(ArchNeroReach reach)
{
    const guint x = MAX(reach.x_before, reach.x_after);
    const guint y = MAX(reach.y_before, reach.y_after);

    return MAX(MAX(x, y), MAX(reach.z_before, reach.z_after));
}

bool arch_nero_datapath_check(const ArchNeroDatapath *self, GError **error)
{
    g_autofree NeroNeed *needs = NULL;
    guint reach = 0;

    if (self->results->len == 0) {
        return refuse(self, error, "a sweep has no result");
    }
    if (!is_closed(self)) {
        return refuse(self, error, "a carry is never closed: what was it before?");
    }
    needs = nero_datapath_needs(self);
    if (needs == NULL) {
        return refuse(self, error,
                      "a carry depends on itself at other points of the plane: its "
                      "window would grow with every plane");
    }
    reach = farthest(arch_nero_datapath_reach(self));
    return reach <= NERO_MOST_REACH ||
           arch_refuse(error, "%s: a sweep reaches %u points far, at most %d",
                       self->name, reach, NERO_MOST_REACH);
}

const char *arch_nero_datapath_name(const ArchNeroDatapath *self)
{
    return self->name;
}

ArchNeroDirection arch_nero_datapath_direction(const ArchNeroDatapath *self)
{
    return self->direction;
}

guint arch_nero_datapath_field_count(const ArchNeroDatapath *self)
{
    return self->fields;
}

guint arch_nero_datapath_result_count(const ArchNeroDatapath *self)
{
    return self->results->len;
}
