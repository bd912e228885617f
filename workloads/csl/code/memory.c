/* Lays globals out in the memory of a PE, with their first values. */
#include "workloads/csl/code/memory.h"

#include <math.h>
#include <string.h>

#include "arch/number/half.h"
#include "sim/narrow.h"
#include "workloads/csl/code/call.h"
#include "workloads/csl/code/emit.h"
#include "workloads/csl/code/generator.h"
#include "workloads/csl/code/operation.h"
#include "workloads/csl/code/registers.h"

static const CslType *element_of(const CslType *type)
{
    while (type->kind == CSL_KIND_ARRAY) {
        type = type->element;
    }
    return type;
}

/* A name for memory that no other has. Owned by the table. */
static const char *free_name(CslGenerator *self, const char *name)
{
    char *unique = g_strdup(name);

    for (guint i = 2; g_hash_table_contains(self->names, unique); i++) {
        g_free(unique);
        unique = g_strdup_printf("%s#%u", name, i);
    }
    g_hash_table_add(self->names, unique);
    return unique;
}

/* `count` numbers of a type; integers of 64 bits are two words, structs bytes. */
static guint new_array(CslGenerator *self,
                       const char *name,
                       const CslType *element,
                       uint64_t count,
                       guint align)
{
    ArchWseType type = ARCH_WSE_U16;
    g_autoptr(GError) error = NULL;
    guint array = 0;

    if (element->kind == CSL_KIND_RECORD) {
        type = ARCH_WSE_U8;
        count *= csl_type_bytes(element);
        align = MAX(align, 4);
    } else if (csl_is_pair(element)) {
        type = ARCH_WSE_U32;
        count *= 2;
    } else {
        type = csl_machine_type(self, element);
    }
    if (count > UINT16_MAX) {
        csl_code_fail(self,
                      "'%s' needs %" G_GUINT64_FORMAT " numbers, a PE has room "
                      "for fewer",
                      name, count);
        count = 1;
    }
    csl_check(self,
              arch_wse_program_array(self->program, name, type, sim_u32(MAX(count, 1)),
                                     align, &array, &error),
              &error);
    return array;
}

static guint address_of_name(const CslGenerator *self, const char *name)
{
    ArchWseSymbol symbol = {0};

    (void) arch_wse_program_find(self->program, name, &symbol);
    return symbol.address;
}

guint csl_new_memory(CslGenerator *self, const char *name, const CslType *type)
{
    const uint64_t count =
        type->kind == CSL_KIND_ARRAY ? csl_type_element_count(type) : 1;
    const char *unique = free_name(self, name);

    (void) new_array(self, unique, element_of(type), count, 0);
    return address_of_name(self, unique);
}

static int64_t float_bits(const CslType *type, double real)
{
    const float single = (float) real;
    uint32_t bits = 0;

    if (type == CSL_T(F16)) {
        return arch_half_from_double(real);
    }
    memcpy(&bits, &single, sizeof bits);
    return bits;
}

int64_t csl_bits_of(CslGenerator *self, const CslValue *value)
{
    const CslType *type = value->type;

    switch (+type->kind) {
    case CSL_KIND_FLOAT:
    case CSL_KIND_COMPTIME_FLOAT:
        return float_bits(type, value->real);
    case CSL_KIND_POINTER:
        return csl_address_at(self, value->pointer, type);
    case CSL_KIND_VOID:
        return 0;
    case CSL_KIND_DSD:
        return csl_dsd_constant(self, value).bits;
    case CSL_KIND_FUNCTION: {
        guint number = 0;

        if (csl_task_number(self, value, &number)) {
            return number;
        }
        return csl_function_number(self, value->function);
    }
    case CSL_KIND_BOOL:
    case CSL_KIND_SIGNED:
    case CSL_KIND_UNSIGNED:
    case CSL_KIND_COMPTIME_INT:
    case CSL_KIND_ID:
    case CSL_KIND_ENUM:
    case CSL_KIND_DIRECTION:
    case CSL_KIND_DSR:
    case CSL_KIND_FIFO:
        return (int64_t) value->integer;
    default:
        csl_code_fail(self, "a value of %s where PEs need a number", type->name);
        return 0;
    }
}

