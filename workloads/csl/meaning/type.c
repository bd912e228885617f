/* The table of named types, and the types that programs make of them. */
#include "workloads/csl/meaning/type.h"

#include <string.h>

const CslType csl_named_types[CSL_NAMED_TYPE_COUNT] = {
#define CSL_TYPE(id, spelling, of, width)                                              \
    {.kind = CSL_KIND_##of, .bits = (width), .name = (spelling)},
#include "workloads/csl/meaning/type.def"
#undef CSL_TYPE
};

struct CslTypes {
    CslArena *arena;
    GHashTable *made; /* CslType by its structure */
};

const CslType *csl_type_by_name(const char *name)
{
    for (guint i = 0; i < CSL_TYPE_INDEX_RANGE; i++) {
        if (strcmp(csl_named_types[i].name, name) == 0) {
            return &csl_named_types[i];
        }
    }
    return NULL;
}

static guint mix(guint hash, gconstpointer pointer)
{
    return (hash ^ g_direct_hash(pointer)) * 16777619U;
}

static guint hash_type(gconstpointer key)
{
    const CslType *type = key;
    guint hash = mix(type->kind * 31U + type->count, type->element);

    hash = mix(hash, type->declared);
    for (uint32_t i = 0; type->parts != NULL && i < type->count; i++) {
        hash = mix(hash, type->parts[i]);
    }
    for (uint32_t i = 0; type->extents != NULL && i < type->count; i++) {
        hash = (hash ^ type->extents[i]) * 16777619U;
    }
    return hash;
}

static gboolean are_equal(gconstpointer a, gconstpointer b)
{
    const CslType *left = a;
    const CslType *right = b;

    if (left->kind != right->kind || left->element != right->element ||
        left->count != right->count || left->is_const != right->is_const ||
        left->is_many != right->is_many || left->is_task != right->is_task ||
        left->is_generic != right->is_generic || left->declared != right->declared) {
        return FALSE;
    }
    for (uint32_t i = 0; i < left->count; i++) {
        if ((left->extents != NULL && left->extents[i] != right->extents[i]) ||
            (left->numbers != NULL && left->numbers[i] != right->numbers[i]) ||
            (left->parts != NULL && left->parts[i] != right->parts[i])) {
            return FALSE;
        }
    }
    return TRUE;
}

CslTypes *csl_types_new(CslArena *arena)
{
    CslTypes *self = g_new0(CslTypes, 1);

    self->arena = arena;
    self->made = g_hash_table_new(hash_type, are_equal);
    return self;
}

void csl_types_free(CslTypes *self)
{
    if (self == NULL) {
        return;
    }
    g_hash_table_destroy(self->made);
    g_free(self);
}

static void append_parts(GString *name, const CslType *type)
{
    for (uint32_t i = 0; i < type->count; i++) {
        if (i > 0) {
            g_string_append(name, ", ");
        }
        if (type->kind == CSL_KIND_ARRAY) {
            g_string_append_printf(name, "%u", type->extents[i]);
        } else {
            g_string_append(name,
                            type->parts[i] == NULL ? "anytype" : type->parts[i]->name);
        }
    }
}

static char *type_name(const CslType *type)
{
    GString *name = g_string_new(NULL);

    if (type->kind == CSL_KIND_ENUM || type->kind == CSL_KIND_RECORD) {
        g_string_append(name, type->kind == CSL_KIND_ENUM ? "enum" : "struct");
        return g_string_free(name, FALSE);
    }
    if (type->kind == CSL_KIND_ARRAY) {
        g_string_append_c(name, '[');
        append_parts(name, type);
        g_string_append_c(name, ']');
    } else if (type->kind == CSL_KIND_POINTER) {
        g_string_append(name, type->is_many ? "[*]" : "*");
        g_string_append(name, type->is_const ? "const " : "");
    } else {
        g_string_append(name, type->is_task ? "task(" : "fn(");
        append_parts(name, type);
        g_string_append_c(name, ')');
    }
    g_string_append(name, type->element->name);
    return g_string_free(name, FALSE);
}

static const CslType *intern(CslTypes *self, const CslType *pattern)
{
    CslType *type = g_hash_table_lookup(self->made, pattern);
    g_autofree char *name = NULL;
    char *copy;

    if (type != NULL) {
        return type;
    }
    type = CSL_ARENA_ARRAY(self->arena, CslType, 1);
    *type = *pattern;
    if (pattern->extents != NULL) {
        uint32_t *extents = CSL_ARENA_ARRAY(self->arena, uint32_t, pattern->count);

        memcpy(extents, pattern->extents, pattern->count * sizeof *extents);
        type->extents = extents;
    }
    if (pattern->parts != NULL) {
        const CslType **parts =
            CSL_ARENA_ARRAY(self->arena, const CslType *, MAX(pattern->count, 1));

        for (uint32_t i = 0; i < pattern->count; i++) {
            parts[i] = pattern->parts[i];
        }
        type->parts = parts;
    }
    name = type_name(type);
    copy = csl_arena_allocate(self->arena, strlen(name) + 1);
    memcpy(copy, name, strlen(name) + 1);
    type->name = copy;
    g_hash_table_add(self->made, type);
    return type;
}

const CslType *csl_type_array(CslTypes *self,
                              const CslType *element,
                              const uint32_t *extents,
                              uint32_t count)
{
    const CslType pattern = {
        .kind = CSL_KIND_ARRAY, .element = element, .extents = extents, .count = count};

    return intern(self, &pattern);
}

const CslType *csl_type_pointer(CslTypes *self, const CslType *target, guint flags)
{
    const CslType pattern = {.kind = CSL_KIND_POINTER,
                             .element = target,
                             .bits = 16,
                             .is_const = (flags & CSL_IS_CONST) != 0,
                             .is_many = (flags & CSL_IS_MANY) != 0};

    return intern(self, &pattern);
}

const CslType *csl_type_function(CslTypes *self, const CslType *pattern)
{
    return intern(self, pattern);
}

const CslType *csl_type_declared(CslTypes *self, const CslType *pattern)
{
    return intern(self, pattern);
}

uint64_t csl_type_element_count(const CslType *self)
{
    uint64_t count = 1;

    for (uint32_t i = 0; i < self->count; i++) {
        count *= self->extents[i];
    }
    return count;
}

uint64_t csl_type_bytes(const CslType *self)
{
    uint64_t bytes = 0;

    switch (self->kind) {
    case CSL_KIND_ARRAY:
        return csl_type_element_count(self) * csl_type_bytes(self->element);
    case CSL_KIND_SIGNED:
    case CSL_KIND_UNSIGNED:
    case CSL_KIND_FLOAT:
    case CSL_KIND_ID:
    case CSL_KIND_POINTER:
        return self->bits / 8U;
    case CSL_KIND_BOOL:
    case CSL_KIND_DIRECTION:
        return 2;
    case CSL_KIND_DSD:
        return 8;
    case CSL_KIND_ENUM:
        return csl_type_bytes(self->element);
    case CSL_KIND_RECORD:
        for (uint32_t i = 0; i < self->count; i++) {
            bytes += csl_type_bytes(self->parts[i]);
        }
        return bytes;
    case CSL_KIND_VOID:
    case CSL_KIND_COMPTIME_INT:
    case CSL_KIND_COMPTIME_FLOAT:
    case CSL_KIND_STRING:
    case CSL_KIND_STRUCT:
    case CSL_KIND_TYPE:
    case CSL_KIND_MODULE:
    case CSL_KIND_FIFO:
    case CSL_KIND_DSR:
    case CSL_KIND_RANGE:
    case CSL_KIND_ACCESS:
    case CSL_KIND_FUNCTION:
        break;
    }
    return 0;
}

bool csl_type_is_plain(const CslType *self)
{
    return self->kind != CSL_KIND_DSD && csl_type_bytes(self) > 0;
}

bool csl_type_is_comptime_only(const CslType *self)
{
    return (self->kind >= CSL_KIND_COMPTIME_INT && self->kind <= CSL_KIND_MODULE) ||
           self->kind == CSL_KIND_FUNCTION || self->kind == CSL_KIND_RANGE ||
           self->kind == CSL_KIND_ACCESS;
}

CslInteger csl_type_least(const CslType *self)
{
    return self->kind == CSL_KIND_SIGNED ? -((CslInteger) 1 << (self->bits - 1)) : 0;
}

CslInteger csl_type_most(const CslType *self)
{
    const int bits = self->kind == CSL_KIND_SIGNED ? self->bits - 1 : self->bits;

    return ((CslInteger) 1 << bits) - 1;
}
