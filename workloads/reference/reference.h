/* References: what a chip should have computed, worked out on the host from its
 * published rules and sharing no code with the simulated units. Methods of buffers. */
#pragma once

#include <lua.h>

/* buffer:sum(format, other, unit): element by element, as the unit "fpu" or "sfpu"
 * adds, or as "ieee" does. A new buffer. */
int reference_sum(lua_State *L);

/* buffer:product(format, other, rows, inner, columns): of two matrices, row by row, in
 * double precision, rounded at the end. A new buffer. */
int reference_product(lua_State *L);
