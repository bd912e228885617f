/* Analyses builtins in functions: conversions, DSDs, operations. */
#include "workloads/csl/meaning/analyser.h"
#include "workloads/csl/meaning/builtin.h"

static CslTyped *convert(CslAnalyser *self, const CslNode *node, CslTypedKind kind)
{
    const CslType *type = csl_evaluate_type(self->evaluator, node->children[0]);
    CslTyped *operand = csl_analyse(self, node->children[1]);
    CslTyped *typed;
    bool is_well;

    if (type == NULL || operand == NULL) {
        return NULL;
    }
    if (kind == CSL_TYPED_CONVERT) {
        is_well = csl_type_is_plain(type) && csl_type_is_plain(operand->type) &&
                  type->kind != CSL_KIND_ARRAY && operand->type->kind != CSL_KIND_ARRAY;
    } else {
        is_well = csl_type_bytes(type) == csl_type_bytes(operand->type) &&
                  csl_type_is_plain(type) && csl_type_is_plain(operand->type);
    }
    if (!is_well) {
        csl_complain(self->evaluator, node, "%s does not make %s of %s", node->name,
                     type->name, operand->type->name);
        return NULL;
    }
    typed = csl_typed_new(self, kind, node, type, 1);
    typed->children[0] = operand;
    return typed;
}

/* The type of what a builtin gives at run time. */
static const CslType *result_type(const CslNode *node, const CslTyped *typed)
{
    static const struct {
        const char *name;
        const CslType *type;
    } rows[] = {
        {"@get_color", CSL_T(COLOR)},
        {"@get_local_task_id", CSL_T(LOCAL_TASK_ID)},
        {"@get_data_task_id", CSL_T(DATA_TASK_ID)},
        {"@get_control_task_id", CSL_T(CONTROL_TASK_ID)},
        {"@get_input_queue", CSL_T(INPUT_QUEUE)},
        {"@get_output_queue", CSL_T(OUTPUT_QUEUE)},
        {"@get_ut_id", CSL_T(UT_ID)},
        {"@get_int", CSL_T(U16)},
        {"@random16", CSL_T(U16)},
        {"@get_config", CSL_T(U16)},
        {"@get_config_unchecked", CSL_T(U16)},
        {"@range", CSL_T(RANGE)},
    };
    const CslTyped *first = typed->count > 0 ? typed->children[0] : NULL;

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (g_strcmp0(rows[i].name, node->name) == 0) {
            return rows[i].type;
        }
    }
    if (g_str_has_prefix(node->name, "@set_dsd") ||
        g_strcmp0(node->name, "@increment_dsd_offset") == 0) {
        return first->type;
    }
    for (uint32_t i = 0; i < typed->count; i++) { /* whether all went through */
        if (typed->children[i]->type->kind == CSL_KIND_FIFO) {
            return CSL_T(BOOL);
        }
    }
    return CSL_T(VOID);
}

/* @activate, @block and @unblock: what they take. */
static bool check_task_id(CslAnalyser *self, const CslTyped *typed)
{
    const CslType *type = typed->children[0]->type;
    const bool is_activate = g_strcmp0(typed->name, "@activate") == 0;

    if ((type->kind == CSL_KIND_FUNCTION && type->is_task) ||
        (is_activate ? type == CSL_T(LOCAL_TASK_ID) : type->kind == CSL_KIND_ID)) {
        return true;
    }
    csl_complain(self->evaluator, typed->children[0]->node,
                 is_activate ? "@activate takes a local_task_id, not %s"
                             : "expected a task id or a color, found %s",
                 type->name);
    return false;
}

/* @map calls its function with arguments of the function's own types. */
static bool reach_map(CslAnalyser *self, const CslNode *node, CslTyped *typed)
{
    const CslTyped *callee = typed->children[0];
    g_autofree CslValue *none = NULL;
    uint32_t expected;

    if (callee->kind != CSL_TYPED_CONSTANT || callee->type->kind != CSL_KIND_FUNCTION ||
        callee->type->is_task) {
        csl_complain(self->evaluator, node->children[0],
                     "expected a function for @map, found %s", callee->type->name);
        return false;
    }
    expected = callee->type->count + (callee->type->element == CSL_T(VOID) ? 1U : 2U);
    if (typed->count != expected) {
        csl_complain(self->evaluator, node,
                     "@map needs %u operands for %s and its result, found %u",
                     expected - 1, callee->type->name, typed->count - 1);
        return false;
    }
    none = g_new0(CslValue, callee->type->count + 1);
    for (uint32_t i = 0; i < callee->type->count; i++) {
        if (callee->type->parts[i] == NULL) {
            csl_complain(self->evaluator, node->children[0],
                         "the function of @map needs types for its parameters");
            return false;
        }
    }
    typed->instance = csl_instance_of(self->evaluator, callee->value.function, none,
                                      callee->type->parts);
    return typed->instance != NULL;
}

