/* What another rank answers, and what it takes with it when it goes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "workloads/sweep/cluster.h"

/* Rank 1 as rank 0 sees it; stands for what MPI would bring. */
struct SweepRanks {
    bool is_silent; /* it never answers */
    bool is_gone;
    bool has_task;
    SweepTask task;
    GBytes *answer;
};

const char *sweep_ranks_own(void)
{
    return NULL;
}

SweepRanks *sweep_ranks_open(GError **error)
{
    (void) error;
    return g_new0(SweepRanks, 1);
}

void sweep_ranks_free(SweepRanks *self)
{
    if (self != NULL) {
        g_clear_pointer(&self->answer, g_bytes_unref);
        g_free(self);
    }
}

int sweep_ranks_rank(const SweepRanks *self)
{
    (void) self;
    return 0;
}

int sweep_ranks_count(const SweepRanks *self)
{
    (void) self;
    return 2;
}

void sweep_ranks_send(
    SweepRanks *self, int to, SweepMessageKind kind, gconstpointer bytes, gsize count)
{
    assert_int_equal(to, 1);
    assert_int_equal(kind, SWEEP_TASK);
    assert_int_equal(count, sizeof self->task);
    if (bytes != NULL) {
        memcpy(&self->task, bytes, sizeof self->task);
        self->has_task = true;
    }
}

bool sweep_ranks_receive(SweepRanks *self, SweepMessage *message)
{
    const WlSweepAnswer answer = {.run = self->task.run,
                                  .status = WL_SWEEP_FAILED,
                                  .error = (char *) "no",
                                  .worker = (char *) "0"};

    if (!self->has_task || self->is_silent) {
        return false;
    }
    self->has_task = false;
    g_clear_pointer(&self->answer, g_bytes_unref);
    self->answer = sweep_answer_pack(&answer);
    *message = (SweepMessage){.from = 1, .kind = SWEEP_ANSWER};
    message->bytes = g_bytes_get_data(self->answer, &message->count);
    return true;
}

int sweep_ranks_watch(SweepRanks *self)
{
    return self->is_silent && self->has_task && !self->is_gone ? 1 : -1;
}

void sweep_ranks_forget(SweepRanks *self, int rank)
{
    assert_int_equal(rank, 1);
    self->is_gone = true;
}

bool sweep_ranks_has(const SweepRanks *self, int rank)
{
    return rank == 1 && !self->is_gone;
}

static int run(int argc, char **argv)
{
    (void) argc;
    (void) argv;
    return 1;
}

static const WlSweepRunner runner = {.run = run};

static WlSweep *sweep_new(void)
{
    static const char text[] =
        "return { summary = 's', script = 'x', axes = { { name = 'n', "
        "values = { 1, 2 } } }, record = { 'seconds' } }";
    const WlSandboxConfig config = wl_sandbox_config_default();
    g_autofree char *path =
        g_build_filename(g_get_tmp_dir(), "test_cluster.XXXXXX", NULL);
    WlSweep *sweep;

    assert_true(g_close(g_mkstemp(path), NULL));
    assert_true(g_file_set_contents(path, text, -1, NULL));
    sweep = wl_sweep_load(path, &config, NULL);
    assert_non_null(sweep);
    (void) g_unlink(path);
    return sweep;
}

typedef struct {
    bool is_full; /* nothing of rank 1 can be kept */
    guint answers;
    guint lost;
    int gone; /* the rank */
} Kept;

static bool keep(gpointer data, const WlSweepAnswer *answer, GError **error)
{
    Kept *self = data;

    if (self->is_full && g_str_has_prefix(answer->worker, "1.")) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC, "full");
        return false;
    }
    self->answers++;
    self->lost += answer->status == WL_SWEEP_LOST;
    return true;
}

static bool is_stopping(gpointer data)
{
    (void) data;
    return false;
}

static void lose(gpointer data, int rank)
{
    ((Kept *) data)->gone = rank;
}

/* Two runs, of which rank 1 gets the second. */
static bool run_two(Kept *kept, bool is_silent, GError **error)
{
    static const SweepTask tasks[] = {{.run = 0}, {.run = 1}};
    g_autoptr(WlSweep) sweep = sweep_new();
    g_autoptr(WlSweepEngine) engine = wl_sweep_engine_new(&runner, 1);
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(SweepTask));
    const WlSweepKeeper keeper = {.gone = lose, .data = kept};
    const SweepTaker taker = {
        .answer = keep, .is_stopping = is_stopping, .keeper = &keeper, .data = kept};

    g_array_append_vals(list, tasks, G_N_ELEMENTS(tasks));
    assert_true(wl_sweep_engine_start(engine, sweep, NULL, NULL));
    assert_true(wl_sweep_engine_join(engine, NULL));
    engine->ranks->is_silent = is_silent;
    return sweep_cluster_do(engine, list, &taker, error);
}

static void answers_of_ranks_are_kept(void **state G_GNUC_UNUSED)
{
    Kept kept = {0};

    assert_true(run_two(&kept, false, NULL));
    assert_int_equal(kept.answers, 2);
    assert_int_equal(kept.lost, 0);
}

static void an_answer_that_cannot_be_kept_ends_it(void **state G_GNUC_UNUSED)
{
    Kept kept = {.is_full = true};
    g_autoptr(GError) error = NULL;

    assert_false(run_two(&kept, false, &error));
    assert_string_equal(error->message, "full");
}

static void a_rank_that_goes_loses_its_runs(void **state G_GNUC_UNUSED)
{
    Kept kept = {0};

    assert_true(run_two(&kept, true, NULL));
    assert_int_equal(kept.answers, 2);
    assert_int_equal(kept.lost, 1);
    assert_int_equal(kept.gone, 1);
}

static void a_loss_that_cannot_be_kept_ends_it(void **state G_GNUC_UNUSED)
{
    Kept kept = {.is_full = true};
    g_autoptr(GError) error = NULL;

    assert_false(run_two(&kept, true, &error));
    assert_string_equal(error->message, "full");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_of_ranks_are_kept),
        cmocka_unit_test(an_answer_that_cannot_be_kept_ends_it),
        cmocka_unit_test(a_rank_that_goes_loses_its_runs),
        cmocka_unit_test(a_loss_that_cannot_be_kept_ends_it),
    };

    return cmocka_run_group_tests_name("workloads.sweep_cluster", tests, NULL, NULL);
}
