/* What a kernel's own computation costs on its RISC-V, counted by the script: Lua
 * itself takes no simulated time. */
#pragma once

#include <stdint.h>

#include <lua.h>

#include "arch/chipfile/params.h"

enum {
    SCALAR_OPERATIONS = 11,
};

typedef struct {
    double cycles[SCALAR_OPERATIONS]; /* of one, in the order of scalar.c */
} ScalarCosts;

void scalar_costs_load(ScalarCosts *self, const ArchParams *params);

/* Cycles of the operations in the table at `index`, which says how many of each, or
 * lists them one by one. Raises if it names others. */
uint32_t scalar_check_cycles(lua_State *L, int index, const ScalarCosts *costs);

/* Lua function loop(first, last [, step]): for the `for` of a kernel whose turns take
 * time. */
int scalar_loop(lua_State *L);
