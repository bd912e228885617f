/* What a script holds of a PE's program: arrays, variables and descriptors, as a Lua
 * type. Each belongs to the program it was made for. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <lua.h>

#include "arch/wse_program.h"

typedef enum {
    WAFER_ARRAY,
    WAFER_VARIABLE,
    WAFER_DESCRIPTOR,
} WaferValueKind;

typedef struct {
    WaferValueKind kind;
    uint64_t owner;   /* serial number of the program */
    guint number;     /* that the program knows it by */
    ArchWseType type; /* of an array */
    guint count;      /* of an array's numbers */
    guint increment;  /* variable of a descriptor, or ARCH_WSE_NONE */
} WaferValue;

/* Registers the type with a state, once. */
void wafer_value_register(lua_State *L);

int wafer_value_push(lua_State *L, const WaferValue *value);

/* The value at `index` if it is of this kind and of the program `owner`; else raises
 * with `what` in front. */
const WaferValue *wafer_value_check(
    lua_State *L, int index, WaferValueKind kind, uint64_t owner, const char *what);
