/* Computes reference dot products of columns. */
#include "workloads/reference/column_dot.h"

#include <math.h>

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/buffer/bytes.h"
#include "workloads/buffer/number_format.h"

float reference_column_dot_single(const double *a, const double *b, guint count)
{
    float sum = 0;

    for (guint i = 0; i < count; i++) {
        sum = fmaf((float) a[i], (float) b[i], sum);
    }
    return sum;
}

double reference_column_dot_half(const double *a, const double *b, guint count)
{
    double sum = 0;

    for (guint i = 0; i < count; i++) {
        guint8 rounded[sizeof(uint16_t)];

        number_format_put(NUMBER_FP16, rounded, 0, fma(a[i], b[i], sum));
        sum = number_format_get(NUMBER_FP16, rounded, 0);
    }
    return sum;
}

static void load(
    double *to, const HostBytes *from, NumberFormat format, uint64_t first, guint count)
{
    for (guint i = 0; i < count; i++) {
        to[i] = number_format_get(format, from->data, first + i);
    }
}

int reference_column_dots(lua_State *L)
{
    const HostBytes *a = host_bytes_check(L, 1);
    const NumberFormat format = number_format_check(L, 2);
    const HostBytes *b = host_bytes_check(L, 3);
    const lua_Integer count = luaL_checkinteger(L, 4);
    const NumberFormat sums = number_format_check(L, 5);
    const uint64_t numbers = a->count / number_format_bytes(format);

    luaL_argcheck(L, format != NUMBER_BF16, 2, "expected fp32 or fp16");
    luaL_argcheck(L, sums == NUMBER_FP32 || (sums == NUMBER_FP16 && format == sums), 5,
                  "expected fp32, or fp16 for numbers of fp16");
    luaL_argcheck(L, a->count == b->count, 3, "the buffers differ in length");
    luaL_argcheck(L,
                  count >= 1 && count <= G_MAXINT32 &&
                      a->count % ((uint64_t) count * number_format_bytes(format)) == 0,
                  4, "the buffer is no multiple of so many numbers");
    const uint64_t columns = numbers / (uint64_t) count;
    HostBytes *result = host_bytes_push(L, columns * sizeof(float), a->data != NULL);

    if (a->data == NULL) {
        return 1;
    }
    g_autofree double *column_a = g_new0(double, (gsize) count);
    g_autofree double *column_b = g_new0(double, (gsize) count);

    for (uint64_t column = 0; column < columns; column++) {
        const uint64_t first = column * (uint64_t) count;

        load(column_a, a, format, first, sim_u32(count));
        load(column_b, b, format, first, sim_u32(count));
        number_format_put(
            NUMBER_FP32, result->data, column,
            sums == NUMBER_FP16
                ? reference_column_dot_half(column_a, column_b, sim_u32(count))
                : (double) reference_column_dot_single(column_a, column_b,
                                                       sim_u32(count)));
    }
    return 1;
}
