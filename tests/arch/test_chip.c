/* A chip put together from its file: links, clock, launch, memory and host interface.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/chip.h"
#include "arch/error.h"
#include "arch/tensix.h"
#include "arch/wse.h"
#include "tests/arch/shipped.h"

static ArchChip *load(const char *name)
{
    return arch_chip_new(shipped_params(name), 1, NULL);
}

typedef struct {
    const char *chip;
    const char *kind;
    double latency_seconds;
    double bytes_per_second;
} Row;

static void assert_link(const Row *row)
{
    g_autoptr(ArchChip) chip = load(row->chip);
    g_autoptr(GError) error = NULL;
    ArchLink link = {0};

    if (!arch_chip_link(chip, row->kind, &link, &error)) {
        fail_msg("%s: %s", row->kind, error->message);
    }
    if (fabs(link.latency_seconds - row->latency_seconds) > 1e-15 ||
        link.bytes_per_second != row->bytes_per_second) {
        fail_msg("%s, %s: %g s, %g B/s", row->chip, row->kind, link.latency_seconds,
                 link.bytes_per_second);
    }
    assert_non_null(link.source);
    assert_string_not_equal(link.source, "");
}

static void links_have_the_numbers_of_the_chip_file(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {"wormhole_n150", "host_to_device", 1342e-9, 24e9},
        {"wormhole_n150", "device_to_host", 1052e-9, 11.3e9},
        {"wormhole_n150", "ethernet", 500e-9, 12.5e9},
        {"wormhole_n300", "host_to_device", 1342e-9, 24e9},
        {"wormhole_n300", "device_to_host", 1052e-9, 11.3e9},
        {"wormhole_n300", "ethernet", 500e-9, 12.5e9},
        {"wse2", "host_to_device", 200e-6, 7e9},
        {"wse2", "device_to_host", 200e-6, 933e6},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_link(&rows[i]);
    }
}

static void a_link_shows_the_source_of_its_bandwidth(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchChip) chip = load("wormhole_n300");
    ArchLink link = {0};

    assert_true(arch_chip_link(chip, "device_to_host", &link, NULL));
    assert_string_equal(
        link.source,
        "tt-isa-documentation, PCIExpressTile/README, DMA, best of 5.8-11.3 GB/s");
}

static void assert_no_link(const char *name, const char *kind)
{
    g_autoptr(ArchChip) chip = load(name);
    g_autoptr(GError) error = NULL;
    ArchLink link = {.bytes_per_second = 7};

    assert_false(arch_chip_link(chip, kind, &link, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_UNDOCUMENTED));
    assert_true(link.bytes_per_second == 7);
}

static void a_kind_that_the_chip_lacks_is_undocumented(void **state G_GNUC_UNUSED)
{
    assert_no_link("wormhole_n150", "infiniband");
    assert_no_link("wormhole_n300", "");
    assert_no_link("wormhole_n300", "read");
    assert_no_link("wse2", "ethernet");
    assert_no_link("wse2", "channel");
}

static void an_unknown_kind_is_named_with_the_chip(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchChip) chip = load("wse2");
    g_autoptr(GError) error = NULL;
    ArchLink link;

    assert_false(arch_chip_link(chip, "ethernet", &link, &error));
    assert_string_equal(error->message, "wse2: no numbers for a link of kind ethernet");
}

static void launching_takes_the_microseconds_of_the_file(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchChip) n150 = load("wormhole_n150");
    g_autoptr(ArchChip) n300 = load("wormhole_n300");
    g_autoptr(ArchChip) wse2 = load("wse2");

    assert_true(fabs(arch_chip_launch_seconds(n150) - 30e-6) < 1e-15);
    assert_true(fabs(arch_chip_launch_seconds(n300) - 30e-6) < 1e-15);
    assert_true(fabs(arch_chip_launch_seconds(wse2) - 200e-6) < 1e-15);
}

static void a_wormhole_has_dram_and_a_pcie_tile(void **state G_GNUC_UNUSED)
{
    const uint64_t gigabytes = G_GUINT64_CONSTANT(12) << 30;
    g_autoptr(ArchChip) chip = load("wormhole_n300");

    assert_true(arch_chip_clock_hz(chip) == 1e9);
    assert_string_equal(arch_params_name(arch_chip_params(chip)), "wormhole_n300");
    assert_non_null(arch_chip_pcie(chip));
    assert_true(arch_dram_check(arch_chip_dram(chip), gigabytes - 1, 1, NULL));
    assert_false(arch_dram_check(arch_chip_dram(chip), gigabytes, 1, NULL));
    assert_int_equal(arch_pcie_issue_cycles(arch_chip_pcie(chip), ARCH_PCIE_READ), 25);
    assert_int_equal(arch_pcie_issue_cycles(arch_chip_pcie(chip), ARCH_PCIE_WRITE), 22);
}

static void a_wafer_has_neither(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchChip) chip = load("wse2");

    assert_true(arch_chip_clock_hz(chip) == 0.85e9);
    assert_null(arch_chip_dram(chip));
    assert_null(arch_chip_pcie(chip));
}

static void a_new_chip_is_at_rest_at_cycle_zero(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchChip) chip = load("wormhole_n300");
    g_autoptr(GError) error = NULL;

    assert_int_equal(sim_engine_now(arch_chip_engine(chip)), 0);
    assert_true(sim_engine_run(arch_chip_engine(chip), SIM_TIME_NEVER, &error));
    assert_int_equal(sim_engine_now(arch_chip_engine(chip)), 0);
    assert_int_equal(arch_pcie_busy_cycles(arch_chip_pcie(chip)), 0);
}

static void only_tensix_chips_have_tensix_cores(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchChip) wormhole = load("wormhole_n150");
    g_autoptr(ArchChip) wse = load("wse2");

    assert_int_equal(arch_tensix_columns(arch_tensix_of(wormhole)), 8);
    assert_int_equal(arch_tensix_rows(arch_tensix_of(wormhole)), 8);
    assert_int_equal(sim_engine_region_count(arch_chip_engine(wormhole)), 5);
    assert_null(arch_tensix_of(wse));
}

static void only_wafers_have_processing_elements(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchChip) wormhole = load("wormhole_n150");
    g_autoptr(ArchChip) wse = load("wse2");

    assert_null(arch_wse_of(wormhole));
    assert_non_null(arch_wse_of(wse));
    assert_int_equal(sim_engine_region_count(arch_chip_engine(wse)), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_have_the_numbers_of_the_chip_file),
        cmocka_unit_test(a_link_shows_the_source_of_its_bandwidth),
        cmocka_unit_test(a_kind_that_the_chip_lacks_is_undocumented),
        cmocka_unit_test(an_unknown_kind_is_named_with_the_chip),
        cmocka_unit_test(launching_takes_the_microseconds_of_the_file),
        cmocka_unit_test(a_wormhole_has_dram_and_a_pcie_tile),
        cmocka_unit_test(a_wafer_has_neither),
        cmocka_unit_test(a_new_chip_is_at_rest_at_cycle_zero),
        cmocka_unit_test(only_tensix_chips_have_tensix_cores),
        cmocka_unit_test(only_wafers_have_processing_elements),
    };

    return cmocka_run_group_tests_name("arch.chip", tests, NULL, NULL);
}
