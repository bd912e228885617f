/* Lays the rows of a sparse matrix out for one core: as CSR, or as sliced ELL. Columns
 * become offsets into the parts of the vector that the core has. */
#include <string.h>

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/buffer/bytes.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sparse/matrix.h"

/* Rows of a matrix, and how vectors lie: `slice` numbers in each tile. */
typedef struct {
    const SparseMatrix *matrix;
    guint first;
    guint rows;
    guint slice;
} Part;

static Part check_part(lua_State *L)
{
    Part part = {.matrix = sparse_matrix_check(L, 1)};

    luaL_checktype(L, 2, LUA_TTABLE);
    part.first = arguments_integer(L, 2, "first", -1, part.matrix->rows);
    part.rows = arguments_integer(L, 2, "rows", -1, part.matrix->rows - part.first);
    part.slice = arguments_count(L, 2, "slice", -1, SPARSE_TILE);
    return part;
}

/* Where the number of a column lies in a vector of tiles. */
static uint64_t position_of(const Part *self, uint32_t column)
{
    return (uint64_t) (column / self->slice) * SPARSE_TILE + column % self->slice;
}

static uint64_t first_entry(const Part *self)
{
    return self->matrix->pointers[self->first];
}

static uint64_t last_entry(const Part *self)
{
    return self->matrix->pointers[self->first + self->rows];
}

/* matrix:entries(first, rows): how many the rows have, and the most of one. */
static int entries(lua_State *L)
{
    const SparseMatrix *self = sparse_matrix_check(L, 1);
    const lua_Integer first = luaL_checkinteger(L, 2);
    const lua_Integer rows = luaL_checkinteger(L, 3);
    uint64_t most = 0;

    luaL_argcheck(L, first >= 0 && first <= self->rows, 2, "no such row");
    luaL_argcheck(L, rows >= 0 && rows <= self->rows - first, 3, "no such rows");
    for (lua_Integer r = first; r < first + rows; r++) {
        most = MAX(most, self->pointers[r + 1] - self->pointers[r]);
    }
    lua_pushinteger(
        L, (lua_Integer) (self->pointers[first + rows] - self->pointers[first]));
    lua_pushinteger(L, (lua_Integer) most);
    return 2;
}

/* matrix:needed{ first =, rows =, slice =, block = }: a list of positions and counts of
 * numbers that the rows need, in blocks of `block`. */
static int needed(lua_State *L)
{
    const Part part = check_part(L);
    const guint block = arguments_count(L, 2, "block", -1, SPARSE_TILE);
    const uint64_t blocks = position_of(&part, part.matrix->columns - 1) / block + 1;
    guint8 *is_needed = lua_newuserdatauv(L, blocks, 0); /* freed if a call raises */
    lua_Integer runs = 0;

    memset(is_needed, 0, blocks);
    for (uint64_t k = first_entry(&part); k < last_entry(&part); k++) {
        is_needed[position_of(&part, part.matrix->indices[k]) / block] = 1;
    }
    lua_newtable(L);
    for (uint64_t i = 0; i < blocks;) {
        const uint64_t begin = i;

        while (i < blocks && is_needed[i] != 0) {
            i++;
        }
        if (i > begin) {
            lua_pushinteger(L, (lua_Integer) begin * block);
            lua_rawseti(L, -2, ++runs);
            lua_pushinteger(L, (lua_Integer) (i - begin) * block);
            lua_rawseti(L, -2, ++runs);
        }
        i += i == begin;
    }
    return 1;
}

/* Numbers from `position` on that the core has at `offset`, in bytes. */
typedef struct {
    uint64_t position;
    uint64_t count;
    uint32_t offset;
} Piece;

static uint64_t check_member(lua_State *L, lua_Integer index)
{
    lua_rawgeti(L, -1, index);
    const lua_Integer value = lua_tointeger(L, -1);

    luaL_argcheck(L, value >= 0 && value <= G_MAXUINT32, 2, "pieces: no such number");
    lua_pop(L, 1);
    return (uint64_t) value;
}

/* The list in field "pieces": position, count, offset, of each in the order of
 * positions. Kept by a userdata that is left on top of the stack. */
static const Piece *check_pieces(lua_State *L, guint *count)
{
    lua_getfield(L, 2, "pieces");
    luaL_argcheck(L, lua_istable(L, -1), 2, "pieces: expected a list");
    *count = sim_u32(lua_rawlen(L, -1) / 3);
    Piece *pieces = lua_newuserdatauv(L, ((gsize) *count + 1) * sizeof *pieces, 0);

    lua_insert(L, -2);
    for (guint i = 0; i < *count; i++) {
        pieces[i] = (Piece){check_member(L, 3 * (lua_Integer) i + 1),
                            check_member(L, 3 * (lua_Integer) i + 2),
                            sim_u32(check_member(L, 3 * (lua_Integer) i + 3))};
        luaL_argcheck(L, i == 0 || pieces[i].position > pieces[i - 1].position, 2,
                      "pieces: not in order");
    }
    lua_pop(L, 1);
    return pieces;
}

typedef struct {
    Part part;
    const Piece *pieces;
    guint count;
    guint bytes; /* of a number */
} Layout;

static Layout check_layout(lua_State *L)
{
    Layout layout = {.part = check_part(L)};

    layout.bytes = sim_u32(number_format_bytes(layout.part.matrix->format));
    layout.pieces = check_pieces(L, &layout.count);
    return layout;
}

