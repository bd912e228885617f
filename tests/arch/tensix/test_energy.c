/* The energy of parts of a Tensix chip. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/tensix_energy.h"
#include "tests/arch/shipped.h"

#define PICO 1e-12

static void assert_near(double value, double expected)
{
    assert_true(fabs(value - expected) <= 1e-12 * fabs(expected));
}

static ArchTensixUse use(const char *name, const char *reason, uint64_t cycles)
{
    return (ArchTensixUse){.name = name, .reason = reason, .cycles = cycles};
}

static void units_count_busy_and_processors_all_but_idle(void **state G_GNUC_UNUSED)
{
    const ArchTensixUse rows[] = {
        use("fpu", "busy", 10),    use("fpu", "src", 20),
        use("sfpu", "busy", 7),    use("unpacker", "busy", 5),
        use("packer", "busy", 3),  use("packer", "idle", 100),
        use("math", "busy", 40),   use("math", "unit", 50),
        use("reader", "noc", 600), use("writer", "idle", 9999),
    };
    g_autoptr(GArray) uses = g_array_new(FALSE, FALSE, sizeof(ArchTensixUse));
    ArchTensixActivity activity = {.done = {[ARCH_TENSIX_FPU] = 1000}};

    g_array_append_vals(uses, rows, G_N_ELEMENTS(rows));
    arch_tensix_activity_add(&activity, uses,
                             (ArchTensixSpan){.core_count = 3, .cycles = 200});
    assert_near(activity.done[ARCH_TENSIX_FPU], 1010);
    assert_near(activity.done[ARCH_TENSIX_SFPU], 7);
    assert_near(activity.done[ARCH_TENSIX_UNPACKER], 5);
    assert_near(activity.done[ARCH_TENSIX_PACKER], 3);
    assert_near(activity.done[ARCH_TENSIX_RISCV], 690);
    assert_near(activity.done[ARCH_TENSIX_CORE], 600);
    assert_true(activity.done[ARCH_TENSIX_IDLE] == 0);
}

static void ranges_are_those_of_the_chip_file(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) chip = shipped_params("wormhole_n300");
    const ArchEnergy idle = arch_tensix_part_energy(chip, ARCH_TENSIX_IDLE, 2);
    const ArchEnergy dram = arch_tensix_part_energy(chip, ARCH_TENSIX_DRAM, 1e6);

    assert_near(idle.joules, 60);
    assert_near(idle.low, 2 * 28.9);
    assert_near(idle.high, 2 * 30.5);
    assert_near(dram.joules, 60e6 * PICO);
    assert_near(dram.low, 40e6 * PICO);
    assert_near(dram.high, 90e6 * PICO);
}

static void a_number_that_was_set_is_certain(void **state G_GNUC_UNUSED)
{
    static const char *const changes[] = {"power.noc_picojoules_per_byte_hop=5", NULL};
    g_autoptr(ArchParams) chip = shipped_params_with("wormhole_n150", changes);
    const ArchEnergy noc = arch_tensix_part_energy(chip, ARCH_TENSIX_NOC, 100);

    assert_near(noc.joules, 500 * PICO);
    assert_near(noc.low, 500 * PICO);
    assert_near(noc.high, 500 * PICO);
}

static void parts_have_names_and_values_within_their_ranges(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) chip = shipped_params("wormhole_n150");

    for (guint i = 0; i < ARCH_TENSIX_PARTS; i++) {
        const ArchTensixPart part = (ArchTensixPart) i;
        const ArchEnergy one = arch_tensix_part_energy(chip, part, 1);

        assert_non_null(arch_tensix_part_name(part));
        assert_non_null(arch_tensix_part_unit(part));
        assert_true(one.low < one.joules && one.joules < one.high);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_count_busy_and_processors_all_but_idle),
        cmocka_unit_test(ranges_are_those_of_the_chip_file),
        cmocka_unit_test(a_number_that_was_set_is_certain),
        cmocka_unit_test(parts_have_names_and_values_within_their_ranges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
