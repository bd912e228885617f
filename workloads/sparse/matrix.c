/* Makes sparse matrices from entries, row after row. */
#include "workloads/sparse/matrix.h"

#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/sandbox/arguments.h"

#define TYPE_NAME "gridloom.sparse"

enum {
    ENTRY_BYTES = sizeof(uint32_t) + sizeof(float),
    ROW_BYTES = sizeof(uint64_t) + sizeof(uint32_t), /* pointer and order */
    FIRST_CAPACITY = 1024,
};

static SparseMatrix *check_any(lua_State *L, int index)
{
    return luaL_checkudata(L, index, TYPE_NAME);
}

SparseMatrix *sparse_matrix_check(lua_State *L, int index)
{
    SparseMatrix *self = check_any(L, index);

    if (self->done != self->rows) {
        luaL_error(L, "the matrix has %d rows so far, of %d", sim_i32(self->done),
                   sim_i32(self->rows));
    }
    return self;
}

/* Bytes that it accounts for. */
static int64_t bytes_of(const SparseMatrix *self)
{
    return (int64_t) (self->capacity * ENTRY_BYTES +
                      ((uint64_t) self->rows + 1) * ROW_BYTES);
}

static void account(lua_State *L, const SparseMatrix *self, int64_t bytes)
{
    if (!sandbox_account(self->sandbox, bytes)) {
        sandbox_check(L);
    }
}

SparseMatrix *sparse_matrix_push(lua_State *L, const SparseMatrix *like)
{
    SparseMatrix *self = lua_newuserdatauv(L, sizeof *self, 0);

    *self = (SparseMatrix){.sandbox = sandbox_of(L),
                           .format = like->format,
                           .has_data = like->has_data,
                           .rows = like->rows,
                           .columns = like->columns};
    account(L, self, bytes_of(self));
    luaL_setmetatable(L, TYPE_NAME);
    self->pointers = g_new0(uint64_t, (gsize) self->rows + 1);
    return self;
}

static int collect(lua_State *L)
{
    SparseMatrix *self = check_any(L, 1);

    if (self->pointers != NULL) {
        (void) sandbox_account(self->sandbox, -bytes_of(self));
    }
    g_clear_pointer(&self->pointers, g_free);
    g_clear_pointer(&self->indices, g_free);
    g_clear_pointer(&self->values, g_free);
    g_clear_pointer(&self->order, g_free);
    return 0;
}

void sparse_matrix_add(lua_State *L, SparseMatrix *self, uint32_t column, float value)
{
    const uint64_t at = self->pointers[self->done + 1];

    if (at == self->capacity) {
        const uint64_t more = MAX(self->capacity, FIRST_CAPACITY);

        account(L, self, (int64_t) (more * ENTRY_BYTES));
        self->capacity += more;
        self->indices = g_renew(uint32_t, self->indices, self->capacity);
        self->values = g_renew(float, self->values, self->capacity);
    }
    self->indices[at] = column;
    self->values[at] = value;
    self->pointers[self->done + 1] = at + 1;
}

typedef struct {
    uint32_t column;
    float value;
} Entry;

static int compare(const void *a, const void *b, gpointer data)
{
    const Entry *first = a;
    const Entry *second = b;

    (void) data;
    return first->column < second->column ? -1 : first->column > second->column;
}

static bool is_sorted(const SparseMatrix *self, uint64_t first, uint64_t last)
{
    for (uint64_t i = first + 1; i < last; i++) {
        if (self->indices[i] < self->indices[i - 1]) {
            return false;
        }
    }
    return true;
}

static void sort_row(const SparseMatrix *self, uint64_t first, uint64_t last)
{
    if (is_sorted(self, first, last)) {
        return;
    }
    g_autofree Entry *row = g_new(Entry, last - first);

    for (uint64_t i = first; i < last; i++) {
        row[i - first] = (Entry){self->indices[i], self->values[i]};
    }
    g_qsort_with_data(row, sim_i32(last - first), sizeof *row, compare, NULL);
    for (uint64_t i = first; i < last; i++) {
        self->indices[i] = row[i - first].column;
        self->values[i] = row[i - first].value;
    }
}

