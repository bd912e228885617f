/* Generates reads and writes of what lies in registers and in memory. */
#include "sim/narrow.h"
#include "workloads/csl/code/emit.h"
#include "workloads/csl/code/expression.h"
#include "workloads/csl/code/generator.h"
#include "workloads/csl/code/memory.h"
#include "workloads/csl/code/registers.h"

static CslCodeSpot locate_global(CslGenerator *self, const CslTyped *typed)
{
    if (typed->type->kind == CSL_KIND_DSD) {
        return (CslCodeSpot){.is_register = true,
                             .variable = csl_registers_of(self, typed->global),
                             .type = typed->type};
    }
    return (CslCodeSpot){.base =
                             csl_constant(csl_array_of(self, typed->global)->address),
                         .type = typed->type};
}

/* base + number, in bytes. */
static void add_bytes(CslGenerator *self, CslCodeSpot *spot, CslNumber number)
{
    if (number.is_constant) {
        spot->offset = csl_half(spot->offset + number.bits, 0);
    } else if (spot->base.is_constant) {
        spot->offset = csl_half(spot->offset + spot->base.bits, 0);
        spot->base = number;
    } else {
        spot->base = csl_compute(self, "add", ARCH_WSE_U16, spot->base, number);
    }
}

static CslNumber scale(CslGenerator *self, CslNumber number, uint64_t by)
{
    if (number.is_constant) {
        return csl_constant(number.bits * (int64_t) by);
    }
    if (by == 1) {
        return number;
    }
    if ((by & (by - 1)) == 0) {
        return csl_compute(self, "shl", ARCH_WSE_U16, number,
                           csl_constant(g_bit_nth_msf(by, -1)));
    }
    return csl_compute(self, "mul", ARCH_WSE_U16, number, csl_constant((int64_t) by));
}

/* The lower half of an index of 64 bits is enough. */
static CslNumber generate_index(CslGenerator *self, const CslTyped *index)
{
    return csl_generate(self, index, CSL_ANYWHERE_ELSE);
}

static CslCodeSpot locate_index(CslGenerator *self, const CslTyped *typed)
{
    const CslTyped *whole = typed->children[0];
    const CslType *array = whole->type;
    CslCodeSpot spot;
    CslNumber flat = csl_constant(0);

    if (whole->type->kind == CSL_KIND_POINTER) {
        spot = (CslCodeSpot){.base = csl_generate(self, whole, CSL_ANYWHERE_ELSE)};
        array = whole->type->is_many ? NULL : whole->type->element;
    } else if (whole->kind == CSL_TYPED_CONSTANT) {
        spot = (CslCodeSpot){.base = csl_constant(csl_memory_of(self, &whole->value))};
    } else {
        spot = csl_locate_code(self, whole);
    }
    for (uint32_t i = 1; i < typed->count; i++) {
        const CslNumber index = generate_index(self, typed->children[i]);

        if (i > 1 && array != NULL) {
            flat = scale(self, flat, array->extents[i - 1]);
        }
        if (flat.is_constant && index.is_constant) {
            flat.bits += index.bits;
        } else if (flat.is_constant && flat.bits == 0) {
            flat = index;
        } else {
            flat = csl_compute(self, "add", ARCH_WSE_U16, flat, index);
        }
    }
    add_bytes(self, &spot, scale(self, flat, csl_type_bytes(typed->type)));
    spot.type = typed->type;
    return spot;
}

/* Bytes before a member of a struct. */
static int member_offset(const CslType *record, const char *name)
{
    int offset = 0;

    for (uint32_t i = 0; i < record->count && record->names[i] != name; i++) {
        offset += sim_i32(csl_type_bytes(record->parts[i]));
    }
    return offset;
}

static CslCodeSpot locate_field(CslGenerator *self, const CslTyped *typed)
{
    const CslType *whole = typed->children[0]->type;
    CslCodeSpot spot = csl_locate_code(self, typed->children[0]);

    spot.offset += member_offset(whole, typed->name);
    spot.type = typed->type;
    return spot;
}

