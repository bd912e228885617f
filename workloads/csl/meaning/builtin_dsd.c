/* Builtins that make and change DSDs, FIFOs and DSRs at comptime. */
#include <string.h>

#include "sim/narrow.h"
#include "workloads/csl/meaning/builtin.h"

/* Fields that @get_dsd takes, by kind. */
typedef struct {
    const CslType *kind;
    const char *names[10];
} FieldNames;

static const FieldNames field_names[] = {
    {CSL_T(MEM1D_DSD),
     {"tensor_access", "base_address", "extent", "stride", "offset",
      "wavelet_index_offset", NULL}},
    {CSL_T(MEM4D_DSD),
     {"tensor_access", "base_address", "extent", "stride", "offset",
      "wavelet_index_offset", NULL}},
    {CSL_T(FABIN_DSD),
     {"fabric_color", "extent", "input_queue", "control_transform", "priority",
      "simd_mode", NULL}},
    {CSL_T(FABOUT_DSD),
     {"fabric_color", "extent", "output_queue", "control", "wavelet_index_offset",
      "advance_switch", "simd_mode", "zero", "control_transform", NULL}},
};

static const CslValue *
field(const CslEvaluator *self, const CslStruct *fields, const char *name)
{
    return fields == NULL ? NULL
                          : csl_struct_find(fields, csl_name(self->program, name));
}

bool csl_check_dsd_field(CslEvaluator *self,
                         const CslNode *node,
                         const CslType *kind,
                         const char *name)
{
    const FieldNames *row = field_names;
    g_autofree char *all = NULL;

    while (row->kind != kind) {
        row++;
    }
    if (name != NULL && g_strv_contains(row->names, name)) {
        return true;
    }
    all = g_strjoinv(", ", (char **) row->names);
    csl_complain(self, node, "%s has no field '%s'", kind->name,
                 name == NULL ? "without name" : name);
    csl_report_hint(self->program->to, "there are %s", all);
    return false;
}

static bool check_names(CslEvaluator *self,
                        const CslNode *node,
                        const CslType *kind,
                        const CslStruct *fields)
{
    for (uint32_t i = 0; i < fields->count; i++) {
        if (!csl_check_dsd_field(self, node, kind, csl_struct_at(fields, i)->name)) {
            return false;
        }
    }
    return true;
}

static bool check_type(CslEvaluator *self,
                       const CslNode *node,
                       const CslStruct *fields,
                       const char *name,
                       const CslType *type)
{
    const CslValue *value = field(self, fields, name);

    if (value == NULL || value->type == type) {
        return true;
    }
    csl_complain(self, node, "expected %s for .%s, found %s", type->name, name,
                 value->type->name);
    return false;
}

/* An integer field in its range, or what it is by default; false after a report. */
static bool read_integer(CslEvaluator *self,
                         const CslNode *node,
                         const CslStruct *fields,
                         const char *name,
                         CslInteger *to)
{
    const CslValue *value = field(self, fields, name);

    if (value == NULL) {
        return true;
    }
    if (!csl_type_is_integer(value->type)) {
        csl_complain(self, node, "expected an integer for .%s, found %s", name,
                     value->type->name);
        return false;
    }
    *to = value->integer;
    return true;
}

static bool
read_base(CslEvaluator *self, const CslNode *node, const CslValue *base, CslAccess *to)
{
    const CslType *type = base->type;

    if (type->kind != CSL_KIND_POINTER) {
        csl_complain(self, node, "expected a pointer for .base_address, found %s",
                     type->name);
        return false;
    }
    to->base = csl_pointer_new(self->program->values, base->pointer->global, 0);
    to->offset += base->pointer->offset;
    to->element =
        type->element->kind == CSL_KIND_ARRAY ? type->element->element : type->element;
    return true;
}

static bool read_line(CslEvaluator *self,
                      const CslNode *node,
                      const CslStruct *fields,
                      CslAccess *to)
{
    return read_integer(self, node, fields, "extent", &to->extents[0]) &&
           read_integer(self, node, fields, "stride", &to->strides[0]);
}

/* The numbers of a tuple, or one number; their count, or 0 after a report. */
static uint32_t read_tuple(CslEvaluator *self,
                           const CslNode *node,
                           const CslStruct *fields,
                           const char *name,
                           CslInteger *to)
{
    const CslValue *value = field(self, fields, name);
    uint32_t count = 0;

    if (value == NULL || value->type->kind != CSL_KIND_STRUCT) {
        return value != NULL && read_integer(self, node, fields, name, to) ? 1 : 0;
    }
    for (; value->members->is_tuple && count < value->members->count; count++) {
        const CslValue *item = &csl_struct_at(value->members, count)->value;

        if (count == CSL_RANK_MOST || !csl_type_is_integer(item->type) ||
            item->integer > UINT16_MAX || item->integer < -UINT16_MAX) {
            count = 0;
            break;
        }
        to[count] = item->integer;
    }
    if (count == 0) {
        csl_complain(self, node, "expected 1 to %d integers of 16 bits for .%s",
                     CSL_RANK_MOST, name);
    }
    return count;
}

