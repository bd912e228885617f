/* Values of comptime, stored once where they are compared. */
#include "workloads/csl/meaning/value.h"

#include <string.h>

#include "sim/narrow.h"

/* Deeper joins become plain fields, so that looking a field up stays cheap. */
#define JOIN_DEPTH_MOST 12

struct CslValues {
    CslArena *arena;
    GHashTable *structs;
    GHashTable *arrays;
    GHashTable *pointers;
};

typedef enum {
    HOLDS_NOTHING,
    HOLDS_INTEGER,
    HOLDS_REAL,
    HOLDS_TEXT,
    HOLDS_POINTER,
} Holds;

static Holds content(const CslType *type)
{
    switch (type->kind) {
    case CSL_KIND_VOID:
        return HOLDS_NOTHING;
    case CSL_KIND_BOOL:
    case CSL_KIND_SIGNED:
    case CSL_KIND_UNSIGNED:
    case CSL_KIND_COMPTIME_INT:
    case CSL_KIND_DIRECTION:
    case CSL_KIND_ID:
    case CSL_KIND_FIFO:
    case CSL_KIND_DSR:
    case CSL_KIND_ENUM:
        return HOLDS_INTEGER;
    case CSL_KIND_FLOAT:
    case CSL_KIND_COMPTIME_FLOAT:
        return HOLDS_REAL;
    case CSL_KIND_STRING:
        return HOLDS_TEXT;
    case CSL_KIND_STRUCT:
    case CSL_KIND_TYPE:
    case CSL_KIND_MODULE:
    case CSL_KIND_DSD:
    case CSL_KIND_RANGE:
    case CSL_KIND_ACCESS:
    case CSL_KIND_ARRAY:
    case CSL_KIND_POINTER:
    case CSL_KIND_FUNCTION:
    case CSL_KIND_RECORD:
        break;
    }
    return HOLDS_POINTER;
}

static uint64_t bits_of(double real)
{
    uint64_t bits = 0;

    memcpy(&bits, &real, sizeof bits);
    return bits;
}

bool csl_value_equal(const CslValue *a, const CslValue *b)
{
    if (a->type != b->type) {
        return false;
    }
    if (a->type == NULL) {
        return true;
    }
    switch (content(a->type)) {
    case HOLDS_NOTHING:
        return true;
    case HOLDS_INTEGER:
        return a->integer == b->integer;
    case HOLDS_REAL:
        return bits_of(a->real) == bits_of(b->real); /* so that NaN equals itself */
    case HOLDS_TEXT:
        return a->text->length == b->text->length &&
               memcmp(a->text->bytes, b->text->bytes, a->text->length) == 0;
    case HOLDS_POINTER:
        break;
    }
    return a->module == b->module;
}

static guint mix(guint hash, uint64_t word)
{
    const uint64_t mixed = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);

    return sim_u32((mixed >> 32) ^ (mixed & G_MAXUINT32));
}

guint csl_value_hash(const CslValue *self)
{
    const guint hash = g_direct_hash(self->type);

    if (self->type == NULL) {
        return 0;
    }
    switch (content(self->type)) {
    case HOLDS_NOTHING:
        return hash;
    case HOLDS_INTEGER:
        return mix(hash, (uint64_t) self->integer);
    case HOLDS_REAL:
        return mix(hash, bits_of(self->real));
    case HOLDS_TEXT:
        return mix(hash, g_str_hash(self->text->bytes));
    case HOLDS_POINTER:
        break;
    }
    return mix(hash, (uintptr_t) self->module);
}

static guint hash_struct(gconstpointer key)
{
    const CslStruct *self = key;
    guint hash = self->count;

    if (self->left != NULL) {
        return mix(mix(hash, (uintptr_t) self->left), (uintptr_t) self->right);
    }
    for (uint32_t i = 0; i < self->count; i++) {
        hash = mix(mix(hash, (uintptr_t) self->fields[i].name),
                   csl_value_hash(&self->fields[i].value));
    }
    return hash;
}

