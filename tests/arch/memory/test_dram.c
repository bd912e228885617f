/* DRAM: real bytes, bounds, allocation, and host memory only for what was touched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "arch/memory/dram.h"

#define PAGE     ((gsize) 1 << 16) /* what the host's memory is taken in */
#define CAPACITY (4 * PAGE + 100)

static void assert_refused(bool is_done, const GError *error, const char *message)
{
    assert_false(is_done);
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    assert_string_equal(error->message, message);
}

static void untouched_bytes_read_as_zero(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchDram) dram = arch_dram_new(CAPACITY);
    g_autofree guint8 *bytes = g_malloc(CAPACITY);
    g_autofree guint8 *zeros = g_malloc0(CAPACITY);

    memset(bytes, 0xff, CAPACITY);
    assert_true(arch_dram_read(dram, 0, bytes, CAPACITY, NULL));

    assert_memory_equal(bytes, zeros, CAPACITY);
    assert_int_equal(arch_dram_resident_bytes(dram), 0);
}

static void bytes_come_back_across_page_borders(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchDram) dram = arch_dram_new(CAPACITY);
    g_autofree guint8 *sent = g_malloc(2 * PAGE);
    g_autofree guint8 *received = g_malloc0(2 * PAGE);

    for (guint i = 0; i < 2 * PAGE; i++) {
        sent[i] = (guint8) (i * 7 + i / 256);
    }
    assert_true(arch_dram_write(dram, PAGE - 3, sent, 2 * PAGE, NULL));
    assert_true(arch_dram_read(dram, PAGE - 3, received, 2 * PAGE, NULL));

    assert_memory_equal(sent, received, 2 * PAGE);
}

static void a_write_leaves_its_neighbours_alone(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchDram) dram = arch_dram_new(CAPACITY);
    guint8 bytes[6] = {0};

    assert_true(arch_dram_write(dram, PAGE - 2, "abcd", 4, NULL));
    assert_true(arch_dram_write(dram, PAGE - 1, "XY", 2, NULL));
    assert_true(arch_dram_read(dram, PAGE - 3, bytes, 6, NULL));

    assert_memory_equal(bytes, "\0aXYd\0", 6);
}

static void host_memory_follows_the_touched_pages(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchDram) dram = arch_dram_new(G_GUINT64_CONSTANT(12) << 30);
    guint8 byte = 0;

    assert_true(arch_dram_read(dram, 5, &byte, 1, NULL));
    assert_int_equal(arch_dram_resident_bytes(dram), 0);
    assert_true(arch_dram_write(dram, 5, "a", 1, NULL));
    assert_int_equal(arch_dram_resident_bytes(dram), PAGE);
    assert_true(arch_dram_write(dram, PAGE - 1, "a", 1, NULL));
    assert_int_equal(arch_dram_resident_bytes(dram), PAGE);
    assert_true(arch_dram_write(dram, 3 * PAGE - 1, "ab", 2, NULL));
    assert_int_equal(arch_dram_resident_bytes(dram), 3 * PAGE);
    assert_true(arch_dram_write(dram, 9 * PAGE, "", 0, NULL));
    assert_int_equal(arch_dram_resident_bytes(dram), 3 * PAGE);
}

/* The largest that a chip file may have: 256 channels of 1 TiB. */
static void a_vast_dram_costs_what_is_touched(void **state G_GNUC_UNUSED)
{
    const uint64_t capacity = G_GUINT64_CONSTANT(256) << 40;
    const uint64_t group = G_GUINT64_CONSTANT(1) << 29; /* pages are found by groups */
    g_autoptr(ArchDram) dram = arch_dram_new(capacity);
    guint8 bytes[4] = {0};

    assert_true(arch_dram_write(dram, capacity - 1, "z", 1, NULL));
    assert_true(arch_dram_write(dram, group - 2, "abcd", 4, NULL));

    assert_true(arch_dram_read(dram, capacity - 2, bytes, 2, NULL));
    assert_memory_equal(bytes, "\0z", 2);
    assert_true(arch_dram_read(dram, group - 2, bytes, 4, NULL));
    assert_memory_equal(bytes, "abcd", 4);
    assert_int_equal(arch_dram_resident_bytes(dram), 3 * PAGE);
}