/* The number that arch_wse_program_set() takes for it. */
static double initial(CslGenerator *self, const CslValue *value)
{
    return value->type->kind == CSL_KIND_FLOAT ||
                   value->type->kind == CSL_KIND_COMPTIME_FLOAT
               ? value->real
               : (double) csl_bits_of(self, value);
}

/* A value byte by byte, with its members or elements; `first` is the place of its
 * first. */
static void set_bytes(CslGenerator *self,
                      guint array,
                      const CslValue *value,
                      const CslType *type,
                      guint first)
{
    const guint bytes = sim_u32(csl_type_bytes(type));

    if (type->kind == CSL_KIND_RECORD) {
        for (uint32_t i = 0; i < type->count; i++) {
            set_bytes(self, array, csl_struct_find(value->members, type->names[i]),
                      type->parts[i], first);
            first += sim_u32(csl_type_bytes(type->parts[i]));
        }
        return;
    }
    if (type->kind == CSL_KIND_ARRAY) {
        for (uint64_t i = 0; i < value->array->count; i++) {
            const CslValue item = csl_array_get(value->array, i);

            set_bytes(self, array, &item, type->element, first);
            first += sim_u32(csl_type_bytes(type->element));
        }
        return;
    }
    const uint64_t bits = (uint64_t) csl_bits_of(self, value);

    for (guint i = 0; i < bytes; i++) {
        const double byte = (double) (bits >> 8 * i & UINT8_MAX);
        g_autoptr(GError) error = NULL;

        csl_check(
            self,
            arch_wse_program_set(self->program, array, first + i, &byte, 1, &error),
            &error);
    }
}

static void set_numbers(CslGenerator *self,
                        guint array,
                        const CslValue *value,
                        const CslType *element,
                        guint index)
{
    g_autoptr(GError) error = NULL;
    const bool is_wide = csl_is_pair(element);

    if (element->kind == CSL_KIND_RECORD) {
        set_bytes(self, array, value, element,
                  index * sim_u32(csl_type_bytes(element)));
        return;
    }
    const uint64_t bits = is_wide ? (uint64_t) csl_bits_of(self, value) : 0;
    const double words[] = {is_wide ? (double) (bits & UINT32_MAX)
                                    : initial(self, value),
                            (double) (bits >> 32)};

    csl_check(self,
              arch_wse_program_set(self->program, array, is_wide ? 2 * index : index,
                                   words, is_wide ? 2 : 1, &error),
              &error);
}

static bool is_zero(CslGenerator *self, const CslValue *value)
{
    if (value->type->kind == CSL_KIND_RECORD || value->type->kind == CSL_KIND_STRUCT) {
        return false;
    }
    if (value->type->kind == CSL_KIND_FLOAT) {
        return value->real == 0 && !signbit(value->real);
    }
    return value->type->kind != CSL_KIND_POINTER && csl_bits_of(self, value) == 0;
}

static void set_initial(CslGenerator *self, guint array, const CslGlobal *global)
{
    const CslType *element = element_of(global->type);
    const CslValue *value = &global->value;

    if (value->type == NULL || value->type->kind == CSL_KIND_VOID) {
        return;
    }
    if (value->type->kind != CSL_KIND_ARRAY) {
        if (!is_zero(self, value)) {
            set_numbers(self, array, value, element, 0);
        }
        return;
    }
    if (value->array->items == NULL && is_zero(self, &value->array->fill)) {
        return;
    }
    for (uint64_t i = 0; i < value->array->count; i++) {
        const CslValue item = csl_array_get(value->array, i);

        set_numbers(self, array, &item, element, sim_u32(i));
    }
}

