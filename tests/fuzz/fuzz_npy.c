/* Fuzzes the reader of .npy files with any bytes: what it takes can be written and read
 * again, and every other file is refused in one line. */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "workloads/buffer/npy_numbers.h"
#include "workloads/error.h"

/* Numbers become numbers of each format that they fit, or one of them is refused. */
static void take_all(const NpyArray *array, const uint8_t *numbers)
{
    for (guint format = NUMBER_BF16; format <= NUMBER_UINT16; format++) {
        GError *error = NULL;
        g_autofree guint8 *to =
            g_malloc(array->count * number_format_bytes((NumberFormat) format) + 1);

        if (npy_fits(array->type, (NumberFormat) format) &&
            !npy_take(array, (NpyPart){numbers, 0, array->count}, (NumberFormat) format,
                      to, &error)) {
            fuzz_check_error(error, WL_ERROR);
        }
    }
}

static void write_again(const NpyArray *array)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    const uint64_t numbers = array->count * npy_type_bytes(array->type);
    uint64_t offset = 0;
    NpyArray again;

    npy_write(array, bytes);
    g_assert_cmpuint(bytes->len % 64, ==, 0);
    g_assert_true(
        npy_read(&again, bytes->data, bytes->len, bytes->len + numbers, &offset, NULL));
    g_assert_cmpuint(offset, ==, bytes->len);
    g_assert_true(again.type == array->type && again.count == array->count &&
                  npy_has_shape(&again, array->shape, array->dimension_count));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    NpyArray array;
    uint64_t offset = 0;
    GError *error = NULL;

    if (!npy_read(&array, data, MIN(size, (size_t) NPY_HEADER_BYTES), size, &offset,
                  &error)) {
        fuzz_check_error(error, WL_ERROR);
        return 0;
    }
    g_assert_null(error);
    g_assert_cmpuint(offset + array.count * npy_type_bytes(array.type), ==, size);
    take_all(&array, data + offset);
    write_again(&array);
    return 0;
}