void sparse_matrix_end_row(lua_State *L, SparseMatrix *self)
{
    const uint64_t first = self->pointers[self->done];
    const uint64_t last = self->pointers[self->done + 1];

    sort_row(self, first, last);
    for (uint64_t i = first + 1; i < last; i++) {
        if (self->indices[i] == self->indices[i - 1]) {
            sandbox_raise(L, g_error_new(WL_ERROR, WL_ERROR_KEY,
                                         "row %u has column %u twice", self->done,
                                         self->indices[i]));
        }
    }
    self->done++;
    if (self->done < self->rows) {
        self->pointers[self->done + 1] = last;
    }
}

ReferenceSparse sparse_matrix_view(const SparseMatrix *self)
{
    return (ReferenceSparse){.rows = self->rows,
                             .columns = self->columns,
                             .pointers = self->pointers,
                             .indices = self->indices,
                             .values = self->values};
}

int sparse_matrix_new(lua_State *L, bool has_data)
{
    static const char *const known[] = {"rows", "columns", "format", NULL};
    static const char *const formats[] = {"bf16", "fp32", NULL};

    arguments_check(L, 1, known);
    const SparseMatrix like = {
        .format = arguments_choice(L, 1, "format", formats, true) == 0 ? NUMBER_BF16
                                                                       : NUMBER_FP32,
        .has_data = has_data,
        .rows = arguments_count(L, 1, "rows", -1, SPARSE_MOST),
        .columns = arguments_count(L, 1, "columns", -1, SPARSE_MOST),
    };

    sparse_matrix_push(L, &like);
    return 1;
}

static void check_open(lua_State *L, const SparseMatrix *self)
{
    if (self->done == self->rows) {
        luaL_error(L, "the matrix has all its %d rows", sim_i32(self->rows));
    }
}

/* matrix:put(column, value): an entry of the row that is being made. */
static int put(lua_State *L)
{
    SparseMatrix *self = check_any(L, 1);
    const lua_Integer column = luaL_checkinteger(L, 2);
    const double value = luaL_checknumber(L, 3);
    guint8 rounded[sizeof(float)];

    check_open(L, self);
    if (column < 0 || column >= self->columns) {
        return sandbox_raise(L, g_error_new(WL_ERROR, WL_ERROR_KEY,
                                            "row %u has column %" G_GINT64_FORMAT
                                            ", columns are 0 to %u",
                                            self->done, (gint64) column,
                                            self->columns - 1));
    }
    number_format_put(self->format, rounded, 0, value);
    const double number = number_format_get(self->format, rounded, 0);

    if (!isfinite(number)) {
        return sandbox_raise(L, g_error_new(WL_ERROR, WL_ERROR_KEY,
                                            "row %u, column %u has no finite number",
                                            self->done, sim_u32(column)));
    }
    sparse_matrix_add(L, self, sim_u32(column), (float) number);
    return 0;
}

/* matrix:end_row(): the next entries are of the next row. */
static int end_row(lua_State *L)
{
    SparseMatrix *self = check_any(L, 1);

    check_open(L, self);
    sparse_matrix_end_row(L, self);
    return 0;
}

/* matrix:size(): rows, columns, entries. */
static int size(lua_State *L)
{
    const SparseMatrix *self = sparse_matrix_check(L, 1);

    lua_pushinteger(L, self->rows);
    lua_pushinteger(L, self->columns);
    lua_pushinteger(L, (lua_Integer) self->pointers[self->rows]);
    return 3;
}

static const ApiCall methods[] = {
    {"put", put, "(column: integer, value: number)"},
    {"end_row", end_row, "()"},
    {"size", size, "(): integer, integer, integer"},
    {0},
};

const ApiClass sparse_api = {
    .name = "Sparse",
    .page = "workloads/doc/sparse.md",
    .calls = (const ApiCall *const[]){methods, sparse_layout_methods,
                                      sparse_check_methods, sparse_order_methods, NULL},
    .is_object = true,
};

void sparse_matrix_register(lua_State *L)
{
    luaL_newmetatable(L, TYPE_NAME);
    lua_pushcfunction(L, collect);
    lua_setfield(L, -2, "__gc");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    api_push(L, &sparse_api);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
}
