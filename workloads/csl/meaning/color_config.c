/* Reads color configurations: .{ .routes = .{ .rx = WEST, .tx = .{ EAST, RAMP } } }. */
#include "workloads/csl/meaning/color_config.h"

#include <string.h>

#include "sim/narrow.h"
#include "workloads/csl/meaning/builtin.h"

typedef struct {
    CslEvaluator *evaluator;
    const CslNode *node;
} Reader;

/* Reads one named field into a configuration; false after a report. */
typedef bool (*FieldFunc)(const Reader *self,
                          const CslValue *value,
                          CslColorConfig *to);

typedef struct {
    const char *name;
    FieldFunc read;
} FieldRow;

static bool read_fields(const Reader *self,
                        const char *what,
                        const CslValue *value,
                        const FieldRow *rows,
                        CslColorConfig *to)
{
    if (value->type->kind != CSL_KIND_STRUCT ||
        (value->members->is_tuple && value->members->count > 0)) {
        csl_complain(self->evaluator, self->node, "%s is a struct, not %s", what,
                     value->type->name);
        return false;
    }
    for (uint32_t i = 0; i < value->members->count; i++) {
        const CslField *field = csl_struct_at(value->members, i);
        const FieldRow *row = rows;

        while (row->name != NULL && strcmp(row->name, field->name) != 0) {
            row++;
        }
        if (row->name == NULL) {
            csl_report(self->evaluator->program->to, CSL_WARNING,
                       csl_here(self->evaluator, self->node),
                       "%s has no field '%s', which is ignored", what, field->name);
        } else if (!row->read(self, &field->value, to)) {
            return false;
        }
    }
    return true;
}

static bool read_bool(const Reader *self, const CslValue *value, bool *to)
{
    if (value->type->kind != CSL_KIND_BOOL) {
        csl_complain(self->evaluator, self->node, "expected a bool, found %s",
                     value->type->name);
        return false;
    }
    *to = value->integer != 0;
    return true;
}

/* A direction or a tuple of them, as a set. */
static bool read_set(const Reader *self, const CslValue *value, uint8_t *to)
{
    if (value->type->kind == CSL_KIND_DIRECTION) {
        *to = sim_u8(*to | 1U << sim_u32((int64_t) value->integer));
        return true;
    }
    if (value->type->kind != CSL_KIND_STRUCT || !value->members->is_tuple) {
        csl_complain(self->evaluator, self->node,
                     "expected a direction or a tuple of directions, found %s",
                     value->type->name);
        csl_report_hint(self->evaluator->program->to,
                        "there are NORTH, SOUTH, EAST, WEST and RAMP");
        return false;
    }
    for (uint32_t i = 0; i < value->members->count; i++) {
        const CslValue *item = &csl_struct_at(value->members, i)->value;

        if (item->type->kind != CSL_KIND_DIRECTION) {
            csl_complain(self->evaluator, self->node, "expected a direction, found %s",
                         item->type->name);
            return false;
        }
        *to = sim_u8(*to | 1U << sim_u32((int64_t) item->integer));
    }
    return true;
}

static bool read_rx(const Reader *self, const CslValue *value, CslColorConfig *to)
{
    return read_set(self, value, &to->rx);
}

static bool read_tx(const Reader *self, const CslValue *value, CslColorConfig *to)
{
    return read_set(self, value, &to->tx);
}

static bool read_swap_x(const Reader *self, const CslValue *value, CslColorConfig *to)
{
    return read_bool(self, value, &to->swaps_x);
}

static bool read_swap_y(const Reader *self, const CslValue *value, CslColorConfig *to)
{
    return read_bool(self, value, &to->swaps_y);
}

static bool read_routes(const Reader *self, const CslValue *value, CslColorConfig *to)
{
    static const FieldRow rows[] = {{"rx", read_rx},
                                    {"tx", read_tx},
                                    {"color_swap_x", read_swap_x},
                                    {"color_swap_y", read_swap_y},
                                    {0}};

    return read_fields(self, ".routes", value, rows, to);
}

