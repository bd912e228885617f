/* Runs a study and sums it up. */
#include "tools/gridloom/uncertainty/study.h"

#include <math.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/progress.h"
#include "tools/gridloom/run/batch.h"
#include "tools/gridloom/run/words.h"
#include "traces/suite/member.h"

static void metric_clear(gpointer data)
{
    UncertaintyMetric *self = data;

    g_free(self->name);
    g_free(self->trials);
}

void uncertainty_study_free(UncertaintyStudy *self)
{
    if (self == NULL) {
        return;
    }
    g_array_unref(self->metrics);
    g_ptr_array_unref(self->failures);
    g_ptr_array_unref(self->left_out);
    wl_trials_free(self->trials);
    g_free(self->name);
    g_free(self);
}

static double number_of(JsonNode *node)
{
    const GType type = node != NULL && JSON_NODE_HOLDS_VALUE(node)
                           ? json_node_get_value_type(node)
                           : G_TYPE_INVALID;

    return type == G_TYPE_INT64 || type == G_TYPE_DOUBLE ? json_node_get_double(node)
                                                         : NAN;
}

/* Of "seconds" or "metrics.seconds"; names of metrics may have dots of their own. */
static double member_of(JsonObject *result, const char *name)
{
    static const char prefix[] = "metrics.";
    JsonNode *metrics = json_object_get_member(result, "metrics");

    if (!g_str_has_prefix(name, prefix)) {
        return number_of(json_object_get_member(result, name));
    }
    return metrics != NULL && JSON_NODE_HOLDS_OBJECT(metrics)
               ? number_of(json_object_get_member(json_node_get_object(metrics),
                                                  name + sizeof prefix - 1))
               : NAN;
}

static double value_of(JsonObject *result, const UncertaintyMetric *metric)
{
    double value = NAN;

    if (!metric->is_formula) {
        return member_of(result, metric->name);
    }
    return result_number(result, metric->name, &value, NULL) ? value : NAN;
}

static void add_metric(UncertaintyStudy *self, JsonObject *result, char *name)
{
    const UncertaintyMetric metric = {.name = name, .value = member_of(result, name)};

    if (isfinite(metric.value)) {
        g_array_append_val(self->metrics, metric);
    } else {
        g_free(name);
    }
}

/* Every number of a run that is one. */
static void find_metrics(UncertaintyStudy *self, JsonObject *result)
{
    static const char *const always[] = {"seconds", "cycles", "seconds_per_iteration",
                                         "energy_joules"};
    JsonObject *metrics = json_object_get_object_member(result, "metrics");
    g_autoptr(GList) names = json_object_get_members(metrics);

    for (gsize i = 0; i < G_N_ELEMENTS(always); i++) {
        add_metric(self, result, g_strdup(always[i]));
    }
    for (GList *name = names; name != NULL; name = name->next) {
        add_metric(self, result, g_strconcat("metrics.", name->data, NULL));
    }
}

static void find_formulas(UncertaintyStudy *self, JsonObject *result, char **formulas)
{
    for (char **formula = formulas; formula != NULL && *formula != NULL; formula++) {
        UncertaintyMetric metric = {.name = g_strdup(*formula), .is_formula = true};

        metric.value = value_of(result, &metric);
        if (!isfinite(metric.value)) { /* may be a slip */
            (void) complain("--interval %s: the run has no such number", *formula);
        }
        g_array_append_val(self->metrics, metric);
    }
}

static UncertaintyStudy *study_new(const UncertaintyCase *start)
{
    UncertaintyStudy *self = g_new0(UncertaintyStudy, 1);

    self->name =
        g_strdup_printf("%s on %s", start->script, arch_params_name(start->params));
    self->trials =
        wl_trials_new(start->params, start->options->uncertainty,
                      !start->options->is_samples_only, start->options->seed);
    self->metrics = g_array_new(FALSE, FALSE, sizeof(UncertaintyMetric));
    g_array_set_clear_func(self->metrics, metric_clear);
    self->failures = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_set_size(self->failures, (gint) wl_trials_count(self->trials));
    self->left_out = g_ptr_array_new_with_free_func(g_free);
    find_metrics(self, start->result);
    find_formulas(self, start->result, start->options->intervals);
    return self;
}

/* The run that was asked for with numbers of the chip set on top of those that the user
 * has set: "section.key=value", a list that ends with NULL, or none at all. It writes
 * no files. The caller frees it. */
static char **
words_of(const CmdRunOptions *options, char *const *assignments, bool is_timing_only)
{
    GPtrArray *words = g_ptr_array_new();

    g_ptr_array_add(words, g_strdup("run"));
    g_ptr_array_add(words, g_strdup(options->script));
    for (char **word = options->words; *word != NULL; word++) {
        g_ptr_array_add(words, g_strdup(*word));
    }
    cmd_run_words_option(words, "--chip", options->chip);
    cmd_run_words_option(words, "--system", options->system);
    cmd_run_words_each(words, "--set", options->overrides);
    cmd_run_words_each(words, "--set", assignments);
    cmd_run_words_count(words, "--threads", options->threads);
    cmd_run_words_count(words, "--seed", options->seed);
    if (options->limit_cycles != SIM_TIME_NEVER) {
        cmd_run_words_count(words, "--limit-cycles", options->limit_cycles);
    }
    if (options->limit_steps > 0) {
        cmd_run_words_count(words, "--limit-steps", options->limit_steps);
    }
    if (is_timing_only) {
        g_ptr_array_add(words, g_strdup("--timing-only"));
    }
    g_ptr_array_add(words, g_strdup("--quiet"));
    return cmd_run_words_end(words);
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

static bool is_same(double x, double y)
{
    return x == y || (isnan(x) && isnan(y));
}

/* Does a run that moved no data take the same time, and say the same of what the user
 * asks for? */
static bool is_same_run(const Work *self, JsonObject *without)
{
    static const char *const names[] = {"cycles", "seconds", "iterations",
                                        "energy_joules"};

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        if (!is_same(member_of(self->result, names[i]), member_of(without, names[i]))) {
            return false;
        }
    }
    for (guint i = 0; i < self->study->metrics->len; i++) {
        const UncertaintyMetric *metric = uncertainty_study_metric(self->study, i);

        if (metric->is_formula && !is_same(metric->value, value_of(without, metric))) {
            return false;
        }
    }
    return true;
}

