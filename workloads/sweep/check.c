/* Dry runs of a sweep. */
#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/sweep/cluster.h"

enum {
    VALUES_MAXIMUM = 32, /* of an axis that are tried */
};

/* The runs in which a value is tried. */
typedef struct {
    bool is_there; /* a run has it */
    guint first;
    guint last;
} Trial;

typedef struct {
    const WlSweepKeeper *keeper;
    GHashTable *complaints; /* texts by run; NULL: it can be done */
} Trials;

/* The first and the last run of every value of an axis; the caller frees it. */
static Trial *find_runs(const WlSweep *sweep, guint axis)
{
    const guint count = wl_sweep_axis(sweep, axis)->value_count;
    Trial *found = g_new0(Trial, count);

    for (guint run = 0; run < wl_sweep_run_count(sweep); run++) {
        Trial *trial = &found[wl_sweep_run_value(sweep, run, axis)];

        trial->first = trial->is_there ? trial->first : run;
        trial->last = run;
        trial->is_there = true;
    }
    return found;
}

/* The value that is tried as number k: the first, the last, and others between them. */
static guint nth_value(guint k, guint count)
{
    return count <= VALUES_MAXIMUM
               ? k
               : sim_u32((guint64) k * (count - 1) / (VALUES_MAXIMUM - 1));
}

static GArray *choose(const WlSweep *sweep)
{
    GArray *trials = g_array_new(FALSE, FALSE, sizeof(Trial));

    for (guint i = 0; i < wl_sweep_axis_count(sweep); i++) {
        const guint count = wl_sweep_axis(sweep, i)->value_count;
        g_autofree Trial *found = find_runs(sweep, i);

        for (guint k = 0; k < count && k < VALUES_MAXIMUM; k++) {
            const Trial *trial = &found[nth_value(k, count)];

            if (trial->is_there) {
                g_array_append_val(trials, *trial);
            }
        }
    }
    return trials;
}

/* A function of SweepTaker. */
static bool note(gpointer data, const WlSweepAnswer *answer, GError **error)
{
    const Trials *self = data;
    const bool is_failed = answer->status == WL_SWEEP_FAILED;

    (void) error;
    g_hash_table_insert(self->complaints, GUINT_TO_POINTER(answer->run),
                        is_failed ? g_strdup(answer->error) : NULL);
    return true;
}

static bool is_stopping(gpointer data)
{
    const Trials *self = data;

    return self->keeper->is_stopping(self->keeper->data);
}

/* Adds a run that is not there yet. */
static void add_task(GArray *tasks, GHashTable *known, guint run)
{
    const SweepTask task = {.run = run, .is_check = 1};

    if (!g_hash_table_contains(known, GUINT_TO_POINTER(run))) {
        g_hash_table_insert(known, GUINT_TO_POINTER(run), NULL);
        g_array_append_val(tasks, task);
    }
}

static const char *complaint_of(const Trials *self, guint run)
{
    return g_hash_table_lookup(self->complaints, GUINT_TO_POINTER(run));
}

/* Tries all of them in their first runs, then those that failed in their last. */
static bool try_all(const WlSweepEngine *engine,
                    const GArray *trials,
                    Trials *self,
                    bool is_again,
                    GError **error)
{
    g_autoptr(GArray) tasks = g_array_new(FALSE, FALSE, sizeof(SweepTask));
    const SweepTaker taker = {.answer = note,
                              .is_stopping = is_stopping,
                              .keeper = self->keeper,
                              .data = self};

    for (guint i = 0; i < trials->len; i++) {
        const Trial *trial = &g_array_index(trials, Trial, i);

        if (!is_again) {
            add_task(tasks, self->complaints, trial->first);
        } else if (complaint_of(self, trial->first) != NULL) {
            add_task(tasks, self->complaints, trial->last);
        }
    }
    return sweep_cluster_do(engine, tasks, &taker, error);
}

bool wl_sweep_engine_check(WlSweepEngine *self,
                           const WlSweepKeeper *keeper,
                           GError **error)
{
    const WlSweep *sweep = self->common.sweep;
    g_autoptr(GArray) trials = choose(sweep);
    g_autoptr(GHashTable) complaints =
        g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
    Trials tried = {.keeper = keeper, .complaints = complaints};

    if (!try_all(self, trials, &tried, false, error) ||
        !try_all(self, trials, &tried, true, error)) {
        return false;
    }
    for (guint i = 0; i < trials->len; i++) {
        const Trial *trial = &g_array_index(trials, Trial, i);
        const char *complaint = complaint_of(&tried, trial->first);

        if (complaint != NULL && complaint_of(&tried, trial->last) != NULL) {
            g_autofree char *point = wl_sweep_run_point(sweep, trial->first);

            g_set_error(error, WL_ERROR, WL_ERROR_FIT, "run %u (%s): %s",
                        trial->first + 1, point, complaint);
            return false;
        }
    }
    return true;
}
