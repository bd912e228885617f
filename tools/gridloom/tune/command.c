/* gridloom tune: finds windows that give most for least. */
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/envelope.h"
#include "tools/gridloom/progress.h"
#include "tools/gridloom/tune/study.h"
#include "tools/gridloom/watchdog.h"
#include "traces/error.h"
#include "traces/file/named_files.h"
#include "traces/suite/member.h"

void tune_study_clear(TuneStudy *self)
{
    wl_tune_study_clear(&self->tuned);
}

/* Whom the functions of a WlTuneOrder work for. */
typedef struct {
    const TunePlan *plan;
    Watchdog *watchdog;
    Progress *progress;
} Work;

static char *name_of(gpointer data, guint group)
{
    const Work *self = data;

    return tune_plan_group(self->plan, group);
}

static char **
words_of(gpointer data, guint group, const WlTuneWindow *window, bool is_functional)
{
    const Work *self = data;

    return tune_plan_words(self->plan, group, window, is_functional);
}

static void tell(gpointer data, guint done, guint count, guint failed)
{
    const Work *self = data;

    progress_runs(self->progress, done, count, failed);
}

static bool is_stopping(gpointer data)
{
    const Work *self = data;

    return watchdog_is_stopping(self->watchdog);
}

static bool tune(TuneStudy *self, Watchdog *watchdog, GError **error)
{
    const TunePlan *plan = self->plan;
    const TuneOptions *options = plan->options;
    const gint64 start = g_get_monotonic_time();
    g_autoptr(Progress) progress = progress_new("tune", !options->is_quiet);
    Work work = {.plan = plan, .watchdog = watchdog, .progress = progress};
    const WlTuneOrder order = {.task = {.space = plan->space,
                                        .goals = options->goals,
                                        .guests = plan->guests,
                                        .limit = options->limit_runs,
                                        .seed = options->seed,
                                        .within_percent = options->within_percent},
                               .group_count = plan->group_count,
                               .jobs = options->jobs,
                               .name = name_of,
                               .words = words_of,
                               .number = result_number,
                               .tell = tell,
                               .is_stopping = is_stopping,
                               .data = &work};

    if (!wl_tune_study_do(&self->tuned, &order, error)) {
        if ((*error)->domain == TRACE_ERROR) { /* a result without such a number */
            g_prefix_error(error, "--objective ");
        }
        return false;
    }
    self->wall_seconds = envelope_seconds(start);
    return true;
}

/* What standard output has no room for goes to standard error. */
static void complain_of_runs(const TuneStudy *self)
{
    for (guint i = 0; i < self->tuned.groups->len; i++) {
        const WlTuned *group = wl_tune_study_group(&self->tuned, i);
        const char *colon = *group->name != '\0' ? ": " : "";

        if (group->run.why != NULL) {
            (void) complain("%s%s%s with data: %s", group->name, colon,
                            wl_tune_group_chosen(&group->windows)->name,
                            group->run.why);
        }
        if (wl_tune_group_count(&group->windows, WL_TUNE_FAILED) > 0) {
            g_autoptr(GArray) reasons = wl_tune_reasons(&group->windows);
            const char *why = "";

            for (guint k = reasons->len; k-- > 0;) {
                const WlTuneReason *reason = &g_array_index(reasons, WlTuneReason, k);

                why = reason->status == WL_TUNE_FAILED ? reason->example : why;
            }
            (void) complain("%s%s%u windows failed: %s", group->name, colon,
                            wl_tune_group_count(&group->windows, WL_TUNE_FAILED), why);
        }
    }
}

int tune_run(gpointer data)
{
    const TuneOptions *options = data;
    const TraceNamedFile named[] = {
        {"--json", options->json}, {"--csv", options->csv}, {"-o", options->svg}};
    const TraceNamedOutput files[] = {{options->json, "tune.json", tune_to_json},
                                      {options->csv, "tune.csv", tune_to_csv},
                                      {options->svg, "tune.svg", tune_to_svg}};
    const gsize count = G_N_ELEMENTS(files);
    g_auto(TunePlan) plan = {0};
    g_auto(TuneStudy) study = {.plan = &plan};
    g_autoptr(Watchdog) watchdog = NULL;
    g_autoptr(GError) error = NULL;

    if (!tune_plan_make(&plan, options, &error) ||
        !trace_named_files_differ(named, G_N_ELEMENTS(named), &error) ||
        !trace_named_outputs_check(files, count, options->out, &error)) {
        return complain_of(error);
    }
    watchdog_block_signals();
    watchdog = watchdog_new(0);
    if (!tune(&study, watchdog, &error)) {
        return watchdog_complain(watchdog, error);
    }
    if (!options->is_quiet && trace_named_outputs_on_stdout(files, count) == 0) {
        tune_print(&study);
    }
    complain_of_runs(&study);
    return trace_named_outputs_write(files, count, options->out, &study, &error)
               ? wl_tune_study_code(&study.tuned)
               : complain_of(error);
}
