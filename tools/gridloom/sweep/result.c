/* Reports of sweeps. */
#include "tools/gridloom/sweep/result.h"

#include <stdio.h>

#include <json-glib/json-glib.h>

#include "tools/gridloom/quantity.h"
#include "traces/file/json_text.h"
#include "traces/file/output.h"

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
    g_autoptr(JsonObject) object = json_object_new();

    json_object_set_string_member(object, "sweep", wl_sweep_summary(self->sweep));
    json_object_set_string_member(object, "script", wl_sweep_script(self->sweep));
    json_object_set_string_member(object, "database", self->options->database);
    json_object_set_int_member(object, "runs", wl_sweep_run_count(self->sweep));
    json_object_set_int_member(object, "done", self->tally.done);
    json_object_set_int_member(object, "failed", self->tally.failed);
    json_object_set_int_member(object, "lost", self->tally.lost);
    JsonObject *now = json_object_new();

    json_object_set_int_member(now, "runs", self->work.run_count);
    json_object_set_int_member(now, "jobs", self->options->jobs);
    json_object_set_int_member(now, "ranks", self->rank_count);
    json_object_set_double_member(now, "run_seconds", self->work.run_seconds);
    json_object_set_double_member(now, "work_seconds", self->work.wall_seconds);
    json_object_set_double_member(now, "wall_seconds", self->wall_seconds);
    json_object_set_object_member(object, "host", now);
    return trace_json_object_text(object, true);
}

bool cmd_sweep_result_report(const CmdSweepResult *self, GError **error)
{
    const CmdSweepOptions *options = self->options;
    char *const files[] = {options->json, options->csv, options->html, options->output};
    bool has_stdout = false;

    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        has_stdout = has_stdout || trace_output_is_stdout(files[i]);
    }
    if (!options->is_quiet && !has_stdout) {
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
