/* GPUs of the shipped files: units, types, memories, and what papers print instead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/gpu.h"
#include "tests/arch/shipped.h"

/* Peaks by unit and type, TFLOP/s; bandwidths of DRAM, L2, shared memory, GB/s. */
typedef struct {
    const char *chip;
    double peaks[3][3];
    double bandwidths[3];
    double megahertz;
    double watts;
} Row;

static const Row rows[] = {
    {"a100_40gb",
     {{9.7, 19.5, 78}, {19.5, 156, 312}, {0, 312, 624}},
     {1555, 7219.2, 19491.84},
     1410,
     400},
    {"a100_80gb",
     {{9.7, 19.5, 78}, {19.5, 156, 312}, {0, 312, 624}},
     {1935, 7219.2, 19491.84},
     1410,
     300},
    {"h100",
     {{25.6, 51.2, 102.4}, {51.2, 378, 756}, {0, 756, 1513}},
     {2000, 8985.6, 25608.96},
     1755,
     350},
    {"h200",
     {{34, 67, 134}, {67, 494.7, 989.4}, {0, 989.4, 1978.9}},
     {4800, 10137.6, 33454.08},
     1980,
     700},
};

static void assert_near(const char *chip, double value, double expected)
{
    if (value < expected * (1 - 1e-12) || value > expected * (1 + 1e-12)) {
        fail_msg("%s: %.15g instead of %.15g", chip, value, expected);
    }
}

static void peaks_bandwidths_clock_and_power_are_those_of_the_sheets(void **state)
{
    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const Row *row = &rows[i];
        g_autoptr(ArchParams) params = shipped_params(row->chip);

        assert_true(gpu_is(params));
        for (guint k = 0; k < 9; k++) {
            assert_near(row->chip,
                        gpu_peak(params, (GpuUnit) (k / 3), (GpuType) (k % 3)),
                        row->peaks[k / 3][k % 3] * 1e12);
        }
        for (guint k = 0; k < 3; k++) {
            assert_near(row->chip, gpu_bandwidth(params, (GpuMemory) k),
                        row->bandwidths[k] * 1e9);
        }
        assert_near(row->chip, gpu_clock_hz(params), row->megahertz * 1e6);
        assert_near(row->chip, gpu_watts(params), row->watts);
    }
}

/* A multiply-add of each core in each cycle: what the sheets round. */
static void peaks_fit_clock_and_multiprocessors(void **state)
{
    static const double fp32_cores[] = {64, 64, 128, 128}; /* of a multiprocessor */

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(ArchParams) params = shipped_params(rows[i].chip);
        const double peak = 2 * fp32_cores[i] * gpu_clock_hz(params) *
                            arch_params_real(params, "chip.multiprocessor_count");
        const double ratio = gpu_peak(params, GPU_CUDA_CORES, GPU_FLOAT) / peak;

        if (ratio < 0.995 || ratio > 1.005) {
            fail_msg("%s: FP32 is %g of cores and clock", rows[i].chip, ratio);
        }
    }
}

static void names_are_found_and_others_are_not(void **state)
{
    GpuType type = GPU_FLOAT;

    (void) state;
    assert_true(gpu_type_find("half", &type));
    assert_int_equal(type, GPU_HALF);
    assert_false(gpu_type_find("", &type));
    assert_false(gpu_type_find("fp64", &type));
    assert_int_equal(type, GPU_HALF);
    assert_string_equal(gpu_unit_name(GPU_TENSOR_CORES), "tensor");
    assert_string_equal(gpu_type_name(GPU_DOUBLE), "double");
    assert_string_equal(gpu_unit_title(GPU_SPARSE_TENSOR_CORES), "sparse tensor cores");
    assert_string_equal(gpu_format_name(GPU_CUDA_CORES, GPU_FLOAT), "FP32");
    assert_string_equal(gpu_format_name(GPU_SPARSE_TENSOR_CORES, GPU_FLOAT), "TF32");
    assert_string_equal(gpu_format_name(GPU_TENSOR_CORES, GPU_DOUBLE), "FP64");
    assert_string_equal(gpu_format_name(GPU_CUDA_CORES, GPU_HALF), "FP16");
    assert_int_equal(gpu_type_bytes(GPU_DOUBLE), 8);
    assert_int_equal(gpu_type_bytes(GPU_FLOAT), 4);
    assert_int_equal(gpu_type_bytes(GPU_HALF), 2);
}

