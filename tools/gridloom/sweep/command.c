/* gridloom sweep: many runs, and one database of what came of them. */
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <glib.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/envelope.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/sweep/options.h"
#include "tools/gridloom/sweep/show.h"
#include "tools/gridloom/sweep/store.h"
#include "tools/gridloom/watchdog.h"
#include "traces/file/output.h"
#include "traces/file/quantity.h"
#include "traces/table/sweep_store.h"
#include "workloads/search.h"
#include "workloads/sweep_engine.h"

enum {
    FILE_STEPS = 50000000, /* Lua instructions: a second or two */
};

typedef struct {
    CmdSweepStore store;     /* first: keepers take it */
    CmdSweepOptions options; /* borrowed */
    gint64 start;
    WlSweep *sweep;
    WlSweepEngine *engine;
    int signals; /* a descriptor: readable when this is to stop */
    bool is_stopped;
} Job;

static void job_clear(Job *self)
{
    cmd_sweep_store_clear(&self->store);
    g_clear_pointer(&self->engine, wl_sweep_engine_free);
    g_clear_pointer(&self->sweep, wl_sweep_free);
    if (self->signals >= 0) {
        (void) close(self->signals);
    }
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Job, job_clear)

static bool load(Job *self, GError **error)
{
    g_autofree char *path = search_find(SEARCH_WORKLOAD, self->options.file);
    g_autofree char *library = search_library();
    g_autoptr(Watchdog) watchdog = watchdog_new(0);
    WlSandboxConfig config = wl_sandbox_config_default();

    watchdog_watch(watchdog, &config);
    if (path == NULL) {
        return option_fail(error,
                           "%s: no such file; a sweep is a Lua file, such as "
                           "workloads/experiments/design_noc.lua",
                           *self->options.file != '\0' ? self->options.file
                                                       : "(nothing)");
    }
    config.library_path = library;
    config.steps = FILE_STEPS;
    self->sweep = wl_sweep_load(path, &config, error);
    return self->sweep != NULL;
}

/* Very many runs are more often a slip than meant. */
static bool check_count(const Job *self, GError **error)
{
    const guint count = wl_sweep_run_count(self->sweep);

    if (count <= CMD_SWEEP_RUNS_UNASKED || self->options.is_agreed ||
        self->options.is_dry_run) {
        return true;
    }
    g_autofree char *shown = quantity_count(count);

    return option_fail(error,
                       "%s: %s runs, more than %d are done with --yes only; --dry-run "
                       "shows the first",
                       self->options.file, shown, CMD_SWEEP_RUNS_UNASKED);
}

static bool check_look(const Job *self, GError **error)
{
    const TraceSweepHead head = cmd_sweep_store_head(&self->store);
    g_autoptr(TraceTable) columns = trace_sweep_store_columns(&head);

    return cmd_sweep_show_check(&self->options, self->sweep, columns, error) &&
           (self->options.json == NULL ||
            trace_output_check(self->options.json, error));
}

/* Everything that is read before others hear of it. The pool is forked while nothing
 * is open and there is one thread. */
static bool prepare(Job *self, GError **error)
{
    if (!load(self, error) || !check_count(self, error)) {
        return false;
    }
    if (!cmd_sweep_store_plan(&self->store, self->sweep, error)) {
        g_prefix_error(error, "%s: ", self->options.file);
        return false;
    }
    if (!check_look(self, error)) {
        return false;
    }
    return wl_sweep_engine_start(self->engine, self->sweep, self->options.limit_seconds,
                                 error);
}

