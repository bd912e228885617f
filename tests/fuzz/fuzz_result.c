/* Fuzzes the readers of results, ours and those of GPUs, with any bytes: whatever is
 * taken can be described, put on a roofline and shown on a page. */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "traces/error.h"
#include "traces/reading/run_file.h"
#include "traces/report/report.h"
#include "traces/result/limit.h"
#include "traces/roofline/set.h"

static TraceRun *read_run(const uint8_t *data, size_t size)
{
    g_autofree char *text = g_strndup((const char *) data, size);
    GError *error = NULL;
    TraceRun *run = trace_run_new("fuzz.json", text, NULL, &error);

    if (run == NULL) {
        fuzz_check_error(error, TRACE_ERROR);
    }
    return run;
}

static void check_limits(TraceRun *run)
{
    g_autofree char *title = trace_run_title(run);
    g_autofree char *limit = trace_limit_text(run->result, NULL);
    g_autofree char *waits = trace_limit_waits(run->result);
    g_autoptr(GArray) roofs = trace_limit_roofs(run->result);
    g_autofree char *page = trace_report_data(&run, 1, NULL);

    g_assert_true(title != NULL && limit != NULL && roofs != NULL && page != NULL);
}

/* Takes the run. */
static void check_roofline(TraceRun *run)
{
    g_auto(TraceRooflineSet) set;
    GError *error = NULL;

    trace_roofline_set_init(&set);
    if (!trace_roofline_set_add(&set, run, &error)) {
        fuzz_check_error(error, TRACE_ERROR);
        return;
    }
    trace_roofline_set_tell(&set);
    for (guint i = 0; i < trace_roofline_set_count(&set); i++) {
        const TraceRooflineRun *one = trace_roofline_set_run(&set, i);
        g_autofree char *name = trace_roofline_set_name(&set, i);
        g_autofree char *detail = trace_roofline_set_detail(&set, i);
        g_autofree char *words = trace_roofline_set_words(&set, one->rate, true);

        g_assert_true(name != NULL && detail != NULL && words != NULL);
        (void) trace_roofline_run_attainable(one);
        (void) trace_roofline_run_peak(one);
    }
    (void) trace_roofline_set_per_watt(&set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    TraceRun *run = read_run(data, size);

    g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
    if (run != NULL) {
        check_limits(run);
        check_roofline(run);
    }
    return 0;
}
