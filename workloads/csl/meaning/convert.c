/* Converts values: what happens by itself, what @as does, and zeros of every type. */
#include <math.h>

#include "arch/number/half.h"
#include "workloads/csl/meaning/evaluator.h"

double csl_round(const CslType *type, double real)
{
    uint32_t bits = 0;
    float narrow;

    if (type == CSL_T(F32)) {
        return (double) (float) real;
    }
    if (type == CSL_T(F16)) {
        return (double) arch_half_to_float(arch_half_from_double(real));
    }
    if (type == CSL_T(BF16) && isfinite(real)) {
        narrow = (float) real;
        memcpy(&bits, &narrow, sizeof bits);
        bits = (bits + 0x7fffU + ((bits >> 16) & 1)) & 0xffff0000U;
        memcpy(&narrow, &bits, sizeof narrow);
        return (double) narrow;
    }
    return real;
}

CslValue csl_zero(CslProgram *program, const CslType *type)
{
    CslValue value = {.type = type};

    switch (type->kind) {
    case CSL_KIND_ARRAY:
        value.array = csl_array_new(program->values, csl_type_element_count(type),
                                    csl_zero(program, type->element));
        break;
    case CSL_KIND_FLOAT:
    case CSL_KIND_COMPTIME_FLOAT:
        value.real = 0;
        break;
    case CSL_KIND_POINTER:
        value.pointer = csl_pointer_new(program->values, NULL, 0);
        break;
    case CSL_KIND_RECORD:
    case CSL_KIND_STRUCT: {
        g_autofree CslField *fields = g_new0(CslField, type->count + 1);

        for (uint32_t i = 0; i < type->count; i++) {
            fields[i] = (CslField){type->names[i], csl_zero(program, type->parts[i])};
        }
        value.members = csl_struct_new(program->values, fields, type->count, false);
        break;
    }
    case CSL_KIND_DSD:
        value.dsd = CSL_ARENA_ARRAY(program->arena, CslDsd, 1);
        break;
    case CSL_KIND_VOID:
    case CSL_KIND_BOOL:
    case CSL_KIND_SIGNED:
    case CSL_KIND_UNSIGNED:
    case CSL_KIND_COMPTIME_INT:
    case CSL_KIND_DIRECTION:
    case CSL_KIND_ID:
    case CSL_KIND_ENUM:
        value.integer = 0;
        break;
    case CSL_KIND_STRING:
    case CSL_KIND_TYPE:
    case CSL_KIND_MODULE:
    case CSL_KIND_FIFO:
    case CSL_KIND_DSR:
    case CSL_KIND_RANGE:
    case CSL_KIND_ACCESS:
    case CSL_KIND_FUNCTION:
        value.type = NULL;
        break;
    }
    return value;
}

static bool fits(const CslType *type, CslInteger integer)
{
    return type->kind == CSL_KIND_COMPTIME_INT ||
           (integer >= csl_type_least(type) && integer <= csl_type_most(type));
}

static bool convert_number(CslValue *value, const CslType *type)
{
    if (csl_type_is_integer(value->type)) {
        const double real = (double) value->integer;

        if (csl_type_is_integer(type)) {
            value->type = type;
            return fits(type, value->integer);
        }
        if (value->type->kind != CSL_KIND_COMPTIME_INT || !csl_type_is_float(type)) {
            return false;
        }
        *value = csl_value_real(type, csl_round(type, real));
        return true;
    }
    if (value->type->kind != CSL_KIND_COMPTIME_FLOAT || !csl_type_is_float(type)) {
        return false;
    }
    *value = csl_value_real(type, csl_round(type, value->real));
    return true;
}

/* Whether what one pointer points to may be seen through another. */
static bool may_point(const CslType *from, const CslType *to)
{
    if (from->is_const && !to->is_const) {
        return false;
    }
    if (from->element == to->element) {
        return from->is_many == to->is_many || from->element->kind != CSL_KIND_ARRAY;
    }
    return to->is_many && !from->is_many && from->element->kind == CSL_KIND_ARRAY &&
           from->element->element == to->element;
}

/* A function that takes and returns the same, whichever way it is declared. */
static bool are_functions_alike(const CslType *from, const CslType *to)
{
    if (from->is_task != to->is_task || from->count != to->count ||
        (!from->is_generic && from->element != to->element)) {
        return false;
    }
    for (uint32_t i = 0; i < from->count; i++) {
        if (from->parts[i] != NULL && from->parts[i] != to->parts[i]) {
            return false;
        }
    }
    return true;
}

