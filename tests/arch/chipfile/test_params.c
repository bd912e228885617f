/* What a chip file may say, and what the reader answers when it says something else. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "arch/chipfile/params.h"
#include "arch/error.h"

#define CHIP_FILE   GRIDLOOM_SOURCE_DIR "/arch/chips/wormhole_n300.ini"
#define HOP_COMMENT "# cycles; documented; here\n"
#define HOP         HOP_COMMENT "hop_cycles = 9\n"
#define COMMENT_FORM                                                                   \
    "expected \"# unit; documented|measured|calibrated|assumed; source\" above the "   \
    "key"
#define SECTIONS                                                                       \
    "chip, grid, noc, niu, issue, l1, riscv, circular_buffer, tensix, unpack, fpu, "   \
    "sfpu, pack, dram, ethernet, pcie, host, power, area, information"

/* A good file in which the lines of one key stand ready to be replaced. */
static char *good;

static int read_good(void **state)
{
    g_autofree char *shipped = NULL;
    char *key;
    char *comment;

    (void) state;
    assert_true(g_file_get_contents(CHIP_FILE, &shipped, NULL, NULL));
    key = strstr(shipped, "hop_cycles = 9\n");
    assert_non_null(key);
    comment = g_strrstr_len(shipped, key - shipped, "# cycles");
    *comment = '\0';
    good = g_strconcat(shipped, HOP, key + strlen("hop_cycles = 9\n"), NULL);
    return 0;
}

static int free_good(void **state)
{
    (void) state;
    g_clear_pointer(&good, g_free);
    return 0;
}

static ArchParams *parse(const char *text)
{
    g_autoptr(GError) error = NULL;
    ArchParams *params = arch_params_parse("chip.ini", text, strlen(text), &error);

    if (error != NULL) {
        print_error("%s\n", error->message);
    }
    assert_non_null(params);
    return params;
}

static void assert_refused(const char *text, gsize length, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(ArchParams) params = arch_params_parse("chip.ini", text, length, &error);

    assert_null(params);
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    assert_string_equal(error->message, message);
}

/* `from`, once in the good file, becomes `to`; the message is about the line that many
 * lines below the one where `from` begins. */
typedef struct {
    const char *from;
    const char *to;
    guint below;
    const char *message;
} Edit;

static void assert_edit_refused(const Edit *edit)
{
    const char *at = strstr(good, edit->from);
    g_autofree char *before = NULL;
    g_autofree char *text = NULL;
    g_autofree char *message = NULL;
    g_auto(GStrv) lines = NULL;

    assert_non_null(at);
    before = g_strndup(good, (gsize) (at - good));
    lines = g_strsplit(before, "\n", -1);
    text = g_strconcat(before, edit->to, at + strlen(edit->from), NULL);
    message = g_strdup_printf("chip.ini:%u: %s", g_strv_length(lines) + edit->below,
                              edit->message);
    assert_refused(text, strlen(text), message);
}

#define ASSERT_EDITS_REFUSED(edits)                                                    \
    for (gsize i = 0; i < G_N_ELEMENTS(edits); i++) {                                  \
        assert_edit_refused(&(edits)[i]);                                              \
    }

static void unknown_names_get_a_suggestion(void **state)
{
    static const Edit edits[] = {
        {"[niu]", "[nius]", 2,
         "nius.inject_cycles = 5, no such section, tensix chips have " SECTIONS},
        {HOP, HOP_COMMENT "hop_cycels = 9\n", 1,
         "noc.hop_cycels = 9, no such key, the nearest is noc.hop_cycles"},
        {HOP, HOP "# hz; assumed; x\nclock_hz = 1\n", 3,
         "noc.clock_hz = 1, no such key, the nearest is chip.clock_hz"},
        {HOP, HOP_COMMENT "hop_ns = 9\n", 1,
         "noc.hop_ns = 9, wrong unit, expected noc.hop_cycles in cycles"},
        {HOP, HOP_COMMENT "hop = 9\n", 1,
         "noc.hop = 9, wrong unit, expected noc.hop_cycles in cycles"},
        {"l1_store_cycles =", "l1_store_bytes_per_cycle =", 0,
         "riscv.l1_store_bytes_per_cycle = 5.17, wrong unit, expected "
         "riscv.l1_store_cycles in cycles"},
        {"family = tensix", "family = abacus", 0,
         "chip.family = abacus, unknown family, expected one of tensix, wse, nero, "
         "gpu, cpu"},
    };

    (void) state;
    ASSERT_EDITS_REFUSED(edits);
}

