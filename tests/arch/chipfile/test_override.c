/* What a user may set on top of a chip file, and what the answer is when not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/error.h"

#define CHIP_FILE GRIDLOOM_SOURCE_DIR "/arch/chips/wormhole_n300.ini"
#define UNREAD                                                                         \
    "this is information that nothing reads, setting it would change no result"
#define SECTIONS                                                                       \
    "chip, grid, noc, niu, issue, l1, riscv, circular_buffer, tensix, unpack, fpu, "   \
    "sfpu, pack, dram, ethernet, pcie, host, power, area, information"

static ArchParams *load(void)
{
    ArchParams *params = arch_params_load(CHIP_FILE, NULL);

    assert_non_null(params);
    return params;
}

typedef struct {
    const char *assignment;
    const char *message; /* after "wormhole_n300: " */
} Assignment;

static void assert_override_refused(ArchParams *params, const Assignment *row)
{
    g_autofree char *before = arch_params_digest(params);
    g_autofree char *after = NULL;
    g_autofree char *message = g_strconcat("wormhole_n300: ", row->message, NULL);
    g_autoptr(GError) error = NULL;

    assert_false(arch_params_override(params, row->assignment, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    assert_string_equal(error->message, message);
    after = arch_params_digest(params);
    assert_string_equal(before, after);
}

#define HOPS   "expected a whole number, 1..1000 cycles"
#define MICROS "expected a number, 0..1000000000 us"
#define FLITS  "expected a decimal with at most 6 decimals, 0..100 cycles per flit"
#define ROWS   "expected 1..64 whole numbers separated by commas, each 0..63 rows"

static void an_override_is_checked_like_the_file(void **state)
{
    static const Assignment rows[] = {
        {"", "(nothing), expected section.key=value"},
        {"foo", "foo, expected section.key=value"},
        {"=1", "=1, expected section.key=value"},
        {".=1", ".=1, expected section.key=value"},
        {"noc=1", "noc=1, expected section.key=value"},
        {"noc.=1", "noc.=1, expected section.key=value"},
        {".hop_cycles=1", ".hop_cycles=1, expected section.key=value"},
        {"a.b.c=1", "a.b.c=1, expected section.key=value"},
        {"a\nb", "a?b, expected section.key=value"},
        {"\xff", "\xef\xbf\xbd, expected section.key=value"},
        {"a.b=1", "a.b = 1, no such section, tensix chips have " SECTIONS},
        {"noc.hop_ns=1",
         "noc.hop_ns = 1, wrong unit, expected noc.hop_cycles in cycles"},
        {"noc.hops=1", "noc.hops = 1, no such key, the nearest is noc.hop_cycles"},
        {"chip.family=wse",
         "chip.family = wse, the family is what the chip file says, use another chip"},
        {"noc.hop_cycles=", "noc.hop_cycles = (nothing), " HOPS},
        {"noc.hop_cycles=abc", "noc.hop_cycles = abc, " HOPS},
        {"noc.hop_cycles=9 9", "noc.hop_cycles = 9 9, " HOPS},
        {"noc.hop_cycles=9\n9", "noc.hop_cycles = 9?9, " HOPS},
        {"noc.hop_cycles==9", "noc.hop_cycles = =9, " HOPS},
        {"noc.hop_cycles=-1", "noc.hop_cycles = -1, " HOPS},
        {"noc.hop_cycles=+1", "noc.hop_cycles = +1, " HOPS},
        {"noc.hop_cycles=0x9", "noc.hop_cycles = 0x9, " HOPS},
        {"noc.hop_cycles=9.0", "noc.hop_cycles = 9.0, " HOPS},
        {"noc.hop_cycles=1e3000", "noc.hop_cycles = 1e3000, " HOPS},
        {"noc.hop_cycles=1e99999999999", "noc.hop_cycles = 1e99999999999, " HOPS},
        {"noc.hop_cycles=1e4", "noc.hop_cycles = 1e4, " HOPS},
        {"noc.hop_cycles=1e-1", "noc.hop_cycles = 1e-1, " HOPS},
        {"noc.hop_cycles=1.25e1", "noc.hop_cycles = 1.25e1, " HOPS},
        {"noc.hop_cycles=1e", "noc.hop_cycles = 1e, " HOPS},
        {"noc.hop_cycles=e2", "noc.hop_cycles = e2, " HOPS},
        {"noc.hop_cycles=1e2e", "noc.hop_cycles = 1e2e, " HOPS},
        {"noc.hop_cycles=-1e2", "noc.hop_cycles = -1e2, " HOPS},
        {"noc.hop_cycles=18446744073709551617e0",
         "noc.hop_cycles = 18446744073709551617e0, " HOPS},
        {"noc.hop_cycles=18446744073709551616e-2",
         "noc.hop_cycles = 18446744073709551616e-2, " HOPS},
        {"noc.hop_cycles=0", "noc.hop_cycles = 0, " HOPS},
        {"noc.hop_cycles=1001", "noc.hop_cycles = 1001, " HOPS},
        {"noc.hop_cycles=18446744073709551617",
         "noc.hop_cycles = 18446744073709551617, " HOPS},
        {"host.launch_us=nan", "host.launch_us = nan, " MICROS},
        {"host.launch_us=inf", "host.launch_us = inf, " MICROS},
        {"host.launch_us=-0", "host.launch_us = -0, " MICROS},
        {"host.launch_us=0x1p3", "host.launch_us = 0x1p3, " MICROS},
        {"host.launch_us=1e999", "host.launch_us = 1e999, " MICROS},
        {"host.launch_us=1e", "host.launch_us = 1e, " MICROS},
        {"host.launch_us=1,5", "host.launch_us = 1,5, " MICROS},
        {"host.launch_us=1000000001", "host.launch_us = 1000000001, " MICROS},
        {"niu.both_read_cycles_per_flit=1.",
         "niu.both_read_cycles_per_flit = 1., " FLITS},
        {"niu.both_read_cycles_per_flit=.5",
         "niu.both_read_cycles_per_flit = .5, " FLITS},
        {"niu.both_read_cycles_per_flit=1e1",
         "niu.both_read_cycles_per_flit = 1e1, " FLITS},
        {"niu.both_read_cycles_per_flit=1.1234567",
         "niu.both_read_cycles_per_flit = 1.1234567, " FLITS},
        {"niu.both_read_cycles_per_flit=9999999999999999999999",
         "niu.both_read_cycles_per_flit = 9999999999999999999999, " FLITS},
        {"niu.both_read_cycles_per_flit=100.000001",
         "niu.both_read_cycles_per_flit = 100.000001, " FLITS},
        {"grid.tensix_rows=", "grid.tensix_rows = (nothing), " ROWS},
        {"grid.tensix_rows=1,,2", "grid.tensix_rows = 1,,2, " ROWS},
        {"grid.tensix_rows=1;2", "grid.tensix_rows = 1;2, " ROWS},
        {"grid.tensix_rows=1,64", "grid.tensix_rows = 1,64, " ROWS},
        {"noc.dateline=nowhere",
         "noc.dateline = nowhere, expected one of origin, wrap"},
        {"noc.dateline=origin|wrap",
         "noc.dateline = origin|wrap, expected one of origin, wrap"},
        {"information.enqueue_us=20", "information.enqueue_us = 20, " UNREAD},
        {"information.enqueue_us=x", "information.enqueue_us = x, " UNREAD},
        {"host.enqueue_us=20", "host.enqueue_us = 20, no such key, the nearest is "
                               "information.enqueue_us"},
        {"chip.summary=", "chip.summary = (nothing), expected a line of text"},
        {"chip.summary=a\nb", "chip.summary = a?b, expected a line of text"},
    };
    g_autoptr(ArchParams) params = load();

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_override_refused(params, &rows[i]);
    }
}

static void a_long_value_is_cut_in_the_message(void **state)
{
    g_autofree char *digits = g_strnfill(5000, '1');
    g_autofree char *assignment = g_strconcat("noc.hop_cycles=", digits, NULL);
    g_autoptr(ArchParams) params = load();
    g_autoptr(GError) error = NULL;

    (void) state;
    assert_false(arch_params_override(params, assignment, &error));
    assert_true(strlen(error->message) < 200);
}

static const ArchParam *find_param(const ArchParams *params, const char *key)
{
    for (guint i = 0; i < arch_params_count(params); i++) {
        if (g_str_equal(arch_params_at(params, i)->key, key)) {
            return arch_params_at(params, i);
        }
    }
    fail_msg("no %s", key);
    return NULL;
}

static void an_override_takes_effect_and_shows(void **state)
{
    g_autoptr(ArchParams) params = load();
    const ArchParam *hop = find_param(params, "hop_cycles");
    SimRatio none;
    gsize count = 1;

    (void) state;
    assert_false(hop->is_overridden);
    assert_true(g_str_has_prefix(hop->source, "tt-isa-documentation"));
    assert_string_equal(hop->unit, "cycles");
    assert_int_equal(hop->confidence, ARCH_CONFIDENCE_DOCUMENTED);

    assert_true(arch_params_override(params, "noc.hop_cycles=4", NULL));
    assert_true(arch_params_override(params, " noc . hop_cycles = 5 ", NULL));
    assert_true(arch_params_override(params, "niu.both_read_cycles_per_flit=0", NULL));
    assert_true(arch_params_override(params, "grid.harvested_rows=", NULL));

    hop = find_param(params, "hop_cycles");
    none = arch_params_ratio(params, "niu.both_read_cycles_per_flit");
    arch_params_list(params, "grid.harvested_rows", &count);
    assert_int_equal(arch_params_uint(params, "noc.hop_cycles"), 5);
    assert_true(hop->is_overridden);
    assert_string_equal(hop->value, "5");
    assert_string_equal(hop->source, "set by the user, the chip file has 9");
    assert_string_equal(arch_confidence_name(hop->confidence), "assumed");
    assert_true(none.num == 0 && none.den == 1);
    assert_int_equal(count, 0);
}

static void a_whole_number_may_have_an_exponent(void **state)
{
    static const struct {
        const char *text;
        uint64_t value;
    } rows[] = {{"1e2", 100},   {"1.5e2", 150}, {"12E1", 120},   {"1e+2", 100},
                {"120e-1", 12}, {"7e0", 7},     {"0.03e3", 30},  {"001e001", 10},
                {"5.0e0", 5},   {"5.00e1", 50}, {"100000e-5", 1}};
    g_autoptr(ArchParams) params = load();
    g_autofree char *digest = NULL;
    g_autofree char *same = NULL;

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *assignment =
            g_strconcat("noc.hop_cycles=", rows[i].text, NULL);
        g_autoptr(GError) error = NULL;

        if (!arch_params_override(params, assignment, &error)) {
            fail_msg("%s", error->message);
        }
        assert_int_equal(arch_params_uint(params, "noc.hop_cycles"), rows[i].value);
    }
    assert_true(arch_params_override(params, "noc.hop_cycles=1e1", NULL));
    digest = arch_params_digest(params);
    assert_true(arch_params_override(params, "noc.hop_cycles=10", NULL));
    same = arch_params_digest(params);
    assert_string_equal(digest, same);
    assert_true(arch_params_override(params, "grid.harvested_rows=1e0, 11", NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_override_is_checked_like_the_file),
        cmocka_unit_test(a_whole_number_may_have_an_exponent),
        cmocka_unit_test(a_long_value_is_cut_in_the_message),
        cmocka_unit_test(an_override_takes_effect_and_shows),
    };

    return cmocka_run_group_tests_name("arch.override", tests, NULL, NULL);
}
