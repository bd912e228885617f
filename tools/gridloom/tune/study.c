/* Hands a plan over to those who tune, and tells how far they are. */
#include "tools/gridloom/tune/study.h"

#include "tools/gridloom/envelope.h"
#include "tools/gridloom/progress.h"
#include "traces/error.h"
#include "traces/suite/member.h"

void tune_study_clear(TuneStudy *self)
{
    wl_tune_study_clear(&self->tuned);
}

const char *tune_group_check(const WlTuned *self)
{
    const char *check = wl_process_check(&self->run);

    return check != NULL ? check : "none";
}

/* Whom the functions of a WlTuneOrder work for. */
typedef struct {
    const TunePlan *plan;
    Watchdog *watchdog;
    Progress *progress;
} Work;

static char *name_of(gpointer data, guint group)
{
    return tune_plan_group(((const Work *) data)->plan, group);
}

static char **
words_of(gpointer data, guint group, const WlTuneWindow *window, bool is_functional)
{
    return tune_plan_words(((const Work *) data)->plan, group, window, is_functional);
}

static void tell(gpointer data, guint done, guint count, guint failed)
{
    progress_runs(((const Work *) data)->progress, done, count, failed);
}

static bool is_stopping(gpointer data)
{
    return watchdog_is_stopping(((const Work *) data)->watchdog);
}

bool tune_study_do(TuneStudy *self,
                   const TunePlan *plan,
                   Watchdog *watchdog,
                   GError **error)
{
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

    self->plan = plan;
    if (!wl_tune_study_do(&self->tuned, &order, error)) {
        if ((*error)->domain == TRACE_ERROR) { /* a result without such a number */
            g_prefix_error(error, "--objective ");
        }
        return false;
    }
    self->wall_seconds = envelope_seconds(start);
    return true;
}