static void other_chips_are_no_gpus(void **state)
{
    g_autoptr(ArchParams) wafer = shipped_params("wse2");
    g_autoptr(ArchParams) wormhole = shipped_params("wormhole_n300");

    (void) state;
    assert_false(gpu_is(wafer));
    assert_false(gpu_is(wormhole));
}

static void published_values_come_on_request_only(void **state)
{
    g_autoptr(ArchParams) a100 = shipped_params("a100_40gb");
    g_autoptr(ArchParams) h100 = shipped_params("h100");
    g_autoptr(ArchParams) h200 = shipped_params("h200");

    (void) state;
    assert_true(gpu_use_published(a100, NULL));
    assert_true(gpu_use_published(h100, NULL));
    assert_true(gpu_use_published(h200, NULL));

    assert_near("a100_40gb", gpu_bandwidth(a100, GPU_DRAM), 1224.2e9);
    assert_near("a100_40gb", gpu_bandwidth(a100, GPU_SHARED), 2573.8e9);
    assert_near("a100_40gb", gpu_bandwidth(a100, GPU_L2), 7219.2e9);
    assert_near("h100", gpu_bandwidth(h100, GPU_DRAM), 3900e9);
    assert_near("h100", gpu_bandwidth(h100, GPU_SHARED), 25608.96e9);
    assert_true(arch_params_find(h100, "memory.dram_bytes_per_second")->is_overridden);
    assert_near("h200", gpu_bandwidth(h200, GPU_DRAM), 4800e9);
    assert_false(arch_params_find(h200, "memory.dram_bytes_per_second")->is_overridden);
}

/* Sections that a file may do without are there whole or not at all. */
static void a_gpu_has_the_sections_of_its_file(void **state)
{
    g_autoptr(ArchParams) gtx980 = shipped_params("gtx980");
    g_autoptr(ArchParams) k20c = shipped_params("k20c");
    g_autoptr(ArchParams) h100 = shipped_params("h100");
    g_autoptr(GError) error = NULL;
    g_autofree char *without = arch_params_digest(h100);

    (void) state;
    assert_int_equal(arch_params_uint(gtx980, "tiling.vector_unit_count"), 128);
    assert_float_equal(arch_params_real(gtx980, "area.overhead_mm2"), 6.4156, 0);
    assert_false(arch_params_has(gtx980, "energy_regression.static_watts"));
    assert_float_equal(arch_params_real(k20c, "energy_regression.static_watts"), 53, 0);
    assert_false(arch_params_has(h100, "tiling.vector_unit_count"));
    assert_int_equal(strlen(without), 64);

    assert_false(arch_params_override(h100, "tiling.vector_unit_count=64", &error));
    assert_string_equal(error->message,
                        "h100: tiling.vector_unit_count = 64, the chip file has no "
                        "section [tiling]");
}

static void half_a_section_is_none(void **state)
{
    const char *name = GRIDLOOM_SOURCE_DIR "/arch/chips/gtx980.ini";
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    char *block;

    (void) state;
    assert_true(g_file_get_contents(name, &text, NULL, NULL));
    block = strstr(text, "block_count = 32");
    assert_non_null(block);
    memcpy(block, "# a_count = 32  ", strlen("block_count = 32"));
    assert_null(arch_params_parse("half.ini", text, strlen(text), &error));
    assert_non_null(strstr(error->message, "tiling.block_count is missing, expected"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gpu_has_the_sections_of_its_file),
        cmocka_unit_test(half_a_section_is_none),
        cmocka_unit_test(peaks_bandwidths_clock_and_power_are_those_of_the_sheets),
        cmocka_unit_test(peaks_fit_clock_and_multiprocessors),
        cmocka_unit_test(names_are_found_and_others_are_not),
        cmocka_unit_test(other_chips_are_no_gpus),
        cmocka_unit_test(published_values_come_on_request_only),
    };

    return cmocka_run_group_tests_name("arch.gpu", tests, NULL, NULL);
}