static uint32_t offset_of(lua_State *L, const Layout *self, uint32_t column)
{
    const uint64_t position = position_of(&self->part, column);
    guint low = 0;
    guint high = self->count;

    while (high - low > 1) {
        const guint middle = low + (high - low) / 2;

        if (self->pieces[middle].position <= position) {
            low = middle;
        } else {
            high = middle;
        }
    }
    if (self->count == 0 || position < self->pieces[low].position ||
        position - self->pieces[low].position >= self->pieces[low].count) {
        luaL_argerror(
            L, 2, lua_pushfstring(L, "pieces: none has column %d", sim_i32(column)));
    }
    return self->pieces[low].offset +
           sim_u32((position - self->pieces[low].position) * self->bytes);
}

static void put_word(HostBytes *to, uint64_t index, uint64_t word)
{
    const uint32_t value = sim_u32(word);

    memcpy(to->data + index * sizeof value, &value, sizeof value);
}

/* matrix:csr{ first =, rows =, slice =, pieces = }: buffers with values, offsets and
 * the rows' first entries, and a string of the rows' lengths, 4 bytes each. */
static int csr(lua_State *L)
{
    const Layout layout = check_layout(L);
    const SparseMatrix *matrix = layout.part.matrix;
    const uint64_t first = first_entry(&layout.part);
    const uint64_t count = last_entry(&layout.part) - first;
    HostBytes *values = host_bytes_push(L, count * layout.bytes, matrix->has_data);
    HostBytes *offsets = host_bytes_push(L, count * sizeof(uint32_t), matrix->has_data);
    HostBytes *pointers = host_bytes_push(
        L, ((uint64_t) layout.part.rows + 1) * sizeof(uint32_t), matrix->has_data);
    luaL_Buffer lengths;

    for (uint64_t k = 0; matrix->has_data && k < count; k++) {
        number_format_put(matrix->format, values->data, k,
                          (double) matrix->values[first + k]);
        put_word(offsets, k, offset_of(L, &layout, matrix->indices[first + k]));
    }
    luaL_buffinit(L, &lengths);
    for (guint r = 0; r < layout.part.rows; r++) {
        const uint64_t *at = matrix->pointers + layout.part.first + r;
        const uint32_t length = sim_u32(at[1] - at[0]);

        luaL_addlstring(&lengths, (const char *) &length, sizeof length);
        if (matrix->has_data) {
            put_word(pointers, r, at[0] - first);
        }
    }
    if (matrix->has_data) {
        put_word(pointers, layout.part.rows, count);
    }
    luaL_pushresult(&lengths);
    return 4;
}

/* The most entries of a row of the slice, at least one. */
static guint width_of(const Part *self, guint first, guint rows)
{
    uint64_t width = 1;

    for (guint r = first; r < first + rows; r++) {
        width = MAX(width, self->matrix->pointers[r + 1] - self->matrix->pointers[r]);
    }
    return sim_u32(width);
}

/* Appends a number to the list at `list`. */
static void append(lua_State *L, int list, lua_Integer value)
{
    lua_pushinteger(L, value);
    lua_rawseti(L, list, (lua_Integer) lua_rawlen(L, list) + 1);
}

/* Puts entry `k` of each row of a slice into a tile; how many lanes hold the last of
 * them. */
static guint put_tile(
    lua_State *L, const Layout *layout, guint first, guint rows, guint k, uint64_t tile)
{
    const SparseMatrix *matrix = layout->part.matrix;
    HostBytes *values = host_bytes_check(L, -4);
    HostBytes *offsets = host_bytes_check(L, -3);
    guint lanes = 0;

    for (guint lane = 0; lane < rows; lane++) {
        const uint64_t at = matrix->pointers[first + lane] + k;

        if (at >= matrix->pointers[first + lane + 1]) {
            continue;
        }
        lanes = lane + 1;
        if (matrix->has_data) {
            number_format_put(matrix->format, values->data, tile * SPARSE_TILE + lane,
                              (double) matrix->values[at]);
            put_word(offsets, tile * SPARSE_TILE + lane,
                     offset_of(L, layout, matrix->indices[at]));
        }
    }
    return lanes;
}

/* matrix:sliced_ell{ first =, rows =, slice =, pieces = }: tile after tile, entry k of
 * each row of a slice: buffers with values and offsets, 0 where a row has no entry; a
 * list of the slices' tiles; a list of the tiles' lanes, up to the last with an entry.
 */
static int sliced_ell(lua_State *L)
{
    const Layout layout = check_layout(L);
    const Part *part = &layout.part;
    uint64_t tiles = 0;

    for (guint r = 0; r < part->rows; r += part->slice) {
        tiles += width_of(part, part->first + r, MIN(part->slice, part->rows - r));
    }
    host_bytes_push(L, tiles * SPARSE_TILE * layout.bytes, part->matrix->has_data);
    host_bytes_push(L, tiles * SPARSE_TILE * sizeof(uint32_t), part->matrix->has_data);
    lua_newtable(L);
    lua_newtable(L);
    const int lanes = lua_gettop(L);

    tiles = 0;
    for (guint r = 0; r < part->rows; r += part->slice) {
        const guint rows = MIN(part->slice, part->rows - r);
        const guint width = width_of(part, part->first + r, rows);

        append(L, lanes - 1, width);
        for (guint k = 0; k < width; k++) {
            append(L, lanes, put_tile(L, &layout, part->first + r, rows, k, tiles++));
        }
    }
    return 4;
}

const ApiCall sparse_layout_methods[] = {
    {"entries", entries, "(first: integer, rows: integer): integer, integer"},
    {"needed", needed, "(options: table): integer[]"},
    {"csr", csr, "(options: table): gl.Buffer, gl.Buffer, gl.Buffer, string"},
    {"sliced_ell", sliced_ell,
     "(options: table): gl.Buffer, gl.Buffer, integer[], integer[]"},
    {0},
};
