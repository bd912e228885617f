/* L1 banks: one word a bank and cycle, one word a port and cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arch/memory/l1_banks.h"

enum {
    BANKS = 16,
    WORD = 16,   /* bytes */
    CHANGED = 5, /* cycles of a narrow write or an atomic */
};

static ArchL1Banks *banks_with(const char *count, const char *interleave)
{
    const char *const numbers[] = {
        count,
        interleave,
        "l1.bank_word_bytes=16",
        "l1.port_count=16",
        "l1.narrow_write_cycles=5",
    };
    g_autoptr(ArchParams) params =
        arch_params_load(GRIDLOOM_SOURCE_DIR "/arch/chips/wormhole_n300.ini", NULL);

    assert_non_null(params);
    for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
        assert_true(arch_params_override(params, numbers[i], NULL));
    }
    return arch_l1_banks_new(params);
}

static ArchL1Banks *banks_new(void)
{
    return banks_with("l1.bank_count=16", "l1.bank_interleave_bytes=16");
}

static SimTime access_at(ArchL1Banks *banks,
                         ArchL1Op op,
                         guint port,
                         uint32_t address,
                         uint32_t bytes,
                         SimTime now)
{
    const ArchL1Access access = {
        .op = op, .port = port, .address = address, .bytes = bytes};

    return arch_l1_banks_access(banks, &access, now);
}

static SimTime
read_at(ArchL1Banks *banks, guint port, uint32_t address, uint32_t bytes, SimTime now)
{
    return access_at(banks, ARCH_L1_READ, port, address, bytes, now);
}

static void a_port_passes_a_word_a_cycle(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchL1Banks) banks = banks_new();

    assert_int_equal(read_at(banks, 0, 0, WORD, 100), 101);
    assert_int_equal(read_at(banks, 0, 256, 10 * WORD, 200), 210);
    /* Its port is taken until 210. */
    assert_int_equal(read_at(banks, 0, 8 * WORD, WORD, 205), 211);
}

static void ports_do_not_meet_in_different_banks(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchL1Banks) banks = banks_new();

    for (guint port = 0; port < BANKS; port++) {
        assert_int_equal(read_at(banks, port, port * WORD, WORD, 7), 8);
    }
}

static void a_bank_serves_one_port_after_another(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchL1Banks) banks = banks_new();

    for (guint port = 0; port < 8; port++) {
        /* The same bank, 256 bytes apart. */
        assert_int_equal(read_at(banks, port, port * BANKS * WORD + 32, WORD, 50),
                         51 + port);
    }
    assert_int_equal(read_at(banks, 9, 32, WORD, 58), 59);
}

/* One is held up for a cycle, and from then on a bank behind. */
static void two_streams_in_step_conflict_once(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchL1Banks) banks = banks_new();

    assert_int_equal(read_at(banks, 0, 0, 64 * WORD, 0), 64);
    assert_int_equal(read_at(banks, 1, 0, 64 * WORD, 64), 128);
    for (guint i = 0; i < 64; i++) {
        (void) read_at(banks, 2, i * WORD, WORD, 200 + i);
        (void) read_at(banks, 3, i * WORD, WORD, 200 + i);
    }
    assert_int_equal(read_at(banks, 3, 0, WORD, 264), 266);
}

/* A stride of all banks is slow, whatever its ports. */
static void a_stride_of_all_banks_has_one_bank(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchL1Banks) banks = banks_new();
    SimTime end = 0;

    for (guint i = 0; i < 32; i++) {
        end = read_at(banks, i % 4, i * BANKS * WORD, WORD, i / 4);
    }
    assert_int_equal(end, 32);
}

/* Numbers that are no powers of two. */
static void banks_repeat_after_all_of_them(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchL1Banks) banks =
        banks_with("l1.bank_count=12", "l1.bank_interleave_bytes=48");

    assert_int_equal(read_at(banks, 0, 0, WORD, 0), 1);
    assert_int_equal(read_at(banks, 1, 12 * 48 + 2 * WORD, WORD, 0), 2);
    assert_int_equal(read_at(banks, 2, 16 * 48, WORD, 0), 1); /* the fifth */
    assert_int_equal(read_at(banks, 3, 4 * 48, WORD, 0), 2);
    assert_int_equal(read_at(banks, 4, 3 * WORD, WORD, 0), 1); /* the second */
}

static void what_is_changed_holds_port_and_bank(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchL1Banks) banks = banks_new();

    assert_int_equal(access_at(banks, ARCH_L1_WRITE, 0, 0, WORD, 0), 1);
    assert_int_equal(access_at(banks, ARCH_L1_WRITE, 0, 4, 4, 10), 10 + CHANGED);
    assert_int_equal(access_at(banks, ARCH_L1_ATOMIC, 1, 16, WORD, 10), 10 + CHANGED);
    /* A narrow read is as any. */
    assert_int_equal(read_at(banks, 2, 36, 4, 10), 11);
    /* Bank 0 and port 0 are free from 15 on. */
    assert_int_equal(read_at(banks, 3, 0, WORD, 11), 16);
    assert_int_equal(read_at(banks, 0, 48, WORD, 11), 16);
}

static void ends_that_are_no_words_are_changed(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchL1Banks) banks = banks_new();

    /* 8 bytes, two words, 8 bytes. */
    assert_int_equal(access_at(banks, ARCH_L1_WRITE, 0, 8, 48, 0),
                     CHANGED + 2 + CHANGED);
    assert_int_equal(read_at(banks, 1, 8, 48, 100), 104);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_port_passes_a_word_a_cycle),
        cmocka_unit_test(ports_do_not_meet_in_different_banks),
        cmocka_unit_test(a_bank_serves_one_port_after_another),
        cmocka_unit_test(two_streams_in_step_conflict_once),
        cmocka_unit_test(a_stride_of_all_banks_has_one_bank),
        cmocka_unit_test(banks_repeat_after_all_of_them),
        cmocka_unit_test(what_is_changed_holds_port_and_bank),
        cmocka_unit_test(ends_that_are_no_words_are_changed),
    };

    return cmocka_run_group_tests_name("arch.l1_banks", tests, NULL, NULL);
}