static gboolean are_structs_equal(gconstpointer a, gconstpointer b)
{
    const CslStruct *left = a;
    const CslStruct *right = b;

    if (left->count != right->count || left->left != right->left ||
        left->right != right->right || left->is_tuple != right->is_tuple) {
        return FALSE;
    }
    for (uint32_t i = 0; left->left == NULL && i < left->count; i++) {
        if (left->fields[i].name != right->fields[i].name ||
            !csl_value_equal(&left->fields[i].value, &right->fields[i].value)) {
            return FALSE;
        }
    }
    return TRUE;
}

static guint hash_array(gconstpointer key)
{
    const CslArray *self = key;
    guint hash = mix(csl_value_hash(&self->fill), self->count);

    for (uint64_t i = 0; self->items != NULL && i < self->count; i++) {
        hash = mix(hash, csl_value_hash(&self->items[i]));
    }
    return hash;
}

static gboolean are_arrays_equal(gconstpointer a, gconstpointer b)
{
    const CslArray *left = a;
    const CslArray *right = b;

    if (left->count != right->count || !csl_value_equal(&left->fill, &right->fill) ||
        (left->items == NULL) != (right->items == NULL)) {
        return FALSE;
    }
    for (uint64_t i = 0; left->items != NULL && i < left->count; i++) {
        if (!csl_value_equal(&left->items[i], &right->items[i])) {
            return FALSE;
        }
    }
    return TRUE;
}

static guint hash_pointer(gconstpointer key)
{
    const CslPointer *self = key;

    return mix(g_direct_hash(self->global), (uint64_t) self->offset);
}

static gboolean are_pointers_equal(gconstpointer a, gconstpointer b)
{
    const CslPointer *left = a;
    const CslPointer *right = b;

    return left->global == right->global && left->offset == right->offset;
}

CslValues *csl_values_new(CslArena *arena)
{
    CslValues *self = g_new0(CslValues, 1);

    self->arena = arena;
    self->structs = g_hash_table_new(hash_struct, are_structs_equal);
    self->arrays = g_hash_table_new(hash_array, are_arrays_equal);
    self->pointers = g_hash_table_new(hash_pointer, are_pointers_equal);
    return self;
}

void csl_values_free(CslValues *self)
{
    if (self == NULL) {
        return;
    }
    g_hash_table_destroy(self->structs);
    g_hash_table_destroy(self->arrays);
    g_hash_table_destroy(self->pointers);
    g_free(self);
}

CslValue csl_value_type(const CslType *meant)
{
    return (CslValue){.type = CSL_T(TYPE), .meant = meant};
}

/* The array that stands for all that are equal to it. */
static CslArray *freeze(CslValues *self, CslArray *array)
{
    CslArray *known = g_hash_table_lookup(self->arrays, array);

    array->is_shared = true;
    if (known == NULL) {
        g_hash_table_add(self->arrays, array);
        return array;
    }
    return known;
}

const CslStruct *
csl_struct_new(CslValues *self, CslField *fields, uint32_t count, bool is_tuple)
{
    CslStruct *known;
    CslStruct *made;

    for (uint32_t i = 0; i < count; i++) {
        CslValue *value = &fields[i].value;

        if (value->type != NULL && value->type->kind == CSL_KIND_ARRAY) {
            value->array = freeze(self, value->array);
        }
    }
    /* A pattern with these fields, made where it will stay if it is new. */
    made = csl_arena_allocate(self->arena, sizeof *made + count * sizeof *fields);
    made->count = count;
    made->is_tuple = is_tuple;
    for (uint32_t i = 0; i < count; i++) {
        made->fields[i] = fields[i];
    }
    known = g_hash_table_lookup(self->structs, made);
    if (known != NULL) {
        csl_arena_give_back(self->arena, made, sizeof *made + count * sizeof *fields);
        return known;
    }
    g_hash_table_add(self->structs, made);
    return made;
}

