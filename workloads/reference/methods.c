/* Methods of buffers that hold numbers. Tiles are 32 x 32 in four faces of 16 x 16, row
 * by row; tiles and faces go row by row too. */
#include "workloads/reference/methods.h"

#include <math.h>
#include <string.h>

#include "arch/tensix.h"
#include "workloads/buffer/bytes.h"
#include "workloads/buffer/number_array.h"
#include "workloads/buffer/number_random.h"
#include "workloads/numbers/numbers.h"
#include "workloads/reference/column_dot.h"
#include "workloads/reference/column_stencil.h"
#include "workloads/reference/fourier.h"
#include "workloads/reference/hdiff.h"
#include "workloads/reference/merge.h"
#include "workloads/reference/vadvc.h"
#include "workloads/reference/wave.h"

enum {
    TILE = 32,
    FACE = 16,
};

static uint64_t count_of(const HostBytes *self, NumberFormat format)
{
    return self->count / number_format_bytes(format);
}

static uint64_t check_index(lua_State *L, const HostBytes *self, NumberFormat format)
{
    lua_Integer index = luaL_checkinteger(L, 3);

    luaL_argcheck(L, index >= 0 && (uint64_t) index < count_of(self, format), 3,
                  "outside the buffer");
    return (uint64_t) index;
}

/* buffer:get(format, i): the number there; 0 in a timing-only run. */
static int get(lua_State *L)
{
    const HostBytes *self = host_bytes_check(L, 1);
    NumberFormat format = number_format_check(L, 2);
    uint64_t index = check_index(L, self, format);

    lua_pushnumber(L, self->data != NULL ? number_format_get(format, self->data, index)
                                         : 0);
    return 1;
}

/* buffer:set(format, i, number) */
static int set(lua_State *L)
{
    HostBytes *self = host_bytes_check_writable(L, 1);
    NumberFormat format = number_format_check(L, 2);
    uint64_t index = check_index(L, self, format);
    double value = luaL_checknumber(L, 4);

    if (self->data != NULL) {
        number_format_put(format, self->data, index, value);
    }
    return 0;
}

/* buffer:fill_with(format, number) */
static int fill_with(lua_State *L)
{
    HostBytes *self = host_bytes_check_writable(L, 1);
    NumberFormat format = number_format_check(L, 2);
    double value = luaL_checknumber(L, 3);

    for (uint64_t i = 0; self->data != NULL && i < count_of(self, format); i++) {
        number_format_put(format, self->data, i, value);
    }
    return 0;
}

/* buffer:fill_random(format, seed, low, high [, step]): numbers that follow from the
 * seed alone, multiples of `step` where it is given. */
static int fill_random(lua_State *L)
{
    HostBytes *self = host_bytes_check_writable(L, 1);
    NumberFormat format = number_format_check(L, 2);
    NumberRange range;

    range.seed = (uint64_t) luaL_checkinteger(L, 3);
    range.low = luaL_checknumber(L, 4);
    range.high = luaL_checknumber(L, 5);
    range.step = luaL_optnumber(L, 6, 0);

    luaL_argcheck(L, isfinite(range.high - range.low) && range.high >= range.low, 5,
                  "high is below low");
    luaL_argcheck(L, isfinite(range.step) && range.step >= 0, 6,
                  "a step is not negative");
    if (self->data != NULL) {
        number_random_put(format, self->data, count_of(self, format), &range);
    }
    return 0;
}

/* Where element (row, column) of a matrix with `columns` lies in its tiles. */
static uint64_t tile_index(uint64_t row, uint64_t column, uint64_t columns)
{
    uint64_t tile = row / TILE * (columns / TILE) + column / TILE;
    uint64_t face = row % TILE / FACE * 2 + column % TILE / FACE;

    return tile * TILE * TILE + face * FACE * FACE + row % FACE * FACE + column % FACE;
}

