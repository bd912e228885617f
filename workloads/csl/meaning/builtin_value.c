/* Builtins that compute values: conversions, arrays, structs, strings, types. */
#include <string.h>

#include "arch/number/half.h"
#include "sim/narrow.h"
#include "workloads/csl/meaning/analyser.h"
#include "workloads/csl/meaning/builtin.h"

static CslValue boolean(bool is_true)
{
    return csl_value_integer(CSL_T(BOOL), is_true);
}

/* The type that an argument is; NULL after a report. */
static const CslType *
argument_type(CslEvaluator *self, const CslNode *node, uint32_t i, const CslValue *of)
{
    if (of[i].type->kind == CSL_KIND_TYPE) {
        return of[i].meant;
    }
    csl_complain(self, node->children[i], "expected a type, found %s",
                 of[i].type->name);
    return NULL;
}

static const CslType *
argument_array(CslEvaluator *self, const CslNode *node, const CslValue *of)
{
    const CslType *type = of->type->kind == CSL_KIND_TYPE ? of->meant : of->type;

    if (type->kind == CSL_KIND_POINTER && !type->is_many) {
        type = type->element;
    }
    if (type->kind != CSL_KIND_ARRAY) {
        csl_complain(self, node->children[0], "expected an array type, found %s",
                     type->name);
        return NULL;
    }
    return type;
}

CslValue
csl_builtin_as(CslEvaluator *self, const CslNode *node, const CslValue *arguments)
{
    const CslType *type = argument_type(self, node, 0, arguments);

    return type == NULL ? csl_no_value() : csl_cast(self, node, arguments[1], type);
}

/* The bits of a number at run time, or false. */
static bool bits_of(const CslValue *value, uint64_t *bits)
{
    const CslType *type = value->type;
    float narrow;
    uint32_t word = 0;

    if (type == CSL_T(F32)) {
        narrow = (float) value->real;
        memcpy(&word, &narrow, sizeof word);
        *bits = word;
        return true;
    }
    if (type == CSL_T(F16)) {
        *bits = arch_half_from_double(value->real);
        return true;
    }
    if (type->kind == CSL_KIND_SIGNED || type->kind == CSL_KIND_UNSIGNED ||
        type->kind == CSL_KIND_ID) {
        *bits = (uint64_t) value->integer;
        if (type->bits < 64) {
            *bits &= (UINT64_C(1) << type->bits) - 1;
        }
        return true;
    }
    return false;
}

static CslValue of_bits(const CslType *type, uint64_t bits)
{
    const uint32_t word = sim_u32(bits & UINT32_MAX);
    CslInteger integer = (CslInteger) bits;
    float narrow = 0;

    if (type == CSL_T(F32)) {
        memcpy(&narrow, &word, sizeof narrow);
        return csl_value_real(type, (double) narrow);
    }
    if (type == CSL_T(F16)) {
        return csl_value_real(type, (double) arch_half_to_float(sim_u16(word)));
    }
    if (type->kind == CSL_KIND_SIGNED && integer > csl_type_most(type)) {
        integer -= (CslInteger) 1 << type->bits;
    }
    return csl_value_integer(type, integer);
}

CslValue
csl_builtin_bitcast(CslEvaluator *self, const CslNode *node, const CslValue *arguments)
{
    const CslType *type = argument_type(self, node, 0, arguments);
    uint64_t bits = 0;

    if (type == NULL) {
        return csl_no_value();
    }
    if (type->kind == CSL_KIND_POINTER && csl_type_is_integer(arguments[1].type)) {
        return (CslValue){.type = type,
                          .pointer = csl_pointer_new(self->program->values, NULL,
                                                     arguments[1].integer)};
    }
    if (arguments[1].type->kind == CSL_KIND_COMPTIME_INT && type->bits > 0 &&
        type->kind != CSL_KIND_POINTER) {
        bits = (uint64_t) arguments[1].integer;
        bits &= type->bits < 64 ? (UINT64_C(1) << type->bits) - 1 : UINT64_MAX;
        return of_bits(type, bits);
    }
    if (type->bits != arguments[1].type->bits || type->kind == CSL_KIND_POINTER ||
        !bits_of(&arguments[1], &bits)) {
        csl_complain(self, node, "@bitcast takes numbers of equal width, not %s to %s",
                     arguments[1].type->name, type->name);
        return csl_no_value();
    }
    return of_bits(type, bits);
}

