/* gridloom compare: one problem on several chips. */
#include <stdbool.h>

#include "tools/gridloom/compare/model.h"
#include "tools/gridloom/compare/options.h"
#include "tools/gridloom/compare/out.h"
#include "tools/gridloom/compare/picture.h"
#include "tools/gridloom/compare/result.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/progress.h"
#include "traces/file/output.h"

/* Before anything runs. */
static bool check_targets(const CompareOptions *options, GError **error)
{
    const char *const paths[] = {options->csv, options->svg, options->json};
    guint on_stdout = 0;

    if (options->out != NULL && !compare_out_check(options, error)) {
        return false;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(paths); i++) {
        on_stdout += trace_output_is_stdout(paths[i]);
        if (paths[i] != NULL && !trace_output_check(paths[i], error)) {
            return false;
        }
    }
    if (on_stdout > 1) {
        g_set_error(
            error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
            "--csv, --svg, --json: at most one of them goes to standard output");
        return false;
    }
    return true;
}

/* A run that is over has its result already. */
static CmdRunProcess run(const CompareOptions *options, guint chip, guint case_index)
{
    const CompareChip *on = g_ptr_array_index(options->chips, chip);
    g_auto(GStrv) words = NULL;

    if (on->over != NULL) {
        CmdRunProcess over = {.result = json_node_new(JSON_NODE_OBJECT)};

        json_node_set_object(over.result, on->over->result);
        return over;
    }
    words = compare_options_run(options, chip, case_index);
    return cmd_run_process_do("run", (const char *const *) words);
}

static void do_run(CompareResult *result, guint chip, guint case_index)
{
    const CompareOptions *options = result->options;
    const CompareChip *on = g_ptr_array_index(options->chips, chip);

    compare_result_add(result, case_index, on, run(options, chip, case_index));
    const CompareRow *row = compare_result_row(result, result->rows->len - 1);

    if (row->run.why != NULL) {
        g_autofree char *name = compare_result_case(result, case_index);

        (void) complain("%s%s%s: %s", on->name, *name != '\0' ? ", " : "", name,
                        row->run.why);
    }
}

static void compare(CompareResult *result)
{
    const CompareOptions *options = result->options;
    const gint64 start = g_get_monotonic_time();
    const guint chips = options->chips->len;
    g_autoptr(Progress) progress = progress_new("compare", !options->is_quiet);

    for (guint i = 0; i < chips * options->case_count; i++) {
        const CompareChip *chip = g_ptr_array_index(options->chips, i % chips);
        g_autofree char *name = compare_result_case(result, i / chips);
        g_autofree char *what =
            g_strdup_printf("%s on %s %s", options->name, chip->name, name);

        progress_step(progress, i + 1, chips * options->case_count, what);
        do_run(result, i % chips, i / chips);
    }
    result->wall_seconds = (double) (g_get_monotonic_time() - start) / G_USEC_PER_SEC;
}

static bool write_text(const char *path,
                       char *(*to_text)(const CompareResult *),
                       const CompareResult *result,
                       GError **error)
{
    g_autofree char *text = path != NULL ? to_text(result) : NULL;

    return path == NULL || trace_output_write(path, text, error);
}

static bool report(const CompareResult *result, GError **error)
{
    const CompareOptions *options = result->options;
    const bool is_table = !options->is_quiet && !trace_output_is_stdout(options->csv) &&
                          !trace_output_is_stdout(options->svg) &&
                          !trace_output_is_stdout(options->json);

    if (is_table) {
        compare_result_print(result);
    }
    return write_text(options->csv, compare_result_to_csv, result, error) &&
           write_text(options->svg, compare_picture_to_svg, result, error) &&
           write_text(options->json, compare_result_to_json, result, error) &&
           (options->out == NULL || compare_out_write(result, error));
}

int compare_run(gpointer data)
{
    const CompareOptions *options = data;
    g_auto(CompareResult) result = {0};
    g_autoptr(GError) error = NULL;

    if ((options->has_models && !compare_model_check(options, &error)) ||
        !check_targets(options, &error)) {
        return complain_of(error);
    }
    compare_result_init(&result, options);
    compare(&result);
    if (!report(&result, &error)) {
        return complain_of(error);
    }
    return compare_result_code(&result);
}
