/* Generates vector operations: builtins whose operands are descriptors. */
#include "workloads/csl/code/operation.h"

#include <string.h>

#include "arch/number/half.h"
#include "workloads/csl/code/emit.h"
#include "workloads/csl/code/expression.h"
#include "workloads/csl/code/generator.h"
#include "workloads/csl/code/memory.h"
#include "workloads/csl/code/registers.h"

bool csl_is_operation(const char *name)
{
    static const char *const names[] = {
        "@add16",   "@addc16",  "@and16",  "@clz",    "@ctz",    "@dfilt",   "@fabsh",
        "@fabss",   "@faddh",   "@faddhs", "@fadds",  "@fh2s",   "@fh2xp16", "@fmach",
        "@fmachs",  "@fmacs",   "@fmaxh",  "@fmaxs",  "@fmovh",  "@fmovs",   "@fmulh",
        "@fmuls",   "@fnegh",   "@fnegs",  "@fnormh", "@fnorms", "@fs2h",    "@fs2xp16",
        "@fscaleh", "@fscales", "@fsubh",  "@fsubs",  "@mov16",  "@mov32",   "@or16",
        "@popcnt",  "@sar16",   "@sll16",  "@slr16",  "@sub16",  "@xor16",   "@xp162fh",
        "@xp162fs", NULL};

    return g_strv_contains(names, name);
}

/* Whether operand `index` of an operation on floats has 16 bits. */
static bool is_half_operand(const char *name, guint index)
{
    if (g_str_equal(name, "@fh2s") || g_str_equal(name, "@fs2h")) {
        return name[2] == 'h';
    }
    return g_str_has_suffix(name, "h") || (g_str_has_suffix(name, "hs") && index > 1);
}

/* A number that stands for every element: literals take the operation's type. */
static CslNumber
scalar(CslGenerator *self, const CslTyped *typed, const char *name, guint index)
{
    const bool is_exponent = g_str_has_prefix(name, "@fscale") && index == 2;
    double real;

    if (typed->kind != CSL_TYPED_CONSTANT ||
        (typed->type->kind != CSL_KIND_COMPTIME_FLOAT &&
         !(typed->type->kind == CSL_KIND_COMPTIME_INT && name[1] == 'f' &&
           !is_exponent))) {
        return csl_generate(self, typed, CSL_ANYWHERE_ELSE);
    }
    real = typed->type->kind == CSL_KIND_COMPTIME_INT ? (double) typed->value.integer
                                                      : typed->value.real;
    if (is_half_operand(name, index)) {
        return csl_constant(arch_half_from_double(real));
    }
    const CslValue value = csl_value_real(CSL_T(F32), real);

    return csl_constant(csl_bits_of(self, &value));
}

/* In a register, if need be one that holds the constant from the start. */
static guint in_register(CslGenerator *self, CslNumber number, bool is_pair)
{
    return number.is_constant ? csl_constant_register(self, number.bits, is_pair)
                              : number.variable;
}

/* The task that one of several DSRs has for the end: no task is the largest number. */
static void
join_task(CslGenerator *self, guint variable, guint *task, bool *is_in_register)
{
    if (variable == ARCH_WSE_NONE) {
        return;
    }
    if (*task != ARCH_WSE_NONE) {
        variable = csl_compute(self, "min", ARCH_WSE_U16, csl_in_register(variable),
                               csl_in_register(*task))
                       .variable;
    }
    *task = variable;
    *is_in_register = true;
}

/* An operation is async if the last load of one of its DSRs says so. */
static void join_way(CslGenerator *self, guint asynced)
{
    if (asynced != ARCH_WSE_NONE && self->asynced != ARCH_WSE_NONE) {
        asynced = csl_compute(self, "or", ARCH_WSE_U16, csl_in_register(asynced),
                              csl_in_register(self->asynced))
                      .variable;
    }
    self->asynced = asynced == ARCH_WSE_NONE ? self->asynced : asynced;
}

