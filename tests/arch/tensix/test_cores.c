/* Cores: the compute grid, memory, circular buffers, semaphores, ends of programs. */
#include "arch/family.h"
#include "tests/arch/tensix/rig.h"

static Rig rig;

static int open_rig(void **state G_GNUC_UNUSED)
{
    rig_open(&rig, 1);
    return 0;
}

static int close_rig(void **state G_GNUC_UNUSED)
{
    rig_close(&rig);
    return 0;
}

static void assert_tile(guint x, guint y, guint tile_x, guint tile_y)
{
    const ArchTile tile = arch_tensix_core_tile(rig_core(&rig, x, y));

    assert_int_equal(tile.x, tile_x);
    assert_int_equal(tile.y, tile_y);
}

static void the_grid_skips_columns_and_rows_of_others(void **state G_GNUC_UNUSED)
{
    assert_int_equal(arch_tensix_columns(rig.tensix), 8);
    assert_int_equal(arch_tensix_rows(rig.tensix), 7);
    assert_tile(0, 0, 1, 1);
    assert_tile(3, 4, 4, 5);
    assert_tile(4, 5, 6, 7); /* column 5 is DRAM's, row 6 Ethernet's */
    assert_tile(7, 6, 9, 8);
    assert_string_equal(arch_tensix_core_name(rig_core(&rig, 3, 4)), "core[3,4]");
}

static void harvested_rows_are_no_part_of_the_grid(void **state G_GNUC_UNUSED)
{
    assert_true(arch_params_override(rig.params, "grid.harvested_rows=2,8", NULL));
    arch_tensix_free(rig.tensix);
    rig.tensix = arch_tensix_new(rig.engine, rig.params, rig.dram, NULL);

    assert_tile(0, 1, 1, 3);
    assert_tile(0, 4, 1, 7);
    assert_tile(0, 5, 1, 9);
}

static void cores_outside_the_grid_are_refused(void **state G_GNUC_UNUSED)
{
    static const guint outside[][2] = {{8, 0}, {0, 7}, {G_MAXUINT, 0}};

    for (gsize i = 0; i < G_N_ELEMENTS(outside); i++) {
        g_autoptr(GError) error = NULL;

        assert_null(arch_tensix_core(rig.tensix, outside[i][0], outside[i][1], &error));
        assert_error(error, ARCH_ERROR, ARCH_ERROR_INVALID);
        assert_non_null(strstr(error->message, "0..7,0..6"));
        assert_non_null(strstr(error->message, "10,11 of the chip are harvested"));
    }
}

static void cores_share_regions_whatever_the_threads(void **state G_GNUC_UNUSED)
{
    assert_int_equal(arch_family_tensix.region_count(rig.params, 1), 5);
    assert_int_equal(arch_tensix_core_region(rig_core(&rig, 0, 0)), 1);
    assert_int_equal(arch_tensix_core_region(rig_core(&rig, 3, 0)), 4);
    assert_int_equal(arch_tensix_core_region(rig_core(&rig, 4, 0)), 1);
    assert_int_equal(arch_tensix_core_region(rig_core(&rig, 1, 1)), 2);
}

static void idle_cores_hold_no_memory(void **state G_GNUC_UNUSED)
{
    (void) rig_memory(&rig, 2, 2, 64);

    assert_non_null(rig_core(&rig, 2, 2)->l1);
    assert_null(rig_core(&rig, 2, 3)->l1);
}

