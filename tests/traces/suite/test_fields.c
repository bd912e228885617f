/* Fields of records: their names, conditions on them, and texts that they fill. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/error.h"
#include "traces/suite/fields.h"

static TraceFields *sample(void)
{
    TraceFields *fields = trace_fields_new();

    trace_fields_set(fields, "size", "2048");
    trace_fields_set(fields, "count", "7");
    trace_fields_set(fields, "kind", "unicast");
    trace_fields_set(fields, "path", "a folder/it's.json");
    trace_fields_set(fields, "empty", "");
    return fields;
}

static void columns_have_names_that_formulas_take(void **state)
{
    (void) state;
    static const struct {
        const char *column;
        const char *name;
    } columns[] = {
        {"Transaction Size (bytes)", "transaction_size_bytes"},
        {"RISC-V Processor", "risc_v_processor"},
        {"Bandwidth (GB/s)", "bandwidth_gb_s"},
        {"  NoC Index ", "noc_index"},
        {"x", "x"},
        {"()", ""},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(columns); i++) {
        g_autofree char *name = trace_fields_name(columns[i].column);

        assert_string_equal(name, columns[i].name);
    }
}

static void conditions_hold_or_not(void **state)
{
    (void) state;
    g_autoptr(GHashTable) fields = sample();
    static const struct {
        const char *text;
        bool is_held;
    } conditions[] = {
        {"", true},
        {"kind=unicast", true},
        {"kind = unicast", false}, /* a text is taken as it is */
        {"kind=multicast|unicast", true},
        {"kind=uni", false},
        {"empty=", true},
        {"nothing=", false},
        {"size=2048;kind=unicast", true},
        {"size=2048; kind=multicast", false},
        {"size=2048.0", false},
        {"count*size<=14336", true},
        {"count*size<14336", false},
        {"count*size>=14336", true},
        {"count*size>14335", true},
        {"count<size", true},
        {"count > size", false},
        {"nothing<1", false},
        {"kind<1", false},
        {"empty<1", false},
        {"1/0>1", false},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(conditions); i++) {
        g_autoptr(GError) error = NULL;
        bool is_held = !conditions[i].is_held;

        assert_true(trace_fields_hold(fields, conditions[i].text, &is_held, &error));
        assert_null(error);
        if (is_held != conditions[i].is_held) {
            fail_msg("%s", conditions[i].text);
        }
    }
}

static void what_is_no_condition_is_refused(void **state)
{
    (void) state;
    g_autoptr(GHashTable) fields = sample();
    static const char *const texts[] = {"kind", "kind=unicast;size", "size<", "<2",
                                        "size<(2"};

    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GError) error = NULL;
        bool is_held;

        assert_false(trace_fields_hold(fields, texts[i], &is_held, &error));
        assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
    }
}

static void places_are_filled(void **state)
{
    (void) state;
    g_autoptr(GHashTable) fields = sample();
    static const struct {
        const char *text;
        const char *filled;
    } texts[] = {
        {"as it is", "as it is"},
        {"{count} x {size} B, {kind}", "7 x 2048 B, unicast"},
        {"{size/16},{count-1}", "128,6"},
        {"--to L:{count-8}", "--to L:-1"},
        {"{path}", "'a folder/it'\\''s.json'"},
        {"[{empty}]", "['']"},
        {"}", "}"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *filled = trace_fields_fill(fields, texts[i].text, &error);

        assert_null(error);
        assert_string_equal(filled, texts[i].filled);
    }
}

static void places_that_cannot_be_filled_are_refused(void **state)
{
    (void) state;
    g_autoptr(GHashTable) fields = sample();
    static const struct {
        const char *text;
        const char *message;
    } texts[] = {
        {"{size/count}", "'size/count': not a whole number"},
        {"{nothing}", "no number nothing"},
        {"{size*1e300}", "'size*1e300': not a whole number"},
        {"a {size", "'{size': expected } behind {"},
        {"{}", "expected a number, a name or ( at ''"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GError) error = NULL;

        assert_null(trace_fields_fill(fields, texts[i].text, &error));
        assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
        assert_string_equal(error->message, texts[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_have_names_that_formulas_take),
        cmocka_unit_test(conditions_hold_or_not),
        cmocka_unit_test(what_is_no_condition_is_refused),
        cmocka_unit_test(places_are_filled),
        cmocka_unit_test(places_that_cannot_be_filled_are_refused),
    };

    return cmocka_run_group_tests_name("traces.fields", tests, NULL, NULL);
}
