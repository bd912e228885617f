/* Options of traces: every part, and every value that is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "tools/gridloom/run/trace_options.h"

enum {
    WORD_LIMIT = 16,
};

typedef CmdTraceOptions Options;

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, cmd_trace_options_clear)

static bool parse(CmdTraceOptions *options,
                  const char *const *words,
                  bool is_traced_anyway,
                  GError **error)
{
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    char *arguments[WORD_LIMIT] = {(char *) "run"};
    char **rest = arguments;
    int count = 1;

    for (; *words != NULL; words++) {
        arguments[count++] = (char *) *words;
    }
    cmd_trace_options_add(options, context);
    return g_option_context_parse(context, &count, &rest, error) &&
           cmd_trace_options_read(options, is_traced_anyway, error);
}

static void nothing_is_traced_unless_asked_for(void **state)
{
    static const char *const words[] = {NULL};
    g_auto(Options) options = {0};

    (void) state;
    assert_true(parse(&options, words, false, NULL));

    assert_null(options.path);
    assert_null(options.cores);
    assert_int_equal(options.level, TRACE_LEVEL_AUTO);
    assert_true(options.from == 0 && options.to == 0 && options.limit_bytes == 0);
    assert_false(options.is_off);
}

static void every_part_is_read(void **state)
{
    static const char *const words[] = {
        "--trace=t.pftrace",    "--trace-window=5:9", "--trace-cores=3,4;0:3,0:6",
        "--trace-level=blocks", "--trace-limit=7",    NULL};
    g_auto(Options) options = {0};
    const TraceSquare *squares;

    (void) state;
    assert_true(parse(&options, words, false, NULL));

    squares = (const TraceSquare *) options.cores->data;
    assert_string_equal(options.path, "t.pftrace");
    assert_true(options.from == 5 && options.to == 9 && options.limit_bytes == 7);
    assert_int_equal(options.level, TRACE_LEVEL_BLOCKS);
    assert_int_equal(options.cores->len, 2);
    assert_true(squares[0].x == 3 && squares[0].x_end == 3 && squares[0].y == 4 &&
                squares[0].y_end == 4);
    assert_true(squares[1].x == 0 && squares[1].x_end == 3 && squares[1].y == 0 &&
                squares[1].y_end == 6);
}

static void ends_of_a_window_may_be_left_out(void **state)
{
    static const struct {
        const char *option;
        SimTime from;
        SimTime to;
    } rows[] = {{"--trace-window=:9", 0, 9},
                {"--trace-window=5:", 5, 0},
                {"--trace-window=:", 0, 0},
                {"--trace-window=0:1", 0, 1}};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const char *const words[] = {"--trace=t", rows[i].option, NULL};
        g_auto(Options) options = {0};

        assert_true(parse(&options, words, false, NULL));
        assert_int_equal(options.from, rows[i].from);
        assert_int_equal(options.to, rows[i].to);
    }
}

static void wrong_values_are_refused(void **state)
{
    static const char *const values[] = {
        "--trace-window=",     "--trace-window=5",    "--trace-window=9:9",
        "--trace-window=9:5",  "--trace-window=-1:5", "--trace-window=1:2:3",
        "--trace-window=a:",   "--trace-window=5 :9", "--trace-cores=",
        "--trace-cores=1",     "--trace-cores=1,",    "--trace-cores=1,2,3",
        "--trace-cores=3:1,0", "--trace-cores=1,0;",  "--trace-cores=;1,0",
        "--trace-cores=1:,0",  "--trace-cores=x,y",   "--trace-cores=9999999999,0",
        "--trace-level=",      "--trace-level=Full",  "--trace-limit=0",
        "--trace-limit=1G",    "--trace-limit=-1",
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(values); i++) {
        const char *const words[] = {"--trace=t", values[i], NULL};
        g_auto(Options) options = {0};
        g_autoptr(GError) error = NULL;

        if (parse(&options, words, false, &error)) {
            fail_msg("%s is taken", values[i]);
        }
        assert_int_equal(error->domain, G_OPTION_ERROR);
    }
}

static void parts_need_a_trace(void **state)
{
    static const char *const part[] = {"--trace-limit=7", NULL};
    static const char *const off[] = {"--trace-limit=7", "--no-trace", NULL};
    static const char *const both[] = {"--trace=t", "--no-trace", NULL};
    g_auto(Options) first = {0};
    g_auto(Options) second = {0};
    g_auto(Options) third = {0};
    g_auto(Options) fourth = {0};

    (void) state;
    assert_false(parse(&first, part, false, NULL));
    assert_true(parse(&second, part, true, NULL));
    assert_false(parse(&third, off, true, NULL));
    assert_false(parse(&fourth, both, true, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_traced_unless_asked_for),
        cmocka_unit_test(every_part_is_read),
        cmocka_unit_test(ends_of_a_window_may_be_left_out),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(parts_need_a_trace),
    };

    return cmocka_run_group_tests_name("tools.trace_options", tests, NULL, NULL);
}
