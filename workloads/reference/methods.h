/* Methods of buffers of numbers in host memory, for scripts: they fill, convert and
 * compare, and compute references, the results that a chip should have. References are
 * worked out on the host from published rules and share no code with the simulated
 * units. */
#pragma once

#include <lauxlib.h>

#include "workloads/sandbox/api.h"

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

/* buffer:masked{ format =, ... }: returns a new buffer with the numbers of this one, 0
 * outside the grid. */
int reference_masked(lua_State *L);

/* buffer:laplacian{ format =, ... }: applies the operator to the numbers of the buffer,
 * in the arithmetic of the chip. Returns a new buffer. */
int reference_laplacian(lua_State *L);

/* buffer:pcg{ format =, iterations =, start =, ... }: solves with the buffer as
 * right-hand side, from 0, or, where `start` is a buffer, adds the solution to that
 * one, of which this buffer is then the residual; in the arithmetic of the chip and in
 * its order of operations; in double precision where `arithmetic` is "double". Ends
 * before `iterations` when the residual's norm is at most `tolerance`. A list of norms,
 * the first one's index being 0, and the solution, a new buffer, rounded to the format.
 *
 * All take: across, down, core_across and core_down (1), layers, lines, numbers (as
 * ReferenceGrid says), fidelity (4), diagonal (of the matrix, a buffer; without it 6
 * everywhere); pcg also merges, a list of cores, and granularity,
 * "scalar" or "tile". */
int reference_pcg(lua_State *L);

/* buffer:residual{ format =, x =, vector = (false), ... }: the norm of the buffer minus
 * A x, in double precision; 0 in a timing-only run. With `vector` also that vector, a
 * new buffer, rounded to the format. */
int reference_residual(lua_State *L);

/* buffer:permuted(format, shape, axes): a new buffer with the axes of an array in
 * another order: axis i of the new array is axis axes[i], from 1 on, of this one. */
int reference_permuted(lua_State *L);

/* buffer:sum(format, other, unit): adds element by element, like the unit "fpu" or
 * "sfpu", or as in "ieee". Returns a new buffer. */
int reference_sum(lua_State *L);

/* buffer:product(format, other, rows, inner, columns): the product of two matrices, row
 * by row, in double precision, rounded at the end. Returns a new buffer. */
int reference_product(lua_State *L);

/* buffer:krylov{ method = "pcg" or "bicgstab", format = "fp32" or "fp16", columns =,
 * rows =, layers =, iterations =, tolerance =, merges =, coefficients =, start =,
 * arithmetic = "chip" or "double" }: solves with the buffer as right-hand side, or from
 * `start`, as buffer:pcg{} does. In the chip's
 * arithmetic, fp16 means vectors in half precision with sums and scalars in single.
 * `merges` lists PEs in pairs; `coefficients`, of bicgstab, are those of the neighbours
 * down, up, west, east, north and south, and are rounded to the format. A list of
 * norms, the first one's index being 0, and the solution, a new buffer, rounded to the
 * format. */
int reference_krylov(lua_State *L);

/* buffer:krylov_residual{ x =, vector = (false), ... }: as buffer:residual{}. */
int reference_krylov_norm(lua_State *L);

/* buffer:multigrid{ format = "fp32", "fp16" or "bf16", columns =, rows =, layers =,
 * levels =, cycles =, smoother = "weights" or "red-black", before =, after =,
 * coarsest =, fused = (false), start =, arithmetic = "chip" or "double" }: V-cycles
 * with the buffer as right-hand side, from 0 or `start` (multigrid.h). `before`,
 * `after` and `coarsest` are lists of weights of the residual, one for each sweep.
 * Returns as buffer:krylov{} does. */
int reference_multigrid_call(lua_State *L);

/* buffer:partials(format, other, tiles): for every `tiles` tiles, one tile with the sum
 * of their products with the other buffer's, added tile by tile as the chip's units do.
 * Returns a new buffer. */
int reference_partials(lua_State *L);

/* buffer:total(format): the sum of all numbers of a tile, as the chip adds them. */
int reference_total(lua_State *L);

/* buffer:dot(format, other): the sum of products in double precision, and the sum of
 * their magnitudes. */
int reference_dot(lua_State *L);

/* All methods of the type of workloads/buffer/bytes.h. */
extern const ApiClass bytes_api;