/* @get_dsd with values of the PE: a kind, and fields that it has. */
static bool check_descriptor(CslAnalyser *self, const CslTyped *typed)
{
    const CslTyped *kind = typed->children[0];
    const CslTyped *fields = typed->children[1];

    if (kind->kind != CSL_TYPED_CONSTANT || kind->type->kind != CSL_KIND_TYPE ||
        kind->value.meant->kind != CSL_KIND_DSD || !csl_is_tuple(fields)) {
        csl_complain(self->evaluator, typed->node,
                     "@get_dsd takes a type of DSDs and a struct of fields");
        return false;
    }
    for (uint32_t i = 0; i < fields->count; i++) {
        if (!csl_check_dsd_field(self->evaluator, fields->node, kind->value.meant,
                                 csl_typed_item_name(fields, i))) {
            return false;
        }
    }
    return true;
}

/* A shape that is known, at an address of the PE: the address is set into a descriptor
 * without one. Others stay as they are. NULL after a report. */
static CslTyped *place_shape(CslAnalyser *self, CslTyped *typed)
{
    CslProgram *program = self->evaluator->program;
    CslTyped *fields = typed->children[1];
    CslField known[8] = {{0}};
    CslTyped *base = csl_typed_item(fields, csl_name(program, "base_address"));
    CslValue arguments[2] = {typed->children[0]->value,
                             {.type = CSL_T(COMPTIME_STRUCT)}};

    if (typed->type != CSL_T(MEM4D_DSD) || base == NULL ||
        base->type->kind != CSL_KIND_POINTER || fields->count > G_N_ELEMENTS(known) ||
        csl_typed_item(fields, csl_name(program, "offset")) != NULL) {
        return typed;
    }
    for (uint32_t i = 0; i < fields->count; i++) {
        CslTyped *item = fields->children[i];

        known[i].name = csl_typed_item_name(fields, i);
        known[i].value = (CslValue){
            .type = base->type, .pointer = csl_pointer_new(program->values, NULL, 0)};
        if (item != base) {
            if (item->kind != CSL_TYPED_CONSTANT) {
                return typed;
            }
            known[i].value = item->value;
        }
    }
    arguments[1].members = csl_struct_new(program->values, known, fields->count, false);
    typed->name = csl_name(program, "@set_dsd_base_addr");
    typed->children[0] = csl_typed_constant(
        self, typed->node,
        csl_builtin_get_dsd(self->evaluator, typed->node, arguments));
    typed->children[1] = base;
    return typed->children[0] == NULL ? NULL : typed;
}

static bool
is_in_place(CslAnalyser *self, const CslNode *node, const CslBuiltin *builtin)
{
    if ((builtin->where & CSL_AT_RUN_TIME) != 0) {
        return true;
    }
    csl_complain(self->evaluator, node,
                 builtin->where == CSL_IN_LAYOUT ? "%s belongs in a layout block"
                                                 : "%s belongs in a comptime block",
                 node->name);
    return false;
}

CslTyped *csl_analyse_builtin(CslAnalyser *self, const CslNode *node)
{
    const CslBuiltin *builtin = csl_builtin_of(node);
    CslTyped *typed;

    if (!is_in_place(self, node, builtin)) {
        return NULL;
    }
    if (node->count < builtin->fewest || node->count > builtin->most) {
        csl_complain(self->evaluator, node, "%s takes %u to %u arguments, found %u",
                     node->name, builtin->fewest, builtin->most, node->count);
        return NULL;
    }
    if (builtin->run == csl_builtin_as) {
        return convert(self, node, CSL_TYPED_CONVERT);
    }
    if (builtin->run == csl_builtin_bitcast || g_strcmp0(node->name, "@ptrcast") == 0) {
        return convert(self, node, CSL_TYPED_BITCAST);
    }
    typed = csl_typed_new(self, CSL_TYPED_BUILTIN, node, CSL_T(VOID), node->count);
    typed->name = node->name;
    for (uint32_t i = 0; i < node->count; i++) {
        typed->children[i] = csl_analyse(self, node->children[i]);
        if (typed->children[i] == NULL) {
            return NULL;
        }
    }
    if ((g_strcmp0(node->name, "@map") == 0 && !reach_map(self, node, typed)) ||
        (csl_works_on_dsds(node->name) && !csl_check_operation(self, typed)) ||
        (builtin->run == csl_builtin_act && !check_task_id(self, typed))) {
        return NULL;
    }
    if (g_strcmp0(node->name, "@get_dsd") == 0) {
        if (!check_descriptor(self, typed)) {
            return NULL;
        }
        typed->type = typed->children[0]->value.meant;
        return place_shape(self, typed);
    }
    typed->type = result_type(node, typed);
    return typed;
}
