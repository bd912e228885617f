/* DRAM buffers: where pages lie, what hosts read back, limits. */
#include "arch/error.h"
#include "arch/memory/dram_buffer.h"
#include "tests/sim/support.h"

enum {
    BANK_BYTES = 1 << 20,
    BANKS = 12,
};

static ArchParams *params;
static ArchDram *dram;

static int open_dram(void **state G_GNUC_UNUSED)
{
    params =
        arch_params_load(GRIDLOOM_SOURCE_DIR "/arch/chips/wormhole_n300.ini", NULL);
    assert_non_null(params);
    assert_true(arch_params_override(params, "dram.channel_bytes=1048576", NULL));
    dram = arch_dram_new((uint64_t) BANKS * BANK_BYTES);
    return 0;
}

static int close_dram(void **state G_GNUC_UNUSED)
{
    arch_dram_free(dram);
    arch_params_free(params);
    return 0;
}

static ArchDramBuffer *make(uint64_t bytes, uint64_t pages, uint64_t shard_pages)
{
    const ArchDramBufferConfig config = {
        .page_bytes = bytes, .page_count = pages, .shard_pages = shard_pages};
    g_autoptr(GError) error = NULL;
    ArchDramBuffer *buffer = arch_dram_buffer_new(dram, params, &config, &error);

    if (buffer == NULL) {
        fail_msg("%s", error->message);
    }
    return buffer;
}

static uint64_t place(const ArchDramBuffer *buffer, uint64_t page, guint *bank)
{
    uint64_t offset = 0;

    assert_true(arch_dram_buffer_page(buffer, page, bank, &offset, NULL));
    return offset;
}

static void
assert_place(const ArchDramBuffer *buffer, uint64_t page, guint bank, uint64_t past)
{
    guint at = 0;
    guint first = 0;

    assert_int_equal(place(buffer, page, &at) - place(buffer, 0, &first), past);
    assert_int_equal(at, bank);
}

static void interleaved_pages_take_turns(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchDramBuffer) buffer = make(2048, 30, 1);

    assert_place(buffer, 0, 0, 0);
    assert_place(buffer, 11, 11, 0);
    assert_place(buffer, 12, 0, 2048);
    assert_place(buffer, 29, 5, 4096);
}

static void shards_stay_together(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchDramBuffer) buffer = make(64, 100, 4);

    assert_place(buffer, 3, 0, 192);
    assert_place(buffer, 4, 1, 0);
    assert_place(buffer, 47, 11, 192);
    assert_place(buffer, 48, 0, 256);
    assert_place(buffer, 97, 0, 512 + 64);
}

static void pages_start_where_reads_may(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchDramBuffer) odd = make(50, 25, 1);
    guint bank = 0;

    assert_int_equal(place(odd, 0, &bank) % 32, 0);
    assert_place(odd, 24, 0, 128);
}

static void buffers_do_not_meet(void **state G_GNUC_UNUSED)
{
    uint64_t address = 0;
    guint bank = 0;
    g_autoptr(ArchDramBuffer) first = make(1024, 12, 1);
    g_autoptr(ArchDramBuffer) second = make(1024, 24, 1);
    assert_true(arch_dram_allocate(dram, 5000, 64, &address, NULL));

    assert_int_equal(place(first, 0, &bank), BANK_BYTES - 1024);
    assert_int_equal(place(second, 0, &bank), BANK_BYTES - 3072);
    assert_int_equal(address, 0);
    assert_false(
        arch_dram_allocate(dram, BANK_BYTES - 3072 - 5000 + 1, 1, &address, NULL));
    assert_true(arch_dram_allocate(dram, BANK_BYTES - 3072 - 5000, 1, &address, NULL));
}

static void buffers_leave_what_hosts_have(void **state G_GNUC_UNUSED)
{
    const ArchDramBufferConfig large = {
        .page_bytes = BANK_BYTES - 4992, .page_count = 1, .shard_pages = 1};
    g_autoptr(GError) error = NULL;
    uint64_t address = 0;
    assert_true(arch_dram_allocate(dram, 5000, 64, &address, NULL));

    assert_null(arch_dram_buffer_new(dram, params, &large, &error));
    g_autoptr(ArchDramBuffer) fits = make(BANK_BYTES - 5024, 1, 1);

    assert_string_equal(error->message, "dram: 1043584 bytes of every bank do not fit, "
                                        "1043576 of 1048576 are free");
}