static void memory_reads_back(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;
    const uint32_t address = rig_memory(&rig, 0, 0, 100);
    guint8 bytes[2] = {1};

    assert_int_equal(address, 32768);
    assert_int_equal(rig_memory(&rig, 0, 0, 100), 32768 + 128);
    rig_fill(&rig, 0, 0, address, 100, 3);
    rig_assert_filled(&rig, 0, 0, address, 100, 3);
    assert_int_equal(rig_word(&rig, 5, 5, address), 0);
    assert_false(arch_tensix_write(rig_core(&rig, 0, 0), 1499136, bytes, 1, &error));
    assert_error(error, ARCH_ERROR, ARCH_ERROR_INVALID);
    assert_true(g_str_has_prefix(error->message, "core[0,0]: l1: 1 bytes at"));
    g_clear_error(&error);
    assert_false(arch_tensix_read(rig_core(&rig, 0, 0), 1499135, bytes, 2, &error));
    assert_error(error, ARCH_ERROR, ARCH_ERROR_INVALID);
}

static bool
add_buffer(guint index, guint pages, guint bytes, uint32_t address, GError **error)
{
    ArchCircularBufferConfig config = {.index = index,
                                       .page_count = pages,
                                       .page_bytes = bytes,
                                       .has_address = address != 0,
                                       .address = address};

    return arch_tensix_add_circular_buffer(rig_core(&rig, 0, 0), &config, error);
}

typedef struct {
    guint index;
    guint pages;
    guint bytes;
    uint32_t address;
    const char *message; /* a part of it */
} BufferRow;

static void bad_buffers_are_refused(void **state G_GNUC_UNUSED)
{
    static const BufferRow rows[] = {
        {32, 1, 64, 0, "circular buffer 32: a core has 0..31"},
        {0, 1, 64, 0, "circular buffer 0: is configured already"},
        {1, 0, 64, 0, "0 pages of 64 bytes"},
        {1, 2, 0, 0, "2 pages of 0 bytes"},
        {1, 2, 42, 0, "multiples of 4 bytes"},
        {1, 2, 64, 0x10008, "address 0x10008 is no multiple of 16"},
        {1, 2, 64, 0x1000, "address 0x1000 is the firmware's"},
        {1, 2, 64, 1499136 - 64, "reach past its end"},
        {1, 800, 2048, 0, "circular buffer 0: 2 pages of 64 bytes\n"},
        {1, G_MAXUINT, G_MAXUINT - 15, 0, "do not fit, the map is\n"},
    };
    assert_true(add_buffer(0, 2, 64, 0, NULL));

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const BufferRow *row = &rows[i];
        g_autoptr(GError) error = NULL;

        assert_false(
            add_buffer(row->index, row->pages, row->bytes, row->address, &error));
        assert_error(error, ARCH_ERROR, ARCH_ERROR_INVALID);
        if (strstr(error->message, row->message) == NULL ||
            !g_str_has_prefix(error->message, "core[0,0]: ")) {
            fail_msg("row %zu: %s", i, error->message);
        }
    }
}

static void buffers_may_lie_on_the_same_memory(void **state G_GNUC_UNUSED)
{
    const uint32_t memory = rig_memory(&rig, 0, 0, 256);
    assert_true(add_buffer(0, 4, 64, memory, NULL));
    assert_true(add_buffer(1, 2, 128, memory, NULL));
    Kernel *kernel = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    uint32_t first = 0;
    uint32_t second = 0;
    call_cb(kernel, ARCH_MOVER_CB_RESERVE, 0, 2);
    call_cb(kernel, ARCH_MOVER_CB_PUSH, 0, 2);
    call_cb(kernel, ARCH_MOVER_CB_WAIT, 0, 2);
    call_cb(kernel, ARCH_MOVER_CB_RESERVE, 1, 1);
    call_cb(kernel, ARCH_MOVER_CB_PUSH, 1, 1);
    call_cb(kernel, ARCH_MOVER_CB_WAIT, 1, 1);

    rig_run(&rig);

    assert_true(arch_mover_cb_pointer(kernel->mover, 0, true, &first, NULL));
    assert_true(arch_mover_cb_pointer(kernel->mover, 1, true, &second, NULL));
    assert_int_equal(first, memory + 128);
    assert_int_equal(second, memory + 128);
    assert_true(arch_tensix_finish(rig.tensix, NULL)); /* waited for is enough */
}

