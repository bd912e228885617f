/* Options of traces: every part, and every value that is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "tools/gridloom/command.h"
#include "tools/gridloom/run/trace_options.h"

enum {
    WORD_LIMIT = 16,
};

typedef struct {
    CmdTraceOptions trace;
    bool is_traced_anyway;
} Options;

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;

    return cmd_trace_options_read(&self->trace, texts, self->is_traced_anyway, error);
}

static void clear(gpointer options)
{
    Options *self = options;

    cmd_trace_options_clear(&self->trace);
}

static const Option traced_rows[] = {
    {"traced", NULL, "", OPTION_FLAG(is_traced_anyway)},
    {0},
};

static const Command command = {
    .name = "run",
    .purpose = "test",
    .tables = {{traced_rows, 0}, {cmd_trace_rows, offsetof(Options, trace)}},
    .size = sizeof(Options),
    .check = check,
    .clear = clear,
};

static void options_free(Options *self)
{
    command_free_options(&command, self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Options, options_free)

static Options *parse(const char *const *words, bool is_traced_anyway, GError **error)
{
    char *arguments[WORD_LIMIT] = {(char *) "run", (char *) "--traced"};
    int count = is_traced_anyway ? 2 : 1;

    for (; *words != NULL; words++) {
        arguments[count++] = (char *) *words;
    }
    return command_parse(&command, count, arguments, error);
}

static void nothing_is_traced_unless_asked_for(void **state)
{
    static const char *const words[] = {NULL};

    (void) state;
    g_autoptr(Options) options = parse(words, false, NULL);
    const CmdTraceOptions *trace = &options->trace;

    assert_null(trace->path);
    assert_null(trace->cores);
    assert_int_equal(trace->level, TRACE_LEVEL_AUTO);
    assert_true(trace->from == 0 && trace->to == 0 && trace->limit_bytes == 0);
    assert_false(trace->is_off);
}

static void every_part_is_read(void **state)
{
    static const char *const words[] = {
        "--trace=t.pftrace",    "--trace-window=5:9", "--trace-cores=3,4;0:3,0:6",
        "--trace-level=blocks", "--trace-limit=7",    NULL};
    const TraceSquare *squares;

    (void) state;
    g_autoptr(Options) options = parse(words, false, NULL);
    const CmdTraceOptions *trace = &options->trace;

    squares = (const TraceSquare *) trace->cores->data;
    assert_string_equal(trace->path, "t.pftrace");
    assert_true(trace->from == 5 && trace->to == 9 && trace->limit_bytes == 7);
    assert_int_equal(trace->level, TRACE_LEVEL_BLOCKS);
    assert_int_equal(trace->cores->len, 2);
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
        g_autoptr(Options) options = parse(words, false, NULL);
        const CmdTraceOptions *trace = &options->trace;

        assert_int_equal(trace->from, rows[i].from);
        assert_int_equal(trace->to, rows[i].to);
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
        g_autoptr(GError) error = NULL;

        if (parse(words, false, &error) != NULL) {
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
    (void) state;
    g_autoptr(Options) first = parse(part, false, NULL);
    g_autoptr(Options) second = parse(part, true, NULL);
    g_autoptr(Options) third = parse(off, true, NULL);
    g_autoptr(Options) fourth = parse(both, true, NULL);

    assert_null(first);
    assert_non_null(second);
    assert_null(third);
    assert_null(fourth);
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