/* Raw shapes: extents with the last the fastest; steps of the hardware with the fastest
 * first, each what is added when its dimension advances and all faster ones go back. */
static bool read_steps(CslEvaluator *self,
                       const CslNode *node,
                       const CslStruct *fields,
                       CslAccess *to)
{
    CslInteger steps[CSL_RANK_MOST] = {1};
    CslInteger back = 0;
    const bool has_steps = field(self, fields, "stride") != NULL;
    uint32_t count;

    if (field(self, fields, "extent") == NULL) {
        csl_complain(self, node, "a mem4d_dsd with .base_address needs .extent");
        return false;
    }
    to->rank = read_tuple(self, node, fields, "extent", to->extents);
    count = has_steps ? read_tuple(self, node, fields, "stride", steps) : 1;
    if (to->rank == 0 || count == 0) {
        return false;
    }
    if (count != to->rank) {
        csl_complain(self, node, "%u extents and %u strides", to->rank, count);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t dimension = count - 1 - i;

        to->strides[dimension] = steps[i] + back;
        back += (to->extents[dimension] - 1) * to->strides[dimension];
    }
    return true;
}

static bool
read_memory(CslEvaluator *self, const CslNode *node, const CslType *kind, CslDsd *dsd)
{
    const CslValue *access = field(self, dsd->fields, "tensor_access");
    const CslValue *base = field(self, dsd->fields, "base_address");
    CslAccess *to = &dsd->access;

    if (access != NULL && access->type->kind != CSL_KIND_ACCESS) {
        csl_complain(self, node, "expected |i|{n} -> a[i] for .tensor_access, found %s",
                     access->type->name);
        return false;
    }
    if (access != NULL) {
        *to = *access->access;
    } else {
        to->rank = 1;
        to->strides[0] = 1;
        if (base == NULL) {
            csl_complain(self, node, "a %s needs .tensor_access or .base_address",
                         kind->name);
            return false;
        }
        if (!read_integer(self, node, dsd->fields, "offset", &to->offset) ||
            !read_base(self, node, base, to) ||
            !(kind == CSL_T(MEM1D_DSD) ? read_line(self, node, dsd->fields, to)
                                       : read_steps(self, node, dsd->fields, to))) {
            return false;
        }
    }
    if (kind == CSL_T(MEM1D_DSD) && to->rank != 1) {
        csl_complain(self, node, "a mem1d_dsd has one access variable, found %u",
                     to->rank);
        csl_report_hint(self->program->to, "mem4d_dsd has up to four");
        return false;
    }
    return true;
}

static bool
read_fabric(CslEvaluator *self, const CslNode *node, const CslType *kind, CslDsd *dsd)
{
    dsd->access.rank = 1;
    if (field(self, dsd->fields, "extent") == NULL) {
        csl_complain(self, node, "a %s needs .extent", kind->name);
        return false;
    }
    return check_type(self, node, dsd->fields, "fabric_color", CSL_T(COLOR)) &&
           check_type(self, node, dsd->fields, "input_queue", CSL_T(INPUT_QUEUE)) &&
           check_type(self, node, dsd->fields, "output_queue", CSL_T(OUTPUT_QUEUE)) &&
           read_integer(self, node, dsd->fields, "extent", &dsd->access.extents[0]);
}

CslValue
csl_builtin_get_dsd(CslEvaluator *self, const CslNode *node, const CslValue *arguments)
{
    const CslType *kind = arguments[0].meant;
    CslDsd *dsd = CSL_ARENA_ARRAY(self->program->arena, CslDsd, 1);
    bool is_well;

    if (arguments[0].type->kind != CSL_KIND_TYPE || kind->kind != CSL_KIND_DSD) {
        csl_complain(self, node->children[0], "expected a type of DSDs");
        csl_report_hint(self->program->to,
                        "there are mem1d_dsd, mem4d_dsd, fabin_dsd and fabout_dsd");
        return csl_no_value();
    }
    if (arguments[1].type->kind != CSL_KIND_STRUCT) {
        csl_complain(self, node->children[1], "expected a struct of fields, found %s",
                     arguments[1].type->name);
        return csl_no_value();
    }
    dsd->fields = arguments[1].members;
    if (!check_names(self, node->children[1], kind, dsd->fields)) {
        return csl_no_value();
    }
    is_well = kind == CSL_T(MEM1D_DSD) || kind == CSL_T(MEM4D_DSD)
                  ? read_memory(self, node, kind, dsd)
                  : read_fabric(self, node, kind, dsd);
    return is_well ? (CslValue){.type = kind, .dsd = dsd} : csl_no_value();
}

/* A copy of the DSD that an argument is; NULL after a report. */
static CslDsd *copy_dsd(CslEvaluator *self, const CslNode *node, const CslValue *of)
{
    CslDsd *copy;

    if (of->type->kind != CSL_KIND_DSD) {
        csl_complain(self, node->children[0], "expected a DSD, found %s",
                     of->type->name);
        return NULL;
    }
    copy = CSL_ARENA_ARRAY(self->program->arena, CslDsd, 1);
    *copy = *of->dsd;
    return copy;
}