/* A CmdRunBatchDone, of the run itself without data. */
static void compare_timing(gpointer data, guint index, CmdRunProcess *process)
{
    Work *self = data;
    UncertaintyStudy *study = self->study;
    JsonObject *result =
        process->why != NULL ? NULL : json_node_get_object(process->result);

    (void) index;
    if (result == NULL || !is_same_run(self, result)) {
        return;
    }
    study->is_timing_only = true;
    for (guint i = study->metrics->len; i-- > 0;) {
        const UncertaintyMetric *metric = uncertainty_study_metric(study, i);

        if (!is_same(metric->value, value_of(result, metric))) {
            g_ptr_array_insert(study->left_out, 0, g_strdup(metric->name));
            g_array_remove_index(study->metrics, i);
        }
    }
}

static bool find_timing_mode(const UncertaintyCase *start, Work *work)
{
    g_autoptr(GPtrArray) runs =
        g_ptr_array_new_with_free_func((GDestroyNotify) g_strfreev);
    const CmdRunBatch batch = {.runs = runs,
                               .jobs = 1,
                               .done = compare_timing,
                               .is_stopping = is_stopping,
                               .data = work};

    if (start->options->is_timing_only) {
        work->study->is_timing_only = true;
        return true;
    }
    g_ptr_array_add(runs, words_of(start->options, NULL, true));
    return cmd_run_batch_do(&batch);
}

static void make_room(UncertaintyStudy *self)
{
    for (guint i = 0; i < self->metrics->len; i++) {
        UncertaintyMetric *metric = &g_array_index(self->metrics, UncertaintyMetric, i);

        metric->trials = g_new(double, self->failures->len);
        for (guint k = 0; k < self->failures->len; k++) {
            metric->trials[k] = NAN;
        }
    }
}

/* A CmdRunBatchDone. */
static void keep_run(gpointer data, guint index, CmdRunProcess *process)
{
    Work *self = data;
    UncertaintyStudy *study = self->study;

    self->done++;
    self->failed += process->why != NULL ? 1 : 0;
    progress_runs(self->progress, self->done, self->count, self->failed);
    if (process->why != NULL) {
        study->failures->pdata[index] = g_steal_pointer(&process->why);
        return;
    }
    for (guint i = 0; i < study->metrics->len; i++) {
        UncertaintyMetric *metric =
            &g_array_index(study->metrics, UncertaintyMetric, i);

        metric->trials[index] = value_of(json_node_get_object(process->result), metric);
    }
}

static bool do_runs(const UncertaintyCase *start, Work *work)
{
    const UncertaintyStudy *study = work->study;
    g_autoptr(GPtrArray) runs =
        g_ptr_array_new_with_free_func((GDestroyNotify) g_strfreev);
    const CmdRunBatch batch = {.runs = runs,
                               .jobs = start->options->jobs,
                               .done = keep_run,
                               .is_stopping = is_stopping,
                               .data = work};

    for (guint i = 0; i < study->failures->len; i++) {
        g_auto(GStrv) assignments = wl_trials_assignments(study->trials, i);

        g_ptr_array_add(runs,
                        words_of(start->options, assignments, study->is_timing_only));
    }
    work->count = runs->len;
    make_room(work->study);
    return cmd_run_batch_do(&batch);
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

    if (!find_timing_mode(start, &work) || !do_runs(start, &work)) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                    "%u of %u runs of --uncertainty were done", work.done, work.count);
        return NULL;
    }
    return g_steal_pointer(&self);
}

const UncertaintyMetric *uncertainty_study_metric(const UncertaintyStudy *self,
                                                  guint index)
{
    g_return_val_if_fail(index < self->metrics->len, NULL);
    return &g_array_index(self->metrics, UncertaintyMetric, index);
}

static guint
count_failures(const UncertaintyStudy *self, guint from, guint to, const char **why)
{
    guint count = 0;

    *why = NULL;
    for (guint i = from; i < to; i++) {
        const char *failure = g_ptr_array_index(self->failures, i);

        count += failure != NULL ? 1 : 0;
        *why = *why == NULL ? failure : *why;
    }
    return count;
}

guint uncertainty_study_failed(const UncertaintyStudy *self, const char **why)
{
    return count_failures(self, 0, wl_trials_sample_count(self->trials), why);
}

guint uncertainty_study_failed_ends(const UncertaintyStudy *self, const char **why)
{
    return count_failures(self, wl_trials_sample_count(self->trials),
                          self->failures->len, why);
}

TraceInterval uncertainty_interval(const UncertaintyStudy *self, guint metric)
{
    return trace_interval(uncertainty_study_metric(self, metric)->trials,
                          wl_trials_sample_count(self->trials));
}

GArray *uncertainty_influences(const UncertaintyStudy *self)
{
    const UncertaintyMetric *time = uncertainty_study_metric(self, 0);
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
