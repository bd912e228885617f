/* The arguments that all reference solvers read from the table at index 2, and the
 * results they return. */
#pragma once

#include <glib.h>
#include <lua.h>

#include "workloads/buffer/bytes.h"
#include "workloads/buffer/number_format.h"

/* The list in field "merges", kept by a userdata that is left on top of the stack: a
 * pair of members for each of `count` but one. Messages call them `member`. */
const guint *reference_solver_merges(lua_State *L, guint count, const char *member);

/* The index of field `name` in `names`; a missing field means the first. */
guint reference_solver_choice(lua_State *L, const char *name, const char *const *names);

/* The norm to stop at; -1, below any norm, if none is given. */
double reference_solver_tolerance(lua_State *L);

/* The buffer in field "x", as long as the right-hand side; it stays on the stack. */
const HostBytes *reference_solver_x(lua_State *L, const HostBytes *b);

/* The same for a field of any name; NULL if there is none. */
const HostBytes *
reference_solver_buffer(lua_State *L, const char *name, const HostBytes *b);

/* If field "vector" is true, pushes a new buffer for a residual, else nil; NULL where
 * there is no data to put there. */
HostBytes *reference_solver_residual(lua_State *L, const HostBytes *b);

/* Convert all numbers of a buffer that has data, and back. The caller frees them. */
double *reference_solver_doubles(NumberFormat format, const HostBytes *bytes);
void reference_solver_put(NumberFormat format, HostBytes *bytes, const double *vector);

/* Room for the norms before and after iterations, kept by a userdata that is left on
 * top of the stack; the first is 0. */
double *reference_solver_norms(lua_State *L, guint iterations);

/* Inserts a table with the norms at 0 to `done` below the top of the stack. */
void reference_solver_insert_norms(lua_State *L, const double *norms, guint done);
