/* Computes reference Fourier transforms: halves with even and odd indices, recursively.
 */
#include "workloads/reference/fourier.h"

#include <math.h>

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/buffer/bytes.h"
#include "workloads/buffer/number_format.h"

enum {
    AXES = 3,
    PARTS = 2, /* of a complex number */
};

/* Transforms every `step`-th of `from` into `to`. */
static void transform(double complex *to,
                      const double complex *from,
                      const double complex *roots,
                      gsize count,
                      gsize step)
{
    const gsize half = count / 2;

    if (count == 1) {
        to[0] = from[0];
        return;
    }
    transform(to, from, roots, half, 2 * step);
    transform(to + half, from + step, roots, half, 2 * step);
    for (gsize k = 0; k < half; k++) {
        const double complex even = to[k];
        const double complex odd = roots[k * step] * to[k + half];

        to[k] = even + odd;
        to[k + half] = even - odd;
    }
}

void reference_fourier_line(double complex *numbers, gsize count)
{
    g_autofree double complex *from = g_new0(double complex, count);
    g_autofree double complex *roots = g_new0(double complex, count);

    for (gsize k = 0; k < count; k++) {
        const double angle = -2 * G_PI * (double) k / (double) count;

        from[k] = numbers[k];
        roots[k] = CMPLX(cos(angle), sin(angle));
    }
    transform(numbers, from, roots, count, 1);
}

/* Transforms along an axis of this length, whose neighbours are `step` apart. */
static void
transform_axis(double complex *numbers, gsize count, gsize length, gsize step)
{
    g_autofree double complex *line = g_new0(double complex, length);

    for (gsize first = 0; first < count; first++) {
        if (first / step % length != 0) {
            continue;
        }
        for (gsize i = 0; i < length; i++) {
            line[i] = numbers[first + i * step];
        }
        reference_fourier_line(line, length);
        for (gsize i = 0; i < length; i++) {
            numbers[first + i * step] = line[i];
        }
    }
}

static guint check_shape(lua_State *L, gsize lengths[AXES], gsize *numbers)
{
    const lua_Unsigned count = lua_istable(L, 2) ? lua_rawlen(L, 2) : 0;

    luaL_argcheck(L, count >= 1 && count <= AXES, 2, "a list of 1 to 3 lengths");
    *numbers = 1;
    for (guint i = 0; i < count; i++) {
        lua_rawgeti(L, 2, i + 1);
        const lua_Integer length = lua_tointeger(L, -1);

        lua_pop(L, 1);
        luaL_argcheck(
            L, length > 0 && length <= G_MAXINT32 && (length & (length - 1)) == 0, 2,
            "lengths are powers of two");
        lengths[i] = (gsize) length;
        luaL_argcheck(L, *numbers <= G_MAXINT32 / lengths[i], 2,
                      "the array is too large");
        *numbers *= lengths[i];
    }
    return sim_u32(count);
}

int reference_fourier(lua_State *L)
{
    const HostBytes *self = host_bytes_check(L, 1);
    gsize lengths[AXES] = {0};
    gsize count = 0;
    const guint axes = check_shape(L, lengths, &count);

    luaL_argcheck(L, self->count == count * PARTS * sizeof(float), 2,
                  "the buffer is not as large as the array");
    HostBytes *result = host_bytes_push(L, self->count, self->data != NULL);

    if (self->data == NULL) {
        return 1;
    }
    g_autofree double complex *numbers = g_new0(double complex, count);
    gsize step = 1;

    for (gsize i = 0; i < count; i++) {
        numbers[i] = CMPLX(number_format_get(NUMBER_FP32, self->data, PARTS * i),
                           number_format_get(NUMBER_FP32, self->data, PARTS * i + 1));
    }
    for (guint axis = axes; axis-- > 0;) {
        transform_axis(numbers, count, lengths[axis], step);
        step *= lengths[axis];
    }
    for (gsize i = 0; i < count; i++) {
        number_format_put(NUMBER_FP32, result->data, PARTS * i, creal(numbers[i]));
        number_format_put(NUMBER_FP32, result->data, PARTS * i + 1, cimag(numbers[i]));
    }
    return 1;
}
