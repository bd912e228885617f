/* A sparse matrix in host memory, row after row (CSR), as a Lua type. It has its data
 * in timing-only runs too: what a product does depends on where its entries are. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <lua.h>

#include "workloads/buffer/number_format.h"
#include "workloads/reference/sparse.h"
#include "workloads/sandbox/api.h"
#include "workloads/sandbox/sandbox.h"

enum {
    SPARSE_TILE = 1024, /* numbers of a tile, of which a vector fills `slice` */
    SPARSE_MOST = 1 << 26,
};

typedef struct {
    WlSandbox *sandbox;  /* accounts for the memory */
    NumberFormat format; /* values are rounded to it: bf16 or fp32 */
    bool has_data;       /* whether buffers made from it have */
    guint rows;
    guint columns;
    guint done;         /* rows that are complete */
    uint64_t capacity;  /* of entries */
    uint64_t *pointers; /* one more than rows */
    uint32_t *indices;
    float *values;
    uint32_t *order; /* by row, where it was before sparse_order(); NULL: there */
} SparseMatrix;

/* The matrix at `index`, complete, or raises. */
SparseMatrix *sparse_matrix_check(lua_State *L, int index);

/* Pushes a matrix without entries, or raises. */
SparseMatrix *sparse_matrix_push(lua_State *L, const SparseMatrix *like);

/* Adds an entry to the row that is being made, in any order. */
void sparse_matrix_add(lua_State *L, SparseMatrix *self, uint32_t column, float value);

/* Ends that row: sorts it. Raises if it has a column twice. */
void sparse_matrix_end_row(lua_State *L, SparseMatrix *self);

ReferenceSparse sparse_matrix_view(const SparseMatrix *self);

/* For host.sparse{ rows =, columns =, format = }: pushes a matrix for the table at
 * index 1; has_data says whether the run has numbers. */
int sparse_matrix_new(lua_State *L, bool has_data);

void sparse_matrix_register(lua_State *L);

/* Methods that lay a matrix out for cores (layout.c), those that compare with
 * references (check.c), and those of order and symmetry (order.c); each ends with a row
 * without a name. */
extern const ApiCall sparse_layout_methods[];
extern const ApiCall sparse_check_methods[];
extern const ApiCall sparse_order_methods[];

extern const ApiClass sparse_api;