CslValue
csl_builtin_zeros(CslEvaluator *self, const CslNode *node, const CslValue *arguments)
{
    const CslType *type = argument_array(self, node, arguments);

    if (type == NULL) {
        return csl_no_value();
    }
    if (type->element->kind == CSL_KIND_BOOL) {
        csl_complain(self, node, "@zeros makes no bools");
        csl_report_hint(self->program->to, "@constants(%s, false) does", type->name);
        return csl_no_value();
    }
    return csl_zero(self->program, type);
}

CslValue csl_builtin_constants(CslEvaluator *self,
                               const CslNode *node,
                               const CslValue *arguments)
{
    const CslType *type = argument_array(self, node, arguments);
    CslValue fill;

    if (type == NULL) {
        return csl_no_value();
    }
    fill = csl_coerce(self, node->children[1], arguments[1], type->element);
    if (fill.type == NULL) {
        return fill;
    }
    return (CslValue){.type = type,
                      .array = csl_array_new(self->program->values,
                                             csl_type_element_count(type), fill)};
}

CslValue
csl_builtin_range(CslEvaluator *self, const CslNode *node, const CslValue *arguments)
{
    const CslType *type = argument_type(self, node, 0, arguments);
    CslRange *range = CSL_ARENA_ARRAY(self->program->arena, CslRange, 1);
    CslValue numbers[4] = {{0}};

    if (type == NULL || node->count == 3) {
        csl_complain(self, node,
                     "@range takes a type and an end, or start, end and step");
        return csl_no_value();
    }
    if (!csl_type_is_integer(type)) {
        csl_complain(self, node, "@range takes an integer type, not %s", type->name);
        return csl_no_value();
    }
    for (uint32_t i = 1; i < node->count; i++) {
        numbers[i] = csl_coerce(self, node->children[i], arguments[i], type);
        if (numbers[i].type == NULL) {
            return csl_no_value();
        }
    }
    *range = (CslRange){.type = type, .stop = numbers[1].integer, .step = 1};
    if (node->count == 4) {
        range->start = numbers[1].integer;
        range->stop = numbers[2].integer;
        range->step = numbers[3].integer;
    }
    if (range->step == 0) {
        csl_complain(self, node->children[3], "the step of @range is 0");
        return csl_no_value();
    }
    return (CslValue){.type = CSL_T(RANGE), .range = range};
}

CslValue csl_builtin_range_part(CslEvaluator *self,
                                const CslNode *node,
                                const CslValue *arguments)
{
    const CslRange *range = arguments[0].range;

    if (arguments[0].type->kind != CSL_KIND_RANGE) {
        csl_complain(self, node, "expected a range, found %s", arguments[0].type->name);
        return csl_no_value();
    }
    if (g_str_has_suffix(node->name, "start")) {
        return csl_value_integer(range->type, range->start);
    }
    return csl_value_integer(
        range->type, g_str_has_suffix(node->name, "stop") ? range->stop : range->step);
}

CslValue csl_builtin_concat_structs(CslEvaluator *self,
                                    const CslNode *node,
                                    const CslValue *arguments)
{
    const char *common = NULL;
    CslValue joined = {.type = CSL_T(COMPTIME_STRUCT)};

    for (uint32_t i = 0; i < 2; i++) {
        if (arguments[i].type->kind != CSL_KIND_STRUCT &&
            arguments[i].type->kind != CSL_KIND_RECORD) {
            csl_complain(self, node->children[i], "expected a struct, found %s",
                         arguments[i].type->name);
            return csl_no_value();
        }
    }
    joined.members = csl_struct_join(self->program->values, arguments[0].members,
                                     arguments[1].members, &common);
    if (common != NULL) {
        csl_complain(self, node, "both structs have a field '%s'", common);
        return csl_no_value();
    }
    return joined;
}

