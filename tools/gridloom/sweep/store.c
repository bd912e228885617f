/* Runs on their way into the database. */
#include "tools/gridloom/sweep/store.h"

#include <json-glib/json-glib.h>

#include "tools/gridloom/build_name.h"
#include "tools/gridloom/complaint.h"
#include "traces/file/quantity.h"
#include "traces/suite/formula.h"
#include "traces/suite/member.h"
#include "workloads/search.h"
#include "workloads/sweep_inputs.h"

/* The same in both rooms. */
_Static_assert((int) WL_SWEEP_MISSING == (int) TRACE_RUN_MISSING &&
                   (int) WL_SWEEP_DONE == (int) TRACE_RUN_DONE &&
                   (int) WL_SWEEP_FAILED == (int) TRACE_RUN_FAILED &&
                   (int) WL_SWEEP_LOST == (int) TRACE_RUN_LOST,
               "what becomes of a run");

void cmd_sweep_store_clear(CmdSweepStore *self)
{
    g_clear_pointer(&self->store, trace_sweep_store_free);
    g_clear_pointer(&self->progress, progress_free);
    g_clear_pointer(&self->is_reported, g_free);
    g_clear_pointer(&self->digest, g_free);
    g_clear_pointer(&self->inputs, g_free);
    g_clear_pointer(&self->axes, g_free);
    g_clear_pointer(&self->metrics, g_free);
}

/* A function of WlSweepSources. */
static char *find_input(const char *what, const char *name, GError **error)
{
    const SearchKind kind = g_str_equal(what, "chip")     ? SEARCH_CHIP
                            : g_str_equal(what, "system") ? SEARCH_SYSTEM
                                                          : SEARCH_WORKLOAD;

    return search_find_or_fail(kind, what, name, error);
}

bool cmd_sweep_store_plan(CmdSweepStore *self, const WlSweep *sweep, GError **error)
{
    const guint metric_count = wl_sweep_record_count(sweep);
    g_autofree char *library = search_library();
    g_autoptr(GPtrArray) chips = search_names(SEARCH_CHIP);

    self->sweep = sweep;
    self->metrics = g_new0(const char *, metric_count + 1);
    for (guint i = 0; i < metric_count; i++) {
        const WlSweepRecord *record = wl_sweep_record(sweep, i);

        self->metrics[i] = record->name;
        if (!trace_formula_check(record->formula, error)) {
            g_prefix_error(error, "record %s: ", record->name);
            return false;
        }
    }
    self->axes = g_new0(const char *, wl_sweep_axis_count(sweep) + 1);
    for (guint i = 0; i < wl_sweep_axis_count(sweep); i++) {
        self->axes[i] = wl_sweep_axis(sweep, i)->name;
    }
    g_ptr_array_add(chips, NULL);
    self->inputs =
        wl_sweep_inputs(sweep,
                        &(WlSweepSources){.version = gridloom_build_name,
                                          .library = library,
                                          .find = find_input,
                                          .chips = (const char *const *) chips->pdata},
                        error);
    self->digest = wl_sweep_digest(sweep);
    return self->inputs != NULL;
}

TraceSweepHead cmd_sweep_store_head(const CmdSweepStore *self)
{
    return (TraceSweepHead){.title = wl_sweep_summary(self->sweep),
                            .version = GRIDLOOM_VERSION,
                            .digest = self->digest,
                            .inputs = self->inputs,
                            .axes = self->axes,
                            .metrics = self->metrics,
                            .run_count = wl_sweep_run_count(self->sweep)};
}

WlSweepStatus cmd_sweep_store_status(gpointer data, guint run)
{
    const CmdSweepStore *self = data;

    return (WlSweepStatus) trace_sweep_store_status(self->store, run);
}

void cmd_sweep_store_tell(gpointer data, const WlSweepWork *work)
{
    const CmdSweepStore *self = data;
    const double rate =
        work->wall_seconds > 0 ? work->run_count / work->wall_seconds : 0;
    g_autofree char *text = g_strdup_printf(
        "%u of %u, %u done, %u failed, %u lost, %.3g/s", work->run_count,
        work->task_count, work->tally.done, work->tally.failed, work->tally.lost, rate);

    progress_tell(self->progress, text,
                  MIN(1, (double) work->run_count / MAX(work->task_count, 1)));
}

/* An empty cell may be a slip in the file; the first one is told of. What has none has
 * no interval either. */
static void look_for_gaps(const CmdSweepStore *self, const WlSweepAnswer *answer)
{
    for (guint i = 0; answer->metrics != NULL && answer->metrics[i] != NULL &&
                      i < wl_sweep_own_record_count(self->sweep);
         i++) {
        if (*answer->metrics[i] == '\0' && !self->is_reported[i]) {
            self->is_reported[i] = true;
            (void) complain("run %u has no %s; its cell stays empty", answer->run + 1,
                            wl_sweep_record(self->sweep, i)->formula);
        }
    }
}

bool cmd_sweep_store_put(gpointer data, const WlSweepAnswer *answer, GError **error)
{
    CmdSweepStore *self = data;
    const guint axis_count = wl_sweep_axis_count(self->sweep);
    const guint metric_count = wl_sweep_record_count(self->sweep);
    g_autofree const char **values = g_new(const char *, axis_count);
    g_autofree const char **metrics = g_new0(const char *, metric_count);
    const TraceSweepRow row = {.run = answer->run,
                               .status = (TraceRunStatus) answer->status,
                               .error = answer->error,
                               .values = values,
                               .metrics = metrics,
                               .worker = answer->worker,
                               .wall_seconds = answer->wall_seconds};

    for (guint i = 0; i < axis_count; i++) {
        values[i] = wl_sweep_run_text(self->sweep, answer->run, i);
    }
    for (guint i = 0;
         answer->metrics != NULL && i < metric_count && answer->metrics[i] != NULL;
         i++) {
        metrics[i] = *answer->metrics[i] != '\0' ? answer->metrics[i] : NULL;
    }
    if (!trace_sweep_store_put(self->store, &row, error)) {
        return false;
    }
    if (self->is_reported == NULL) {
        self->is_reported = g_new0(bool, metric_count + 1);
    }
    look_for_gaps(self, answer);
    return true;
}

/* The recorded value of a result: a number, a text, or nothing. */
static char *metric_of(JsonObject *result, const char *formula)
{
    double number = 0;
    char *word;

    if (result_number(result, formula, &number, NULL)) {
        char text[G_ASCII_DTOSTR_BUF_SIZE];

        return g_strdup(g_ascii_dtostr(text, sizeof text, number));
    }
    word = result_word(result, formula, NULL);
    return word != NULL ? word : g_strdup("");
}

char **cmd_sweep_store_metrics(const WlSweep *sweep, const char *result)
{
    g_autoptr(JsonNode) node = json_from_string(result, NULL);
    const guint count = wl_sweep_record_count(sweep);
    char **metrics;

    if (node == NULL || !JSON_NODE_HOLDS_OBJECT(node)) {
        (void) complain("the run gave no result");
        return NULL;
    }
    metrics = g_new0(char *, count + 1);
    for (guint i = 0; i < count; i++) {
        metrics[i] =
            metric_of(json_node_get_object(node), wl_sweep_record(sweep, i)->formula);
    }
    return metrics;
}
