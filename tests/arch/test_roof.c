/* Roofs of the shipped chips, by hand from their files. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/roof.h"
#include "tests/arch/shipped.h"

typedef struct {
    const char *name;
    const char *counter;
    double value;
} Row;

static void assert_roofs(const char *chip, double cores, const Row *rows, guint count)
{
    g_autoptr(ArchParams) params = shipped_params(chip);
    g_autoptr(GArray) roofs = arch_roofs(params, cores);

    assert_int_equal(roofs->len, count);
    for (guint i = 0; i < count; i++) {
        const ArchRoof *roof = &g_array_index(roofs, ArchRoof, i);
        bool is_flops = strstr(roof->counter, "flops") != NULL;

        assert_string_equal(roof->name, rows[i].name);
        assert_string_equal(roof->counter, rows[i].counter);
        assert_string_equal(roof->unit,
                            is_flops ? "FLOP per second" : "bytes per second");
        if (fabs(roof->value / rows[i].value - 1) > 1e-12) {
            fail_msg("%s, %s: %g", chip, roof->name, roof->value);
        }
    }
}

static void a_wormhole_has_units_l1_networks_and_dram(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {"FPU", "fpu_flops", 56 * 128e9},
        {"FPU, matrix products", "matmul_flops", 56 * 4096e9},
        {"SFPU", "sfpu_flops", 56 * 64e9},
        {"L1", "sram_bytes", 56 * 128e9},
        {"unpack", "unpacked_bytes", 56 * 64e9},
        {"pack", "packed_bytes", 56 * 64e9},
        {"copy into Dst, 16 bit", "copied_16_bytes", 56 * 2048e9 / 38},
        {"copy into Dst, 32 bit", "copied_32_bytes", 56 * 4096e9 / 136},
        {"NoC into cores", "received_bytes", 56 * 64e9},
        {"NoC links", "noc_bytes", 480 * 32e9},
        {"DRAM", "dram_bytes", 12 * 24e9},
    };

    assert_roofs("wormhole_n300", 56, rows, G_N_ELEMENTS(rows));
}

static void a_wafer_has_arithmetic_sram_ramps_and_links(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {"f32 arithmetic", "f32_flops", 400 * 2 * 0.85e9},
        {"f16 arithmetic", "f16_flops", 400 * 8 * 0.85e9},
        {"mixed arithmetic", "mixed_flops", 400 * 4 * 0.85e9},
        {"SRAM", "sram_bytes", 400 * 24 * 0.85e9},
        {"ramps into PEs", "received_bytes", 400 * 4 * 0.85e9},
        {"fabric links", "noc_bytes", 400 * 16 * 0.85e9},
    };

    assert_roofs("wse2", 400, rows, G_N_ELEMENTS(rows));
}

static void a_gpu_has_units_and_memories_whatever_the_cores(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {"CUDA cores, FP64", "fp64_flops", 9.7e12},
        {"CUDA cores, FP32", "fp32_flops", 19.5e12},
        {"tensor cores, FP64", "tensor_fp64_flops", 19.5e12},
        {"tensor cores, TF32", "tensor_tf32_flops", 156e12},
        {"tensor cores, FP16", "tensor_fp16_flops", 312e12},
        {"sparse tensor cores, TF32", "sparse_tf32_flops", 312e12},
        {"DRAM", "dram_bytes", 1935e9},
        {"L2", "l2_bytes", 5120 * 1.41e9},
        {"L1/shared", "sram_bytes", 108 * 128 * 1.41e9},
    };

    assert_roofs("a100_80gb", 1, rows, G_N_ELEMENTS(rows));
    assert_roofs("a100_80gb", 108, rows, G_N_ELEMENTS(rows));
}

/* 5 DSPs hold a multiply-add in FP32 and 2 one in FP16; a port of HBM is a channel of
 * its own, DDR4 is one for all PEs. */