CslValue csl_builtin_increment_dsd_offset(CslEvaluator *self,
                                          const CslNode *node,
                                          const CslValue *arguments)
{
    CslDsd *dsd = copy_dsd(self, node, &arguments[0]);
    const CslValue count =
        csl_coerce(self, node->children[1], arguments[1], CSL_T(I16));

    if (dsd == NULL || count.type == NULL) {
        return csl_no_value();
    }
    if (arguments[2].type->kind != CSL_KIND_TYPE) {
        csl_complain(self, node->children[2], "expected the type of elements, found %s",
                     arguments[2].type->name);
        return csl_no_value();
    }
    dsd->offset_bytes +=
        count.integer * (CslInteger) csl_type_bytes(arguments[2].meant);
    return (CslValue){.type = arguments[0].type, .dsd = dsd};
}

CslValue csl_builtin_set_dsd_base_addr(CslEvaluator *self,
                                       const CslNode *node,
                                       const CslValue *arguments)
{
    CslSpot spot;
    CslDsd *dsd = copy_dsd(self, node, &arguments[0]);

    if (dsd == NULL || !csl_locate(self, node->children[1], &spot)) {
        return csl_no_value();
    }
    dsd->access.base = csl_pointer_new(self->program->values, spot.global, 0);
    dsd->access.offset = spot.offset;
    dsd->offset_bytes = 0;
    return (CslValue){.type = arguments[0].type, .dsd = dsd};
}

/* Sets the length or the stride. */
static CslValue set_number(CslEvaluator *self,
                           const CslNode *node,
                           const CslValue *arguments,
                           const CslType *type)
{
    CslDsd *dsd = copy_dsd(self, node, &arguments[0]);
    const CslValue number = csl_coerce(self, node->children[1], arguments[1], type);

    if (dsd == NULL || number.type == NULL) {
        return csl_no_value();
    }
    if (arguments[0].type == CSL_T(MEM4D_DSD)) {
        csl_complain(self, node, "%s does not take a mem4d_dsd", node->name);
        return csl_no_value();
    }
    if (type == CSL_T(U16)) {
        dsd->access.extents[0] = number.integer;
    } else {
        dsd->access.strides[0] = number.integer;
    }
    return (CslValue){.type = arguments[0].type, .dsd = dsd};
}

CslValue csl_builtin_set_dsd_length(CslEvaluator *self,
                                    const CslNode *node,
                                    const CslValue *arguments)
{
    return set_number(self, node, arguments, CSL_T(U16));
}

CslValue csl_builtin_set_dsd_stride(CslEvaluator *self,
                                    const CslNode *node,
                                    const CslValue *arguments)
{
    return set_number(self, node, arguments, CSL_T(I8));
}

CslValue csl_builtin_allocate_fifo(CslEvaluator *self,
                                   const CslNode *node,
                                   const CslValue *arguments)
{
    CslFifo fifo = {.place = csl_here(self, node)};
    CslSpot spot;

    if (!csl_locate(self, node->children[0], &spot)) {
        return csl_no_value();
    }
    if (spot.type->kind != CSL_KIND_ARRAY || spot.is_const || spot.global == NULL) {
        csl_complain(self, node->children[0], "a FIFO needs a global var array, not %s",
                     spot.type->name);
        return csl_no_value();
    }
    fifo.buffer = spot.global;
    if (node->count == 2) {
        if (arguments[1].type->kind != CSL_KIND_STRUCT) {
            csl_complain(self, node->children[1],
                         "expected a struct of options, found %s",
                         arguments[1].type->name);
            return csl_no_value();
        }
        fifo.fields = arguments[1].members;
    }
    g_array_append_val(self->pe->fifos, fifo);
    return csl_value_integer(CSL_T(FIFO), self->pe->fifos->len - 1);
}

CslValue
csl_builtin_get_dsr(CslEvaluator *self, const CslNode *node, const CslValue *arguments)
{
    GArray *dsrs = self->pe->dsrs;
    CslDsrUse use = {.kind = arguments[0].meant, .place = csl_here(self, node)};

    if (arguments[0].type->kind != CSL_KIND_TYPE || use.kind->kind != CSL_KIND_DSR) {
        csl_complain(self, node->children[0], "expected a type of DSRs, as dsr_dest");
        return csl_no_value();
    }
    if (!csl_argument_integer(self, node->children[1], &arguments[1], 63,
                              &use.number)) {
        return csl_no_value();
    }
    for (guint i = 0; i < dsrs->len; i++) {
        const CslDsrUse *other = &g_array_index(dsrs, CslDsrUse, i);

        /* Programs take a DSR twice for operations that never overlap. */
        if (other->kind == use.kind && other->number == use.number) {
            return csl_value_integer(use.kind, use.number);
        }
    }
    g_array_append_val(dsrs, use);
    return csl_value_integer(use.kind, use.number);
}
