/* gridloom compare: one problem on several chips. */
#include <stdbool.h>

#include "tools/gridloom/compare/match.h"
#include "tools/gridloom/compare/options.h"
#include "tools/gridloom/compare/result.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/envelope.h"
#include "tools/gridloom/progress.h"
#include "tools/gridloom/report/page.h"
#include "traces/file/named_files.h"
#include "traces/file/output.h"
#include "traces/reading/run_file.h"

/* A run that is over has its result already. */
static WlProcess over_process(const TraceRun *run)
{
    WlProcess over = {.result = json_node_new(JSON_NODE_OBJECT)};

    json_node_set_object(over.result, run->result);
    return over;
}

static WlProcess do_run(const CompareOptions *options, guint chip, guint case_index)
{
    const CompareChip *on = g_ptr_array_index(options->chips, chip);
    g_auto(GStrv) words = NULL;

    if (on->over != NULL) {
        return over_process(on->over);
    }
    words = compare_options_run(options, chip, case_index);
    return wl_process_do("run", (const char *const *) words);
}

/* Looks for a machine's result of the first run's problem. */
static WlProcess do_match(const CompareResult *result, CompareChip *chip)
{
    JsonObject *first = wl_process_result(&compare_result_row(result, 0)->run);
    WlProcess none = {0};

    if (first == NULL) {
        none.why = g_strdup("the first run failed, there is no problem to look for");
        return none;
    }
    chip->over = compare_match(chip->name, first, &none.why);
    if (chip->over == NULL) {
        return none;
    }
    g_free(chip->name);
    chip->name = trace_run_short_name(chip->over->name);
    return over_process(chip->over);
}

/* What was looked for, and found, may differ in its format. */
static void warn_of_match(const CompareResult *result, guint index)
{
    const CompareRow *row = compare_result_row(result, index);
    g_autofree char *text =
        row->chip->is_matched ? compare_row_differences(result, row) : NULL;

    if (text != NULL) {
        (void) complain("%s: %s: another problem than on %s", row->chip->name, text,
                        compare_result_row(result, 0)->chip->name);
    }
}

static void compare(CompareResult *result)
{
    const CompareOptions *options = result->options;
    const gint64 start = g_get_monotonic_time();
    const guint chips = options->chips->len;
    g_autoptr(Progress) progress = progress_new("compare", !options->is_quiet);

    for (guint i = 0; i < chips * options->case_count; i++) {
        CompareChip *chip = g_ptr_array_index(options->chips, i % chips);
        g_autofree char *name = compare_result_case(result, i / chips);
        g_autofree char *what =
            g_strdup_printf("%s on %s %s", options->name, chip->name, name);

        progress_step(progress, i + 1, chips * options->case_count, what);
        compare_result_add(result, i / chips, chip,
                           chip->is_matched ? do_match(result, chip)
                                            : do_run(options, i % chips, i / chips));
        warn_of_match(result, i);
        const char *why = compare_result_row(result, i)->run.why;

        if (why != NULL) {
            (void) complain("%s%s%s: %s", chip->name, *name != '\0' ? ", " : "", name,
                            why);
        }
    }
    result->wall_seconds = envelope_seconds(start);
}

/* Runs that ended, with their traces; those that were over before are borrowed. */
static bool
read_runs(const CompareResult *result, GPtrArray *own, GPtrArray *all, GError **error)
{
    const guint chips = result->options->chips->len;

    for (guint i = 0; i < result->rows->len && all->len < CMD_REPORT_PAGE_RUNS; i++) {
        const CompareRow *row = compare_result_row(result, i);
        g_autofree char *folder =
            compare_options_folder(result->options, i % chips, row->case_index);
        TraceRun *run = row->chip->over;

        if (row->run.result == NULL) {
            continue;
        }
        if (run == NULL) {
            run = trace_run_read(folder, error);
            if (run == NULL) {
                return false;
            }
            g_ptr_array_add(own, run);
        }
        g_ptr_array_add(all, run);
    }
    return true;
}

static bool write_page(const CompareResult *result, GError **error)
{
    g_autoptr(GPtrArray) own = trace_runs_new();
    g_autoptr(GPtrArray) all = g_ptr_array_new();

    if (!read_runs(result, own, all, error)) {
        return false;
    }
    if (all->len == 0) {
        return true;
    }
    g_autofree char *path = g_build_filename(result->options->out, "report.html", NULL);
    g_autofree char *page =
        cmd_report_page_new((TraceRun *const *) all->pdata, all->len);

    return trace_output_write(path, page, error);
}

int compare_run(gpointer data)
{
    const CompareOptions *options = data;
    const TraceNamedOutput files[] = {
        {options->csv, "compare.csv", compare_result_to_csv},
        {options->svg, "compare.svg", compare_picture_to_svg},
        {options->json, "compare.json", compare_result_to_json}};
    const gsize count = G_N_ELEMENTS(files);
    const guint on_stdout = trace_named_outputs_on_stdout(files, count);
    g_auto(CompareResult) result = {0};
    g_autoptr(GError) error = NULL;

    if ((options->has_models && !compare_model_check(options, &error)) ||
        !trace_named_outputs_check(files, count, options->out, &error)) {
        return complain_of(error);
    }
    if (on_stdout > 1) {
        return complain(
            "--csv, --svg, --json: at most one of them goes to standard output");
    }
    compare_result_init(&result, options);
    compare(&result);
    if (!options->is_quiet && on_stdout == 0) {
        compare_result_print(&result);
    }
    if (!trace_named_outputs_write(files, count, options->out, &result, &error) ||
        (options->out != NULL && !write_page(&result, &error))) {
        return complain_of(error);
    }
    return compare_result_code(&result);
}