/* From now on Ctrl-C and requests to terminate are read. */
static void take_signals(Job *self)
{
    sigset_t set;

    watchdog_signals(&set);
    (void) sigprocmask(SIG_BLOCK, &set, NULL);
    self->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Requests to stop are for rank 0, whose end is that of all. mpirun waits a second
 * between a request and a kill, but no longer than until the first rank has ended: one
 * that went at once would take rank 0 its time to say what has been done. */
static void leave_signals_to_rank_0(void)
{
    (void) signal(SIGINT, SIG_IGN);
    (void) signal(SIGTERM, SIG_IGN);
    (void) signal(SIGHUP, SIG_IGN);
}

/* Functions of WlSweepKeeper. */
static bool is_stopping(gpointer data)
{
    Job *self = data;
    struct signalfd_siginfo signal;

    self->is_stopped = self->is_stopped ||
                       read(self->signals, &signal, sizeof signal) == sizeof signal;
    return self->is_stopped;
}

static void note_gone(gpointer data, int rank)
{
    (void) data;
    (void) complain("rank %d is gone: it said nothing for a minute; others do its runs",
                    rank);
}

static WlSweepKeeper keeper_of(Job *self)
{
    return (WlSweepKeeper){.status = cmd_sweep_store_status,
                           .put = cmd_sweep_store_put,
                           .tell = cmd_sweep_store_tell,
                           .is_stopping = is_stopping,
                           .gone = note_gone,
                           .data = self};
}

static WlSweepTally tally_of(Job *self)
{
    const WlSweepKeeper keeper = keeper_of(self);

    return wl_sweep_tally(self->sweep, &keeper);
}

/* Are there files of another version of what runs are made of? */
static bool check_inputs(const Job *self, guint to_do, GError **error)
{
    const char *changed = trace_sweep_store_changed(self->store.store);

    if (changed == NULL) {
        return true;
    }
    if (to_do == 0) {
        (void) complain("%s: its runs are from before %s changed",
                        self->options.database, changed);
        return true;
    }
    return option_fail(error,
                       "%s: its runs are from before %s changed, new ones would not go "
                       "with them; give another file with --db",
                       self->options.database, changed);
}

/* Adds how to resume a sweep that was stopped. */
static void add_advice(Job *self, GError **error)
{
    const WlSweepTally tally = tally_of(self);

    if (!trace_sweep_store_is_there(self->store.store)) {
        return; /* and with it what was done */
    }
    g_autofree char *message = g_strdup_printf(
        "%s; %u of %u runs are in it, start it again to go on", (*error)->message,
        tally.done + tally.failed, wl_sweep_run_count(self->sweep));

    g_free((*error)->message);
    (*error)->message = g_steal_pointer(&message);
}

/* Could its runs be done? */
static bool check_runs(Job *self, GError **error)
{
    const WlSweepKeeper keeper = keeper_of(self);

    if (!wl_sweep_engine_check(self->engine, &keeper, error)) {
        g_prefix_error(error, "%s: ", self->options.file);
        return false;
    }
    return true;
}

/* A sweep whose runs cannot be done makes no file. */
static bool open_store(Job *self, GError **error)
{
    const TraceSweepHead head = cmd_sweep_store_head(&self->store);
    const WlSweepKeeper keeper = keeper_of(self);
    const char *path = self->options.database;
    const bool is_new = !g_file_test(path, G_FILE_TEST_EXISTS);

    if (is_new && (!trace_output_check(path, error) || !check_runs(self, error))) {
        return false;
    }
    self->store.store = trace_sweep_store_open(path, &head, error);
    if (self->store.store == NULL) {
        return false;
    }
    const guint to_do = wl_sweep_to_do(self->sweep, &keeper, self->options.is_retrying);

    return check_inputs(self, to_do, error) &&
           (is_new || to_do == 0 || check_runs(self, error));
}

static bool work(Job *self, WlSweepWork *done, GError **error)
{
    const WlSweepKeeper keeper = keeper_of(self);
    bool is_done;

    self->store.progress = progress_new("sweep", !self->options.is_quiet);
    is_done = wl_sweep_engine_do(self->engine, &keeper, self->options.is_retrying, done,
                                 error);
    g_clear_pointer(&self->store.progress, progress_free);
    if (!is_done) {
        add_advice(self, error);
    }
    return is_done;
}

static bool show(Job *self, CmdSweepResult *result, GError **error)
{
    g_autoptr(TraceTable) table = trace_sweep_store_table(self->store.store, error);

    result->wall_seconds = envelope_seconds(self->start);
    return table != NULL && cmd_sweep_show(&self->options, self->sweep, table, error) &&
           cmd_sweep_show_result(result, error);
}

static int exit_code(const WlSweepTally *tally)
{
    if (tally->lost > 0) {
        return EXIT_STOPPED;
    }
    return tally->failed > 0 ? EXIT_CHECK : EXIT_DONE;
}

static int stop_early(Job *self)
{
    const WlSweepTally tally = tally_of(self);

    (void) complain("%s: stopped; %u of %u runs are in it, start it again to go on",
                    self->options.database, tally.done + tally.failed,
                    wl_sweep_run_count(self->sweep));
    wl_sweep_engine_abandon(self->engine);
    return EXIT_INTERRUPTED;
}

static int dry_run(Job *self)
{
    g_autoptr(GError) error = NULL;

    if (!check_runs(self, &error)) {
        return complain_of(error);
    }
    if (!self->options.is_quiet && !self->is_stopped) {
        cmd_sweep_show_plan(self->sweep);
    }
    return self->is_stopped ? EXIT_INTERRUPTED : EXIT_DONE;
}

/* Does it all, with the help of other ranks. */
static int conduct(Job *self)
{
    CmdSweepResult result = {.options = &self->options,
                             .sweep = self->sweep,
                             .rank_count = wl_sweep_engine_rank_count(self->engine)};
    g_autoptr(GError) error = NULL;

    if (self->options.is_dry_run) {
        return dry_run(self);
    }
    if (!open_store(self, &error) ||
        (!self->is_stopped && !work(self, &result.work, &error))) {
        return complain_of(error);
    }
    if (self->is_stopped) {
        return stop_early(self);
    }
    result.tally = tally_of(self);
    return show(self, &result, &error) ? exit_code(&result.tally) : complain_of(error);
}

/* Rank 0: hears the others, works with them, and tells them when it is over. */
static int lead(Job *self, const GError *failure)
{
    g_autoptr(GError) error = NULL;
    int code;

    if (failure != NULL) {
        code = complain_of(failure);
    } else if (!wl_sweep_engine_meet(self->engine, self->store.digest, &error)) {
        code = complain_of(error);
    } else {
        code = conduct(self);
    }
    wl_sweep_engine_dismiss(self->engine);
    return code;
}

/* One of several that mpirun has started. Only rank 0 says what goes wrong, or all
 * would. */
static int join(Job *self, const GError *failure)
{
    g_autoptr(GError) error = NULL;

    if (wl_sweep_own_rank() == 0) {
        take_signals(self); /* before MPI makes threads */
    } else {
        leave_signals_to_rank_0();
    }
    if (!wl_sweep_engine_join(self->engine, &error)) {
        return wl_sweep_own_rank() == 0 ? complain_of(error) : EXIT_INPUT;
    }
    if (wl_sweep_engine_rank(self->engine) == 0) {
        return lead(self, failure);
    }
    return wl_sweep_engine_serve(self->engine, self->store.digest,
                                 failure != NULL ? failure->message : NULL, &error)
               ? EXIT_DONE
               : complain_of(error);
}

int cmd_sweep_fail(const GError *error)
{
    return wl_sweep_is_rank() && wl_sweep_own_rank() != 0 ? EXIT_INPUT
                                                          : complain_of(error);
}

/* A function of WlSweepRunner. */
static int do_run(int argc, char **argv)
{
    return command_run(&cmd_run, argc, argv);
}

int cmd_sweep_run(gpointer options)
{
    static const WlSweepRunner runner = {.run = do_run,
                                         .metrics = cmd_sweep_store_metrics};
    g_auto(Job) job = {.options = *(const CmdSweepOptions *) options,
                       .start = g_get_monotonic_time(),
                       .signals = -1};
    const bool is_rank = wl_sweep_is_rank();
    g_autoptr(GError) error = NULL;

    if (job.options.jobs == 0) {
        job.options.jobs = is_rank ? 1 : g_get_num_processors();
    }
    job.engine = wl_sweep_engine_new(&runner, job.options.jobs);
    const bool is_prepared = prepare(&job, &error);

    if (is_rank) {
        return join(&job, error);
    }
    if (!is_prepared) {
        return complain_of(error);
    }
    take_signals(&job);
    return conduct(&job);
}