CslCodeSpot csl_locate_code(CslGenerator *self, const CslTyped *typed)
{
    switch (+typed->kind) {
    case CSL_TYPED_LOCAL:
        return self->frame->places[typed->local];
    case CSL_TYPED_GLOBAL:
        return locate_global(self, typed);
    case CSL_TYPED_DEREFERENCE:
        return (CslCodeSpot){
            .base = csl_generate(self, typed->children[0], CSL_ANYWHERE_ELSE),
            .type = typed->type};
    case CSL_TYPED_INDEX:
        return locate_index(self, typed);
    case CSL_TYPED_FIELD:
        return locate_field(self, typed);
    case CSL_TYPED_CALL:
        if (!csl_is_number(typed->type) && typed->instance->body != NULL) {
            (void) csl_generate(self, typed, CSL_ANYWHERE_ELSE);
            return csl_frame_of(self, typed->instance)->whole;
        }
        break;
    default:
        break;
    }
    csl_emit_at(self, typed->place);
    csl_code_fail(self, "the simulated PE finds no address here");
    return (CslCodeSpot){.type = typed->type};
}

CslNumber csl_load(CslGenerator *self, const CslCodeSpot *from, guint wanted)
{
    guint to;

    if (from->is_register) {
        return csl_in_register(from->variable);
    }
    if (!csl_is_number(from->type)) {
        csl_code_fail(self, "a whole %s where PEs need a number", from->type->name);
        return csl_constant(0);
    }
    to = csl_target(self, from->type, wanted);
    csl_emit_load(self, csl_machine_type(self, from->type), to, from);
    return csl_in_register(to);
}

void csl_store(CslGenerator *self, const CslCodeSpot *to, CslNumber number)
{
    if (to->is_register) {
        csl_move(self, to->type, to->variable, number);
    } else {
        csl_emit_store(self, csl_machine_type(self, to->type), number, to);
    }
}

CslNumber csl_address(CslGenerator *self, const CslCodeSpot *of)
{
    if (of->is_register) {
        csl_code_fail(self, "a value without an address");
        return csl_constant(0);
    }
    if (of->base.is_constant) {
        return csl_constant((of->base.bits + of->offset) & UINT16_MAX);
    }
    if (of->offset == 0) {
        return of->base;
    }
    return csl_compute(self, "add", ARCH_WSE_U16, of->base, csl_constant(of->offset));
}

/* Stores the items that are known of an array. */
static void
store_known(CslGenerator *self, const CslCodeSpot *to, const CslValue *value)
{
    const CslType *element = value->type->element;

    for (uint64_t i = 0; i < value->array->count; i++) {
        const CslValue item = csl_array_get(value->array, i);
        CslCodeSpot spot = *to;

        spot.type = element;
        add_bytes(self, &spot, csl_constant((int64_t) (i * csl_type_bytes(element))));
        csl_store(self, &spot, csl_constant(csl_bits_of(self, &item)));
    }
}

/* Stores the members that are known of a struct. */
static void
store_members(CslGenerator *self, const CslCodeSpot *to, const CslValue *value)
{
    int offset = 0;

    for (uint32_t i = 0; i < to->type->count; i++) {
        const CslValue *member = csl_struct_find(value->members, to->type->names[i]);
        CslCodeSpot spot = *to;

        spot.type = to->type->parts[i];
        add_bytes(self, &spot, csl_constant(offset));
        if (member != NULL && spot.type->kind == CSL_KIND_RECORD) {
            store_members(self, &spot, member);
        } else if (member != NULL) {
            csl_store(self, &spot, csl_constant(csl_bits_of(self, member)));
        }
        offset += sim_i32(csl_type_bytes(spot.type));
    }
}

