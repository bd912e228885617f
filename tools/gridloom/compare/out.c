/* Writes what several runs have in common. */
#include <errno.h>

#include <glib/gstdio.h>

#include "tools/gridloom/compare/result.h"
#include "tools/gridloom/report/page.h"
#include "traces/file/output.h"
#include "traces/reading/run_file.h"

enum {
    FOLDER_MODE = 0777,
};

static const struct {
    const char *file;
    char *(*to_text)(const CompareResult *);
} files[] = {
    {"compare.json", compare_result_to_json},
    {"compare.csv", compare_result_to_csv},
    {"compare.svg", compare_picture_to_svg},
};

bool compare_out_check(const CompareOptions *options, GError **error)
{
    if (g_mkdir_with_parents(options->out, FOLDER_MODE) != 0) {
        g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno), "--out %s: %s",
                    options->out, g_strerror(errno));
        return false;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path = g_build_filename(options->out, files[i].file, NULL);

        if (!trace_output_check(path, error)) {
            return false;
        }
    }
    return true;
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
    g_autofree char *path = g_build_filename(result->options->out, "report.html", NULL);
    g_autofree char *page = NULL;

    if (!read_runs(result, own, all, error)) {
        return false;
    }
    if (all->len == 0) {
        return true;
    }
    page = cmd_report_page_new((TraceRun *const *) all->pdata, all->len);
    return trace_output_write(path, page, error);
}

bool compare_out_write(const CompareResult *result, GError **error)
{
    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path =
            g_build_filename(result->options->out, files[i].file, NULL);
        g_autofree char *text = files[i].to_text(result);

        if (!trace_output_write(path, text, error)) {
            return false;
        }
    }
    return write_page(result, error);
}