CslValue csl_builtin_comptime_assert(CslEvaluator *self,
                                     const CslNode *node,
                                     const CslValue *arguments)
{
    if (arguments[0].type->kind != CSL_KIND_BOOL) {
        csl_complain(self, node->children[0], "expected a bool, found %s",
                     arguments[0].type->name);
        return csl_no_value();
    }
    if (arguments[0].integer != 0) {
        return csl_value_void();
    }
    if (node->count == 2 && arguments[1].type->kind == CSL_KIND_STRING) {
        csl_complain(self, node, "%s is false: %s", node->name,
                     arguments[1].text->bytes);
    } else {
        csl_complain(self, node, "%s is false", node->name);
    }
    return csl_no_value();
}

CslValue
csl_builtin_is_arch(CslEvaluator *self, const CslNode *node, const CslValue *arguments)
{
    const char *name = csl_argument_text(self, node->children[0], &arguments[0]);

    return name == NULL ? csl_no_value()
                        : boolean(g_strcmp0(name, self->program->options.arch) == 0);
}

CslValue
csl_builtin_type_of(CslEvaluator *self, const CslNode *node, const CslValue *arguments)
{
    const CslNode *of = node->children[0];
    CslValue value;

    (void) arguments;
    if (of->kind == CSL_NAME && of->binding == CSL_GLOBAL) {
        const CslType *type = csl_global_type(
            self, csl_module_at(self->frame->module, of->slot), csl_here(self, of));

        return type == NULL ? csl_no_value() : csl_value_type(type);
    }
    if (self->type_of != NULL) {
        const CslType *type = self->type_of(self, of);

        return type == NULL ? csl_no_value() : csl_value_type(type);
    }
    value = csl_evaluate(self, of);
    return value.type == NULL ? value : csl_value_type(value.type);
}

CslValue csl_builtin_is_same_type(CslEvaluator *self,
                                  const CslNode *node,
                                  const CslValue *arguments)
{
    const CslType *a = argument_type(self, node, 0, arguments);
    const CslType *b = argument_type(self, node, 1, arguments);

    return a == NULL || b == NULL ? csl_no_value() : boolean(a == b);
}

CslValue csl_builtin_comptime_print(CslEvaluator *self,
                                    const CslNode *node,
                                    const CslValue *arguments)
{
    for (uint32_t i = 0; i < node->count; i++) {
        g_autofree char *text = csl_value_text(&arguments[i]);

        csl_report(self->program->to, CSL_WARNING, csl_here(self, node),
                   "@comptime_print: %s", text);
    }
    return csl_value_void();
}

/* The field that two arguments name: NULL if there is none, or after a report. */
static const CslValue *find_field(CslEvaluator *self,
                                  const CslNode *node,
                                  const CslValue *arguments,
                                  bool *is_well)
{
    const char *name = csl_argument_text(self, node->children[1], &arguments[1]);

    *is_well = name != NULL && (arguments[0].type->kind == CSL_KIND_STRUCT ||
                                arguments[0].type->kind == CSL_KIND_RECORD);
    if (name != NULL && !*is_well) {
        csl_complain(self, node->children[0], "expected a struct, found %s",
                     arguments[0].type->name);
    }
    return *is_well
               ? csl_struct_find(arguments[0].members, csl_name(self->program, name))
               : NULL;
}

CslValue csl_builtin_has_field(CslEvaluator *self,
                               const CslNode *node,
                               const CslValue *arguments)
{
    bool is_well = false;
    const CslValue *found = find_field(self, node, arguments, &is_well);

    return is_well ? boolean(found != NULL) : csl_no_value();
}

CslValue
csl_builtin_field(CslEvaluator *self, const CslNode *node, const CslValue *arguments)
{
    bool is_well = false;
    const CslValue *found = find_field(self, node, arguments, &is_well);

    if (is_well && found == NULL) {
        csl_complain(self, node, "the struct has no field '%s'",
                     arguments[1].text->bytes);
    }
    return found == NULL ? csl_no_value() : *found;
}

