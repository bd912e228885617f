/* Kinds of PEs: more than 16 bits can count, and operands that move beyond 16 bits. */
#include <string.h>

#include "tests/arch/wse/run.h"

enum {
    COLUMNS = 260,
    ROWS = 256, /* routers differ by row: a color for each bit of its number */
    COLORS = 8,
};

/* The program of a column: one number, its own, into the array. */
static void place_column(const WseRun *run, guint x)
{
    const ArchWseTiles tiles = {x, 0, x, ROWS - 1, 1, 1};
    g_autofree char *name = g_strdup_printf("column%u", x);
    WseRunStep steps[1 + COLORS] = {
        {WSE_RUN_COMPUTE, .count = 1, .value = (float) x, .is_sync = true}};

    for (guint i = 0; i < COLORS; i++) {
        steps[1 + i] = (WseRunStep){WSE_RUN_HOLD, .color = i, .queue = i};
    }
    wse_run_steps(run, tiles, name, steps, 1 + COLORS);
}

static void every_pe_may_be_of_a_kind_of_its_own(void **state G_GNUC_UNUSED)
{
    WseRun run;

    wse_run_open(&run, COLUMNS, ROWS, NULL);
    for (guint x = 0; x < COLUMNS; x++) {
        place_column(&run, x);
    }
    for (guint y = 0; y < ROWS; y++) {
        const ArchWseTiles tiles = {0, y, COLUMNS - 1, y, 1, 1};

        for (guint color = 0; color < COLORS; color++) {
            if (y >> color & 1) {
                wse_rig_set_route(run.layout, tiles, color, R, R);
            }
        }
    }

    wse_run(&run);

    for (guint y = 0; y < ROWS; y++) {
        for (guint x = 0; x < COLUMNS; x++) {
            wse_run_assert(&run, x, y, "s0", 0, 1, 2 * (float) x);
        }
    }
    wse_run_close(&run);
}

/* Moves a row of two numbers by `offset`, which a variable has. */
static bool try_offset(int32_t offset, GError **error)
{
    WseRun run;
    Parts parts;

    wse_run_open(&run, 1, 1, NULL);
    parts = (Parts){.params = run.params,
                    .program = arch_wse_program_new(run.params, "mover")};

    const guint variable = parts_variable(&parts, "shift", offset);
    const guint array = parts_array(&parts, "a", ARCH_WSE_F32, 8);
    const ArchWseMemoryDsd config = {array, 1, {2}, {1}, 0, variable};
    const guint row = parts_memory(&parts, &config);

    parts_begin(&parts, 0);
    parts_emit(&parts, parts_vector("fmovs", row, row, ARCH_WSE_NONE, ARCH_WSE_NONE));
    parts_end(&parts);
    assert_true(arch_wse_program_activate(parts.program, 0, NULL));
    wse_run_place(&run, wse_rig_one(0, 0), &parts);

    const bool is_done = wse_run_try(&run, error);

    wse_run_close(&run);
    return is_done;
}

static void offsets_have_all_their_bits(void **state G_GNUC_UNUSED)
{
    static const int32_t beyond[] = {65538, -65534, INT32_MAX, INT32_MIN, 32768, 30000};

    assert_true(try_offset(2, NULL));
    for (gsize i = 0; i < G_N_ELEMENTS(beyond); i++) {
        g_autoptr(GError) error = NULL;

        assert_false(try_offset(beyond[i], &error));
        assert_non_null(strstr(error->message, "fmovs reaches beyond the memory"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pe_may_be_of_a_kind_of_its_own),
        cmocka_unit_test(offsets_have_all_their_bits),
    };

    return cmocka_run_group_tests_name("arch.wse_kind", tests, NULL, NULL);
}