static void a_self_check_asks_the_last_core_too(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;

    rig_buffer(&rig, 7, 6, 4, 2);
    call_spend(rig_kernel(&rig, 7, 6, ARCH_MOVER_BRISC, 0, 0), 9);
    rig_core(&rig, 7, 6)->buffers[4].popped.total = 1;
    sim_engine_set_checking(rig.engine, true);
    assert_false(sim_engine_run(rig.engine, SIM_TIME_NEVER, &error));
    assert_error(error, SIM_ERROR, SIM_ERROR_INVARIANT);
    assert_non_null(strstr(error->message, "core[7,6] cb 4 of 2 pages: 0 pushed, 1"));
}

static void semaphores_have_places_of_their_own(void **state G_GNUC_UNUSED)
{
    const uint32_t first = rig_semaphore(&rig, 0, 0, 7);
    const uint32_t second = rig_semaphore(&rig, 0, 0, 9);

    assert_int_equal(rig_word(&rig, 0, 0, first), 7);
    assert_int_equal(rig_word(&rig, 0, 0, second), 9);
    assert_int_equal(second - first, 16);
}

static void programs_leave_what_is_kept(void **state G_GNUC_UNUSED)
{
    const uint32_t kept = rig_memory(&rig, 0, 0, 64);
    arch_tensix_keep(rig.tensix);
    const uint32_t lost = rig_memory(&rig, 0, 0, 64);
    rig_buffer(&rig, 0, 0, 0, 2);

    assert_true(arch_tensix_finish(rig.tensix, NULL));

    assert_int_equal(kept, 32768);
    assert_int_equal(rig_memory(&rig, 0, 0, 64), lost);
    rig_buffer(&rig, 0, 0, 0, 2);
}

static void pages_that_nobody_waits_for_are_an_error(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;
    rig_buffer(&rig, 2, 1, 4, 4);
    Kernel *reader = rig_kernel(&rig, 2, 1, ARCH_MOVER_NCRISC, 0, 0);
    Kernel *writer = rig_kernel(&rig, 2, 1, ARCH_MOVER_BRISC, 0, 0);
    for (guint i = 0; i < 3; i++) {
        call_cb(reader, ARCH_MOVER_CB_RESERVE, 4, 1);
        call_cb(reader, ARCH_MOVER_CB_PUSH, 4, 1);
    }
    call_cb(writer, ARCH_MOVER_CB_WAIT, 4, 1);
    call_cb(writer, ARCH_MOVER_CB_POP, 4, 1);
    call_cb(writer, ARCH_MOVER_CB_WAIT, 4, 1);
    rig_run(&rig);

    assert_false(arch_tensix_finish(rig.tensix, &error));

    assert_error(error, ARCH_ERROR, ARCH_ERROR_INVALID);
    assert_string_equal(error->message, "core[2,1]: circular buffer 4: 3 pages were "
                                        "pushed, of which 2 were waited for");
    assert_true(arch_tensix_finish(rig.tensix, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define RIG_TEST(f) cmocka_unit_test_setup_teardown(f, open_rig, close_rig)
        RIG_TEST(the_grid_skips_columns_and_rows_of_others),
        RIG_TEST(harvested_rows_are_no_part_of_the_grid),
        RIG_TEST(cores_outside_the_grid_are_refused),
        RIG_TEST(cores_share_regions_whatever_the_threads),
        RIG_TEST(idle_cores_hold_no_memory),
        RIG_TEST(memory_reads_back),
        RIG_TEST(bad_buffers_are_refused),
        RIG_TEST(buffers_may_lie_on_the_same_memory),
        RIG_TEST(a_self_check_asks_the_last_core_too),
        RIG_TEST(semaphores_have_places_of_their_own),
        RIG_TEST(programs_leave_what_is_kept),
        RIG_TEST(pages_that_nobody_waits_for_are_an_error),
    };

    return cmocka_run_group_tests_name("arch.tensix_cores", tests, NULL, NULL);
}