static int rearrange(lua_State *L, bool is_into_tiles)
{
    const HostBytes *self = host_bytes_check(L, 1);
    gsize size = number_format_bytes(number_format_check(L, 2));
    lua_Integer rows = luaL_checkinteger(L, 3);
    lua_Integer columns = luaL_checkinteger(L, 4);
    HostBytes *result;

    luaL_argcheck(L, rows > 0 && rows % TILE == 0 && rows < G_MAXINT32, 3,
                  "rows are a multiple of 32");
    luaL_argcheck(L, columns > 0 && columns % TILE == 0 && columns < G_MAXINT32, 4,
                  "columns are a multiple of 32");
    luaL_argcheck(L, self->count == (uint64_t) rows * (uint64_t) columns * size, 1,
                  "the buffer is not as large as the matrix");
    result = host_bytes_push(L, self->count, self->data != NULL);
    for (uint64_t i = 0; self->data != NULL && i < (uint64_t) rows; i++) {
        for (uint64_t j = 0; j < (uint64_t) columns; j++) {
            uint64_t plain = i * (uint64_t) columns + j;
            uint64_t tiled = tile_index(i, j, (uint64_t) columns);

            memcpy(result->data + (is_into_tiles ? tiled : plain) * size,
                   self->data + (is_into_tiles ? plain : tiled) * size, size);
        }
    }
    return 1;
}

/* buffer:tilize(format, rows, columns): a new buffer. */
static int tilize(lua_State *L)
{
    return rearrange(L, true);
}

/* buffer:untilize(format, rows, columns): a new buffer. */
static int untilize(lua_State *L)
{
    return rearrange(L, false);
}

/* buffer:scaled(format, factor): a new buffer with each number times the factor. */
static int scaled(lua_State *L)
{
    const HostBytes *self = host_bytes_check(L, 1);
    const NumberFormat format = number_format_check(L, 2);
    const double factor = luaL_checknumber(L, 3);
    HostBytes *result = host_bytes_push(L, self->count, self->data != NULL);

    for (uint64_t i = 0; self->data != NULL && i < count_of(self, format); i++) {
        number_format_put(format, result->data, i,
                          number_format_get(format, self->data, i) * factor);
    }
    return 1;
}

/* buffer:transposed(format, rows, columns): a new buffer, the matrix column by column.
 */
static int transposed(lua_State *L)
{
    const HostBytes *self = host_bytes_check(L, 1);
    NumberFormat format = number_format_check(L, 2);
    lua_Integer rows = luaL_checkinteger(L, 3);
    lua_Integer columns = luaL_checkinteger(L, 4);
    gsize size = number_format_bytes(format);
    HostBytes *result;

    luaL_argcheck(L, rows > 0 && rows < G_MAXINT32, 3, "rows are 1 or more");
    luaL_argcheck(L, columns > 0 && columns < G_MAXINT32, 4, "columns are 1 or more");
    luaL_argcheck(L, self->count == (uint64_t) rows * (uint64_t) columns * size, 1,
                  "the buffer is not as large as the matrix");
    result = host_bytes_push(L, self->count, self->data != NULL);
    for (uint64_t i = 0; self->data != NULL && i < (uint64_t) rows; i++) {
        for (uint64_t j = 0; j < (uint64_t) columns; j++) {
            memcpy(result->data + (j * (uint64_t) rows + i) * size,
                   self->data + (i * (uint64_t) columns + j) * size, size);
        }
    }
    return 1;
}

/* A format of single numbers, or one whose tiles share exponents. */
typedef struct {
    NumberFormat number;
    ArchFormat tile;
    bool is_tiled;
} AnyFormat;

static AnyFormat check_any(lua_State *L, int index)
{
    const char *name = luaL_checkstring(L, index);

    if (g_str_equal(name, arch_format_name(ARCH_FORMAT_BFP8))) {
        return (AnyFormat){.tile = ARCH_FORMAT_BFP8, .is_tiled = true};
    }
    if (g_str_equal(name, arch_format_name(ARCH_FORMAT_BFP4))) {
        return (AnyFormat){.tile = ARCH_FORMAT_BFP4, .is_tiled = true};
    }
    return (AnyFormat){.number = number_format_check(L, index)};
}

static uint64_t tile_bytes(AnyFormat format)
{
    return format.is_tiled ? arch_format_tile_bytes(format.tile)
                           : number_format_bytes(format.number) * TILE * TILE;
}

static void
convert_tile(AnyFormat from, AnyFormat to, const guint8 *source, guint8 *target)
{
    float numbers[TILE * TILE];

    if (from.is_tiled) {
        arch_tensix_unpack(from.tile, numbers, source);
    }
    if (!from.is_tiled) {
        number_array_get_floats(from.number, numbers, source, 0, (gsize) TILE * TILE);
    }
    if (to.is_tiled) {
        arch_tensix_pack(to.tile, target, numbers);
    }
    if (!to.is_tiled) {
        number_array_put_floats(to.number, target, 0, numbers, (gsize) TILE * TILE);
    }
}

