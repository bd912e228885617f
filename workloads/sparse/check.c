/* Compares vectors of tiles with references of a sparse matrix. */
#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/buffer/bytes.h"
#include "workloads/reference/solver.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sparse/matrix.h"

enum {
    MOST_ITERATIONS = 65535,
};

static guint check_slice(lua_State *L)
{
    luaL_checktype(L, 2, LUA_TTABLE);
    return arguments_count(L, 2, "slice", -1, SPARSE_TILE);
}

/* Bytes of a vector of so many numbers. */
static uint64_t bytes_of(const SparseMatrix *self, guint numbers, guint slice)
{
    const uint64_t tiles = ((uint64_t) numbers + slice - 1) / slice;

    return tiles * SPARSE_TILE * number_format_bytes(self->format);
}

/* The buffer in a field, which stays on the stack. */
static const HostBytes *check_vector(lua_State *L,
                                     const SparseMatrix *self,
                                     const char *name,
                                     guint numbers,
                                     guint slice)
{
    lua_getfield(L, 2, name);
    const HostBytes *bytes = host_bytes_check(L, lua_gettop(L));

    luaL_argcheck(L, bytes->count >= bytes_of(self, numbers, slice), 2,
                  lua_pushfstring(L, "%s is shorter than the matrix says", name));
    return bytes;
}

static uint64_t position_of(guint i, guint slice)
{
    return (uint64_t) (i / slice) * SPARSE_TILE + i % slice;
}

static double *
unfold(const SparseMatrix *self, const HostBytes *bytes, guint numbers, guint slice)
{
    double *vector = g_new(double, numbers);

    for (guint i = 0; i < numbers; i++) {
        vector[i] = number_format_get(self->format, bytes->data, position_of(i, slice));
    }
    return vector;
}

static void fold(const SparseMatrix *self,
                 HostBytes *bytes,
                 const double *vector,
                 guint numbers,
                 guint slice)
{
    for (guint i = 0; i < numbers; i++) {
        number_format_put(self->format, bytes->data, position_of(i, slice), vector[i]);
    }
}

/* matrix:product_error{ x =, y =, slice =, unit =, last = }: as
 * reference_sparse_error() says; 0 in a timing-only run. */
static int product_error(lua_State *L)
{
    const SparseMatrix *self = sparse_matrix_check(L, 1);
    const guint slice = check_slice(L);
    const double unit = arguments_number(L, 2, "unit", 0);
    const double last = arguments_number(L, 2, "last", 0);
    const HostBytes *x = check_vector(L, self, "x", self->columns, slice);
    const HostBytes *y = check_vector(L, self, "y", self->rows, slice);
    double error = 0;

    if (x->data != NULL && y->data != NULL) {
        const ReferenceSparse view = sparse_matrix_view(self);
        g_autofree double *given = unfold(self, x, self->columns, slice);
        g_autofree double *result = unfold(self, y, self->rows, slice);

        error = reference_sparse_error(&view, given, result, unit, last);
    }
    lua_pushnumber(L, error);
    return 1;
}

/* matrix:jacobi{ slice = }: one over the diagonal, as a vector of tiles; 0 for rows
 * without one. */
static int jacobi(lua_State *L)
{
    const SparseMatrix *self = sparse_matrix_check(L, 1);
    const guint slice = check_slice(L);
    HostBytes *result =
        host_bytes_push(L, bytes_of(self, self->rows, slice), self->has_data);

    for (guint r = 0; self->has_data && r < self->rows; r++) {
        for (uint64_t k = self->pointers[r]; k < self->pointers[r + 1]; k++) {
            if (self->indices[k] == r && self->values[k] != 0) {
                number_format_put(self->format, result->data, position_of(r, slice),
                                  1 / (double) self->values[k]);
            }
        }
    }
    return 1;
}

/* matrix:pcg{ b =, slice =, iterations =, tolerance = }: norms and the solution, in
 * double precision; the solution is rounded to the format at the end. */
static int pcg(lua_State *L)
{
    const SparseMatrix *self = sparse_matrix_check(L, 1);
    const guint slice = check_slice(L);
    const guint iterations = arguments_count(L, 2, "iterations", -1, MOST_ITERATIONS);
    const double tolerance = reference_solver_tolerance(L);
    const HostBytes *b = check_vector(L, self, "b", self->rows, slice);
    double *norms = reference_solver_norms(L, iterations);
    HostBytes *x = host_bytes_push(L, b->count, b->data != NULL);
    guint done = 0;

    luaL_argcheck(L, self->rows == self->columns, 1, "the matrix is not square");
    if (b->data != NULL) {
        const ReferenceSparse view = sparse_matrix_view(self);
        g_autofree double *given = unfold(self, b, self->rows, slice);
        g_autofree double *solution = g_new(double, self->rows);

        done =
            reference_sparse_pcg(&view, given, iterations, tolerance, solution, norms);
        fold(self, x, solution, self->rows, slice);
    }
    reference_solver_insert_norms(L, norms, done);
    return 2;
}

/* matrix:residual{ b =, x =, slice = }: the norm of b - A x; 0 in a timing-only run. */
static int residual(lua_State *L)
{
    const SparseMatrix *self = sparse_matrix_check(L, 1);
    const guint slice = check_slice(L);
    const HostBytes *b = check_vector(L, self, "b", self->rows, slice);
    const HostBytes *x = check_vector(L, self, "x", self->columns, slice);
    double norm = 0;

    if (b->data != NULL && x->data != NULL) {
        const ReferenceSparse view = sparse_matrix_view(self);
        g_autofree double *given = unfold(self, b, self->rows, slice);
        g_autofree double *solution = unfold(self, x, self->columns, slice);

        norm = reference_sparse_residual(&view, given, solution);
    }
    lua_pushnumber(L, norm);
    return 1;
}

const ApiCall sparse_check_methods[] = {
    {"product_error", product_error, "(options: table): number"},
    {"jacobi", jacobi, "(options: table): gl.Buffer"},
    {"pcg", pcg, "(options: table): number[], gl.Buffer"},
    {"residual", residual, "(options: table): number"},
    {0},
};
