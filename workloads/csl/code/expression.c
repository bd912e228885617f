/* Generates the code of expressions. */
#include "workloads/csl/code/expression.h"

#include "workloads/csl/code/call.h"
#include "workloads/csl/code/emit.h"
#include "workloads/csl/code/generator.h"
#include "workloads/csl/code/memory.h"
#include "workloads/csl/code/operation.h"
#include "workloads/csl/code/registers.h"

void csl_move(CslGenerator *self, const CslType *type, guint to, CslNumber number)
{
    if (!number.is_constant && number.variable == to) {
        return;
    }
    if (!csl_is_pair(type)) {
        csl_emit_operate(self, "mov", csl_machine_type(self, type), to, number,
                         csl_constant(0));
        return;
    }
    for (guint i = 0; i < 2; i++) {
        const CslNumber half = number.is_constant
                                   ? csl_constant(i == 0 ? csl_low_word(number.bits)
                                                         : csl_high_word(number.bits))
                                   : csl_in_register(number.variable + i);

        csl_emit_operate(self, "mov", ARCH_WSE_U32, to + i, half, csl_constant(0));
    }
}

CslNumber csl_compute(
    CslGenerator *self, const char *name, ArchWseType type, CslNumber a, CslNumber b)
{
    const guint to = csl_take_single(self);

    csl_emit_operate(self, name, type, to, a, b);
    return csl_in_register(to);
}

void csl_generate_into(CslGenerator *self, const CslTyped *typed, guint to)
{
    csl_move(self, typed->type, to, csl_generate(self, typed, to));
}

guint csl_generate_register(CslGenerator *self, const CslTyped *typed)
{
    const CslNumber number = csl_generate(self, typed, CSL_ANYWHERE_ELSE);
    guint to;

    if (!number.is_constant) {
        return number.variable;
    }
    to = csl_take(self, typed->type);
    csl_move(self, typed->type, to, number);
    return to;
}

static const char *operation_of(CslTokenKind token)
{
    static const struct {
        CslTokenKind token;
        const char *name;
    } rows[] = {
        {CSL_TOKEN_PLUS, "add"},       {CSL_TOKEN_MINUS, "sub"},
        {CSL_TOKEN_STAR, "mul"},       {CSL_TOKEN_SLASH, "div"},
        {CSL_TOKEN_PERCENT, "rem"},    {CSL_TOKEN_AMPERSAND, "and"},
        {CSL_TOKEN_BAR, "or"},         {CSL_TOKEN_CARET, "xor"},
        {CSL_TOKEN_SHIFT_LEFT, "shl"}, {CSL_TOKEN_SHIFT_RIGHT, "shr"},
        {CSL_TOKEN_EQUAL, "eq"},       {CSL_TOKEN_UNEQUAL, "ne"},
        {CSL_TOKEN_LESS, "lt"},        {CSL_TOKEN_LESS_EQUAL, "le"},
        {CSL_TOKEN_GREATER, "gt"},     {CSL_TOKEN_GREATER_EQUAL, "ge"},
    };

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (rows[i].token == token) {
            return rows[i].name;
        }
    }
    return "mov";
}

/* Any amount is an unsigned integer; the machine shifts by numbers of one type. */
static CslNumber
shift_amount(CslGenerator *self, const CslTyped *amount, const CslType *type)
{
    CslNumber number = csl_generate(self, amount, CSL_ANYWHERE_ELSE);

    if (!number.is_constant && csl_is_pair(type) && !csl_is_pair(amount->type)) {
        const guint pair = csl_take(self, type);

        csl_emit_convert(self, csl_machine_type(self, amount->type),
                         csl_machine_type(self, type), pair, number);
        number = csl_in_register(pair);
    }
    return number;
}

static CslNumber generate_logic(CslGenerator *self, const CslTyped *typed, guint wanted)
{
    /* Not in `wanted`: the right side may read it. */
    const guint to = csl_take_single(self);
    const guint end = csl_emit_label(self);

    (void) wanted;
    csl_generate_into(self, typed->children[0], to);
    csl_emit_jump_if(self, csl_in_register(to), typed->token == CSL_TOKEN_AND, end);
    csl_generate_into(self, typed->children[1], to);
    csl_emit_place(self, end);
    return csl_in_register(to);
}