static bool convert_array(CslProgram *program, CslValue *value, const CslType *type)
{
    CslArray *array;

    if (value->type->count != type->count ||
        memcmp(value->type->extents, type->extents,
               type->count * sizeof *type->extents) != 0) {
        return false;
    }
    array = csl_array_copy(program->values, value->array);
    if (!csl_convert(program, &array->fill, type->element)) {
        return false;
    }
    for (uint64_t i = 0; array->items != NULL && i < array->count; i++) {
        if (!csl_convert(program, &array->items[i], type->element)) {
            return false;
        }
    }
    *value = (CslValue){.type = type, .array = array};
    return true;
}

/* .{ .a = 1 } as a struct that was declared. */
static bool convert_record(CslProgram *program, CslValue *value, const CslType *type)
{
    const CslStruct *given = value->members;
    g_autofree CslField *fields = g_new0(CslField, type->count + 1);

    if (given->is_tuple && given->count > 0) {
        return false;
    }
    for (uint32_t i = 0; i < type->count; i++) {
        const CslValue *found = csl_struct_find(given, type->names[i]);

        if (found == NULL) {
            return false;
        }
        fields[i] = (CslField){type->names[i], *found};
        if (!csl_convert(program, &fields[i].value, type->parts[i])) {
            return false;
        }
    }
    *value = (CslValue){
        .type = type,
        .members = csl_struct_new(program->values, fields, type->count, false)};
    return given->count == type->count;
}

bool csl_convert(CslProgram *program, CslValue *value, const CslType *type)
{
    const CslType *from = value->type;

    if (from == type) {
        return true;
    }
    if (convert_number(value, type)) {
        return true;
    }
    if (from->kind == CSL_KIND_POINTER && type->kind == CSL_KIND_POINTER) {
        if (!may_point(from, type) &&
            !(from->element->kind == CSL_KIND_FUNCTION &&
              type->element->kind == CSL_KIND_FUNCTION &&
              are_functions_alike(from->element, type->element))) {
            return false;
        }
        value->type = type;
        return true;
    }
    if (from->kind == CSL_KIND_FUNCTION && type->kind == CSL_KIND_FUNCTION) {
        return are_functions_alike(from, type);
    }
    if (from->kind == CSL_KIND_ARRAY && type->kind == CSL_KIND_ARRAY) {
        return convert_array(program, value, type);
    }
    if (from->kind == CSL_KIND_STRUCT && type->kind == CSL_KIND_RECORD) {
        return convert_record(program, value, type);
    }
    return from->kind == CSL_KIND_RECORD && type->kind == CSL_KIND_STRUCT;
}

CslValue
csl_coerce(CslEvaluator *self, const CslNode *node, CslValue value, const CslType *type)
{
    CslValue converted = value;
    g_autofree char *text = NULL;

    if (value.type == NULL || type == NULL ||
        csl_convert(self->program, &converted, type)) {
        return type == NULL ? csl_no_value() : converted;
    }
    text = csl_value_text(&value);
    if (csl_type_is_integer(value.type) && csl_type_is_integer(type)) {
        csl_complain(self, node, "%s does not fit %s", text, type->name);
    } else {
        csl_complain(self, node, "expected %s, found %s (%s)", type->name,
                     value.type->name, text);
        if (csl_type_is_plain(value.type) && csl_type_is_plain(type)) {
            csl_report_hint(self->program->to, "@as(%s, ...) converts numbers",
                            type->name);
        }
    }
    return csl_no_value();
}

/* A number, a bool or an enum as a real. */
static double real_of(const CslValue *value)
{
    return csl_type_is_float(value->type) ? value->real : (double) value->integer;
}

static bool is_castable(const CslType *type)
{
    return csl_type_is_integer(type) || csl_type_is_float(type) ||
           type->kind == CSL_KIND_BOOL || type->kind == CSL_KIND_ENUM;
}

CslValue
csl_cast(CslEvaluator *self, const CslNode *node, CslValue value, const CslType *type)
{
    CslValue cast = value;
    g_autofree char *text = NULL;

    if (value.type == NULL || csl_convert(self->program, &cast, type)) {
        return cast;
    }
    text = csl_value_text(&value);
    if (!is_castable(value.type) || !is_castable(type)) {
        csl_complain(self, node, "@as converts numbers, bool and enums, not %s to %s",
                     value.type->name, type->name);
        return csl_no_value();
    }
    if (csl_type_is_float(type)) {
        return csl_value_real(type, csl_round(type, real_of(&value)));
    }
    cast = csl_value_integer(type, value.integer);
    if (csl_type_is_float(value.type)) {
        if (!(fabs(value.real) < 1e37)) {
            csl_complain(self, node, "%s does not fit %s", text, type->name);
            return csl_no_value();
        }
        cast.integer = (CslInteger) value.real;
    }
    if (type->kind == CSL_KIND_BOOL) {
        cast.integer = real_of(&value) != 0;
    } else if (!fits(type->kind == CSL_KIND_ENUM ? type->element : type,
                     cast.integer)) {
        csl_complain(self, node, "%s does not fit %s", text, type->name);
        return csl_no_value();
    }
    return cast;
}