static void a_key_needs_its_provenance(void **state)
{
    static const Edit edits[] = {
        {HOP_COMMENT, "", 0, "noc.hop_cycles = 9, comment is missing, " COMMENT_FORM},
        {HOP_COMMENT, HOP_COMMENT "\n", 2,
         "noc.hop_cycles = 9, comment is missing, " COMMENT_FORM},
        {HOP_COMMENT, "# nine\n", 1,
         "noc.hop_cycles = 9, comment is malformed, " COMMENT_FORM},
        {HOP_COMMENT, "# cycles; documented\n", 1,
         "noc.hop_cycles = 9, comment is malformed, " COMMENT_FORM},
        {HOP_COMMENT, "# cycles; documented; \n", 1,
         "noc.hop_cycles = 9, comment is malformed, " COMMENT_FORM},
        {HOP_COMMENT, "# cycles; guessed; here\n", 1,
         "noc.hop_cycles = 9, unknown confidence in the comment, " COMMENT_FORM},
        {HOP_COMMENT, "# ns; documented; here\n", 1,
         "noc.hop_cycles = 9, the comment's unit is \"ns\", expected \"cycles\""},
        {HOP_COMMENT, "# cycles; calibrated; here\n", 1,
         "noc.hop_cycles = 9, calibrated without rows, expected a source with "
         "\"fitted to ...\""},
    };

    (void) state;
    ASSERT_EDITS_REFUSED(edits);
}

#define NO_RANGE                                                                       \
    " without a range, expected \"; range LOW..HIGH\" (a|b of words, xLOW..xHIGH of "  \
    "a "                                                                               \
    "list, fixed) at the end of the comment"

static void what_is_not_known_needs_a_range(void **state)
{
    static const Edit edits[] = {
        {HOP_COMMENT, "# cycles; assumed; a guess\n", 1,
         "noc.hop_cycles = 9, assumed" NO_RANGE},
        {HOP_COMMENT, "# cycles; calibrated; fitted to x\n", 1,
         "noc.hop_cycles = 9, calibrated" NO_RANGE},
        {HOP_COMMENT, "# cycles; assumed; a guess; rang 1..9\n", 1,
         "noc.hop_cycles = 9, assumed" NO_RANGE},
        {HOP_COMMENT, "# cycles; assumed; range 1..9\n", 1,
         "noc.hop_cycles = 9, comment is malformed, " COMMENT_FORM},
        {HOP_COMMENT, "# cycles; assumed; a; b; range 10..20\n", 1,
         "noc.hop_cycles = 9, range 10..20, the value itself is outside"},
        {HOP_COMMENT, "# cycles; documented; here; range 9..1\n", 1,
         "noc.hop_cycles = 9, range 9..1, its low end is above its high end"},
        {HOP_COMMENT, "# cycles; assumed; a guess; range 5..1001\n", 1,
         "noc.hop_cycles = 9, an end of its range is 1001, expected a whole number, "
         "1..1000 cycles"},
    };

    (void) state;
    ASSERT_EDITS_REFUSED(edits);
}

