/* Computes reference dot products. */
#include <math.h>

#include <lauxlib.h>

#include "workloads/buffer/bytes.h"
#include "workloads/buffer/number_array.h"
#include "workloads/reference/methods.h"
#include "workloads/reference/units.h"

enum {
    FIDELITY = 4, /* phases of a product on the FPU: all of them */
    MOST_TILES = 65535,
};

static void
load_tile(float *to, const HostBytes *from, NumberFormat format, uint64_t tile)
{
    number_array_get_floats(format, to, from->data, tile * REFERENCE_TILE,
                            REFERENCE_TILE);
}

typedef struct {
    const HostBytes *a;
    const HostBytes *b;
    NumberFormat format;
} Operands;

/* The sum of products of `count` tiles from `first` on. */
static void add_products(const ReferenceUnits *units,
                         float *sum,
                         const Operands *operands,
                         uint64_t first,
                         uint64_t count)
{
    float x[REFERENCE_TILE];
    float y[REFERENCE_TILE];

    for (uint64_t tile = first; tile < first + count; tile++) {
        load_tile(x, operands->a, operands->format, tile);
        load_tile(y, operands->b, operands->format, tile);
        reference_units_multiply(units, tile == first ? sum : x, x, y, REFERENCE_TILE);
        if (tile > first) {
            reference_units_add(units, sum, sum, x, REFERENCE_TILE);
        }
    }
}

int reference_partials(lua_State *L)
{
    const HostBytes *a = host_bytes_check(L, 1);
    NumberFormat format = number_format_check_unit(L, 2);
    const HostBytes *b = host_bytes_check(L, 3);
    lua_Integer tiles = luaL_checkinteger(L, 4);
    const uint64_t tile_bytes = number_format_bytes(format) * REFERENCE_TILE;
    HostBytes *result;

    luaL_argcheck(L, a->count == b->count, 3, "the buffers differ in length");
    luaL_argcheck(L, tiles >= 1 && tiles <= MOST_TILES, 4, "no such number of tiles");
    luaL_argcheck(L, a->count % (tile_bytes * (uint64_t) tiles) == 0, 4,
                  "the buffer is no multiple of so many tiles");
    const uint64_t groups = a->count / (tile_bytes * (uint64_t) tiles);

    result = host_bytes_push(L, groups * tile_bytes, a->data != NULL);
    if (a->data == NULL) {
        return 1;
    }
    g_autoptr(ReferenceUnits) units = reference_units_new(format, FIDELITY);
    const Operands operands = {.a = a, .b = b, .format = format};

    for (uint64_t group = 0; group < groups; group++) {
        float sum[REFERENCE_TILE];

        add_products(units, sum, &operands, group * (uint64_t) tiles, (uint64_t) tiles);
        number_array_put_floats(format, result->data, group * REFERENCE_TILE, sum,
                                REFERENCE_TILE);
    }
    return 1;
}

int reference_total(lua_State *L)
{
    const HostBytes *a = host_bytes_check(L, 1);
    NumberFormat format = number_format_check_unit(L, 2);
    double total = 0;

    luaL_argcheck(L, a->count == number_format_bytes(format) * REFERENCE_TILE, 1,
                  "the buffer is not a tile");
    if (a->data != NULL) {
        g_autoptr(ReferenceUnits) units = reference_units_new(format, FIDELITY);
        float tile[REFERENCE_TILE];

        load_tile(tile, a, format, 0);
        total = reference_units_total(units, tile);
    }
    lua_pushnumber(L, total);
    return 1;
}

int reference_dot(lua_State *L)
{
    const HostBytes *a = host_bytes_check(L, 1);
    NumberFormat format = number_format_check(L, 2);
    const HostBytes *b = host_bytes_check(L, 3);
    double sum = 0;
    double magnitude = 0;

    luaL_argcheck(L, a->count == b->count, 3, "the buffers differ in length");
    for (uint64_t i = 0; a->data != NULL && i < a->count / number_format_bytes(format);
         i++) {
        double product = number_format_get(format, a->data, i) *
                         number_format_get(format, b->data, i);

        sum += product;
        magnitude += fabs(product);
    }
    lua_pushnumber(L, sum);
    lua_pushnumber(L, magnitude);
    return 2;
}
