/* Stencils on grids that are folded onto cores, as methods of buffers. */
#pragma once

#include <lua.h>

/* buffer:stencil{ format =, steps =, before =, has_before =, sums =, groups =, reach =,
 * across =, down =, layers =, lines =, numbers =, fidelity = (4), source = }: a new
 * buffer with the last level, in the arithmetic of the chip (stencil.h);
 * buffers lie as ReferenceGrid says. `sums` is a list of { at =, groups = }; a group is
 * { weight =, at = }, `at` a list of distances along y in a sum, and of pairs, along x
 * and z, in `groups`. */
int reference_stencil(lua_State *L);

/* buffer:stencil_exact{ ... }: in double precision, as a new buffer in fp32 in which
 * cells lie as wave.h says, x being `lines` and y `numbers`. With steps = 0
 * it is the buffer itself, unfolded. */
int reference_stencil_exact_of(lua_State *L);

/* buffer:stencil_error{ result =, ... }: the largest error of that buffer against
 * double precision, in units of what roundings may lose, and the largest magnitude; 0
 * in a timing-only run. */
int reference_stencil_error_of(lua_State *L);
