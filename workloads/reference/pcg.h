/* References: conjugate gradients with the Jacobi preconditioner on the 7-point
 * Laplacian, zero outside the grid. Methods of buffers. */
#pragma once

#include <lua.h>

/* buffer:masked{ format =, ... }: the numbers of the buffer, 0 outside the grid. A new
 * buffer. */
int reference_masked(lua_State *L);

/* buffer:laplacian{ format =, ... }: the operator on the numbers of the buffer, in the
 * arithmetic of the chip. A new buffer. */
int reference_laplacian(lua_State *L);

/* buffer:pcg{ format =, iterations =, ... }: solves with the buffer as right-hand side,
 * from 0, in the arithmetic of the chip and in its order of operations; in double
 * precision where `arithmetic` is "double". Ends before `iterations` when the
 * residual's norm is at most `tolerance`. A list of norms, the first one's index being
 * 0, and the solution, a new buffer, rounded to the format.
 *
 * All take: across, down, layers, lines, numbers (as ReferenceGrid says), fidelity
 * (4); pcg also merges, a list of cores, and granularity, "scalar" or "tile". */
int reference_pcg(lua_State *L);

/* buffer:residual{ format =, x =, ... }: the norm of the buffer less A x, in double
 * precision; 0 in a timing-only run. */
int reference_residual(lua_State *L);
