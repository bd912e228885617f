/* Runs a study and sums it up. */
#include "tools/gridloom/uncertainty/study.h"

#include <math.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/progress.h"
#include "workloads/batch.h"
#include "workloads/process.h"

void uncertainty_study_free(UncertaintyStudy *self)
{
    if (self == NULL) {
        return;
    }
    trace_trials_clear(&self->numbers);
    wl_trials_free(self->trials);
    g_free(self->name);
    g_free(self);
}

static UncertaintyStudy *study_new(const UncertaintyCase *start)
{
    UncertaintyStudy *self = g_new0(UncertaintyStudy, 1);

    self->name =
        g_strdup_printf("%s on %s", start->script, arch_params_name(start->params));
    self->trials =
        wl_trials_new(start->params, start->options->uncertainty,
                      !start->options->is_samples_only, start->options->seed);
    trace_trials_init(&self->numbers, start->result,
                      (const char *const *) start->options->intervals,
                      wl_trials_count(self->trials));
    for (guint i = 0; i < self->numbers.numbers->len; i++) {
        const TraceTrialNumber *number = trace_trials_number(&self->numbers, i);

        if (!isfinite(number->value)) { /* may be a slip */
            (void) complain("--interval %s: the run has no such number", number->name);
        }
    }
    return self;
}

/* The run that was asked for with numbers of the chip set on top of those that the user
 * has set: "section.key=value", a list that ends with NULL, or none at all. It writes
 * no files. The caller frees it. */
static char **
words_of(const CmdRunOptions *options, char *const *assignments, bool is_timing_only)
{
    GPtrArray *words = g_ptr_array_new();

    if (options->again != NULL) {
        wl_words_each(words, NULL, options->again);
    } else {
        g_ptr_array_add(words, g_strdup("run"));
        g_ptr_array_add(words, g_strdup(options->script));
        wl_words_each(words, NULL, options->words);
    }
    wl_words_option(words, "--chip", options->chip);
    wl_words_option(words, "--system", options->system);
    wl_words_each(words, "--set", options->overrides);
    wl_words_each(words, "--set", assignments);
    wl_words_each(words, "--in", options->inputs);
    wl_words_count(words, "--threads", options->threads);
    wl_words_count(words, "--seed", options->seed);
    wl_words_option(words, "--limit-memory", options->limit_memory);
    wl_words_option(words, "--memory-files", options->memory_files);
    wl_words_count(words, "--livelock-cycles", options->livelock_cycles);
    if (options->limit_cycles != SIM_TIME_NEVER) {
        wl_words_count(words, "--limit-cycles", options->limit_cycles);
    }
    if (options->limit_steps > 0) {
        wl_words_count(words, "--limit-steps", options->limit_steps);
    }
    wl_words_option(words, NULL, is_timing_only ? "--timing-only" : NULL);
    g_ptr_array_add(words, g_strdup("--quiet"));
    if (options->again != NULL) {
        wl_words_option(words, NULL, "--");
        wl_words_each(words, NULL, options->arguments);
    }
    return wl_words_end(words);
}

/* Runs on their way. */
typedef struct {
    UncertaintyStudy *study;
    JsonObject *result; /* of the run itself */
    Watchdog *watchdog;
    Progress *progress;
    guint done;
    guint failed;
    guint count;
} Work;

static bool is_stopping(gpointer data)
{
    const Work *self = data;

    return watchdog_is_stopping(self->watchdog);
}

/* A WlBatchDone, of the run itself without data. */
static void compare_timing(gpointer data, guint index, WlProcess *process)
{
    const Work *self = data;

    (void) index;
    self->study->is_timing_only =
        process->why == NULL &&
        trace_trials_narrow(&self->study->numbers, self->result,
                            json_node_get_object(process->result));
}

/* A WlBatchDone. */
static void keep_run(gpointer data, guint index, WlProcess *process)
{
    Work *self = data;
    TraceTrials *numbers = &self->study->numbers;

    self->done++;
    self->failed += process->why != NULL ? 1 : 0;
    progress_runs(self->progress, self->done, self->count, self->failed);
    if (process->why != NULL) {
        numbers->failures->pdata[index] = g_steal_pointer(&process->why);
    } else {
        trace_trials_keep(numbers, index, json_node_get_object(process->result));
    }
}

/* Begins with the run itself, without data, if that has them. */
static bool do_runs(const UncertaintyCase *start, Work *work)
{
    UncertaintyStudy *study = work->study;
    const guint count = wl_trials_count(study->trials);
    g_autoptr(GPtrArray) runs = wl_batch_runs_new();
    WlBatch batch = {.runs = runs,
                     .jobs = start->options->jobs,
                     .done = compare_timing,
                     .is_stopping = is_stopping,
                     .data = work};

    study->is_timing_only = start->options->is_timing_only;
    if (!study->is_timing_only) {
        g_ptr_array_add(runs, words_of(start->options, NULL, true));
        if (!wl_batch_do(&batch)) {
            return false;
        }
        g_ptr_array_set_size(runs, 0);
    }
    for (guint i = 0; i < count; i++) {
        g_auto(GStrv) assignments = wl_trials_assignments(study->trials, i);

        g_ptr_array_add(runs,
                        words_of(start->options, assignments, study->is_timing_only));
    }
    work->count = count;
    batch.done = keep_run;
    return wl_batch_do(&batch);
}

UncertaintyStudy *
uncertainty_study_new(const UncertaintyCase *start, Watchdog *watchdog, GError **error)
{
    g_autoptr(UncertaintyStudy) self = study_new(start);
    g_autoptr(Progress) progress =
        progress_new(start->script, !start->options->is_quiet);
    Work work = {.study = self,
                 .result = start->result,
                 .watchdog = watchdog,
                 .progress = progress};

    if (!do_runs(start, &work)) {
        (void) option_fail(error, "%u of %u runs of --uncertainty were done", work.done,
                           work.count);
        return NULL;
    }
    return g_steal_pointer(&self);
}

guint uncertainty_study_failed(const UncertaintyStudy *self, const char **why)
{
    return trace_trials_failed(&self->numbers, 0, wl_trials_sample_count(self->trials),
                               why);
}

TraceInterval uncertainty_interval(const UncertaintyStudy *self, guint number)
{
    return trace_interval(trace_trials_number(&self->numbers, number)->trials,
                          wl_trials_sample_count(self->trials));
}

GArray *uncertainty_influences(const UncertaintyStudy *self)
{
    const TraceTrialNumber *time = trace_trials_number(&self->numbers, 0);
    GArray *influences = g_array_new(FALSE, FALSE, sizeof(TraceInfluence));

    for (guint i = 0; i < wl_trials_key_count(self->trials); i++) {
        const WlTrialKey *key = wl_trials_key(self->trials, i);
        TraceInfluence influence = {
            .key = i,
            .least = time->value,
            .most = time->value,
            .correlation = trace_rank_correlation(
                key->levels, time->trials, wl_trials_sample_count(self->trials))};

        for (guint k = 0; k < key->end_count; k++) {
            influence.least = fmin(influence.least, time->trials[key->first_end + k]);
            influence.most = fmax(influence.most, time->trials[key->first_end + k]);
        }
        g_array_append_val(influences, influence);
    }
    trace_influences_sort(influences);
    return influences;
}
