/* gridloom tune: finds windows that give most for least. */
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/option_files.h"
#include "tools/gridloom/tune/study.h"
#include "tools/gridloom/watchdog.h"

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
    const OptionFile named[] = {
        {"--json", options->json}, {"--csv", options->csv}, {"-o", options->svg}};
    const OptionOutput files[] = {{options->json, "tune.json", tune_to_json},
                                  {options->csv, "tune.csv", tune_to_csv},
                                  {options->svg, "tune.svg", tune_to_svg}};
    const gsize count = G_N_ELEMENTS(files);
    g_auto(TunePlan) plan = {0};
    g_auto(TuneStudy) study = {0};
    g_autoptr(Watchdog) watchdog = NULL;
    g_autoptr(GError) error = NULL;

    if (!tune_plan_make(&plan, options, &error) ||
        !option_files_differ(named, G_N_ELEMENTS(named), &error) ||
        !option_outputs_check(files, count, options->out, &error)) {
        return complain_of(error);
    }
    watchdog_block_signals();
    watchdog = watchdog_new(0);
    if (!tune_study_do(&study, &plan, watchdog, &error)) {
        return watchdog_complain(watchdog, error);
    }
    if (!options->is_quiet && option_outputs_on_stdout(files, count) == 0) {
        tune_print(&study);
    }
    complain_of_runs(&study);
    return option_outputs_write(files, count, options->out, &study, &error)
               ? wl_tune_study_code(&study.tuned)
               : complain_of(error);
}