CslValue
csl_builtin_strcat(CslEvaluator *self, const CslNode *node, const CslValue *arguments)
{
    size_t length = 0;
    CslText *text;

    for (uint32_t i = 0; i < node->count; i++) {
        if (csl_argument_text(self, node->children[i], &arguments[i]) == NULL) {
            return csl_no_value();
        }
        length += arguments[i].text->length;
    }
    text = csl_arena_allocate(self->program->arena, sizeof *text + length + 1);
    for (uint32_t i = 0; i < node->count; i++) {
        memcpy(text->bytes + text->length, arguments[i].text->bytes,
               arguments[i].text->length);
        text->length += arguments[i].text->length;
    }
    return (CslValue){.type = CSL_T(COMPTIME_STRING), .text = text};
}

CslValue csl_builtin_get_string_from_byte(CslEvaluator *self,
                                          const CslNode *node,
                                          const CslValue *arguments)
{
    CslText *text = csl_arena_allocate(self->program->arena, sizeof *text + 2);
    uint32_t byte = 0;

    if (!csl_argument_integer(self, node->children[0], &arguments[0], UINT8_MAX,
                              &byte)) {
        return csl_no_value();
    }
    text->bytes[0] = (char) byte;
    text->length = 1;
    return (CslValue){.type = CSL_T(COMPTIME_STRING), .text = text};
}

CslValue
csl_builtin_strlen(CslEvaluator *self, const CslNode *node, const CslValue *arguments)
{
    if (csl_argument_text(self, node->children[0], &arguments[0]) == NULL) {
        return csl_no_value();
    }
    return csl_value_integer(CSL_T(COMPTIME_INT), arguments[0].text->length);
}

CslValue csl_builtin_get_array(CslEvaluator *self,
                               const CslNode *node,
                               const CslValue *arguments)
{
    CslValue value = {0};
    uint32_t length;

    if (csl_argument_text(self, node->children[0], &arguments[0]) == NULL) {
        return value;
    }
    length = arguments[0].text->length;
    value.type = csl_type_array(self->program->types, CSL_T(U8), &length, 1);
    value.array =
        csl_array_new(self->program->values, length, csl_value_integer(CSL_T(U8), 0));
    for (uint32_t i = 0; i < length; i++) {
        csl_array_set(
            self->program->values, value.array, i,
            csl_value_integer(CSL_T(U8), (guchar) arguments[0].text->bytes[i]));
    }
    return value;
}

CslValue csl_builtin_dimensions(CslEvaluator *self,
                                const CslNode *node,
                                const CslValue *arguments)
{
    const CslType *type = argument_array(self, node, arguments);
    CslValue value = {0};

    if (type == NULL) {
        return value;
    }
    value.type = csl_type_array(self->program->types, CSL_T(U32), &type->count, 1);
    value.array = csl_array_new(self->program->values, type->count,
                                csl_value_integer(CSL_T(U32), 0));
    for (uint32_t i = 0; i < type->count; i++) {
        csl_array_set(self->program->values, value.array, i,
                      csl_value_integer(CSL_T(U32), type->extents[i]));
    }
    return value;
}

CslValue
csl_builtin_rank(CslEvaluator *self, const CslNode *node, const CslValue *arguments)
{
    const CslType *type = argument_array(self, node, arguments);

    return type == NULL ? csl_no_value() : csl_value_integer(CSL_T(U16), type->count);
}

CslValue csl_builtin_element_count(CslEvaluator *self,
                                   const CslNode *node,
                                   const CslValue *arguments)
{
    const CslType *type = argument_array(self, node, arguments);

    return type == NULL ? csl_no_value()
                        : csl_value_integer(CSL_T(COMPTIME_INT),
                                            (CslInteger) csl_type_element_count(type));
}

CslValue csl_builtin_element_type(CslEvaluator *self,
                                  const CslNode *node,
                                  const CslValue *arguments)
{
    const CslType *type = argument_array(self, node, arguments);

    return type == NULL ? csl_no_value() : csl_value_type(type->element);
}

CslValue csl_builtin_is_comptime(CslEvaluator *self,
                                 const CslNode *node,
                                 const CslValue *arguments)
{
    (void) arguments;
    return boolean(self->analyser == NULL ||
                   csl_is_known(self->analyser, node->children[0]));
}

CslValue
csl_builtin_fp16(CslEvaluator *self, const CslNode *node, const CslValue *arguments)
{
    (void) self;
    (void) node;
    (void) arguments;
    return csl_value_type(CSL_T(F16));
}
