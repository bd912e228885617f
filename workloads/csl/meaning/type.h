/* Types of CSL. Equal types are equal pointers, but for enums and structs, which are
 * their declaration's. */
#pragma once

#include <stdbool.h>

#include "workloads/csl/syntax/arena.h"
#include "workloads/csl/syntax/node.h"

typedef enum {
    CSL_KIND_VOID,
    CSL_KIND_BOOL,
    CSL_KIND_SIGNED,
    CSL_KIND_UNSIGNED,
    CSL_KIND_FLOAT,
    CSL_KIND_COMPTIME_INT,
    CSL_KIND_COMPTIME_FLOAT,
    CSL_KIND_STRING,
    CSL_KIND_STRUCT, /* comptime_struct: what .{...} gives, tuples too */
    CSL_KIND_TYPE,
    CSL_KIND_MODULE,
    CSL_KIND_DIRECTION,
    CSL_KIND_ID, /* colors, task ids, queues, microthreads */
    CSL_KIND_DSD,
    CSL_KIND_FIFO,
    CSL_KIND_DSR,
    CSL_KIND_RANGE,  /* of @range */
    CSL_KIND_ACCESS, /* |i|{n} -> a[i] */
    CSL_KIND_ARRAY,
    CSL_KIND_POINTER,
    CSL_KIND_FUNCTION, /* fn and task */
    CSL_KIND_ENUM,
    CSL_KIND_RECORD, /* struct { } */
} CslKind;

typedef struct CslType CslType;

struct CslType {
    const char *name;            /* how messages call it */
    const CslType *element;      /* of ARRAY, POINTER, ENUM; result of FUNCTION */
    const uint32_t *extents;     /* ARRAY */
    const CslType *const *parts; /* of parameters and members; NULL is anytype */
    const char *const *names;    /* of members; interned */
    const CslInteger *numbers;   /* of ENUM members */
    const CslNode *declared;     /* ENUM, RECORD: where; or NULL */
    CslKind kind;
    uint32_t count;  /* extents of ARRAY, parameters, members */
    uint8_t bits;    /* of numbers and ids */
    bool is_const;   /* POINTER */
    bool is_many;    /* POINTER: [*]T */
    bool is_task;    /* FUNCTION */
    bool is_generic; /* FUNCTION: the result depends on arguments */
};

/* The types with names: CSL_U16 and so on. */
enum {
#define CSL_TYPE(id, name, kind, bits) CSL_TYPE_INDEX_##id,
#include "workloads/csl/meaning/type.def"
#undef CSL_TYPE
    CSL_NAMED_TYPE_COUNT,
};

extern const CslType csl_named_types[CSL_NAMED_TYPE_COUNT];

#define CSL_T(id) (&csl_named_types[CSL_TYPE_INDEX_##id])

/* The type of that name, or NULL. */
const CslType *csl_type_by_name(const char *name);

typedef struct CslTypes CslTypes;

/* Types that programs make; they live in the arena. */
CslTypes *csl_types_new(CslArena *arena);
void csl_types_free(CslTypes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CslTypes, csl_types_free)

const CslType *csl_type_array(CslTypes *self,
                              const CslType *element,
                              const uint32_t *extents,
                              uint32_t count);
/* `flags`: CSL_IS_CONST, CSL_IS_MANY. */
const CslType *csl_type_pointer(CslTypes *self, const CslType *target, guint flags);
/* Of `pattern`, which names kind FUNCTION, element, count, parts and flags. */
const CslType *csl_type_function(CslTypes *self, const CslType *pattern);
/* The same for an ENUM or RECORD: one type for all modules that its file makes. Names
 * and numbers of members must live as long as the arena. */
const CslType *csl_type_declared(CslTypes *self, const CslType *pattern);

/* Numbers of elements of an array. */
uint64_t csl_type_element_count(const CslType *self);
/* Bytes at run time, as the PE lays it out; 0 for what exists at comptime only. */
uint64_t csl_type_bytes(const CslType *self);
/* Whether programs see its bytes: it lies in memory and is no descriptor. */
bool csl_type_is_plain(const CslType *self);
static inline bool csl_type_is_integer(const CslType *self) /* comptime_int too */
{
    return self->kind == CSL_KIND_SIGNED || self->kind == CSL_KIND_UNSIGNED ||
           self->kind == CSL_KIND_COMPTIME_INT;
}
static inline bool csl_type_is_float(const CslType *self) /* comptime_float too */
{
    return self->kind == CSL_KIND_FLOAT || self->kind == CSL_KIND_COMPTIME_FLOAT;
}
bool csl_type_is_comptime_only(const CslType *self);
/* The range of an integer type that is not comptime_int. */
CslInteger csl_type_least(const CslType *self);
CslInteger csl_type_most(const CslType *self);
