/* References of the solvers on wafers: methods of buffers. */
#pragma once

#include <lua.h>

/* buffer:krylov{ method = "pcg" or "bicgstab", format = "fp32" or "fp16", columns =,
 * rows =, layers =, iterations =, tolerance =, merges =, coefficients =, arithmetic =
 * "chip" or "double" }: solves with the buffer as right-hand side. In the chip's
 * arithmetic, fp16 means vectors in half precision with sums and scalars in single.
 * `merges` lists PEs in pairs; `coefficients`, of bicgstab, are those of the neighbours
 * down, up, west, east, north and south, and are rounded to the format. A list of
 * norms, the first one's index being 0, and the solution, a new buffer, rounded to the
 * format. */
int reference_krylov(lua_State *L);

/* buffer:krylov_residual{ x =, ... }: the norm of the buffer less A x, in double
 * precision; 0 in a timing-only run. */
int reference_krylov_norm(lua_State *L);
