/* L1: allocation from the bottom up, maps, what is kept, limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "arch/tensix/core.h"
#include "arch/tensix/l1.h"
#include "tests/sim/support.h"

static TensixL1 *l1;

static int open_l1(void **state G_GNUC_UNUSED)
{
    l1 = tensix_l1_new(4096, 1000);
    return 0;
}

static int close_l1(void **state G_GNUC_UNUSED)
{
    tensix_l1_free(l1);
    return 0;
}

static uint32_t take(uint64_t bytes, uint64_t alignment)
{
    uint32_t address = 0;

    assert_true(tensix_l1_allocate(l1, "part", bytes, alignment, &address, NULL));
    return address;
}

static void parts_follow_the_firmware_aligned(void **state G_GNUC_UNUSED)
{
    assert_int_equal(take(10, 16), 1008);
    assert_int_equal(take(1, 32), 1024);
    assert_int_equal(take(1, 1), 1025);
}

static void what_is_free_is_what_can_be_allocated(void **state G_GNUC_UNUSED)
{
    assert_int_equal(tensix_l1_free_bytes(l1), 3096);

    (void) take(96, 8);
    tensix_l1_keep(l1);
    (void) take(1000, 8);

    assert_int_equal(tensix_l1_free_bytes(l1), 2000);
    tensix_l1_reset(l1);
    assert_int_equal(tensix_l1_free_bytes(l1), 3000);
    tensix_l1_clear(l1);
    assert_int_equal(tensix_l1_free_bytes(l1), 3096);
}

static void the_last_byte_fits_and_no_more(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;
    uint32_t address = 77;
    assert_int_equal(take(2000, 8), 1000);

    assert_false(tensix_l1_allocate(l1, "big", 1097, 8, &address, &error));

    assert_error(error, ARCH_ERROR, ARCH_ERROR_INVALID);
    assert_string_equal(error->message,
                        "l1: 1097 bytes for big do not fit, the map is\n"
                        "  0x000000     1000 bytes  firmware\n"
                        "  0x0003e8     2000 bytes  part\n"
                        "  0x000bb8     1096 bytes  free");
    assert_int_equal(address, 77);
    assert_int_equal(take(1096, 8), 3000);
    g_clear_error(&error);
    assert_false(tensix_l1_allocate(l1, "more", 1, 1, &address, &error));
    assert_null(strstr(error->message, "free"));
}

static void nothing_and_far_too_much_are_refused(void **state G_GNUC_UNUSED)
{
    static const uint64_t bytes[] = {0, UINT64_MAX, UINT64_MAX - 1000};

    for (gsize i = 0; i < G_N_ELEMENTS(bytes); i++) {
        g_autoptr(GError) error = NULL;
        uint32_t address;

        assert_false(tensix_l1_allocate(l1, "bad", bytes[i], 16, &address, &error));
        assert_error(error, ARCH_ERROR, ARCH_ERROR_INVALID);
    }
}

static void a_reset_gives_back_what_is_not_kept(void **state G_GNUC_UNUSED)
{
    (void) take(100, 16);
    tensix_l1_keep(l1);
    const uint32_t lost = take(100, 16);

    tensix_l1_reset(l1);

    assert_int_equal(take(50, 16), lost);
}

static void bytes_are_zero_and_stay_what_they_are(void **state G_GNUC_UNUSED)
{
    assert_int_equal(*tensix_l1_at(l1, 4095), 0);
    *tensix_l1_at(l1, 4095) = 9;
    tensix_l1_reset(l1);
    assert_int_equal(*tensix_l1_at(l1, 4095), 9);
}

static void ranges_end_with_the_memory(void **state G_GNUC_UNUSED)
{
    assert_true(tensix_l1_check(l1, 4096, 0, NULL));
    assert_true(tensix_l1_check(l1, 4000, 96, NULL));
    assert_false(tensix_l1_check(l1, 4000, 97, NULL));
    assert_false(tensix_l1_check(l1, 4097, 0, NULL));
    assert_false(tensix_l1_check(l1, 16, UINT64_MAX - 8, NULL));
}

static void bytes_are_allocated_once(void **state)
{
    (void) state;

    (void) take(100, 16);
    (void) take(200, 64);
    assert_true(tensix_l1_is_whole(l1));
    tensix_l1_reset(l1);
    assert_true(tensix_l1_is_whole(l1));
}

/* More pages are in the buffer than it has. */
static void a_self_check_finds_wrong_counters(void **state)
{
    char name[] = "core[1,2]";
    ArchTensixCore core = {.name = name};
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

    (void) state;
    core.buffers[3].page_count = 2;
    core.buffers[3].pushed.total = 9;
    core.buffers[3].popped.total = 7;
    tensix_core_check(&core, lines);
    assert_int_equal(lines->len, 0);

    core.buffers[3].pushed.total = 10;
    tensix_core_check(&core, lines);
    core.buffers[3].popped.total = 11;
    tensix_core_check(&core, lines);
    assert_int_equal(lines->len, 2);
    assert_string_equal(g_ptr_array_index(lines, 0),
                        "core[1,2] cb 3 of 2 pages: 10 pushed, 7 popped");
    assert_string_equal(g_ptr_array_index(lines, 1),
                        "core[1,2] cb 3 of 2 pages: 10 pushed, 11 popped");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define L1_TEST(f) cmocka_unit_test_setup_teardown(f, open_l1, close_l1)
        L1_TEST(parts_follow_the_firmware_aligned),
        L1_TEST(what_is_free_is_what_can_be_allocated),
        L1_TEST(the_last_byte_fits_and_no_more),
        L1_TEST(nothing_and_far_too_much_are_refused),
        L1_TEST(a_reset_gives_back_what_is_not_kept),
        L1_TEST(bytes_are_zero_and_stay_what_they_are),
        L1_TEST(ranges_end_with_the_memory),
        L1_TEST(bytes_are_allocated_once),
        cmocka_unit_test(a_self_check_finds_wrong_counters),
    };

    return cmocka_run_group_tests_name("arch.tensix_l1", tests, NULL, NULL);
}
