/* The progress line: what it says, and that it stays away without a terminal. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "tools/gridloom/progress.h"

typedef struct {
    WlProgress look;
    double wall_seconds;
    const char *text;
} Row;

static void the_line_tells_time_rate_percent_and_time_to_go(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {{1000000, 1e-3, 1000000, 0.25},
         2,
         "pcg: cycle 1,000,000, 1 ms simulated, 500 kevents/s, 25 %, 2 s elapsed, ETA "
         "6 s"},
        {{1000000, 1e-3, 1000000, -1},
         2,
         "pcg: cycle 1,000,000, 1 ms simulated, 500 kevents/s, 2 s elapsed"},
        {{0, 0, 0, 0}, 0, "pcg: cycle 0, 0 s simulated, 0 events/s, 0 %, 0 s elapsed"},
        {{0, 0, 10, 0.5},
         0,
         "pcg: cycle 0, 0 s simulated, 0 events/s, 50 %, 0 s elapsed, ETA 0 s"},
        {{2, 2, 30000000, 1},
         3,
         "pcg: cycle 2, 2 s simulated, 10 Mevents/s, 100 %, 3 s elapsed, ETA 0 s"},
        {{2, 2, 3, 0.001},
         20,
         "pcg: cycle 2, 2 s simulated, 0.15 events/s, 0 %, 20 s elapsed, ETA 19980 s"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const Row *row = &rows[i];
        g_autofree char *text = progress_text("pcg", &row->look, row->wall_seconds);

        assert_string_equal(text, row->text);
    }
}

static void nothing_is_drawn_where_there_is_no_terminal(void **state G_GNUC_UNUSED)
{
    g_autofree char *path = NULL;
    g_autofree char *text = NULL;
    int target = g_file_open_tmp("gridloom-progress-XXXXXX", &path, NULL);

    assert_true(target >= 0);
    int saved = dup(STDERR_FILENO);
    assert_true(dup2(target, STDERR_FILENO) >= 0);
    Progress *progress = progress_new("pcg", true);
    progress_update(progress, &(WlProgress){1, 1, 1, 0.5});
    progress_free(progress);
    assert_int_equal(fflush(stderr), 0);
    assert_true(dup2(saved, STDERR_FILENO) >= 0);

    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    assert_string_equal(text, "");
    assert_int_equal(close(saved), 0);
    assert_int_equal(close(target), 0);
    assert_int_equal(g_unlink(path), 0);
    progress_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_tells_time_rate_percent_and_time_to_go),
        cmocka_unit_test(nothing_is_drawn_where_there_is_no_terminal),
    };

    return cmocka_run_group_tests_name("tools.progress", tests, NULL, NULL);
}