static void a_range_is_no_part_of_the_source(void **state)
{
    g_auto(GStrv) parts = g_strsplit(good, HOP_COMMENT, 2);
    g_autofree char *whole = g_strconcat(
        parts[0], "# cycles; assumed; a; b c ; range 5..13\n", parts[1], NULL);
    g_autoptr(ArchParams) params = parse(whole);
    g_autoptr(ArchParams) plain = parse(good);
    g_autofree char *digest = arch_params_digest(params);
    g_autofree char *plain_digest = arch_params_digest(plain);

    (void) state;
    assert_string_equal(arch_params_find(params, "noc.hop_cycles")->source, "a; b c");
    assert_string_equal(
        arch_range_text(arch_params_find(params, "noc.hop_cycles")->range), "5..13");
    assert_null(arch_params_find(plain, "noc.hop_cycles")->range);
    assert_string_equal(digest, plain_digest);

    assert_true(arch_params_override(params, "noc.hop_cycles=7", NULL));
    assert_null(arch_params_find(params, "noc.hop_cycles")->range);
}

static void nothing_may_stand_twice_or_lack(void **state)
{
    static const Edit edits[] = {
        {"[chip]\n", "# text; assumed; x\nmotto = x\n[chip]\n", 1,
         "motto = x, expected a [section] before the first key"},
        {"[noc]\n", "[noc]\nhop_cycles\n", 1,
         "hop_cycles, expected [section], key = value or # comment"},
        {"[noc]", "[noc", 0, "[noc, expected [section]"},
        {"[noc]", "[]", 0, "[], expected [section]"},
        {"[noc]", "[no c]", 0, "no c, a section's name has letters, digits and _ only"},
        {"hop_cycles = 9", "hop_cycles[de] = 9", 0,
         "hop_cycles[de], a key's name has letters, digits and _ only"},
        {"hop_cycles = 9", " = 9", 0,
         "(nothing), a key's name has letters, digits and _ only"},
    };
    g_autofree char *once = g_strdup(good);
    g_autofree char *twice = g_strconcat(good, "# x\ntraced_gap_us = 3\n", NULL);
    g_autofree char *section_twice = g_strconcat(good, "[noc]\n", NULL);
    g_autoptr(GError) key_error = NULL;
    g_autoptr(GError) section_error = NULL;

    (void) state;
    ASSERT_EDITS_REFUSED(edits);

    assert_null(arch_params_parse("c.ini", twice, strlen(twice), &key_error));
    assert_null(arch_params_parse("c.ini", section_twice, strlen(section_twice),
                                  &section_error));
    assert_non_null(strstr(key_error->message, ": information.traced_gap_us = 3, "
                                               "duplicate key, first in line "));
    assert_non_null(
        strstr(section_error->message, ": [noc], duplicate section, first in line "));

    *strstr(once, "[host]") = '\0';
    assert_refused(once, strlen(once),
                   "chip.ini: host.launch_us is missing, and so is its section [host]");
}

static void a_missing_key_names_its_section(void **state)
{
    const char *section = strstr(good, "[noc]");
    g_autofree char *before = g_strndup(good, (gsize) (section - good));
    g_auto(GStrv) lines = g_strsplit(before, "\n", -1);
    g_autofree char *message =
        g_strdup_printf("chip.ini:%u: noc.hop_cycles is missing, expected a whole "
                        "number, 1..1000 cycles",
                        g_strv_length(lines));
    g_auto(GStrv) parts = g_strsplit(good, HOP, 2);
    g_autofree char *text = g_strjoinv("", parts);
    const char *no_family = "\n[chip]\n# text; assumed; x\nsummary = x\n";
    const char *no_chip = "[noc]\n# cycles; assumed; x\nhop_cycles = 1\n";

    (void) state;
    assert_refused(text, strlen(text), message);
    assert_refused(no_family, strlen(no_family),
                   "chip.ini:2: chip.family is missing, expected one of tensix, wse, "
                   "nero, gpu, cpu");
    assert_refused(no_chip, strlen(no_chip),
                   "chip.ini: chip.family is missing, and so is its section [chip], "
                   "expected one of tensix, wse, nero, gpu, cpu");
}