static uint32_t copy_fields(const CslStruct *self, CslField *to)
{
    uint32_t count;

    if (self->left == NULL) {
        memcpy(to, self->fields, self->count * sizeof *to);
        return self->count;
    }
    count = copy_fields(self->left, to);
    return count + copy_fields(self->right, to + count);
}

static const char *find_common(const CslStruct *left, const CslStruct *right)
{
    for (uint32_t i = 0; i < right->count; i++) {
        const CslField *field = csl_struct_at(right, i);

        if (field->name != NULL && csl_struct_find(left, field->name) != NULL) {
            return field->name;
        }
    }
    return NULL;
}

const CslStruct *csl_struct_join(CslValues *self,
                                 const CslStruct *left,
                                 const CslStruct *right,
                                 const char **common)
{
    const CslStruct pattern = {.count = left->count + right->count,
                               .depth = MAX(left->depth, right->depth) + 1,
                               .is_tuple = left->is_tuple && right->is_tuple,
                               .left = left,
                               .right = right};
    CslStruct *joined = g_hash_table_lookup(self->structs, &pattern);

    *common = NULL;
    if (left->count == 0 || right->count == 0) {
        return left->count == 0 ? right : left;
    }
    if (joined != NULL) {
        return joined;
    }
    *common = find_common(left, right);
    if (*common != NULL) {
        return NULL;
    }
    if (pattern.depth > JOIN_DEPTH_MOST) {
        g_autofree CslField *fields = g_new0(CslField, pattern.count);

        (void) copy_fields(&pattern, fields);
        return csl_struct_new(self, fields, pattern.count, pattern.is_tuple);
    }
    joined = csl_arena_allocate(self->arena, sizeof *joined);
    *joined = pattern;
    g_hash_table_add(self->structs, joined);
    return joined;
}

const CslValue *csl_struct_find(const CslStruct *self, const char *name)
{
    if (self->left != NULL) {
        const CslValue *found = csl_struct_find(self->left, name);

        return found != NULL ? found : csl_struct_find(self->right, name);
    }
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->fields[i].name == name) {
            return &self->fields[i].value;
        }
    }
    return NULL;
}

const CslField *csl_struct_at(const CslStruct *self, uint32_t i)
{
    while (self->left != NULL) {
        if (i < self->left->count) {
            self = self->left;
        } else {
            i -= self->left->count;
            self = self->right;
        }
    }
    return &self->fields[i];
}

CslArray *csl_array_new(CslValues *self, uint64_t count, CslValue fill)
{
    CslArray *array = CSL_ARENA_ARRAY(self->arena, CslArray, 1);

    array->count = count;
    array->fill = fill;
    return array;
}

CslValue csl_array_get(const CslArray *self, uint64_t i)
{
    return self->items == NULL ? self->fill : self->items[i];
}

void csl_array_set(CslValues *self, CslArray *array, uint64_t i, CslValue value)
{
    if (array->items == NULL) {
        if (csl_value_equal(&array->fill, &value)) {
            return;
        }
        array->items = CSL_ARENA_ARRAY(self->arena, CslValue, array->count);
        for (uint64_t j = 0; j < array->count; j++) {
            array->items[j] = array->fill;
        }
    }
    array->items[i] = value;
}

CslArray *csl_array_copy(CslValues *self, const CslArray *array)
{
    CslArray *copy = csl_array_new(self, array->count, array->fill);

    if (array->items != NULL) {
        copy->items = CSL_ARENA_ARRAY(self->arena, CslValue, array->count);
        memcpy(copy->items, array->items, array->count * sizeof *copy->items);
    }
    return copy;
}

const CslPointer *csl_pointer_new(CslValues *self, CslGlobal *global, CslInteger offset)
{
    const CslPointer pattern = {.global = global, .offset = offset};
    CslPointer *pointer = g_hash_table_lookup(self->pointers, &pattern);

    if (pointer == NULL) {
        pointer = CSL_ARENA_ARRAY(self->arena, CslPointer, 1);
        *pointer = pattern;
        g_hash_table_add(self->pointers, pointer);
    }
    return pointer;
}
