/* gridloom tune: finds windows that give most for least. */
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/tune/options.h"
#include "tools/gridloom/tune/plan.h"
#include "tools/gridloom/tune/result.h"
#include "tools/gridloom/tune/study.h"
#include "tools/gridloom/watchdog.h"

int tune_run(gpointer data)
{
    const TuneOptions *options = data;
    g_auto(TunePlan) plan = {0};
    g_auto(TuneStudy) study = {0};
    g_autoptr(Watchdog) watchdog = NULL;
    g_autoptr(GError) error = NULL;

    if (!tune_plan_make(&plan, options, &error) || !tune_files_check(options, &error)) {
        return complain_of(error);
    }
    watchdog_block_signals();
    watchdog = watchdog_new(0);
    if (!tune_study_do(&study, &plan, watchdog, &error)) {
        return watchdog_complain(watchdog, error);
    }
    return tune_report(&study, &error) ? tune_study_code(&study) : complain_of(error);
}
