/* The engine of sweeps: each run a process, and what is lost is tried again. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "workloads/sweep_engine.h"

enum {
    RUNS = 4,
};

static const char text[] = "return { summary = 's', script = 'x', axes = { { name = "
                           "'n', values = { 1, 2, 3, 4 "
                           "} } }, record = { 'seconds' } }";

/* What the runs of a test do: the one of 3 fails, that of 4 kills itself, others print
 * n. */
static int run(int argc, char **argv)
{
    bool is_check = false;
    const char *word = "";

    for (int i = 0; i < argc; i++) {
        word = g_str_has_prefix(argv[i], "n=") ? argv[i] : word;
        is_check = is_check || g_str_equal(argv[i], "--dry-run");
    }
    if (is_check) {
        return 0;
    }
    if (g_str_equal(word, "n=3")) {
        (void) fprintf(stderr, "gridloom: no\n");
        return 4;
    }
    if (g_str_equal(word, "n=4")) {
        (void) raise(SIGKILL);
    }
    printf("%s", word);
    return 0;
}

static int refuse(int argc, char **argv)
{
    (void) argc;
    (void) argv;
    (void) fprintf(stderr, "gridloom: never\n");
    return 1;
}

static char **metrics(const WlSweep *sweep, const char *result)
{
    char **list = g_new0(char *, 2);

    (void) sweep;
    list[0] = g_strdup(result);
    return list;
}

static const WlSweepRunner runner = {run, metrics};
static const WlSweepRunner refuser = {refuse, metrics};

/* Keeps what came. */
typedef struct {
    WlSweepStatus statuses[RUNS];
    char *texts[RUNS]; /* the metric, or the error */
    guint puts[RUNS];
    guint puts_allowed; /* after which nothing can be put */
    bool is_stopping;
} Kept;

static WlSweepStatus status(gpointer data, guint index)
{
    return ((Kept *) data)->statuses[index];
}

static bool put(gpointer data, const WlSweepAnswer *answer, GError **error)
{
    Kept *self = data;

    if (self->puts_allowed-- == 0) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC, "full");
        return false;
    }
    self->statuses[answer->run] = answer->status;
    g_free(self->texts[answer->run]);
    self->texts[answer->run] =
        g_strdup(answer->status == WL_SWEEP_DONE ? answer->metrics[0] : answer->error);
    self->puts[answer->run]++;
    return true;
}

static void tell(gpointer data, const WlSweepWork *work)
{
    (void) data;
    assert_true(work->run_count <= work->task_count);
}

static bool is_stopping(gpointer data)
{
    return ((Kept *) data)->is_stopping;
}

static WlSweepKeeper keeper_of(Kept *kept)
{
    return (WlSweepKeeper){.status = status,
                           .put = put,
                           .tell = tell,
                           .is_stopping = is_stopping,
                           .data = kept};
}

static void clear(Kept *self)
{
    for (guint i = 0; i < RUNS; i++) {
        g_free(self->texts[i]);
    }
}

static WlSweep *sweep_new(void)
{
    const WlSandboxConfig config = wl_sandbox_config_default();
    g_autofree char *path =
        g_build_filename(g_get_tmp_dir(), "test_engine.XXXXXX", NULL);
    const int file = g_mkstemp(path);
    WlSweep *sweep;

    assert_true(g_close(file, NULL));
    assert_true(g_file_set_contents(path, text, -1, NULL));
    sweep = wl_sweep_load(path, &config, NULL);
    assert_non_null(sweep);
    (void) g_unlink(path);
    return sweep;
}

static WlSweepEngine *engine_new(const WlSweepRunner *of, const WlSweep *sweep)
{
    WlSweepEngine *self = wl_sweep_engine_new(of, 2);

    assert_true(wl_sweep_engine_start(self, sweep, NULL, NULL));
    return self;
}

static void runs_are_kept_and_lost_ones_tried_again(void **state G_GNUC_UNUSED)
{
    g_autoptr(WlSweep) sweep = sweep_new();
    g_autoptr(WlSweepEngine) engine = engine_new(&runner, sweep);
    Kept kept = {.puts_allowed = G_MAXUINT};
    const WlSweepKeeper keeper = keeper_of(&kept);
    WlSweepWork work;
    WlSweepTally tally;

    assert_int_equal(wl_sweep_to_do(sweep, &keeper, false), RUNS);
    assert_true(wl_sweep_engine_check(engine, &keeper, NULL));
    assert_true(wl_sweep_engine_do(engine, &keeper, false, &work, NULL));
    tally = wl_sweep_tally(sweep, &keeper);
    assert_int_equal(tally.done, 2);
    assert_int_equal(tally.failed, 1);
    assert_int_equal(tally.lost, 1);
    assert_string_equal(kept.texts[0], "n=1");
    assert_string_equal(kept.texts[2], "no");
    assert_string_equal(kept.texts[3], "its process was killed");
    assert_int_equal(kept.puts[0], 1);
    assert_int_equal(kept.puts[3], 2);
    assert_int_equal(work.run_count, RUNS + 1);
    assert_int_equal(wl_sweep_to_do(sweep, &keeper, false), 1);
    assert_int_equal(wl_sweep_to_do(sweep, &keeper, true), 2);
    clear(&kept);
}

static void a_keeper_ends_it(void **state G_GNUC_UNUSED)
{
    g_autoptr(WlSweep) sweep = sweep_new();
    g_autoptr(WlSweepEngine) engine = engine_new(&runner, sweep);
    g_autoptr(GError) error = NULL;
    Kept kept = {.puts_allowed = 1};
    Kept none = {.is_stopping = true};
    const WlSweepKeeper keeper = keeper_of(&kept);
    const WlSweepKeeper stopper = keeper_of(&none);
    WlSweepWork work;

    assert_false(wl_sweep_engine_do(engine, &keeper, false, &work, &error));
    assert_string_equal(error->message, "full");
    assert_true(wl_sweep_engine_do(engine, &stopper, false, &work, NULL));
    assert_true(work.is_stopped);
    assert_int_equal(work.run_count, 0);
    clear(&kept);
}

static void a_value_that_nothing_goes_with_is_found(void **state G_GNUC_UNUSED)
{
    g_autoptr(WlSweep) sweep = sweep_new();
    g_autoptr(WlSweepEngine) engine = engine_new(&refuser, sweep);
    g_autoptr(GError) error = NULL;
    Kept kept = {0};
    const WlSweepKeeper keeper = keeper_of(&kept);

    assert_false(wl_sweep_engine_check(engine, &keeper, &error));
    assert_string_equal(error->message, "run 1 (n=1): never");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_kept_and_lost_ones_tried_again),
        cmocka_unit_test(a_keeper_ends_it),
        cmocka_unit_test(a_value_that_nothing_goes_with_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
