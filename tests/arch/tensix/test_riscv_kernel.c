/* Compiled kernels: checks of their programs, what they print, and facts of buffers. */
#include <string.h>

#include "arch/tensix/riscv/print.h"
#include "tests/arch/tensix/rig.h"

enum {
    TEXT = 0x9000,
    A0 = 10,
    ITEMS = 256, /* place of values in local memory */
    SLICE = 512, /* and of a part of a tile */
    TILE = 0x20000,
};

#define LOCAL 0xffb00000u

static Rig rig;
static RiscvKernel kernel;

static int open_rig(void **state G_GNUC_UNUSED)
{
    static const uint32_t words[] = {0x73, 0x6f6c6c61, 0}; /* ecall, "allo" */
    const ArchRiscvText text = {
        .name = "k", .address = TEXT, .words = words, .word_count = 3, .entry = TEXT};

    rig_open(&rig, 1);
    g_autoptr(ArchRiscvProgram) program =
        arch_riscv_program_new(rig.tensix, ARCH_RISCV_NC, &text, NULL);

    riscv_kernel_init(&kernel, program, &(ArchRiscvListener){0}, 0);
    return 0;
}

static int close_rig(void **state G_GNUC_UNUSED)
{
    riscv_kernel_clear(&kernel);
    rig_close(&rig);
    return 0;
}

/* The text of a print with values of three words. */
static char *print(const char *text, const uint32_t *items, guint count, GError **error)
{
    memcpy(kernel.cpu.local, text, strlen(text));
    if (count > 0) {
        memcpy(kernel.cpu.local + ITEMS, items, count * 12);
    }
    kernel.cpu.x[A0] = LOCAL;
    kernel.cpu.x[A0 + 1] = (uint32_t) strlen(text);
    kernel.cpu.x[A0 + 2] = LOCAL + ITEMS;
    kernel.cpu.x[A0 + 3] = count;
    return riscv_print_text(&kernel, rig_core(&rig, 0, 0), error);
}

static void values_take_their_places(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *text;
        uint32_t item[3];
        const char *expected;
    } cases[] = {
        {"plain {{}}", {0}, "plain {}"},
        {"<{}>", {'i', 0xfffffffe, 0xffffffff}, "<-2>"},
        {"<{}>", {'u', 0, 1}, "<4294967296>"},
        {"<{:x}|", {'u', 0xbeef, 0}, "<beef|"},
        {"<{:08x}|", {'u', 0xbeef, 0}, "<0000beef|"},
        {"<{:#x}|", {'u', 0xbeef, 0}, "<0xbeef|"},
        {"<{:5}|", {'u', 42, 0}, "<   42|"},
        {"<{:<5}|", {'u', 42, 0}, "<42   |"},
        {"<{:*^6}|", {'u', 42, 0}, "<**42**|"},
        {"{:b}", {'u', 5, 0}, "101"},
        {"{}", {'f', 0x3f9d70a4, 0}, "1.23"},
        {"{:.3f}", {'f', 0x3f9d70a4, 0}, "1.230"},
        {"{}", {'f', 0x40400000, 0}, "3"},
        {"{}", {'d', 0x54442d18, 0x400921fb}, "3.141592653589793"},
        {"{}", {'b', 1, 0}, "true"},
        {"{}{}", {'c', 'y', 0}, "y{}"},
        {"{}", {'p', 0x1234, 0}, "0x1234"},
        {"h{}", {'s', TEXT + 4, 0}, "hallo"},
        {"{0} {0}", {'u', 7, 0}, "7 7"},
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = print(cases[i].text, cases[i].item, 1, NULL);

        assert_non_null(text);
        assert_memory_equal(text, cases[i].expected, strlen(cases[i].expected));
    }
}

static void parts_of_tiles_are_printed(void **state G_GNUC_UNUSED)
{
    /* Rows 0 and 16, columns 0 and 16 of BF16 in faces. */
    const uint32_t place[] = {TILE, 5};
    const guint8 range[] = {0, 32, 16, 0, 32, 16, 1, 1};
    const uint32_t item[] = {'t', LOCAL + SLICE, 0};
    static const guint16 numbers[] = {0x3f80, 0x4000, 0x4040, 0x4080};

    for (guint i = 0; i < 4; i++) {
        assert_true(arch_tensix_write(rig_core(&rig, 0, 0), TILE + 512 * i, &numbers[i],
                                      2, NULL));
    }
    memcpy(kernel.cpu.local + SLICE, place, sizeof place);
    memcpy(kernel.cpu.local + SLICE + sizeof place, range, sizeof range);
    g_autofree char *text = print("{}", item, 1, NULL);

    assert_string_equal(text, "1 2 \n3 4 \n");
}

static void addresses_are_checked(void **state G_GNUC_UNUSED)
{
    static const uint32_t items[][3] = {{'s', 0x100, 0}, {'t', 0x100, 0}};

    for (guint i = 0; i < G_N_ELEMENTS(items); i++) {
        g_autoptr(GError) error = NULL;

        assert_null(print("{}", items[i], 1, &error));
        assert_string_equal(error->message, "a text outside of local memory, at 0x100");
    }
}

static void kernels_say_why_they_fail(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;

    kernel.cpu.x[A0] = TEXT + 4;
    kernel.cpu.x[A0 + 1] = 4;
    riscv_kernel_refuse(&kernel, &error);
    assert_string_equal(error->message, "allo");
}

static void facts_of_buffers_are_told(void **state G_GNUC_UNUSED)
{
    const CircularBuffer buffer = {.page_count = 4, .page_bytes = 32, .address = 0x400};
    static const uint32_t expected[RISCV_BUFFER_FACTS] = {0x400, 32, 4, 1, 3};
    g_autoptr(GError) error = NULL;

    kernel.cpu.next = kernel.cpu.code->instructions + 1; /* after the call */
    for (guint i = 0; i < RISCV_BUFFER_FACTS; i++) {
        kernel.cpu.x[A0 + 1] = i;
        assert_true(riscv_kernel_buffer_fact(&kernel, &buffer, 1, NULL));
        assert_int_equal(kernel.cpu.x[A0], expected[i]);
    }
    kernel.cpu.x[A0 + 1] = RISCV_BUFFER_FACTS;
    assert_false(riscv_kernel_buffer_fact(&kernel, &buffer, 1, &error));
}

static void programs_are_checked(void **state G_GNUC_UNUSED)
{
    static const uint32_t words[] = {0x73};
    ArchRiscvText text = {.name = "k",
                          .address = TEXT,
                          .words = words,
                          .word_count = 1,
                          .entry = TEXT + 4};
    g_autoptr(GError) error = NULL;

    assert_null(arch_riscv_program_new(rig.tensix, ARCH_RISCV_B, &text, &error));
    assert_string_equal(error->message,
                        "kernel k has no instruction at its entry 0x9004");
    g_clear_error(&error);
    text.entry = TEXT;
    text.local_bytes = 4097;
    assert_null(arch_riscv_program_new(rig.tensix, ARCH_RISCV_B, &text, &error));
    assert_string_equal(error->message, "kernel k has 4097 bytes of data, the local "
                                        "memory of its processor has 4096");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_rig, close_rig)
    const struct CMUnitTest tests[] = {
        TEST(values_take_their_places),  TEST(parts_of_tiles_are_printed),
        TEST(addresses_are_checked),     TEST(kernels_say_why_they_fail),
        TEST(facts_of_buffers_are_told), TEST(programs_are_checked),
    };

    return cmocka_run_group_tests_name("arch.tensix_riscv_kernel", tests, NULL, NULL);
}