static void a_file_must_be_text(void **state)
{
    g_autofree char *large = g_strnfill(1024 * 1024 + 1, '\n');

    (void) state;
    assert_refused("", 0, "chip.ini: the file is empty, expected a chip file");
    assert_refused("# x\n\n", 5, "chip.ini: the file is empty, expected a chip file");
    assert_refused("[chip]\n\0x", 9,
                   "chip.ini:2: byte 0x00, a chip file is text, this is binary");
    assert_refused("\x7f"
                   "ELF",
                   4, "chip.ini:1: byte 0x7f, a chip file is text, this is binary");
    assert_refused("[chip]\n\n# \xff\n", 12,
                   "chip.ini:3: byte 0xff, a chip file is UTF-8");
    assert_refused(large, strlen(large),
                   "chip.ini: 1048577 bytes, a chip file has at most 1048576");
}

static void assert_load_refused(const char *path, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_null(arch_params_load(path, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    assert_string_equal(error->message, message);
}

static void a_path_must_be_a_readable_file(void **state)
{
    g_autofree char *folder = g_dir_make_tmp("gridloom-XXXXXX", NULL);
    g_autofree char *locked = g_build_filename(folder, "locked.ini", NULL);
    g_autofree char *message =
        g_strdup_printf("%s: cannot be read, expected a chip file", locked);
    g_autofree char *folder_message =
        g_strdup_printf("%s: this is a folder, expected a chip file", folder);

    (void) state;
    assert_load_refused("no/such.ini",
                        "no/such.ini: No such file or directory, expected a chip file");
    assert_load_refused("/dev/null",
                        "/dev/null: this is no regular file, expected a chip file");
    assert_load_refused(folder, folder_message);
    assert_true(g_file_set_contents(locked, "x", 1, NULL));
    assert_int_equal(g_chmod(locked, 0), 0);
    if (g_access(locked, R_OK) != 0) {
        assert_load_refused(locked, message);
    }
    assert_int_equal(g_unlink(locked), 0);
    assert_int_equal(g_rmdir(folder), 0);
}

#define HOPS   "expected a whole number, 1..1000 cycles"
#define MICROS "expected a number, 0..1000000000 us"

static void a_value_of_the_file_is_checked_with_its_line(void **state)
{
    static const Edit edits[] = {
        {"hop_cycles = 9", "hop_cycles = nine", 0, "noc.hop_cycles = nine, " HOPS},
        {"hop_cycles = 9", "hop_cycles =", 0, "noc.hop_cycles = (nothing), " HOPS},
        {"hop_cycles = 9", "hop_cycles = 4000", 0, "noc.hop_cycles = 4000, " HOPS},
        {"launch_us = 30", "launch_us = 1e400", 0, "host.launch_us = 1e400, " MICROS},
    };

    (void) state;
    ASSERT_EDITS_REFUSED(edits);
}

static void readers_give_exact_values(void **state)
{
    g_autoptr(ArchParams) params = parse(good);
    SimRatio rate = arch_params_ratio(params, "niu.l1_read_cycles_per_flit");
    SimRatio hop = arch_params_ratio(params, "noc.hop_cycles");
    gsize count = 0;
    const uint64_t *rows = arch_params_list(params, "grid.tensix_rows", &count);

    (void) state;
    assert_string_equal(arch_params_name(params), "chip");
    assert_string_equal(arch_params_family(params), "tensix");
    assert_int_equal(arch_params_uint(params, "noc.hop_cycles"), 9);
    assert_true(rate.num == 409 && rate.den == 400);
    assert_true(hop.num == 9 && hop.den == 1);
    assert_true(arch_params_real(params, "information.traced_gap_us") == 2.05);
    assert_true(arch_params_real(params, "noc.hop_cycles") == 9.0);
    assert_true(arch_params_real(params, "pcie.write_request_cycles") == 52.5);
    assert_string_equal(arch_params_text(params, "noc.dateline"), "origin");
    assert_int_equal(count, 10);
    assert_int_equal(rows[0], 1);
    assert_int_equal(rows[9], 11);
    assert_true(arch_params_has(params, "noc.hop_cycles"));
    assert_false(arch_params_has(params, "noc.hop_ns"));
    assert_false(arch_params_has(params, "hop_cycles"));
}

static char *digest_after(const char *from, const char *to)
{
    g_auto(GStrv) parts = g_strsplit(good, from, 2);
    g_autofree char *text = g_strjoinv(to, parts);
    g_autoptr(ArchParams) params = NULL;

    assert_int_equal(g_strv_length(parts), 2);
    params = parse(text);
    return arch_params_digest(params);
}

static void the_digest_follows_values_only(void **state)
{
    g_autofree char *plain = digest_after(HOP, HOP);
    g_autofree char *comment = digest_after("; here\n", "; elsewhere\n");
    g_autofree char *spelling = digest_after("t1_miss_cycles_per_instruction = 1.40\n",
                                             "t1_miss_cycles_per_instruction=1.4\r\n");
    g_autofree char *value = digest_after("hop_cycles = 9", "hop_cycles = 8");
    g_autofree char *unread = digest_after("enqueue_us = 21", "enqueue_us = 22");
    g_autoptr(ArchParams) params = parse(good);
    g_autofree char *set = NULL;
    g_autofree char *back = NULL;

    (void) state;
    assert_int_equal(strlen(plain), 64);
    assert_string_equal(plain, comment);
    assert_string_equal(plain, unread);
    assert_string_equal(plain, spelling);
    assert_string_not_equal(plain, value);

    assert_true(arch_params_override(params, "noc.hop_cycles=8", NULL));
    set = arch_params_digest(params);
    assert_true(arch_params_override(params, "noc.hop_cycles=9", NULL));
    back = arch_params_digest(params);
    assert_string_equal(set, value);
    assert_string_equal(back, plain);
}

/* A locale in which 2,5 is a number, whether or not the machine has one. */
static void speak_german(void)
{
    static const char *const name = "de_DE.UTF-8";
    g_autofree char *folder = g_dir_make_tmp("locale-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autofree char *make = g_strdup_printf("localedef -i de_DE -f UTF-8 %s", path);
    g_autofree char *drop = g_strdup_printf("rm -r %s", folder);

    assert_true(g_spawn_command_line_sync(make, NULL, NULL, NULL, NULL));
    assert_true(g_setenv("LOCPATH", folder, TRUE));
    assert_non_null(setlocale(LC_ALL, name));
    assert_true(g_spawn_command_line_sync(drop, NULL, NULL, NULL, NULL));
}

static void numbers_do_not_depend_on_the_locale(void **state)
{
    g_autoptr(ArchParams) params = NULL;

    (void) state;
    speak_german();
    assert_string_equal(localeconv()->decimal_point, ",");
    params = parse(good);
    assert_true(arch_params_override(params, "host.launch_us=2.5", NULL));
    assert_false(arch_params_override(params, "host.launch_us=2,5", NULL));
    assert_true(arch_params_real(params, "host.launch_us") == 2.5);
    assert_non_null(setlocale(LC_ALL, "C"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_names_get_a_suggestion),
        cmocka_unit_test(a_key_needs_its_provenance),
        cmocka_unit_test(what_is_not_known_needs_a_range),
        cmocka_unit_test(a_range_is_no_part_of_the_source),
        cmocka_unit_test(nothing_may_stand_twice_or_lack),
        cmocka_unit_test(a_missing_key_names_its_section),
        cmocka_unit_test(a_file_must_be_text),
        cmocka_unit_test(a_path_must_be_a_readable_file),
        cmocka_unit_test(a_value_of_the_file_is_checked_with_its_line),
        cmocka_unit_test(readers_give_exact_values),
        cmocka_unit_test(the_digest_follows_values_only),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
    };

    return cmocka_run_group_tests_name("arch.params", tests, read_good, free_good);
}
