/* Parts of a PE's program as values of scripts: arrays, variables, descriptors,
 * functions, DSRs. Each belongs to the program it was made for. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <lua.h>

#include "workloads/wafer/pe.h"

typedef enum {
    WAFER_ARRAY,
    WAFER_VARIABLE,
    WAFER_DESCRIPTOR,
    WAFER_FUNCTION,
    WAFER_DSR,
} WaferValueKind;

typedef struct {
    WaferValueKind kind;
    uint64_t owner;   /* serial number of the program */
    guint number;     /* its number in the program */
    ArchWseType type; /* of an array, of a variable, or of a descriptor's numbers */
    bool is_typed;    /* a variable whose type was given */
    guint count;      /* of an array's numbers, or of a descriptor's */
    guint address;    /* of an array or a descriptor, in bytes */
    int stride;       /* of a descriptor, in numbers */
    bool is_stream;   /* a descriptor of the fabric */
    guint rank;       /* of a descriptor of memory, else 0 */
    guint extents[ARCH_WSE_RANK];
    int strides[ARCH_WSE_RANK];
    guint increment; /* variable of a descriptor, or ARCH_WSE_NONE */
    bool is_value;   /* a descriptor that is in `increment` and the next variable */
} WaferValue;

/* Registers the type with a state, once. */
void wafer_value_register(lua_State *L);

int wafer_value_push(lua_State *L, const WaferValue *value);

/* A descriptor as its two registers have it. */
int64_t wafer_value_words(const WaferValue *descriptor);

/* The value at `index`, of any kind; NULL if it is something else. */
const WaferValue *wafer_value_test(lua_State *L, int index);

/* The value at `index` if it is of this kind and of the program `owner`; else raises
 * with `what` in front. */
const WaferValue *wafer_value_check(
    lua_State *L, int index, WaferValueKind kind, uint64_t owner, const char *what);
/* The same for the argument at `index` of a method, which the script counts from 1. */
const WaferValue *
wafer_value_argument(lua_State *L, const WaferPe *pe, int index, WaferValueKind kind);