/* Copies 16 bits at a time, in a loop. */
static void copy(CslGenerator *self, const CslCodeSpot *to, const CslCodeSpot *from)
{
    const guint word = csl_take_single(self);
    const guint at = csl_take_single(self);
    const guint is_more = csl_take_single(self);
    const guint again = csl_emit_label(self);
    CslCodeSpot source = {.base = csl_address(self, from), .type = CSL_T(U16)};
    CslCodeSpot target = {.base = csl_address(self, to), .type = CSL_T(U16)};

    csl_emit_operate(self, "mov", ARCH_WSE_U16, at, csl_constant(0), csl_constant(0));
    csl_emit_place(self, again);
    add_bytes(self, &source, csl_in_register(at));
    add_bytes(self, &target, csl_in_register(at));
    csl_emit_load(self, ARCH_WSE_U16, word, &source);
    csl_emit_store(self, ARCH_WSE_U16, csl_in_register(word), &target);
    csl_emit_operate(self, "add", ARCH_WSE_U16, at, csl_in_register(at),
                     csl_constant(2));
    csl_emit_operate(self, "lt", ARCH_WSE_U16, is_more, csl_in_register(at),
                     csl_constant((int64_t) csl_type_bytes(to->type)));
    csl_emit_jump_if(self, csl_in_register(is_more), false, again);
}

static const char *item_name(const CslTyped *typed, uint32_t i)
{
    const CslNode *item = typed->node->children[i + 1];

    return item->kind == CSL_ITEM ? item->name : NULL;
}

/* Stores an item of a literal. */
static void
store_item(CslGenerator *self, CslCodeSpot spot, int offset, const CslTyped *item)
{
    spot.type = item->type;
    add_bytes(self, &spot, csl_constant(offset));
    if (csl_is_number(item->type)) {
        csl_store(self, &spot, csl_generate(self, item, CSL_ANYWHERE_ELSE));
    } else {
        csl_store_whole(self, &spot, item);
    }
}

static void
store_elements(CslGenerator *self, const CslCodeSpot *to, const CslTyped *typed)
{
    const int bytes = sim_i32(csl_type_bytes(to->type->element));

    for (uint32_t i = 0; i < typed->count; i++) {
        store_item(self, *to, bytes * sim_i32(i), typed->children[i]);
    }
}

/* By their names. Numbers are computed first: they may come from the struct itself. */
static void
store_fields(CslGenerator *self, const CslCodeSpot *to, const CslTyped *typed)
{
    g_autofree CslNumber *numbers = g_new0(CslNumber, MAX(typed->count, 1));

    for (uint32_t i = 0; i < typed->count; i++) {
        if (csl_is_number(typed->children[i]->type)) {
            numbers[i] = csl_generate(self, typed->children[i], CSL_ANYWHERE_ELSE);
        }
    }
    for (uint32_t i = 0; i < typed->count; i++) {
        const CslTyped *item = typed->children[i];
        const int offset = member_offset(to->type, item_name(typed, i));
        CslCodeSpot spot = *to;

        if (!csl_is_number(item->type)) {
            store_item(self, spot, offset, item);
            continue;
        }
        spot.type = item->type;
        add_bytes(self, &spot, csl_constant(offset));
        csl_store(self, &spot, numbers[i]);
    }
}

void csl_store_whole(CslGenerator *self, const CslCodeSpot *to, const CslTyped *typed)
{
    if (typed->kind == CSL_TYPED_CONSTANT && typed->type->kind == CSL_KIND_ARRAY) {
        store_known(self, to, &typed->value);
    } else if (typed->kind == CSL_TYPED_CONSTANT) {
        store_members(self, to, &typed->value);
    } else if (typed->kind == CSL_TYPED_STRUCT && to->type->kind == CSL_KIND_RECORD) {
        store_fields(self, to, typed);
    } else if (typed->kind == CSL_TYPED_STRUCT) {
        store_elements(self, to, typed);
    } else {
        const CslCodeSpot from = csl_locate_code(self, typed);

        copy(self, to, &from);
    }
}
