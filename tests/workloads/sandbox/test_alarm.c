/* Tests of scripts that count their steps only when an alarm rings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/workloads/chunk.h"
#include "workloads/alarm.h"
#include "workloads/error.h"

enum {
    STEPS = 100000000, /* as few as wait for an alarm */
};

/* A bell that rings every millisecond, from the first line that a script prints on. */
typedef struct {
    WlAlarm *alarm;
    GThread *thread;
    atomic_bool is_heard;
    atomic_bool is_over;
} Bell;

static gpointer ring(gpointer data)
{
    Bell *self = data;

    while (!atomic_load(&self->is_over)) {
        g_usleep(1000);
        if (atomic_load(&self->is_heard)) {
            wl_alarm_ring(self->alarm);
        }
    }
    return NULL;
}

static void hear(gpointer data, const char *line G_GNUC_UNUSED)
{
    Bell *self = data;

    atomic_store(&self->is_heard, true);
}

static bool is_always(gpointer data G_GNUC_UNUSED)
{
    return true;
}

/* Runs `text` with a bell that rings after its first print, if it does. */
static bool run(const char *text, bool is_interrupted, GError **error)
{
    g_autoptr(WlAlarm) alarm = wl_alarm_new();
    Bell bell = {.alarm = alarm};
    WlSandboxConfig config = chunk_config(NULL);

    config.steps = STEPS;
    config.alarm = alarm;
    config.print = hear;
    config.print_data = &bell;
    config.is_interrupted = is_interrupted ? is_always : NULL;
    bell.thread = g_thread_new("bell", ring, &bell);
    bool is_done = chunk_run(text, &config, error);
    atomic_store(&bell.is_over, true);
    g_thread_join(bell.thread);
    return is_done;
}

/* The alarm stops the script, whatever runs when it rings. */
static void assert_stops(const char *text)
{
    g_autoptr(GError) error = NULL;

    assert_false(run(text, true, &error));
    if (!g_error_matches(error, WL_ERROR, WL_ERROR_LIMIT) ||
        strstr(error->message, "interrupted") == NULL) {
        fail_msg("%s\ngives (%d) %s", text, error->code, error->message);
    }
}

static void without_an_alarm_nothing_is_counted(void **state G_GNUC_UNUSED)
{
    assert_true(run("for i = 1, 20000000 do end", true, NULL));
}

static void an_alarm_reaches_what_runs(void **state G_GNUC_UNUSED)
{
    assert_stops("print() while true do end");
    assert_stops("print() local function f() return f() end f()");
    assert_stops("print() while true do pcall(function() while true do end end) end");
    assert_stops("print() coroutine.wrap(function() while true do end end)()");
    assert_stops("coroutine.wrap(function() print() while true do end end)()");
    assert_stops("print() while true do coroutine.wrap(function() end)() end");
    assert_stops("local co = coroutine.wrap(function() while true do "
                 "coroutine.yield() end end) print() while true do co() end");
    assert_stops("print() table.sort({ 3, 2, 1 }, function() while true do end end)");
}

static void an_alarm_reaches_what_is_closed(void **state G_GNUC_UNUSED)
{
#define CLOSER                                                                         \
    "local c = setmetatable({}, { __close = function() print() while true do end "     \
    "end }) "
    assert_stops(CLOSER "do local x <close> = c end");
    assert_stops(CLOSER "coroutine.wrap(function() local x <close> = c error('e') "
                        "end)()");
    assert_stops(CLOSER "local co = coroutine.create(function() local x <close> = c "
                        "coroutine.yield() end) coroutine.resume(co) "
                        "coroutine.close(co)");
#undef CLOSER
}

static void steps_count_from_the_alarm_on(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;

    assert_false(run("\nprint() while true do end", false, &error));
    assert_true(g_str_has_prefix(error->message, "t.lua:2: 1000"));
    assert_non_null(strstr(error->message, "allowed are 100000000"));
}

static void few_steps_are_counted_from_the_start(void **state G_GNUC_UNUSED)
{
    g_autoptr(WlAlarm) alarm = wl_alarm_new();
    WlSandboxConfig config = chunk_config(NULL);
    g_autoptr(GError) error = NULL;

    config.alarm = alarm;
    config.steps = STEPS - 1;
    assert_false(chunk_run("while true do end", &config, &error));
    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_LIMIT));
}

static void progress_ends_the_counting(void **state G_GNUC_UNUSED)
{
    g_autoptr(WlAlarm) alarm = wl_alarm_new();
    WlSandboxConfig config = chunk_config(NULL);

    config.alarm = alarm;
    config.steps = STEPS;
    config.is_interrupted = is_always;
    g_autoptr(WlSandbox) sandbox = sandbox_new("t.lua", &config, NULL);

    wl_alarm_ring(alarm);
    sandbox_progress(sandbox);
    assert_true(chunk_run_in(sandbox, "for i = 1, 100000 do end", NULL));
    wl_alarm_ring(alarm);
    assert_false(chunk_run_in(sandbox, "for i = 1, 100000 do end", NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_an_alarm_nothing_is_counted),
        cmocka_unit_test(an_alarm_reaches_what_runs),
        cmocka_unit_test(an_alarm_reaches_what_is_closed),
        cmocka_unit_test(steps_count_from_the_alarm_on),
        cmocka_unit_test(few_steps_are_counted_from_the_start),
        cmocka_unit_test(progress_ends_the_counting),
    };
    return cmocka_run_group_tests_name("workloads.alarm", tests, NULL, NULL);
}