static int convert_tiles(lua_State *L, AnyFormat from, AnyFormat to)
{
    const HostBytes *self = host_bytes_check(L, 1);
    const uint64_t count = self->count / tile_bytes(from);

    luaL_argcheck(L, self->count % tile_bytes(from) == 0, 1,
                  "numbers that share an exponent come in whole tiles");
    HostBytes *result = host_bytes_push(L, count * tile_bytes(to), self->data != NULL);

    for (uint64_t i = 0; self->data != NULL && i < count; i++) {
        convert_tile(from, to, self->data + i * tile_bytes(from),
                     result->data + i * tile_bytes(to));
    }
    return 1;
}

/* buffer:converted(from, to): a new buffer. */
static int converted(lua_State *L)
{
    const HostBytes *self = host_bytes_check(L, 1);
    const AnyFormat from = check_any(L, 2);
    const AnyFormat to = check_any(L, 3);

    if (from.is_tiled || to.is_tiled) {
        return convert_tiles(L, from, to);
    }
    uint64_t count = count_of(self, from.number);
    HostBytes *result =
        host_bytes_push(L, count * number_format_bytes(to.number), self->data != NULL);

    for (uint64_t i = 0; self->data != NULL && i < count; i++) {
        number_format_put(to.number, result->data, i,
                          number_format_get(from.number, self->data, i));
    }
    return 1;
}

static uint64_t check_part(lua_State *L, int index, uint64_t most)
{
    lua_Integer value = luaL_checkinteger(L, index);

    luaL_argcheck(L, value >= 0 && (uint64_t) value <= most, index,
                  "outside the buffer");
    return (uint64_t) value;
}

/* buffer:part(offset, bytes): a new buffer. */
static int part(lua_State *L)
{
    const HostBytes *self = host_bytes_check(L, 1);
    uint64_t offset = check_part(L, 2, self->count);
    uint64_t count = check_part(L, 3, self->count - offset);
    HostBytes *result = host_bytes_push(L, count, self->data != NULL);

    if (count > 0 && self->data != NULL) {
        memcpy(result->data, self->data + offset, count);
    }
    return 1;
}

/* buffer:put(offset, other): copies all of it there. */
static int put(lua_State *L)
{
    HostBytes *self = host_bytes_check_writable(L, 1);
    uint64_t offset = check_part(L, 2, self->count);
    const HostBytes *other = host_bytes_check(L, 3);

    luaL_argcheck(L, other->count <= self->count - offset, 3, "outside the buffer");
    if (other->count > 0 && self->data != NULL && other->data != NULL) {
        memmove(self->data + offset, other->data, other->count);
    }
    return 0;
}

static inline double
difference(NumberFormat format, const HostBytes *a, const HostBytes *b, uint64_t i)
{
    return fabs(number_format_get(format, a->data, i) -
                number_format_get(format, b->data, i));
}

/* Infinity if one is no number. The compiler takes several lanes at once. */
static inline double
largest_difference(NumberFormat format, const HostBytes *a, const HostBytes *b)
{
    enum {
        LANES = 8
    };
    const uint64_t count = count_of(a, format);
    const uint64_t whole = count - count % LANES;
    double worst[LANES] = {0};
    uint64_t others[LANES] = {0}; /* that are no numbers */

    for (uint64_t i = 0; i < whole; i += LANES) {
        for (guint j = 0; j < LANES; j++) {
            const double next = difference(format, a, b, i + j);

            worst[j] = next > worst[j] ? next : worst[j];
            others[j] += next >= 0 ? 0 : 1;
        }
    }
    for (uint64_t i = whole; i < count; i++) {
        const double next = difference(format, a, b, i);

        worst[0] = next > worst[0] ? next : worst[0];
        others[0] += next >= 0 ? 0 : 1;
    }
    for (guint j = 0; j < LANES; j++) {
        worst[0] = others[j] > 0 ? HUGE_VAL : MAX(worst[0], worst[j]);
    }
    return worst[0];
}