guint csl_memory_of(CslGenerator *self, const CslValue *value)
{
    g_autofree char *text = g_strdup_printf("array %p", (const void *) value->array);
    bool is_made;
    guint *address = csl_made_once(self, text, &is_made);

    if (!is_made) {
        const char *name = free_name(self, "constant");
        const guint array =
            new_array(self, name, element_of(value->type), value->array->count, 0);

        for (uint64_t i = 0; i < value->array->count; i++) {
            const CslValue item = csl_array_get(value->array, i);

            set_numbers(self, array, &item, element_of(value->type), sim_u32(i));
        }
        *address = address_of_name(self, name);
    }
    return *address;
}

/* FIFOs raise the alignment of their buffers. */
static guint align_of(const CslGenerator *self, const CslGlobal *global)
{
    for (guint i = 0; i < self->pe->fifos->len; i++) {
        if (g_array_index(self->pe->fifos, CslFifo, i).buffer == global) {
            return MAX(global->align_bytes, 4);
        }
    }
    return global->align_bytes;
}

const CslCodeArray *csl_array_of(CslGenerator *self, CslGlobal *global)
{
    CslCodeArray *made = g_hash_table_lookup(self->arrays, global);
    const CslPlace outer = self->place;
    const char *name = csl_global_name(global);

    if (made != NULL) {
        return made;
    }
    made = g_new0(CslCodeArray, 1);
    g_hash_table_insert(self->arrays, global, made);
    self->place = csl_global_place(global);
    if (global->type == NULL) {
        csl_code_fail(self, "'%s' has no type", name);
        return made;
    }
    name = free_name(self, name);
    made->array = new_array(
        self, name, element_of(global->type),
        global->type->kind == CSL_KIND_ARRAY ? csl_type_element_count(global->type) : 1,
        align_of(self, global));
    made->address = address_of_name(self, name);
    set_initial(self, made->array, global);
    self->place = outer;
    return made;
}

guint csl_address_at(CslGenerator *self, const CslPointer *pointer, const CslType *type)
{
    const CslType *element;

    if (pointer->global == NULL) {
        arch_wse_program_map_config(self->program);
        return csl_u32(pointer->offset & UINT16_MAX);
    }
    if (pointer->global->node->kind == CSL_FUNCTION) {
        return sim_u32(csl_function_number(self, pointer->global));
    }
    element = pointer->global->type == NULL ? type->element : pointer->global->type;
    return csl_u32(
        (csl_array_of(self, pointer->global)->address +
         pointer->offset * (CslInteger) csl_type_bytes(element_of(element))) &
        UINT16_MAX);
}

guint csl_registers_of(CslGenerator *self, CslGlobal *global)
{
    guint *first = g_hash_table_lookup(self->registers, global);
    int64_t bits = 0;

    if (first != NULL) {
        return *first;
    }
    if (global->value.type != NULL && global->value.type->kind == CSL_KIND_DSD) {
        bits = csl_dsd_constant(self, &global->value).bits;
    }
    first = g_new(guint, 1);
    *first = csl_new_register(self, NULL, csl_low_word(bits));
    (void) csl_new_register(self, NULL, csl_high_word(bits));
    g_hash_table_insert(self->registers, global, first);
    return *first;
}

void csl_lay_out(CslGenerator *self)
{
    for (guint i = 0; i < self->pe->modules->len; i++) {
        CslModule *module = self->pe->modules->pdata[i];

        for (uint32_t j = 0; j < module->file->tree->global_count; j++) {
            CslGlobal *global = &module->globals[j];

            if (global->node->kind == CSL_VARIABLE &&
                global->node->token == CSL_TOKEN_VAR && global->state == CSL_KNOWN &&
                global->type_state == CSL_KNOWN && csl_type_bytes(global->type) > 0 &&
                element_of(global->type)->kind != CSL_KIND_DSD) {
                (void) csl_array_of(self, global);
            }
        }
    }
}
