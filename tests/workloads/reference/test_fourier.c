/* References of Fourier transforms: against the sums that define them. */
#include <math.h>

#include "tests/workloads/buffer_chunk.h"
#include "workloads/reference/fourier.h"

enum {
    MOST = 64,
};

static void a_line_is_what_its_definition_says(void **state G_GNUC_UNUSED)
{
    for (gsize count = 1; count <= MOST; count *= 2) {
        double complex given[MOST];
        double complex found[MOST];

        for (gsize i = 0; i < count; i++) {
            given[i] = CMPLX((double) (i * i % 7) - 3, (double) (i * 5 % 11) - 4);
            found[i] = given[i];
        }
        reference_fourier_line(found, count);
        for (gsize k = 0; k < count; k++) {
            double complex sum = 0;

            for (gsize j = 0; j < count; j++) {
                sum += given[j] *
                       cexp(CMPLX(0, -2 * G_PI * (double) (j * k) / (double) count));
            }
            assert_true(cabs(found[k] - sum) < 1e-11);
        }
    }
}

static void scripts_transform_all_axes(void **state G_GNUC_UNUSED)
{
    /* 1, i; 0, 2 along both axes: sums and differences. */
    buffer_chunk_assert_prints(
        "local b = buffer(32)\n"
        "for i, x in ipairs { 1, 0, 0, 1, 0, 0, 2, 0 } do b:set('fp32', i - 1, x) end\n"
        "local f, numbers = b:fourier { 2, 2 }, {}\n"
        "for i = 0, 7 do numbers[i + 1] = math.tointeger(f:get('fp32', i)) end\n"
        "print(table.concat(numbers, ' '))\n"
        "local line = b:fourier { 4 }\n"
        "print(line:get('fp32', 0), line:get('fp32', 1))\n"
        "print(#buffer(32, true):fourier { 2, 2 })",
        "3 1 -1 -1 -1 1 3 -1\n3.0\t1.0\n32\n");
}

static void shapes_that_cannot_be_are_refused(void **state G_GNUC_UNUSED)
{
    static const BufferChunkRefusal cases[] = {
        {"buffer(24):fourier { 3 }", "powers of two"},
        {"buffer(32):fourier { 8 }", "not as large"},
        {"buffer(32):fourier { 0 }", "powers of two"},
        {"buffer(32):fourier { 1, 1, 1, 4 }", "1 to 3"},
        {"buffer(32):fourier(4)", "1 to 3"},
        {"buffer(32):fourier { 1 << 20, 1 << 20 }", "too large"},
    };

    buffer_chunk_assert_refused("", cases, G_N_ELEMENTS(cases), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_what_its_definition_says),
        cmocka_unit_test(scripts_transform_all_axes),
        cmocka_unit_test(shapes_that_cannot_be_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
