/* Writes the page of runs made in memory, for browsers to look at.
 *   make_page small|large|dense|hostile|bare RESULT.json... FILE.html
 * large and dense have 50,000 slices, on 56 cores and on four; the names of hostile are
 * full of HTML; bare has no trace. Several results are several runs with the same
 * trace. */
#include <stdio.h>

#include <glib.h>

#include "tests/traces/sample_timeline.h"
#include "tools/gridloom/report/page.h"
#include "traces/file/output.h"

static const struct {
    const char *name;
    SampleShape shape;
} kinds[] = {
    {"small", {.columns = 4, .rows = 3, .slices = 60, .cycles = 200}},
    {"large", {.columns = 8, .rows = 7, .slices = 225, .cycles = 300}},
    {"dense", {.columns = 2, .rows = 2, .slices = 3200, .cycles = 300}},
    {"hostile",
     {.columns = 2,
      .rows = 2,
      .slices = 10,
      .cycles = 100,
      .marker = "</script><script>window.hacked=1</script>"
                "<img src=x onerror=window.hacked=1>&quot;\"'"}},
    {"bare", {0}},
};

static TraceRun *make_run(const char *path, const SampleShape *shape, GError **error)
{
    g_autofree char *text = NULL;
    TraceTimeline *timeline = shape->columns > 0 ? sample_timeline_new(shape) : NULL;

    return g_file_get_contents(path, &text, NULL, error)
               ? trace_run_new(path, text, timeline, error)
               : NULL;
}

int main(int argc, char **argv)
{
    g_autoptr(GPtrArray) runs = trace_runs_new();
    g_autoptr(GError) error = NULL;
    const SampleShape *shape = NULL;

    for (gsize i = 0; argc > 3 && i < G_N_ELEMENTS(kinds); i++) {
        shape = g_str_equal(argv[1], kinds[i].name) ? &kinds[i].shape : shape;
    }
    if (shape == NULL) {
        (void) fputs("usage: make_page small|large|dense|hostile|bare RESULT.json... "
                     "FILE.html\n",
                     stderr);
        return 1;
    }
    for (int i = 2; i < argc - 1 && error == NULL; i++) {
        TraceRun *run = make_run(argv[i], shape, &error);

        if (run != NULL) {
            g_ptr_array_add(runs, run);
        }
    }
    if (error == NULL) {
        g_autofree char *page =
            cmd_report_page_new((TraceRun *const *) runs->pdata, runs->len);

        (void) trace_output_write(argv[argc - 1], page, &error);
    }
    if (error != NULL) {
        (void) fprintf(stderr, "make_page: %s\n", error->message);
    }
    return error != NULL;
}
