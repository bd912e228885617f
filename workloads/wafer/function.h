/* Functions of a PE's program: code that is emitted once and called. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

#include "workloads/wafer/pe.h"
#include "workloads/wafer/value.h"

enum {
    WAFER_ARGUMENTS = 16,
};

/* Arguments and the result are variables that callers and the function share. */
struct WaferFunction {
    guint function; /* of the program */
    guint argument_count;
    WaferValue arguments[WAFER_ARGUMENTS];
    bool has_result;
    bool is_exported; /* the host may call it */
    WaferValue result;
};

/* The function at `index`, or raises. Valid until the next one is made. */
const WaferFunction *wafer_function_check(lua_State *L, const WaferPe *self, int index);

/* Gives `operands`, one for each argument, and calls it. */
void wafer_function_call(lua_State *L,
                         WaferPe *self,
                         const WaferFunction *function,
                         const ArchWseOperand *operands);

/* Reads the list of types in the field of the table at `index`; how many, at most
 * `most`. A missing field is an empty list. */
guint wafer_types_check(
    lua_State *L, int index, const char *name, ArchWseType *types, guint most);
