/* Operators on values of comptime. */
#include <math.h>

#include "workloads/csl/meaning/evaluator.h"

static CslValue boolean(bool is_true)
{
    return csl_value_integer(CSL_T(BOOL), is_true);
}

/* The result as a value of the type, or a report that it does not fit. */
static CslValue
checked(CslEvaluator *self, const CslNode *node, const CslType *type, CslInteger result)
{
    if (type->kind == CSL_KIND_COMPTIME_INT ||
        (result >= csl_type_least(type) && result <= csl_type_most(type))) {
        return csl_value_integer(type, result);
    }
    const CslValue value = csl_value_integer(CSL_T(COMPTIME_INT), result);
    g_autofree char *text = csl_value_text(&value);

    csl_complain(self, node, "the result, %s, does not fit %s", text, type->name);
    return csl_no_value();
}

static CslValue overflow(CslEvaluator *self, const CslNode *node)
{
    csl_complain(self, node, "the result has more than 127 bits");
    return csl_no_value();
}

static CslValue
minus(CslEvaluator *self, const CslNode *node, const CslType *type, CslInteger value)
{
    CslInteger result = 0;

    return __builtin_sub_overflow((CslInteger) 0, value, &result)
               ? overflow(self, node)
               : checked(self, node, type, result);
}

static CslValue operate_integers(CslEvaluator *self,
                                 const CslNode *node,
                                 CslTokenKind sign,
                                 const CslValue *a,
                                 const CslValue *b)
{
    CslInteger result = 0;

    switch (+sign) {
    case CSL_TOKEN_PLUS:
        return __builtin_add_overflow(a->integer, b->integer, &result)
                   ? overflow(self, node)
                   : checked(self, node, a->type, result);
    case CSL_TOKEN_MINUS:
        return __builtin_sub_overflow(a->integer, b->integer, &result)
                   ? overflow(self, node)
                   : checked(self, node, a->type, result);
    case CSL_TOKEN_STAR:
        return __builtin_mul_overflow(a->integer, b->integer, &result)
                   ? overflow(self, node)
                   : checked(self, node, a->type, result);
    case CSL_TOKEN_SLASH:
    case CSL_TOKEN_PERCENT:
        if (b->integer == 0) {
            csl_complain(self, node, "division by zero");
            return csl_no_value();
        }
        if (b->integer == -1) { /* the one case that overflows */
            return sign == CSL_TOKEN_PERCENT ? csl_value_integer(a->type, 0)
                                             : minus(self, node, a->type, a->integer);
        }
        return csl_value_integer(a->type, sign == CSL_TOKEN_SLASH
                                              ? a->integer / b->integer
                                              : a->integer % b->integer);
    case CSL_TOKEN_AMPERSAND:
        return csl_value_integer(a->type, a->integer & b->integer);
    case CSL_TOKEN_BAR:
        return csl_value_integer(a->type, a->integer | b->integer);
    case CSL_TOKEN_CARET:
        return csl_value_integer(a->type, a->integer ^ b->integer);
    default:
        break;
    }
    return csl_no_value();
}

static CslValue operate_floats(CslEvaluator *self,
                               const CslNode *node,
                               CslTokenKind sign,
                               const CslValue *a,
                               const CslValue *b)
{
    double result = 0;

    switch (+sign) {
    case CSL_TOKEN_PLUS:
        result = a->real + b->real;
        break;
    case CSL_TOKEN_MINUS:
        result = a->real - b->real;
        break;
    case CSL_TOKEN_STAR:
        result = a->real * b->real;
        break;
    case CSL_TOKEN_SLASH:
        result = a->real / b->real;
        break;
    default:
        csl_complain(self, node, "'%s' takes integers, not %s",
                     csl_token_spelling(sign), a->type->name);
        return csl_no_value();
    }
    return csl_value_real(a->type, csl_round(a->type, result));
}

static bool is_comparison(CslTokenKind sign)
{
    return sign == CSL_TOKEN_EQUAL || sign == CSL_TOKEN_UNEQUAL ||
           sign == CSL_TOKEN_LESS || sign == CSL_TOKEN_GREATER ||
           sign == CSL_TOKEN_LESS_EQUAL || sign == CSL_TOKEN_GREATER_EQUAL;
}

static CslValue compare(CslEvaluator *self,
                        const CslNode *node,
                        CslTokenKind sign,
                        const CslValue *a,
                        const CslValue *b)
{
    const bool is_float = csl_type_is_float(a->type);
    const bool is_less = is_float ? a->real < b->real : a->integer < b->integer;
    const bool is_equal = is_float ? !(a->real < b->real) && !(a->real > b->real) &&
                                         !isnan(a->real) && !isnan(b->real)
                                   : csl_value_equal(a, b);

    if (sign == CSL_TOKEN_EQUAL || sign == CSL_TOKEN_UNEQUAL) {
        return boolean(is_equal == (sign == CSL_TOKEN_EQUAL));
    }
    if (!is_float && !csl_type_is_integer(a->type)) {
        csl_complain(self, node, "'%s' takes numbers, not %s", csl_token_spelling(sign),
                     a->type->name);
        return csl_no_value();
    }
    switch (+sign) {
    case CSL_TOKEN_LESS:
        return boolean(is_less);
    case CSL_TOKEN_LESS_EQUAL:
        return boolean(is_less || is_equal);
    case CSL_TOKEN_GREATER:
        return boolean(is_float ? a->real > b->real : a->integer > b->integer);
    default:
        return boolean(is_float ? a->real >= b->real : a->integer >= b->integer);
    }
}

