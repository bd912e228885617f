/* Traces that were recorded on silicon, where they lie beside the checkout. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/reading/noc_events.h"

#define SHARED GRIDLOOM_SOURCE_DIR "/../shared/data/noc_traces"

enum {
    SKIPPED = 77, /* for ctest */
};

static void assert_measured_trace(const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TraceNocEvents) events = trace_noc_events_load(path, &error);

    if (events == NULL) {
        fail_msg("%s", error->message);
    }
    assert_int_equal(trace_noc_events_at(events, 0)->time, 0);
    assert_int_equal(trace_noc_events_unknown_count(events), 0);
    assert_in_range(trace_noc_events_recorded_cycles(events), 2000, 40000);
}

static void measured_traces_are_read(void **state)
{
    (void) state;
    g_autoptr(GDir) folder = g_dir_open(SHARED, 0, NULL);
    const char *name;
    guint count = 0;

    assert_non_null(folder);
    while ((name = g_dir_read_name(folder)) != NULL) {
        g_autofree char *path = g_build_filename(SHARED, name, NULL);

        if (g_str_has_suffix(name, ".json")) {
            assert_measured_trace(path);
            count++;
        }
    }
    print_message("%u measured traces\n", count);
    assert_true(count > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(measured_traces_are_read)};

    if (!g_file_test(SHARED, G_FILE_TEST_IS_DIR)) {
        print_message("skipped: no measurements in %s\n", SHARED);
        return SKIPPED;
    }
    return cmocka_run_group_tests_name("traces.noc_measured", tests, NULL, NULL);
}