static void reaches_its_last_byte_and_no_further(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchDram) dram = arch_dram_new(CAPACITY);
    g_autoptr(GError) past_read = NULL;
    g_autoptr(GError) past_write = NULL;
    guint8 bytes[2] = {1, 2};
    bool is_done;

    assert_true(arch_dram_write(dram, CAPACITY - 2, "yz", 2, NULL));
    assert_true(arch_dram_read(dram, CAPACITY - 2, bytes, 2, NULL));
    assert_memory_equal(bytes, "yz", 2);
    assert_true(arch_dram_read(dram, CAPACITY, bytes, 0, NULL));

    is_done = arch_dram_read(dram, CAPACITY - 1, bytes, 2, &past_read);
    assert_refused(is_done, past_read,
                   "dram: 2 bytes at address 262243 reach past its end at 262244");
    assert_memory_equal(bytes, "yz", 2);
    is_done = arch_dram_write(dram, CAPACITY + 1, bytes, 0, &past_write);
    assert_refused(is_done, past_write,
                   "dram: 0 bytes at address 262245 reach past its end at 262244");
}

static void a_range_that_wraps_around_is_refused(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchDram) dram = arch_dram_new(CAPACITY);

    assert_true(arch_dram_check(dram, 0, CAPACITY, NULL));
    assert_false(arch_dram_check(dram, UINT64_MAX, 2, NULL));
    assert_false(arch_dram_check(dram, 2, UINT64_MAX, NULL));
    assert_false(arch_dram_check(dram, UINT64_MAX, UINT64_MAX, NULL));
}

static void allocations_are_aligned_and_do_not_overlap(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchDram) dram = arch_dram_new(CAPACITY);
    uint64_t a = 1;
    uint64_t b = 1;
    uint64_t c = 1;
    uint64_t d = 1;

    assert_true(arch_dram_allocate(dram, 10, 64, &a, NULL));
    assert_true(arch_dram_allocate(dram, 1, 1, &b, NULL));
    assert_true(arch_dram_allocate(dram, 64, 64, &c, NULL));
    assert_true(arch_dram_allocate(dram, 1, 4096, &d, NULL));

    assert_int_equal(a, 0);
    assert_int_equal(b, 10);
    assert_int_equal(c, 64);
    assert_int_equal(d, 4096);
    assert_int_equal(arch_dram_resident_bytes(dram), 0);
}

static void allocation_ends_where_the_dram_does(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchDram) dram = arch_dram_new(1000);
    g_autoptr(GError) error = NULL;
    g_autoptr(GError) full = NULL;
    uint64_t address = 7;
    bool is_done;

    assert_true(arch_dram_allocate(dram, 900, 64, &address, NULL));
    address = 7;
    is_done = arch_dram_allocate(dram, 41, 64, &address, &error);
    assert_refused(is_done, error, "dram: 41 bytes do not fit, 40 of 1000 are free");
    assert_int_equal(address, 7);
    assert_true(arch_dram_allocate(dram, 40, 64, &address, NULL));
    assert_int_equal(address, 960);
    assert_true(arch_dram_allocate(dram, 0, 1, &address, NULL));
    assert_int_equal(address, 1000);
    is_done = arch_dram_allocate(dram, 0, 64, &address, &full);
    assert_refused(is_done, full, "dram: 0 bytes do not fit, 0 of 1000 are free");
    assert_false(arch_dram_allocate(dram, UINT64_MAX, 1, &address, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(untouched_bytes_read_as_zero),
        cmocka_unit_test(bytes_come_back_across_page_borders),
        cmocka_unit_test(a_write_leaves_its_neighbours_alone),
        cmocka_unit_test(host_memory_follows_the_touched_pages),
        cmocka_unit_test(a_vast_dram_costs_what_is_touched),
        cmocka_unit_test(reaches_its_last_byte_and_no_further),
        cmocka_unit_test(a_range_that_wraps_around_is_refused),
        cmocka_unit_test(allocations_are_aligned_and_do_not_overlap),
        cmocka_unit_test(allocation_ends_where_the_dram_does),
    };

    return cmocka_run_group_tests_name("arch.dram", tests, NULL, NULL);
}
