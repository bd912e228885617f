/* gridloom validate: published figures against simulated ones. */
#include <stdbool.h>
#include <string.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/plot/file.h"
#include "tools/gridloom/progress.h"
#include "tools/gridloom/report/page.h"
#include "tools/gridloom/search.h"
#include "tools/gridloom/validate/compare.h"
#include "tools/gridloom/validate/options.h"
#include "tools/gridloom/validate/picture.h"
#include "tools/gridloom/validate/result.h"
#include "tools/gridloom/validate/runs.h"
#include "tools/gridloom/validate/table.h"
#include "traces/file/output.h"
#include "traces/reading/run_file.h"

/* A validation on its way. */
typedef struct {
    ValidateOptions options; /* borrowed */
    ValidateRuns *runs;
    ValidateResult result;
} Job;

static void job_clear(Job *self)
{
    validate_result_clear(&self->result);
    g_clear_pointer(&self->runs, validate_runs_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Job, job_clear)

static char **suite_names(const ValidateOptions *options)
{
    g_autoptr(GPtrArray) names = NULL;

    if (options->suites != NULL) {
        return g_strdupv(options->suites);
    }
    names = search_names(SEARCH_SUITE);
    g_ptr_array_add(names, NULL);
    return g_strdupv((char **) names->pdata);
}

static bool load_suite(Job *self, const char *name, GError **error)
{
    ValidateSuite *suite = validate_suite_load(name, self->options.data, error);

    if (suite == NULL) {
        return false;
    }
    g_ptr_array_add(self->result.suites, suite);
    return true;
}

/* Can all files be written? */
static bool check_files(const ValidateOptions *options, GError **error)
{
    return (options->json == NULL || trace_output_check(options->json, error)) &&
           (options->html == NULL || trace_output_check(options->html, error)) &&
           (options->output == NULL || cmd_plot_file_check(options->output, error));
}

static bool load(Job *self, GError **error)
{
    g_auto(GStrv) names = suite_names(&self->options);

    self->result.is_quick = self->options.is_quick;
    self->result.is_full = self->options.is_full;
    for (char **name = names; *name != NULL; name++) {
        if (!load_suite(self, *name, error)) {
            return false;
        }
    }
    return check_files(&self->options, error);
}

/* Every row of every suite, as rows of the result that wait for their runs. */
static void collect_rows(Job *self)
{
    for (guint i = 0; i < self->result.suites->len; i++) {
        const ValidateSuite *suite = g_ptr_array_index(self->result.suites, i);

        for (guint k = 0; k < trace_reference_row_count(suite->rows); k++) {
            const TraceReferenceRow *published = trace_reference_row(suite->rows, k);
            ValidateRow row = {.suite = suite,
                               .row = published,
                               .runs = self->options.is_full ? &published->full_runs
                                                             : &published->runs,
                               .status = VALIDATE_SKIPPED};

            g_array_append_val(self->result.rows, row);
        }
    }
}

static void do_runs(Job *self)
{
    g_autoptr(Progress) progress = progress_new("validate", !self->options.is_quiet);

    validate_ask(&self->result, self->runs);
    validate_runs_do(self->runs, progress);
}

static void validate(Job *self)
{
    gint64 start = g_get_monotonic_time();

    collect_rows(self);
    do_runs(self);
    self->result.run_count = validate_runs_count(self->runs);
    validate_compare(&self->result, self->runs);
    self->result.wall_seconds = (double) (g_get_monotonic_time() - start) / 1e6;
}

static bool write_page(const char *path, const char *json, GError **error)
{
    g_autoptr(TraceRun) run = trace_run_new("validate", json, NULL, error);

    if (run == NULL) {
        return false;
    }
    g_autofree char *page = cmd_report_page_new(&run, 1);

    return trace_output_write(path, page, error);
}

static bool write_picture(const Job *self, const char *path, GError **error)
{
    g_autofree char *svg = validate_picture_new(&self->result);

    return cmd_plot_file_write(path, svg, 1, error);
}

static bool report(const Job *self, GError **error)
{
    const ValidateOptions *options = &self->options;
    g_autofree char *json = validate_result_to_json(&self->result);

    if (!options->is_quiet && !trace_output_is_stdout(options->json) &&
        !trace_output_is_stdout(options->html) &&
        !trace_output_is_stdout(options->output)) {
        validate_table_print(&self->result, options->has_rows);
    }
    return (options->json == NULL || trace_output_write(options->json, json, error)) &&
           (options->html == NULL || write_page(options->html, json, error)) &&
           (options->output == NULL || write_picture(self, options->output, error));
}

int validate_run(gpointer options)
{
    g_auto(Job) job = {.options = *(const ValidateOptions *) options};
    g_autoptr(GError) error = NULL;

    validate_result_init(&job.result);
    if (!load(&job, &error)) {
        return complain_of(error);
    }
    job.runs = validate_runs_new(job.options.threads, job.options.jobs);
    validate(&job);
    if (!report(&job, &error)) {
        return complain_of(error);
    }
    return validate_result_count(&job.result, VALIDATE_FAIL) > 0 ? EXIT_CHECK
                                                                 : EXIT_DONE;
}
