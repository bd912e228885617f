/* Windows of links: to the cycle, over pauses, however long the run is. */
#include "arch/noc/recorder.h"
#include "tests/arch/noc/chip.h"

enum {
    WINDOW = 32,       /* cycles, at first */
    INJECT_CYCLES = 5, /* from the command to the first router */
};

static const ArchTile core = {1, 1};
static const ArchTile east = {2, 1};

/* One flit over one link, and no answer. */
static void send_flit(Chip *chip, SimTime when)
{
    (void) chip_issue(
        chip, when,
        (ArchNocCommand){.op = ARCH_NOC_ATOMIC_POSTED, .from = core, .to = east});
}

/* The link from `tile` to the east, in a list of NoC 0's links. */
static guint link_east_of(const Chip *chip, ArchTile tile)
{
    g_autoptr(GArray) links = arch_wormhole_noc_links(chip->noc, 0);

    for (guint i = 0; i < links->len; i++) {
        const ArchWormholeLink *link = &g_array_index(links, ArchWormholeLink, i);

        if (link->from.x == tile.x && link->from.y == tile.y &&
            g_str_equal(link->direction, "east")) {
            return i;
        }
    }
    fail_msg("no link");
    return 0;
}

static uint64_t flits_of(const ArchNocWindows *windows, guint window, guint link)
{
    return windows->flits[(gsize) window * windows->link_count + link];
}

static SimTime start_of(const ArchNocWindows *windows, guint window)
{
    return window > 0 ? windows->ends[window - 1] : 0;
}

/* Sends flits so that they leave the first router at `times`, then ends at `end`. */
static ArchNocWindows
record(const SimTime *times, gsize count, SimTime end, guint *link)
{
    Chip chip;
    ArchNocWindows windows;

    chip_open(&chip, true, true);
    NocRecorder *recorder = noc_recorder_new(chip.noc);
    for (gsize i = 0; i < count; i++) {
        send_flit(&chip, times[i] - INJECT_CYCLES);
    }
    chip_run(&chip);
    windows = noc_recorder_finish(recorder, end);
    *link = link_east_of(&chip, core);
    noc_recorder_free(recorder);
    chip_close(&chip);
    return windows;
}

static void a_window_ends_before_its_last_cycle_has_passed(void **state G_GNUC_UNUSED)
{
    static const SimTime last[] = {WINDOW - 1};
    static const SimTime first[] = {WINDOW};
    guint link = 0;

    ArchNocWindows windows = record(last, 1, 3 * WINDOW, &link);
    assert_int_equal(flits_of(&windows, 0, link), 1);
    assert_int_equal(flits_of(&windows, 1, link), 0);
    arch_noc_windows_clear(&windows);

    windows = record(first, 1, 3 * WINDOW, &link);
    assert_int_equal(flits_of(&windows, 0, link), 0);
    assert_int_equal(flits_of(&windows, 1, link), 1);
    arch_noc_windows_clear(&windows);
}

static void the_last_window_ends_with_the_run(void **state G_GNUC_UNUSED)
{
    static const SimTime times[] = {10};
    guint link = 0;

    ArchNocWindows windows = record(times, 1, 2 * WINDOW + 1, &link);
    assert_int_equal(windows.count, 3);
    assert_int_equal(windows.ends[0], WINDOW);
    assert_int_equal(windows.ends[1], 2 * WINDOW);
    assert_int_equal(windows.ends[2], 2 * WINDOW + 1);
    arch_noc_windows_clear(&windows);

    windows = record(times, 1, 2 * WINDOW, &link);
    assert_int_equal(windows.count, 2);
    assert_int_equal(windows.ends[1], 2 * WINDOW);
    arch_noc_windows_clear(&windows);
}

static void what_moves_after_the_end_belongs_to_the_run(void **state G_GNUC_UNUSED)
{
    static const SimTime times[] = {485};
    guint link = 0;
    ArchNocWindows windows = record(times, 1, 100, &link);

    assert_true(windows.ends[windows.count - 1] > 485);
    assert_true(windows.ends[windows.count - 1] < 512);
    arch_noc_windows_clear(&windows);
}

static void windows_double_and_lose_nothing(void **state G_GNUC_UNUSED)
{
    static const SimTime times[] = {40, 5000, 5001, 100000, 1000000};
    guint link = 0;
    ArchNocWindows windows = record(times, G_N_ELEMENTS(times), 1000100, &link);
    const SimTime width = windows.ends[0];

    assert_in_range(windows.count, 8, 16);
    assert_true(width % WINDOW == 0 && (width & (width - 1)) == 0);
    assert_int_equal(windows.ends[windows.count - 1], 1000100);
    for (guint i = 0; i < windows.count; i++) {
        uint64_t expected = 0;

        for (gsize j = 0; j < G_N_ELEMENTS(times); j++) {
            expected += times[j] >= start_of(&windows, i) && times[j] < windows.ends[i];
        }
        assert_int_equal(flits_of(&windows, i, link), expected);
        assert_true(i + 1 == windows.count ||
                    windows.ends[i] - start_of(&windows, i) == width);
    }
    arch_noc_windows_clear(&windows);
}

static void a_run_in_which_nothing_moves_has_empty_windows(void **state G_GNUC_UNUSED)
{
    guint link = 0;
    ArchNocWindows windows = record(NULL, 0, 10 * WINDOW, &link);

    assert_int_equal(windows.count, 10);
    for (gsize i = 0; i < (gsize) windows.count * windows.link_count; i++) {
        assert_int_equal(windows.flits[i], 0);
    }
    arch_noc_windows_clear(&windows);
}

static void no_cycles_have_no_windows(void **state G_GNUC_UNUSED)
{
    guint link = 0;
    ArchNocWindows windows = record(NULL, 0, 0, &link);

    assert_int_equal(windows.count, 0);
    arch_noc_windows_clear(&windows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_ends_before_its_last_cycle_has_passed),
        cmocka_unit_test(the_last_window_ends_with_the_run),
        cmocka_unit_test(what_moves_after_the_end_belongs_to_the_run),
        cmocka_unit_test(windows_double_and_lose_nothing),
        cmocka_unit_test(a_run_in_which_nothing_moves_has_empty_windows),
        cmocka_unit_test(no_cycles_have_no_windows),
    };

    return cmocka_run_group_tests_name("arch.noc_recorder", tests, NULL, NULL);
}
