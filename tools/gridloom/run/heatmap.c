/* Draws heat maps of runs. */
#include "tools/gridloom/run/heatmap.h"

#include "sim/probe.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/plot/file.h"
#include "traces/error.h"
#include "traces/picture/timeline_heatmap.h"

enum {
    WINDOWS = 6,
};

static bool refuse(const char *why, GError **error)
{
    return option_fail(error, "--heatmap: %s", why);
}

bool cmd_run_heatmap_check(const CmdRunOptions *options, GError **error)
{
    if (options->heatmap == NULL) {
        return true;
    }
    if (options->trace.is_off) {
        return refuse(
            "it is drawn from a trace, and --no-trace wants none, give one of "
            "them",
            error);
    }
    if (!SIM_PROBES) {
        return refuse("this program was built without probes (GRIDLOOM_PROBES=OFF)",
                      error);
    }
    /* Scripts print there. */
    if (g_str_equal(options->heatmap, "-")) {
        return refuse("standard output cannot take it, give a file", error);
    }
    return cmd_plot_file_check(options->heatmap, error);
}

bool cmd_run_heatmap_write(const CmdRunOptions *options,
                           const char *trace,
                           GError **error)
{
    g_autoptr(TraceRun) run = NULL;
    g_autofree char *title = NULL;
    g_autofree char *svg = NULL;
    TraceTimelineHeatmap map = {
        .by = TRACE_HEAT_LINKS, .end = SIM_TIME_NEVER, .window_count = WINDOWS};

    if (options->heatmap == NULL) {
        return true;
    }
    run = trace_run_read(trace, error);
    if (run == NULL) {
        return false;
    }
    title = trace_run_title(run);
    map.timeline = run->timeline;
    map.title = title;
    svg = trace_timeline_heatmap_to_svg(&map, NULL);
    if (svg == NULL) {
        map.by = TRACE_HEAT_BUSY;
        svg = trace_timeline_heatmap_to_svg(&map, error);
    }
    if (svg == NULL) {
        g_prefix_error(error, "--heatmap: ");
        return false;
    }
    return cmd_plot_file_write(options->heatmap, svg, 1, error);
}