static void a_board_has_dsps_channels_and_its_link(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = shipped_params("nero_ad9h7");
    const double clock_hz = arch_params_real(params, "chip.clock_hz"); /* fitted */
    const Row hbm[] = {
        {"DSPs, FP32", "fp32_flops", 9024.0 / 5 * 2 * clock_hz},
        {"DSPs, FP16", "fp16_flops", 9024.0 / 2 * 2 * clock_hz},
        {"DRAM", "dram_bytes", 3 * 12.8125e9},
        {"host link", "link_bytes", 32e9},
    };
    const Row ddr4[] = {
        {"DSPs, FP32", "fp32_flops", 2280.0 / 5 * 2 * clock_hz},
        {"DSPs, FP16", "fp16_flops", 2280.0 / 2 * 2 * clock_hz},
        {"DRAM", "dram_bytes", 34.4e9},
        {"host link", "link_bytes", 32e9},
    };

    assert_roofs("nero_ad9h7", 3, hbm, G_N_ELEMENTS(hbm));
    assert_roofs("nero_ad9v3", 3, ddr4, G_N_ELEMENTS(ddr4));
}

/* 16 FLOP a cycle in FP32 in each of 16 cores at 3.2 GHz; 8 channels of DDR4-2666. */
static void a_processor_has_cores_and_dram(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {"cores, FP64", "fp64_flops", 409.6e9},
        {"cores, FP32", "fp32_flops", 819.2e9},
        {"DRAM", "dram_bytes", 170.624e9},
    };

    assert_roofs("power9", 1, rows, G_N_ELEMENTS(rows));
    assert_roofs("power9", 16, rows, G_N_ELEMENTS(rows));
}

static double value_of(const ArchParams *params, double cores, const char *name)
{
    g_autoptr(GArray) roofs = arch_roofs(params, cores);

    for (guint i = 0; i < roofs->len; i++) {
        const ArchRoof *roof = &g_array_index(roofs, ArchRoof, i);

        if (g_str_equal(roof->name, name)) {
            return roof->value;
        }
    }
    return -1;
}

static void what_cores_share_does_not_grow_with_them(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = shipped_params("wormhole_n300");

    assert_true(value_of(params, 2.5, "L1") == 2.5 * value_of(params, 1, "L1"));
    assert_true(value_of(params, 56, "DRAM") == value_of(params, 1, "DRAM"));
    assert_true(value_of(params, 56, "NoC links") == value_of(params, 1, "NoC links"));
}

static void overridden_numbers_move_the_roofs(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = shipped_params("wse2");

    assert_true(arch_params_override(params, "dsd.f32_add_elements_per_cycle=4", NULL));

    /* Four additions are more than one multiply-add, and their operands wider. */
    assert_true(value_of(params, 1, "f32 arithmetic") == 4 * 0.85e9);
    assert_true(value_of(params, 1, "SRAM") == 3 * 16 * 0.85e9);
}

static void slower_links_lower_their_roof(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = shipped_params("wse2");
    const double before = value_of(params, 1, "fabric links");

    assert_true(
        arch_params_override(params, "fabric.link_cycles_per_wavelet=1.25", NULL));

    assert_true(value_of(params, 1, "fabric links") == before / 1.25);
    assert_true(value_of(params, 1, "ramps into PEs") > 0);
}

static void what_a_file_does_not_know_is_no_roof(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = shipped_params("h200");

    assert_true(arch_params_override(params, "memory.l2_bytes_per_second=0", NULL));

    assert_true(value_of(params, 1, "L2") < 0);
    assert_true(value_of(params, 1, "DRAM") == 4800e9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wormhole_has_units_l1_networks_and_dram),
        cmocka_unit_test(a_wafer_has_arithmetic_sram_ramps_and_links),
        cmocka_unit_test(a_gpu_has_units_and_memories_whatever_the_cores),
        cmocka_unit_test(a_board_has_dsps_channels_and_its_link),
        cmocka_unit_test(a_processor_has_cores_and_dram),
        cmocka_unit_test(what_cores_share_does_not_grow_with_them),
        cmocka_unit_test(overridden_numbers_move_the_roofs),
        cmocka_unit_test(slower_links_lower_their_roof),
        cmocka_unit_test(what_a_file_does_not_know_is_no_roof),
    };

    return cmocka_run_group_tests_name("arch.roof", tests, NULL, NULL);
}
