/* CSL's <kernels/fft>: a transform in three dimensions, compared with its definition.
 */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/workloads/csl/wafer_rig.h"

enum {
    N = 4,    /* numbers in each dimension */
    SIDE = 2, /* of the PEs' square, and of each PE's square of pencils */
    LOCAL = N * SIDE * SIDE,
};

static const char code[] =
    "const memcpy = @import_module(\"<memcpy/get_params>\", .{ .width = 2, .height = 2 "
    "});\n"
    "const fft = @import_module(\"<kernels/fft/fft3d_layout>\", .{ .width = 2,\n"
    "  .memcpy = memcpy });\n"
    "layout { @set_rectangle(2, 2); fft.FFT_kernel(2, 4, f32); }\n";

static double complex number_at(guint x, guint y, guint z)
{
    return (double) (x * 3 + y * y + z) - 0.5 * x * z + I * (double) (x + 2 * y * z);
}

/* Which PE has a number, and where. */
static guint place_of(guint x, guint y, guint z)
{
    return (z * SIDE + y % SIDE) * SIDE + x % SIDE;
}

static void write_array(
    CslRig *rig, guint x, guint y, const char *name, const float *numbers, guint count)
{
    const ArchWsePart part = {
        .tiles = {x, y, x, y, 1, 1}, .name = name, .count = count};
    g_autoptr(GError) error = NULL;

    if (!arch_wse_write(rig->wse, &part, numbers, count * sizeof *numbers, &error)) {
        fail_msg("%s", error->message);
    }
}

static void fill(CslRig *rig)
{
    static const float twiddles[N] = {1.0F, 0.0F, 0.0F, 1.0F};

    for (guint px = 0; px < SIDE; px++) {
        for (guint py = 0; py < SIDE; py++) {
            float numbers[2 * LOCAL];

            for (guint i = 0; i < LOCAL; i++) {
                const double complex c =
                    number_at(px * SIDE + i % SIDE, py * SIDE + i / SIDE % SIDE,
                              i / (SIDE * SIDE));

                numbers[2 * i] = (float) creal(c);
                numbers[2 * i + 1] = (float) cimag(c);
            }
            write_array(rig, px, py, "X", numbers, 2 * LOCAL);
            write_array(rig, px, py, "twiddle_array", twiddles, N);
        }
    }
}

static double complex transformed(guint x, guint y, guint z)
{
    double complex sum = 0.0;

    for (guint i = 0; i < N * N * N; i++) {
        const guint at[] = {i % N, i / N % N, i / (N * N)};
        const double turns = (double) (at[0] * x + at[1] * y + at[2] * z) / N;

        sum += number_at(at[0], at[1], at[2]) * cexp(-2.0 * G_PI * I * turns);
    }
    return sum;
}

static void expect(CslRig *rig, double complex (*wanted)(guint, guint, guint))
{
    for (guint i = 0; i < N * N * N; i++) {
        const guint x = i % N;
        const guint y = i / N % N;
        const guint z = i / (N * N);
        const guint index = 2 * place_of(x, y, z);
        const double complex found =
            (double) csl_rig_float(rig, x / SIDE, y / SIDE, "X", index) +
            I * (double) csl_rig_float(rig, x / SIDE, y / SIDE, "X", index + 1);

        assert_true(cabs(found - wanted(x, y, z)) < 1e-4);
    }
}

static void numbers_are_transformed_and_back(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    csl_rig_open(&rig, code);
    fill(&rig);
    csl_rig_launch(&rig, "csfftExecC2C", (int32_t[]){0, 0}, 2);
    expect(&rig, transformed);
    assert_in_range(csl_rig_integer(&rig, 0, 0, "fft_time", 0), 1000, 100000);
    csl_rig_launch(&rig, "csfftExecC2C", (int32_t[]){0, 1}, 2);
    expect(&rig, number_at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_transformed_and_back),
    };

    return cmocka_run_group_tests_name("workloads.csl_lib_fft", tests, NULL, NULL);
}
