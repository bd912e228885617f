/* Numbers on their way between files and host memory. */
#include "workloads/buffer/npy_numbers.h"

#include <math.h>
#include <string.h>

#include "sim/error.h"
#include "workloads/error.h"

_Static_assert(G_BYTE_ORDER == G_LITTLE_ENDIAN, "host memory is as files are");

static bool is_float_type(NpyType type)
{
    return type == NPY_FLOAT16 || type == NPY_FLOAT32 || type == NPY_FLOAT64;
}

static bool is_float_format(NumberFormat format)
{
    return format == NUMBER_BF16 || format == NUMBER_FP32 || format == NUMBER_FP16;
}

NumberFormat npy_format(NpyType type)
{
    static const NumberFormat formats[] = {
        [NPY_FLOAT16] = NUMBER_FP16,  [NPY_FLOAT32] = NUMBER_FP32,
        [NPY_FLOAT64] = NUMBER_FP32,  [NPY_INT32] = NUMBER_INT32,
        [NPY_INT64] = NUMBER_INT32,   [NPY_UINT16] = NUMBER_UINT16,
        [NPY_UINT32] = NUMBER_UINT32,
    };

    return formats[type];
}

NpyType npy_type(NumberFormat format, bool is_bits)
{
    switch (format) {
    case NUMBER_BF16:
        return is_bits ? NPY_UINT16 : NPY_FLOAT32;
    case NUMBER_FP32:
        return NPY_FLOAT32;
    case NUMBER_FP16:
        return NPY_FLOAT16;
    case NUMBER_INT32:
        return NPY_INT32;
    case NUMBER_UINT32:
        return NPY_UINT32;
    case NUMBER_UINT16:
        return NPY_UINT16;
    }
    g_assert_not_reached();
}

bool npy_fits(NpyType type, NumberFormat format)
{
    return is_float_format(format) || !is_float_type(type);
}

/* The number at that place of a file; integers of 64 bits may be rounded to 53. */
static double
read_number(NpyType type, const guint8 *from, uint64_t index, bool is_bf16)
{
    const guint8 *at = from + index * npy_type_bytes(type);
    double number = 0;
    int64_t whole = 0;

    if (type == NPY_FLOAT64) {
        memcpy(&number, at, sizeof number);
        return number;
    }
    if (type == NPY_INT64) {
        memcpy(&whole, at, sizeof whole);
        return (double) whole;
    }
    return number_format_get(is_bf16 ? NUMBER_BF16 : npy_format(type), at, 0);
}

/* "[1, 0, 7]": as NumPy counts. The caller frees it. */
static char *place_text(const NpyArray *self, uint64_t index)
{
    uint64_t place[NPY_DIMENSIONS] = {0};
    GString *text = g_string_new("[");

    for (guint i = self->dimension_count; i > 0; i--) {
        place[i - 1] = index % self->shape[i - 1];
        index /= self->shape[i - 1];
    }
    for (guint i = 0; i < self->dimension_count; i++) {
        g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, i == 0 ? "" : ", ",
                               place[i]);
    }
    g_string_append_c(text, ']');
    return g_string_free(text, FALSE);
}

static bool refuse(const NpyArray *self,
                   uint64_t index,
                   double number,
                   NumberFormat format,
                   GError **error)
{
    g_autofree char *place = place_text(self, index);

    if (isnan(number)) {
        return sim_fail(error, WL_ERROR, WL_ERROR_KEY, "the number at %s is a NaN",
                        place);
    }
    if (isinf(number)) {
        return sim_fail(error, WL_ERROR, WL_ERROR_KEY, "the number at %s is infinite",
                        place);
    }
    return sim_fail(error, WL_ERROR, WL_ERROR_KEY,
                    "the number at %s, %.17g, does not fit %s", place, number,
                    number_format_names[format]);
}

bool npy_take(
    const NpyArray *self, NpyPart part, NumberFormat format, guint8 *to, GError **error)
{
    const bool is_float = is_float_format(format);
    const bool is_bf16 = is_float && self->type == NPY_UINT16;

    if (is_bf16 && format != NUMBER_BF16) {
        return sim_fail(error, WL_ERROR, WL_ERROR_KEY,
                        "type uint16 has the bits of bf16, expected numbers for %s: "
                        "float32 or int32",
                        number_format_names[format]);
    }
    for (uint64_t i = 0; i < part.count; i++) {
        const double number = read_number(self->type, part.bytes, i, is_bf16);
        bool is_good = isfinite(number);

        if (is_good) {
            number_format_put(format, to, part.first + i, number);
            const double got = number_format_get(format, to, part.first + i);

            is_good = is_float ? isfinite(got) : got == number;
        }
        if (!is_good) {
            return refuse(self, part.first + i, number, format, error);
        }
    }
    return true;
}

void npy_give(
    NumberFormat format, const guint8 *from, uint64_t count, NpyType type, guint8 *to)
{
    if (npy_type_bytes(type) == number_format_bytes(format)) {
        memcpy(to, from, count * npy_type_bytes(type));
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        number_format_put(npy_format(type), to, i, number_format_get(format, from, i));
    }
}