static bool
read_position(const Reader *self, const CslValue *value, CslSwitchPosition *to)
{
    CslColorConfig sets = {0};
    const CslValue *invalid = NULL;

    if (value->type->kind == CSL_KIND_STRUCT) {
        invalid = csl_struct_find(value->members,
                                  csl_name(self->evaluator->program, "invalid"));
    }
    *to = (CslSwitchPosition){.is_invalid = invalid != NULL};
    if (invalid != NULL) {
        return read_bool(self, invalid, &to->is_invalid);
    }
    if (!read_routes(self, value, &sets)) {
        return false;
    }
    to->rx = sets.rx;
    to->tx = sets.tx;
    if (sets.rx != 0 && sets.tx != 0) {
        csl_complain(self->evaluator, self->node,
                     "a switch position changes rx or tx, not both");
        return false;
    }
    return true;
}

static bool read_pos1(const Reader *self, const CslValue *value, CslColorConfig *to)
{
    return read_position(self, value, &to->positions[0]);
}

static bool read_pos2(const Reader *self, const CslValue *value, CslColorConfig *to)
{
    return read_position(self, value, &to->positions[1]);
}

static bool read_pos3(const Reader *self, const CslValue *value, CslColorConfig *to)
{
    return read_position(self, value, &to->positions[2]);
}

static bool read_current(const Reader *self, const CslValue *value, CslColorConfig *to)
{
    uint32_t position = 0;

    if (!csl_argument_integer(self->evaluator, self->node, value, 3, &position)) {
        return false;
    }
    to->position = sim_u8(position);
    return true;
}

static bool read_ring(const Reader *self, const CslValue *value, CslColorConfig *to)
{
    return read_bool(self, value, &to->is_ring);
}

static bool read_pop(const Reader *self, const CslValue *value, CslColorConfig *to)
{
    static const char *const names[] = {"no_pop", "always_pop", "pop_on_advance",
                                        "pop_on_advance_nop"};

    for (guint i = 0; value->type->kind == CSL_KIND_STRUCT && i < G_N_ELEMENTS(names);
         i++) {
        if (csl_struct_find(value->members,
                            csl_name(self->evaluator->program, names[i])) != NULL) {
            to->pop_mode = (CslPopMode) i;
            return true;
        }
    }
    csl_complain(self->evaluator, self->node, "this .pop_mode is not known");
    csl_report_hint(self->evaluator->program->to,
                    "there are no_pop, always_pop, pop_on_advance, pop_on_advance_nop");
    return false;
}

static bool read_switches(const Reader *self, const CslValue *value, CslColorConfig *to)
{
    static const FieldRow rows[] = {{"pos1", read_pos1},
                                    {"pos2", read_pos2},
                                    {"pos3", read_pos3},
                                    {"current_switch_pos", read_current},
                                    {"ring_mode", read_ring},
                                    {"pop_mode", read_pop},
                                    {0}};

    return read_fields(self, ".switches", value, rows, to);
}

static bool read_filter(const Reader *self, const CslValue *value, CslColorConfig *to)
{
    if (value->type->kind != CSL_KIND_STRUCT) {
        csl_complain(self->evaluator, self->node, ".filter is a struct, not %s",
                     value->type->name);
        return false;
    }
    to->filter = value->members;
    return true;
}

static bool read_teardown(const Reader *self, const CslValue *value, CslColorConfig *to)
{
    return read_bool(self, value, &to->has_teardown);
}

bool csl_color_config_read(CslEvaluator *self,
                           const CslNode *node,
                           const CslStruct *given,
                           CslColorConfig *to)
{
    static const FieldRow rows[] = {{"routes", read_routes},
                                    {"switches", read_switches},
                                    {"filter", read_filter},
                                    {"teardown", read_teardown},
                                    {0}};
    const Reader reader = {self, node};
    const CslValue value = {.type = CSL_T(COMPTIME_STRUCT), .members = given};

    *to = (CslColorConfig){0};
    for (guint i = 0; i < G_N_ELEMENTS(to->positions); i++) {
        to->positions[i].is_invalid = true;
    }
    if (csl_struct_find(given, csl_name(self->program, "routes")) == NULL) {
        csl_complain(self, node, "a color configuration needs .routes");
        csl_report_hint(self->program->to,
                        ".{ .routes = .{ .rx = .{ WEST }, .tx = .{ RAMP } } }");
        return false;
    }
    return read_fields(&reader, "a color configuration", &value, rows, to);
}
