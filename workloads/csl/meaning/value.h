/* What comptime computes with. */
#pragma once

#include "workloads/csl/meaning/type.h"

typedef struct CslModule CslModule;
typedef struct CslGlobal CslGlobal;
typedef struct CslStruct CslStruct;
typedef struct CslArray CslArray;
typedef struct CslPointer CslPointer;
typedef struct CslAccess CslAccess;
typedef struct CslDsd CslDsd;
typedef struct CslRange CslRange;

/* A value of comptime. Values are equal if type and content are, bit by bit: strings,
 * structs, pointers and DSDs are stored once, arrays from when they enter a struct. */
typedef struct {
    const CslType *type; /* NULL: there is none; what is wrong was reported */
    union {
        CslInteger integer; /* also bool, ids, enums, directions, FIFOs, DSRs */
        double real;
        const CslText *text;
        const CslType *meant;     /* of a type */
        const CslStruct *members; /* of .{...} and struct {...} */
        CslArray *array;
        const CslPointer *pointer;
        CslGlobal *function; /* fn or task: the global that declares it */
        CslModule *module;
        const CslAccess *access;
        const CslDsd *dsd;
        const CslRange *range;
    };
} CslValue;

typedef enum {
    CSL_NORTH,
    CSL_SOUTH,
    CSL_EAST,
    CSL_WEST,
    CSL_RAMP,
} CslDirection;

typedef struct {
    const char *name; /* interned; NULL in a tuple */
    CslValue value;
} CslField;

/* Fields, or two structs that @concat_structs has joined. */
struct CslStruct {
    uint32_t count; /* of all fields */
    uint16_t depth; /* of joined structs; 0 for fields */
    bool is_tuple;
    const CslStruct *left; /* NULL for fields */
    const CslStruct *right;
    CslField fields[];
};

/* Row-major. While all elements are equal there is only one: `items` is NULL. */
struct CslArray {
    uint64_t count;
    CslValue fill;
    CslValue *items;
    bool is_shared; /* several may hold it: copy it before a change */
};

/* &global, &global[3]: `global` is NULL for an address that was a number. */
struct CslPointer {
    CslGlobal *global;
    CslInteger offset; /* in elements of the global, or the address */
};

#define CSL_RANK_MOST 4

/* An access expression: element `offset` + sum of strides[i] times variable i of a. */
struct CslAccess {
    const CslPointer *base;
    const CslType *element;
    uint32_t rank;
    CslInteger extents[CSL_RANK_MOST];
    CslInteger strides[CSL_RANK_MOST];
    CslInteger offset;
};

/* A DSD that is known at comptime. Memory: `access` holds where and how. All fields as
 * the program gave them, but tensor_access, are in `fields`. */
struct CslDsd {
    CslAccess access;
    CslInteger offset_bytes; /* of @increment_dsd_offset */
    const CslStruct *fields;
};

struct CslRange {
    const CslType *type;
    CslInteger start;
    CslInteger stop;
    CslInteger step;
};

/* Where structs, pointers and frozen arrays are stored once. */
typedef struct CslValues CslValues;

CslValues *csl_values_new(CslArena *arena);
void csl_values_free(CslValues *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CslValues, csl_values_free)

static inline CslValue csl_value_integer(const CslType *type, CslInteger integer)
{
    return (CslValue){.type = type, .integer = integer};
}
static inline CslValue csl_value_real(const CslType *type, double real)
{
    return (CslValue){.type = type, .real = real};
}
CslValue csl_value_type(const CslType *meant);
/* None: what is wrong was reported. */
static inline CslValue csl_no_value(void)
{
    return (CslValue){.type = NULL};
}
static inline CslValue csl_value_void(void)
{
    return (CslValue){.type = CSL_T(VOID)};
}

/* The struct with these fields, in this order. Arrays in them are frozen. */
const CslStruct *
csl_struct_new(CslValues *self, CslField *fields, uint32_t count, bool is_tuple);
/* Both together. `common` is set to a name that both have; the result is then NULL. */
const CslStruct *csl_struct_join(CslValues *self,
                                 const CslStruct *left,
                                 const CslStruct *right,
                                 const char **common);
/* A field, or NULL. */
const CslValue *csl_struct_find(const CslStruct *self, const char *name);
const CslField *csl_struct_at(const CslStruct *self, uint32_t i);

CslArray *csl_array_new(CslValues *self, uint64_t count, CslValue fill);
CslValue csl_array_get(const CslArray *self, uint64_t i);
/* Changes the element; the array must not be shared. */
void csl_array_set(CslValues *self, CslArray *array, uint64_t i, CslValue value);
CslArray *csl_array_copy(CslValues *self, const CslArray *array);

const CslPointer *
csl_pointer_new(CslValues *self, CslGlobal *global, CslInteger offset);

bool csl_value_equal(const CslValue *a, const CslValue *b);
guint csl_value_hash(const CslValue *self);
/* How messages show it. The caller frees it. */
char *csl_value_text(const CslValue *self);