/* The descriptor of an operand; `vector` learns what a DSR's load has said. */
static guint operand(CslGenerator *self,
                     const CslTyped *typed,
                     const char *name,
                     guint index,
                     ArchWseVector *vector)
{
    const CslCodeDsr *dsr;

    switch (+typed->type->kind) {
    case CSL_KIND_DSD:
        return csl_register_descriptor(
            self, ARCH_WSE_IN_DSD,
            in_register(self, csl_generate(self, typed, CSL_ANYWHERE_ELSE), true));
    case CSL_KIND_FIFO:
        vector->is_tried = true;
        return csl_fifo_descriptor(self, csl_u32(typed->value.integer), index == 0);
    case CSL_KIND_DSR:
        dsr = csl_dsr_of(self, &typed->value);
        vector->is_loaded = true;
        vector->thread = vector->thread == 0 ? dsr->thread : vector->thread;
        vector->is_async |= dsr->is_async && !dsr->is_waited;
        join_way(self, dsr->asynced);
        join_task(self, dsr->activated, &vector->activated,
                  &vector->is_activated_in_register);
        join_task(self, dsr->unblocked, &vector->unblocked,
                  &vector->is_unblocked_in_register);
        if (dsr->on_control != ARCH_WSE_CONTROL_WAITS) {
            vector->on_control = dsr->on_control;
            vector->control_task = dsr->control_task;
        }
        if (dsr->is_saved) {
            vector->saved = sim_u8(vector->saved | 1U << index);
            self->saved[index] = dsr->saved;
        }
        return csl_register_descriptor(self, ARCH_WSE_IN_DSD, dsr->variable);
    case CSL_KIND_POINTER:
        return csl_register_descriptor(
            self, ARCH_WSE_IN_ADDRESS,
            in_register(self, csl_generate(self, typed, CSL_ANYWHERE_ELSE), false));
    default:
        return csl_register_descriptor(
            self, ARCH_WSE_IN_SCALAR,
            in_register(self, scalar(self, typed, name, index), false));
    }
}

/* A task for the end of an operation, as a number or in a register. */
static bool take_task(CslGenerator *self,
                      const CslTyped *options,
                      const char *name,
                      guint *task,
                      bool *is_in_register)
{
    const CslValue *known;
    const CslTyped *item = csl_item(self, options, name, &known);

    if (known != NULL && known->type->kind != CSL_KIND_VOID) {
        if (!csl_task_number(self, known, task)) {
            csl_code_fail(self, "expected a task that is bound for .%s", name);
        }
        *is_in_register = false;
        return true;
    }
    if (known == NULL && item != NULL) {
        *task = csl_generate_register(self, item);
        *is_in_register = true;
        return true;
    }
    return false;
}

static void
take_control(CslGenerator *self, const CslStruct *given, ArchWseVector *vector)
{
    static const struct {
        const char *name;
        ArchWseOnControl on_control;
    } rows[] = {
        {"terminate", ARCH_WSE_CONTROL_ENDS},
        {"activate", ARCH_WSE_CONTROL_ACTIVATES},
        {"unblock", ARCH_WSE_CONTROL_UNBLOCKS},
    };

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const CslValue *value =
            csl_struct_find(given, csl_name(self->source, rows[i].name));

        if (value == NULL || (i == 0 && !csl_is_true(value))) {
            continue;
        }
        vector->on_control = rows[i].on_control;
        if (i > 0 && !csl_task_number(self, value, &vector->control_task)) {
            csl_code_fail(self, "expected a task for .on_control");
        }
    }
}

static void
take_priority(CslGenerator *self, const CslStruct *given, ArchWseVector *vector)
{
    if (csl_is_true(csl_struct_find(given, csl_name(self->source, "high")))) {
        vector->priority = ARCH_WSE_PRIORITY_HIGH;
    } else if (csl_is_true(csl_struct_find(given, csl_name(self->source, "medium")))) {
        vector->priority = ARCH_WSE_PRIORITY_MEDIUM;
    }
}

/* What happens at the end; a DSR that was loaded with .async brings its own. */
static void
take_ends(CslGenerator *self, const CslTyped *options, ArchWseVector *vector)
{
    const CslValue *known;

    if (vector->is_async || self->asynced != ARCH_WSE_NONE) {
        return;
    }
    (void) csl_item(self, options, "async", &known);
    vector->is_async |= csl_is_true(known);
    (void) take_task(self, options, "activate", &vector->activated,
                     &vector->is_activated_in_register);
    (void) take_task(self, options, "unblock", &vector->unblocked,
                     &vector->is_unblocked_in_register);
    (void) csl_item(self, options, "ut_id", &known);
    vector->thread = MAX(csl_thread_of(known), vector->thread);
    (void) csl_item(self, options, "on_control", &known);
    if (known != NULL && known->type->kind == CSL_KIND_STRUCT) {
        take_control(self, known->members, vector);
    }
}

