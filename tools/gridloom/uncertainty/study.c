/* Runs a study and sums it up. */
#include "tools/gridloom/uncertainty/study.h"

#include <math.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/progress.h"
#include "tools/gridloom/result_member.h"
#include "tools/gridloom/run/batch.h"
#include "tools/gridloom/uncertainty/words.h"
#include "traces/table/statistics.h"

#define PART_BELOW 0.05
#define PART_ABOVE 0.95

static void metric_clear(gpointer data)
{
    UncertaintyMetric *self = data;

    g_free(self->name);
    g_free(self->samples);
    g_free(self->ends);
}

static void end_clear(gpointer data)
{
    UncertaintyEnd *self = data;

    g_free(self->why);
}

void uncertainty_study_free(UncertaintyStudy *self)
{
    if (self == NULL) {
        return;
    }
    g_array_unref(self->metrics);
    g_ptr_array_unref(self->failures);
    g_array_unref(self->ends);
    g_ptr_array_unref(self->left_out);
    uncertainty_plan_free(self->plan);
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

static void find_ends(UncertaintyStudy *self)
{
    for (guint i = 0; i < uncertainty_plan_key_count(self->plan); i++) {
        const ArchRange *range = uncertainty_plan_key(self->plan, i)->range;

        for (guint k = 0; k < arch_range_end_count(range); k++) {
            const UncertaintyEnd end = {.key = i, .end = k};

            g_array_append_val(self->ends, end);
        }
    }
}

static UncertaintyStudy *study_new(const UncertaintyCase *start)
{
    UncertaintyStudy *self = g_new0(UncertaintyStudy, 1);

    self->name =
        g_strdup_printf("%s on %s", start->script, arch_params_name(start->params));
    self->plan = uncertainty_plan_new(start->params, start->options->uncertainty,
                                      start->options->seed);
    self->metrics = g_array_new(FALSE, FALSE, sizeof(UncertaintyMetric));
    g_array_set_clear_func(self->metrics, metric_clear);
    self->failures = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_set_size(self->failures, (gint) start->options->uncertainty);
    self->ends = g_array_new(FALSE, FALSE, sizeof(UncertaintyEnd));
    g_array_set_clear_func(self->ends, end_clear);
    self->left_out = g_ptr_array_new_with_free_func(g_free);
    find_metrics(self, start->result);
    find_formulas(self, start->result, start->options->intervals);
    if (!start->options->is_samples_only) {
        find_ends(self);
    }
    return self;
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
    g_ptr_array_add(runs, uncertainty_words(start->options, NULL, true));
    return cmd_run_batch_do(&batch);
}

static double *unknown_numbers(guint count)
{
    double *numbers = g_new(double, count + 1);

    for (guint i = 0; i < count; i++) {
        numbers[i] = NAN;
    }
    return numbers;
}

static void make_room(UncertaintyStudy *self)
{
    for (guint i = 0; i < self->metrics->len; i++) {
        UncertaintyMetric *metric = &g_array_index(self->metrics, UncertaintyMetric, i);

        metric->samples = unknown_numbers(self->failures->len);
        metric->ends = unknown_numbers(self->ends->len);
    }
}

/* A CmdRunBatchDone: samples first, then ends. */
static void keep_run(gpointer data, guint index, CmdRunProcess *process)
{
    Work *self = data;
    UncertaintyStudy *study = self->study;
    const guint samples = study->failures->len;
    const bool is_sample = index < samples;
    const guint place = is_sample ? index : index - samples;

    self->done++;
    self->failed += process->why != NULL ? 1 : 0;
    progress_runs(self->progress, self->done, self->count, self->failed);
    if (process->why != NULL) {
        char *why = g_steal_pointer(&process->why);

        if (is_sample) {
            study->failures->pdata[place] = why;
        } else {
            g_array_index(study->ends, UncertaintyEnd, place).why = why;
        }
        return;
    }
    for (guint i = 0; i < study->metrics->len; i++) {
        UncertaintyMetric *metric =
            &g_array_index(study->metrics, UncertaintyMetric, i);
        double *numbers = is_sample ? metric->samples : metric->ends;

        numbers[place] = value_of(json_node_get_object(process->result), metric);
    }
}

static GPtrArray *all_words(const UncertaintyCase *start, const UncertaintyStudy *study)
{
    GPtrArray *runs = g_ptr_array_new_with_free_func((GDestroyNotify) g_strfreev);

    for (guint i = 0; i < study->failures->len; i++) {
        g_auto(GStrv) assignments = uncertainty_plan_assignments(study->plan, i);

        g_ptr_array_add(runs, uncertainty_words(start->options, assignments,
                                                study->is_timing_only));
    }
    for (guint i = 0; i < study->ends->len; i++) {
        const UncertaintyEnd *end = &g_array_index(study->ends, UncertaintyEnd, i);
        const UncertaintyKey *key = uncertainty_plan_key(study->plan, end->key);
        g_autofree char *assignment =
            g_strconcat(key->path, "=", arch_range_end(key->range, end->end), NULL);
        char *assignments[] = {assignment, NULL};

        g_ptr_array_add(runs, uncertainty_words(start->options, assignments,
                                                study->is_timing_only));
    }
    return runs;
}

static bool do_runs(const UncertaintyCase *start, Work *work)
{
    g_autoptr(GPtrArray) runs = all_words(start, work->study);
    const CmdRunBatch batch = {.runs = runs,
                               .jobs = start->options->jobs,
                               .done = keep_run,
                               .is_stopping = is_stopping,
                               .data = work};

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

guint uncertainty_study_failed(const UncertaintyStudy *self, const char **why)
{
    guint count = 0;

    *why = NULL;
    for (guint i = 0; i < self->failures->len; i++) {
        const char *failure = g_ptr_array_index(self->failures, i);

        count += failure != NULL ? 1 : 0;
        *why = *why == NULL ? failure : *why;
    }
    return count;
}

UncertaintyInterval uncertainty_interval(const UncertaintyStudy *self, guint metric)
{
    const double *samples = uncertainty_study_metric(self, metric)->samples;
    const gsize count = self->failures->len;

    return (UncertaintyInterval){
        .low = trace_quantile(samples, count, PART_BELOW),
        .median = trace_quantile(samples, count, 0.5),
        .high = trace_quantile(samples, count, PART_ABOVE),
        .least = trace_quantile(samples, count, 0),
        .most = trace_quantile(samples, count, 1),
    };
}

static int compare_influences(gconstpointer a, gconstpointer b)
{
    const UncertaintyInfluence *one = a;
    const UncertaintyInfluence *two = b;
    const double spread = (two->most - two->least) - (one->most - one->least);
    const double correlation = (isnan(two->correlation) ? 0 : fabs(two->correlation)) -
                               (isnan(one->correlation) ? 0 : fabs(one->correlation));

    if (spread != 0) {
        return spread > 0 ? 1 : -1;
    }
    if (correlation != 0) {
        return correlation > 0 ? 1 : -1;
    }
    return (one->key > two->key) - (one->key < two->key);
}

GArray *uncertainty_influences(const UncertaintyStudy *self, guint metric)
{
    const UncertaintyMetric *numbers = uncertainty_study_metric(self, metric);
    GArray *influences = g_array_new(FALSE, FALSE, sizeof(UncertaintyInfluence));

    for (guint i = 0; i < uncertainty_plan_key_count(self->plan); i++) {
        UncertaintyInfluence influence = {
            .key = i, .least = numbers->value, .most = numbers->value};

        influence.correlation =
            trace_rank_correlation(uncertainty_plan_levels(self->plan, i),
                                   numbers->samples, self->failures->len);
        for (guint k = 0; k < self->ends->len; k++) {
            if (g_array_index(self->ends, UncertaintyEnd, k).key == i) {
                influence.least = fmin(influence.least, numbers->ends[k]);
                influence.most = fmax(influence.most, numbers->ends[k]);
            }
        }
        g_array_append_val(influences, influence);
    }
    g_array_sort(influences, compare_influences);
    return influences;
}
