/* The order of a sparse matrix's rows, and whether it is symmetric. */
#include <stdlib.h>

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/sparse/matrix.h"

static uint64_t length_of(const SparseMatrix *self, uint32_t row)
{
    return self->pointers[row + 1] - self->pointers[row];
}

/* Longer rows come first, equal ones in their old order. */
static int compare(const void *a, const void *b, gpointer data)
{
    const uint32_t first = *(const uint32_t *) a;
    const uint32_t second = *(const uint32_t *) b;
    const uint64_t lengths[] = {length_of(data, first), length_of(data, second)};

    if (lengths[0] != lengths[1]) {
        return lengths[0] > lengths[1] ? -1 : 1;
    }
    return first < second ? -1 : first > second;
}

static uint32_t *sorted_rows(SparseMatrix *self, guint window)
{
    uint32_t *order = g_new(uint32_t, self->rows);

    for (guint r = 0; r < self->rows; r++) {
        order[r] = r;
    }
    for (guint first = 0; first < self->rows && window > 1; first += window) {
        g_qsort_with_data(order + first, sim_i32(MIN(window, self->rows - first)),
                          sizeof *order, compare, self);
    }
    return order;
}

/* matrix:sorted(window, is_symmetric): a new matrix, the rows of each window sorted by
 * length; with columns in the same order if it is to stay symmetric. */
static int sorted(lua_State *L)
{
    SparseMatrix *self = sparse_matrix_check(L, 1);
    const lua_Integer window = luaL_checkinteger(L, 2);
    const bool is_symmetric = lua_toboolean(L, 3) != 0;

    luaL_argcheck(L, window >= 1 && window <= SPARSE_MOST, 2, "no such window");
    luaL_argcheck(L, !is_symmetric || self->rows == self->columns, 3,
                  "the matrix is not square");
    SparseMatrix *result = sparse_matrix_push(L, self);

    result->order = sorted_rows(self, sim_u32(window));
    const gsize count = MAX(self->rows, self->columns);
    uint32_t *places = lua_newuserdatauv(L, count * sizeof *places, 0);

    lua_insert(L, -2); /* below the result */
    for (guint c = 0; c < self->columns; c++) {
        places[c] = c;
    }
    for (guint r = 0; is_symmetric && r < self->rows; r++) {
        places[result->order[r]] = r;
    }
    for (guint r = 0; r < self->rows; r++) {
        const uint32_t from = result->order[r];

        for (uint64_t k = self->pointers[from]; k < self->pointers[from + 1]; k++) {
            sparse_matrix_add(L, result, places[self->indices[k]], self->values[k]);
        }
        sparse_matrix_end_row(L, result);
    }
    return 1;
}

/* matrix:origin(row): where the row was before it was sorted. */
static int origin(lua_State *L)
{
    const SparseMatrix *self = sparse_matrix_check(L, 1);
    const lua_Integer row = luaL_checkinteger(L, 2);

    luaL_argcheck(L, row >= 0 && row < self->rows, 2, "no such row");
    lua_pushinteger(L, self->order != NULL ? self->order[row] : row);
    return 1;
}

static int compare_columns(const void *a, const void *b)
{
    const uint32_t first = *(const uint32_t *) a;
    const uint32_t second = *(const uint32_t *) b;

    return first < second ? -1 : first > second;
}

/* The value at (row, column); NULL: it has none. */
static const float *find(const SparseMatrix *self, uint32_t row, uint32_t column)
{
    const uint32_t *at = bsearch(&column, self->indices + self->pointers[row],
                                 length_of(self, row), sizeof column, compare_columns);

    return at != NULL ? self->values + (at - self->indices) : NULL;
}

/* Pushes what is wrong with a row, if anything is. */
static bool push_fault(lua_State *L, const SparseMatrix *self, uint32_t row)
{
    const float *diagonal = find(self, row, row);

    if (diagonal == NULL || *diagonal <= 0) {
        lua_pushfstring(L, "the diagonal has %f in row %d",
                        diagonal == NULL ? 0.0 : (double) *diagonal, sim_i32(row));
        return true;
    }
    for (uint64_t k = self->pointers[row]; k < self->pointers[row + 1]; k++) {
        const uint32_t column = self->indices[k];
        const float *other = find(self, column, row);

        if (other == NULL || *other != self->values[k]) {
            lua_pushfstring(L,
                            "row %d has %f in column %d, and row %d has %f in column "
                            "%d",
                            sim_i32(row), (double) self->values[k], sim_i32(column),
                            sim_i32(column), other == NULL ? 0.0 : (double) *other,
                            sim_i32(row));
            return true;
        }
    }
    return false;
}

/* matrix:asymmetry(): why it cannot be symmetric and positive definite, as far as its
 * diagonal and its pairs of entries say, or nil. */
static int asymmetry(lua_State *L)
{
    const SparseMatrix *self = sparse_matrix_check(L, 1);

    luaL_argcheck(L, self->rows == self->columns, 1, "the matrix is not square");
    for (guint r = 0; r < self->rows; r++) {
        if (push_fault(L, self, r)) {
            return 1;
        }
    }
    lua_pushnil(L);
    return 1;
}

const ApiCall sparse_order_methods[] = {
    {"sorted", sorted, "(window: integer, is_symmetric?: boolean): gl.Sparse"},
    {"origin", origin, "(row: integer): integer"},
    {"asymmetry", asymmetry, "(): string?"},
    {0},
};