/* buffer:error(format, other): the largest difference of two numbers. */
static int error(lua_State *L)
{
    const HostBytes *self = host_bytes_check(L, 1);
    NumberFormat format = number_format_check(L, 2);
    const HostBytes *other = host_bytes_check(L, 3);
    double worst = 0;

    luaL_argcheck(L, self->count == other->count, 3, "the buffers differ in length");
    if (self->data != NULL && other->data != NULL) {
        worst = format == NUMBER_FP32 ? largest_difference(NUMBER_FP32, self, other)
                                      : largest_difference(format, self, other);
    }
    lua_pushnumber(L, worst);
    return 1;
}

static const ApiCall number_methods[] = {
    {"get", get, "(format: gl.Format, i: integer): number"},
    {"set", set, "(format: gl.Format, i: integer, x: number)"},
    {"fill_with", fill_with, "(format: gl.Format, x: number)"},
    {"fill_random", fill_random,
     "(format: gl.Format, seed: integer, low: number, high: number, step?: number)"},
    {"tilize", tilize,
     "(format: gl.Format, rows: integer, columns: integer): gl.Buffer"},
    {"untilize", untilize,
     "(format: gl.Format, rows: integer, columns: integer): gl.Buffer"},
    {"transposed", transposed,
     "(format: gl.Format, rows: integer, columns: integer): gl.Buffer"},
    {"scaled", scaled, "(format: gl.Format, factor: number): gl.Buffer"},
    {"permuted", reference_permuted,
     "(format: gl.Format, shape: integer[], axes: integer[]): gl.Buffer"},
    {"converted", converted,
     "(from: gl.Format|\"bfp8\"|\"bfp4\", to: "
     "gl.Format|\"bfp8\"|\"bfp4\"): gl.Buffer"},
    {"numbers", numbers_of_buffer,
     "(format: gl.Format, shape?: integer[]): gl.Numbers"},
    {"part", part, "(offset: integer, bytes: integer): gl.Buffer"},
    {"put", put, "(offset: integer, other: gl.Buffer)"},
    {"error", error, "(format: gl.Format, other: gl.Buffer): number"},
    {"sum", reference_sum,
     "(format: gl.Format, other: gl.Buffer, unit: \"fpu\"|\"sfpu\"|\"ieee\"): "
     "gl.Buffer"},
    {"product", reference_product,
     "(format: gl.Format, other: gl.Buffer, rows: integer, inner: integer, columns: "
     "integer): gl.Buffer"},
    {"partials", reference_partials,
     "(format: gl.Format, other: gl.Buffer, tiles: integer): gl.Buffer"},
    {"total", reference_total, "(format: gl.Format): number"},
    {"dot", reference_dot, "(format: gl.Format, other: gl.Buffer): number, number"},
    {"masked", reference_masked, "(grid: table): gl.Buffer"},
    {"laplacian", reference_laplacian, "(grid: table): gl.Buffer"},
    {"pcg", reference_pcg, "(options: table): number[], gl.Buffer"},
    {"residual", reference_residual, "(options: table): number, gl.Buffer?"},
    {"fourier", reference_fourier, "(shape: integer[]): gl.Buffer"},
    {"wave", reference_wave, "(options: table): gl.Buffer, number"},
    {"hdiff", reference_hdiff, "(options: table): gl.Buffer"},
    {"hdiff_dst", reference_hdiff_dst, "(options: table): gl.Buffer"},
    {"vadvc", reference_vadvc, "(options: table): gl.Buffer"},
    {"column_stencil", reference_column_stencil_call,
     "(options: table): gl.Buffer, number"},
    {"krylov", reference_krylov, "(options: table): number[], gl.Buffer"},
    {"krylov_residual", reference_krylov_norm, "(options: table): number, gl.Buffer?"},
    {"multigrid", reference_multigrid_call, "(options: table): number[], gl.Buffer"},
    {"merged", reference_merged, "(options: table): gl.Buffer, number"},
    {"stencil", reference_stencil, "(options: table): gl.Buffer"},
    {"stencil_exact", reference_stencil_exact_of, "(options: table): gl.Buffer"},
    {"stencil_error", reference_stencil_error_of, "(options: table): number, number"},
    {"column_dots", reference_column_dots,
     "(format: gl.Format, other: gl.Buffer, count: integer, sums: gl.Format): "
     "gl.Buffer"},
    {0},
};

const ApiClass bytes_api = {
    .name = "Buffer",
    .page = "workloads/doc/arithmetic.md",
    .calls = (const ApiCall *const[]){bytes_methods, number_methods, NULL},
    .is_object = true,
};