static void
take_options(CslGenerator *self, const CslTyped *options, ArchWseVector *vector)
{
    const CslValue *known;
    const CslTyped *item;

    take_ends(self, options, vector);
    (void) csl_item(self, options, "priority", &known);
    if (known != NULL && known->type->kind == CSL_KIND_STRUCT) {
        take_priority(self, known->members, vector);
    }
    item = csl_item(self, options, "index", &known);
    if (known != NULL || item != NULL) {
        const CslNumber number = known != NULL
                                     ? csl_constant(csl_bits_of(self, known))
                                     : csl_generate(self, item, CSL_ANYWHERE_ELSE);

        vector->has_index = true;
        vector->index = csl_operand(self, number, ARCH_WSE_U16);
    }
}

/* One instruction for each way in which the last loads of its DSRs may have been. */
static void emit_vector(CslGenerator *self, ArchWseVector *vector, guint index)
{
    g_autoptr(GError) error = NULL;
    guint kept;
    guint end;

    if (index == G_N_ELEMENTS(self->saved)) {
        csl_check(self, arch_wse_program_vector(self->program, vector, &error), &error);
        return;
    }
    if ((vector->saved >> index & 1) == 0 || self->saved[index] == ARCH_WSE_NONE) {
        emit_vector(self, vector, index + 1);
        return;
    }
    kept = csl_emit_label(self);
    end = csl_emit_label(self);
    csl_emit_jump_if(self, csl_in_register(self->saved[index]), true, kept);
    emit_vector(self, vector, index + 1);
    csl_emit_jump(self, end);
    csl_emit_place(self, kept);
    vector->saved = sim_u8(vector->saved & ~(1U << index));
    emit_vector(self, vector, index + 1);
    vector->saved = sim_u8(vector->saved | 1U << index);
    csl_emit_place(self, end);
}

/* Both an async instruction and one that waits, if the last loads decide. */
static void emit_both_ways(CslGenerator *self, ArchWseVector *vector)
{
    ArchWseVector waiting = *vector;
    guint waits;
    guint end;

    if (vector->is_async || self->asynced == ARCH_WSE_NONE) {
        emit_vector(self, vector, 0);
        return;
    }
    waits = csl_emit_label(self);
    end = csl_emit_label(self);
    csl_emit_jump_if(self, csl_in_register(self->asynced), true, waits);
    vector->is_async = true;
    emit_vector(self, vector, 0);
    csl_emit_jump(self, end);
    csl_emit_place(self, waits);
    waiting.activated = ARCH_WSE_NONE;
    waiting.is_activated_in_register = false;
    waiting.unblocked = ARCH_WSE_NONE;
    waiting.is_unblocked_in_register = false;
    emit_vector(self, &waiting, 0);
    csl_emit_place(self, end);
}

CslNumber
csl_generate_operation(CslGenerator *self, const CslTyped *typed, guint wanted)
{
    ArchWseVector vector = {
        .name = typed->name + 1,
        .sources = {ARCH_WSE_NONE, ARCH_WSE_NONE, ARCH_WSE_NONE},
        .activated = ARCH_WSE_NONE,
        .unblocked = ARCH_WSE_NONE,
        .control_task = ARCH_WSE_NONE,
    };
    uint32_t count = typed->count;

    if (count > 0 && typed->children[count - 1]->type->kind == CSL_KIND_STRUCT) {
        count--;
    }
    if (count < 1 || count > 4) {
        csl_code_fail(self, "%s with %u operands", typed->name, count);
        return csl_constant(0);
    }
    self->asynced = ARCH_WSE_NONE;
    vector.destination = operand(self, typed->children[0], typed->name, 0, &vector);
    for (uint32_t i = 1; i < count; i++) {
        vector.sources[i - 1] =
            operand(self, typed->children[i], typed->name, i, &vector);
    }
    if (count < typed->count) {
        take_options(self, typed->children[count], &vector);
    }
    vector.is_tried &= !vector.is_async;
    if (vector.is_tried) {
        vector.tried = csl_target(self, CSL_T(BOOL), wanted);
    }
    csl_emit_at(self, typed->place);
    emit_both_ways(self, &vector);
    return vector.is_tried ? csl_in_register(vector.tried) : csl_constant(1);
}