static CslValue shift(CslEvaluator *self,
                      const CslNode *node,
                      CslTokenKind sign,
                      const CslValue *a,
                      const CslValue *b)
{
    CslValue result = *a;
    const CslType *type = a->type;

    if (!csl_type_is_integer(type) || !csl_type_is_integer(b->type)) {
        csl_complain(self, node, "'%s' takes integers, not %s and %s",
                     csl_token_spelling(sign), type->name, b->type->name);
        return csl_no_value();
    }
    if (b->integer < 0 || b->integer > 126) {
        csl_complain(self, node, "shifted by less than 0 or more than 126 bits");
        return csl_no_value();
    }
    if (sign == CSL_TOKEN_SHIFT_RIGHT) {
        result.integer >>= b->integer;
        return result;
    }
    if (type->kind == CSL_KIND_COMPTIME_INT) {
        return __builtin_mul_overflow(a->integer, (CslInteger) 1 << b->integer,
                                      &result.integer)
                   ? overflow(self, node)
                   : result;
    }
    /* Bits that leave the type are lost. */
    if (b->integer >= type->bits) {
        result.integer = 0;
        return result;
    }
    result.integer = (a->integer * ((CslInteger) 1 << b->integer)) &
                     (((CslInteger) 1 << type->bits) - 1);
    if (type->kind == CSL_KIND_SIGNED && result.integer > csl_type_most(type)) {
        result.integer -= (CslInteger) 1 << type->bits;
    }
    return result;
}

/* Makes both of one type: a comptime number takes the other's. */
static bool unite(CslProgram *program, CslValue *a, CslValue *b)
{
    if (a->type == b->type) {
        return true;
    }
    if (a->type->kind == CSL_KIND_COMPTIME_INT ||
        (a->type->kind == CSL_KIND_COMPTIME_FLOAT && csl_type_is_float(b->type))) {
        return csl_convert(program, a, b->type);
    }
    if (b->type->kind == CSL_KIND_COMPTIME_INT ||
        (b->type->kind == CSL_KIND_COMPTIME_FLOAT && csl_type_is_float(a->type))) {
        return csl_convert(program, b, a->type);
    }
    return a->type->kind == CSL_KIND_POINTER && b->type->kind == CSL_KIND_POINTER;
}

CslValue csl_operate(
    CslEvaluator *self, const CslNode *node, CslTokenKind sign, CslValue a, CslValue b)
{
    const CslType *left = a.type;
    const CslType *right = b.type;

    if (left == NULL || right == NULL) {
        return csl_no_value();
    }
    if (sign == CSL_TOKEN_SHIFT_LEFT || sign == CSL_TOKEN_SHIFT_RIGHT) {
        return shift(self, node, sign, &a, &b);
    }
    if (!unite(self->program, &a, &b)) {
        csl_complain(self, node, "expected two values of one type, found %s and %s",
                     left->name, right->name);
        if (csl_type_is_plain(left) && csl_type_is_plain(right)) {
            csl_report_hint(self->program->to, "convert one: @as(%s, ...)", left->name);
        }
        return csl_no_value();
    }
    if (is_comparison(sign)) {
        return compare(self, node, sign, &a, &b);
    }
    if (csl_type_is_integer(a.type)) {
        return operate_integers(self, node, sign, &a, &b);
    }
    if (csl_type_is_float(a.type)) {
        return operate_floats(self, node, sign, &a, &b);
    }
    csl_complain(self, node, "'%s' takes numbers, not %s", csl_token_spelling(sign),
                 a.type->name);
    return csl_no_value();
}

static CslValue negate(CslEvaluator *self, const CslNode *node, const CslValue *value)
{
    if (csl_type_is_float(value->type)) {
        return csl_value_real(value->type, -value->real);
    }
    if (csl_type_is_integer(value->type)) {
        return minus(self, node, value->type, value->integer);
    }
    csl_complain(self, node, "'-' takes a number, not %s", value->type->name);
    return csl_no_value();
}

static CslValue complement(CslEvaluator *self, const CslNode *node, CslValue value)
{
    if (!csl_type_is_integer(value.type)) {
        csl_complain(self, node, "'~' takes an integer, not %s", value.type->name);
        return csl_no_value();
    }
    value.integer = ~value.integer;
    if (value.type->kind == CSL_KIND_UNSIGNED) {
        value.integer &= csl_type_most(value.type);
    }
    return value;
}

static CslValue address(CslEvaluator *self, const CslNode *node)
{
    CslProgram *program = self->program;
    CslSpot spot;

    if (!csl_locate(self, node->children[0], &spot)) {
        return csl_no_value();
    }
    return (CslValue){.type = csl_type_pointer(program->types, spot.type,
                                               spot.is_const ? CSL_IS_CONST : 0),
                      .pointer =
                          csl_pointer_new(program->values, spot.global, spot.offset)};
}

CslValue csl_operate_unary(CslEvaluator *self, const CslNode *node)
{
    CslValue value;

    if (node->token == CSL_TOKEN_AMPERSAND) {
        return address(self, node);
    }
    value = csl_evaluate(self, node->children[0]);
    if (value.type == NULL) {
        return value;
    }
    switch (node->token) {
    case CSL_TOKEN_MINUS:
        return negate(self, node, &value);
    case CSL_TOKEN_TILDE:
        return complement(self, node, value);
    default:
        break;
    }
    if (value.type->kind != CSL_KIND_BOOL) {
        csl_complain(self, node, "'!' takes a bool, not %s", value.type->name);
        if (csl_type_is_integer(value.type)) {
            csl_report_hint(self->program->to, "'~' turns bits, '== 0' asks for zero");
        }
        return csl_no_value();
    }
    return boolean(value.integer == 0);
}
