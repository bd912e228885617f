/* Reports of sweeps. */
#include "tools/gridloom/sweep/result.h"

#include <stdio.h>

#include "tools/gridloom/record.h"
#include "tools/gridloom/sweep/show.h"
#include "traces/file/json_text.h"
#include "traces/file/output.h"
#include "traces/file/quantity.h"

enum {
    RUNS_SHOWN = 5,
};

/* Of the time of all that could have worked, how much was inside runs; 0..1. */
static double share_inside(const CmdSweepResult *self)
{
    const double all = self->work.wall_seconds * self->options->jobs * self->rank_count;

    return all > 0 ? self->work.run_seconds / all : 0;
}

static void print(const CmdSweepResult *self)
{
    const WlSweepTally *tally = &self->tally;
    g_autofree char *wall = quantity_seconds(self->work.wall_seconds);

    printf("%s: %u runs, %u done, %u failed, %u lost\n", self->options->database,
           wl_sweep_run_count(self->sweep), tally->done, tally->failed, tally->lost);
    if (self->work.run_count > 0) {
        printf("%u of them now, in %s: %.3g/s, %.0f %% of the time inside runs\n",
               self->work.run_count, wall,
               self->work.run_count / self->work.wall_seconds,
               100 * share_inside(self));
    }
}

static char *to_json(const CmdSweepResult *self)
{
    JsonObject *now = record_json(VALUES(
        VALUE("runs", self->work.run_count), VALUE("jobs", self->options->jobs),
        VALUE("ranks", self->rank_count), VALUE("run_seconds", self->work.run_seconds),
        VALUE("work_seconds", self->work.wall_seconds),
        VALUE("wall_seconds", self->wall_seconds)));
    g_autoptr(JsonObject) object = record_json(
        VALUES(VALUE("sweep", wl_sweep_summary(self->sweep)),
               VALUE("script", wl_sweep_script(self->sweep)),
               VALUE("database", self->options->database),
               VALUE("runs", wl_sweep_run_count(self->sweep)),
               VALUE("done", self->tally.done), VALUE("failed", self->tally.failed),
               VALUE("lost", self->tally.lost), VALUE("host", now)));

    return trace_json_object_text(object, true);
}

bool cmd_sweep_result_report(const CmdSweepResult *self, GError **error)
{
    const CmdSweepOptions *options = self->options;

    if (cmd_sweep_has_text(options)) {
        print(self);
    }
    if (options->json == NULL) {
        return true;
    }
    g_autofree char *json = to_json(self);

    return trace_output_write(options->json, json, error);
}

void cmd_sweep_result_print_plan(const WlSweep *sweep)
{
    const guint count = wl_sweep_run_count(sweep);
    g_autofree char *shown = quantity_count(count);

    printf("%s: %s runs; everything is in order, nothing was run\n",
           wl_sweep_summary(sweep), shown);
    for (guint i = 0; i < wl_sweep_axis_count(sweep); i++) {
        printf("  %s: %u values\n", wl_sweep_axis(sweep, i)->name,
               wl_sweep_axis(sweep, i)->value_count);
    }
    for (guint i = 0; i < MIN(count, RUNS_SHOWN); i++) {
        g_autofree char *line = wl_sweep_run_line(sweep, i);

        printf("%s\n", line);
    }
    if (count > RUNS_SHOWN) {
        printf("...\n");
    }
}