static void hosts_read_back_what_they_wrote(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchDramBuffer) buffer = make(50, 100, 3);
    g_autoptr(ArchDramBuffer) other = make(50, 100, 1);
    guint8 out[5000];
    guint8 in[5000];
    uint64_t state64 = 7;
    guint8 byte = 0;
    guint bank = 0;
    for (gsize i = 0; i < sizeof out; i++) {
        out[i] = (guint8) sim_random_next(&state64);
    }

    assert_true(arch_dram_buffer_write(buffer, 0, out, 1234, NULL));
    assert_true(
        arch_dram_buffer_write(buffer, 1234, out + 1234, sizeof out - 1234, NULL));
    assert_true(arch_dram_buffer_read(buffer, 0, in, 777, NULL));
    assert_true(arch_dram_buffer_read(buffer, 777, in + 777, sizeof in - 777, NULL));

    assert_memory_equal(in, out, sizeof out);
    /* Page 99, the first of shard 33, in bank 9. */
    const uint64_t offset = place(buffer, 99, &bank);
    assert_true(arch_dram_read(dram, (uint64_t) bank * BANK_BYTES + offset + 7, &byte,
                               1, NULL));
    assert_int_equal(bank, 9);
    assert_int_equal(byte, out[99 * 50 + 7]);
    assert_true(arch_dram_buffer_read(other, 0, in, sizeof in, NULL));
    for (gsize i = 0; i < sizeof in; i++) {
        assert_int_equal(in[i], 0);
    }
}

static void bad_buffers_are_refused(void **state G_GNUC_UNUSED)
{
    static const ArchDramBufferConfig rows[] = {
        {.page_bytes = 0, .page_count = 1, .shard_pages = 1},
        {.page_bytes = 1, .page_count = 0, .shard_pages = 1},
        {.page_bytes = 1, .page_count = 1, .shard_pages = 0},
        {.page_bytes = BANK_BYTES + 1, .page_count = 1, .shard_pages = 1},
        {.page_bytes = 1024, .page_count = 12 * 1024 + 1, .shard_pages = 1},
        {.page_bytes = UINT64_MAX, .page_count = 1, .shard_pages = 1},
        {.page_bytes = 32, .page_count = UINT64_MAX, .shard_pages = 1},
        {.page_bytes = 32, .page_count = 1, .shard_pages = UINT64_MAX},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;

        assert_null(arch_dram_buffer_new(dram, params, &rows[i], &error));
        assert_error(error, ARCH_ERROR, ARCH_ERROR_INVALID);
    }
    g_autoptr(ArchDramBuffer) all = make(1024, 12 * 1024, 1);
    g_autoptr(GError) error = NULL;
    const ArchDramBufferConfig one = {
        .page_bytes = 1, .page_count = 1, .shard_pages = 1};
    assert_null(arch_dram_buffer_new(dram, params, &one, &error));
    assert_error(error, ARCH_ERROR, ARCH_ERROR_INVALID);
}

static void ranges_end_with_the_buffer(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchDramBuffer) buffer = make(64, 10, 1);
    g_autoptr(GError) error = NULL;
    guint8 bytes[2] = {0};
    uint64_t offset = 0;
    guint bank = 0;

    assert_false(arch_dram_buffer_page(buffer, 10, &bank, &offset, &error));
    assert_string_equal(error->message, "dram: page 10, the buffer has 0..9");
    assert_true(arch_dram_buffer_write(buffer, 639, bytes, 1, NULL));
    assert_false(arch_dram_buffer_write(buffer, 639, bytes, 2, NULL));
    assert_false(arch_dram_buffer_read(buffer, 641, bytes, 0, NULL));
    assert_true(arch_dram_buffer_read(buffer, 640, bytes, 0, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define DRAM_TEST(f) cmocka_unit_test_setup_teardown(f, open_dram, close_dram)
        DRAM_TEST(interleaved_pages_take_turns),
        DRAM_TEST(shards_stay_together),
        DRAM_TEST(pages_start_where_reads_may),
        DRAM_TEST(buffers_do_not_meet),
        DRAM_TEST(buffers_leave_what_hosts_have),
        DRAM_TEST(hosts_read_back_what_they_wrote),
        DRAM_TEST(bad_buffers_are_refused),
        DRAM_TEST(ranges_end_with_the_buffer),
    };

    return cmocka_run_group_tests_name("arch.dram_buffer", tests, NULL, NULL);
}