static CslNumber
generate_binary(CslGenerator *self, const CslTyped *typed, guint wanted)
{
    const CslType *type = typed->children[0]->type;
    const bool is_shift =
        typed->token == CSL_TOKEN_SHIFT_LEFT || typed->token == CSL_TOKEN_SHIFT_RIGHT;
    CslNumber sides[2];
    guint to;

    if (typed->token == CSL_TOKEN_AND || typed->token == CSL_TOKEN_OR) {
        return generate_logic(self, typed, wanted);
    }
    sides[0] = csl_generate(self, typed->children[0], CSL_ANYWHERE_ELSE);
    sides[1] = is_shift ? shift_amount(self, typed->children[1], type)
                        : csl_generate(self, typed->children[1], CSL_ANYWHERE_ELSE);
    to = csl_target(self, typed->type, wanted);
    csl_emit_operate(self, operation_of(typed->token), csl_machine_type(self, type), to,
                     sides[0], sides[1]);
    return csl_in_register(to);
}

static CslNumber generate_unary(CslGenerator *self, const CslTyped *typed, guint wanted)
{
    const CslNumber operand = csl_generate(self, typed->children[0], CSL_ANYWHERE_ELSE);
    const ArchWseType type = csl_machine_type(self, typed->type);
    const guint to = csl_target(self, typed->type, wanted);

    if (typed->token == CSL_TOKEN_EXCLAMATION) {
        csl_emit_operate(self, "eq", type, to, operand, csl_constant(0));
    } else {
        csl_emit_operate(self, typed->token == CSL_TOKEN_MINUS ? "neg" : "not", type,
                         to, operand, csl_constant(0));
    }
    return csl_in_register(to);
}

static CslNumber
generate_select(CslGenerator *self, const CslTyped *typed, guint wanted)
{
    const guint to = csl_target(self, typed->type, wanted);
    const guint otherwise = csl_emit_label(self);
    const guint end = csl_emit_label(self);

    csl_generate_unless(self, typed->children[0], otherwise);
    csl_generate_into(self, typed->children[1], to);
    csl_emit_jump(self, end);
    csl_emit_place(self, otherwise);
    csl_generate_into(self, typed->children[2], to);
    csl_emit_place(self, end);
    return csl_in_register(to);
}

void csl_generate_unless(CslGenerator *self, const CslTyped *condition, guint label)
{
    const CslMark mark = csl_mark(self);

    if (condition->kind == CSL_TYPED_BINARY && condition->token == CSL_TOKEN_AND) {
        csl_generate_unless(self, condition->children[0], label);
        csl_generate_unless(self, condition->children[1], label);
        return;
    }
    if (condition->kind == CSL_TYPED_UNARY &&
        condition->token == CSL_TOKEN_EXCLAMATION) {
        csl_emit_jump_if(self,
                         csl_generate(self, condition->children[0], CSL_ANYWHERE_ELSE),
                         false, label);
    } else {
        csl_emit_jump_if(self, csl_generate(self, condition, CSL_ANYWHERE_ELSE), true,
                         label);
    }
    csl_release(self, mark);
}

static CslNumber generate_constant(CslGenerator *self, const CslTyped *typed)
{
    if (typed->type->kind == CSL_KIND_DSD) {
        return csl_dsd_constant(self, &typed->value);
    }
    return csl_constant(csl_bits_of(self, &typed->value));
}

CslNumber csl_generate(CslGenerator *self, const CslTyped *typed, guint wanted)
{
    CslCodeSpot spot;

    switch (+typed->kind) {
    case CSL_TYPED_CONSTANT:
        return generate_constant(self, typed);
    case CSL_TYPED_LOCAL:
    case CSL_TYPED_GLOBAL:
    case CSL_TYPED_DEREFERENCE:
    case CSL_TYPED_INDEX:
    case CSL_TYPED_FIELD:
        spot = csl_locate_code(self, typed);
        return csl_load(self, &spot, wanted);
    case CSL_TYPED_ADDRESS:
        spot = csl_locate_code(self, typed->children[0]);
        return csl_address(self, &spot);
    case CSL_TYPED_UNARY:
        return generate_unary(self, typed, wanted);
    case CSL_TYPED_BINARY:
        return generate_binary(self, typed, wanted);
    case CSL_TYPED_CONVERT:
    case CSL_TYPED_BITCAST:
        return csl_generate_convert(self, typed, wanted);
    case CSL_TYPED_SELECT:
        return generate_select(self, typed, wanted);
    case CSL_TYPED_CALL:
        return csl_generate_call(self, typed, wanted);
    case CSL_TYPED_CALL_POINTER:
        return csl_generate_call_pointer(self, typed, wanted);
    case CSL_TYPED_BUILTIN:
        return csl_generate_builtin(self, typed, wanted);
    default:
        csl_emit_at(self, typed->place);
        csl_code_fail(self, "the simulated PE does not take this as a value");
        return csl_constant(0);
    }
}
