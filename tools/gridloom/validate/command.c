/* gridloom validate: published figures against simulated ones. */
#include <stdbool.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/envelope.h"
#include "tools/gridloom/plot/file.h"
#include "tools/gridloom/progress.h"
#include "tools/gridloom/report/page.h"
#include "tools/gridloom/validate/options.h"
#include "traces/file/output.h"
#include "traces/picture/validation_picture.h"
#include "traces/reading/run_file.h"
#include "traces/suite/questions.h"
#include "workloads/batch.h"
#include "workloads/error.h"
#include "workloads/process.h"
#include "workloads/search.h"

enum {
    PROGRESS_LETTERS = 60, /* of a run's words, so that the line is one */
};

/* A validation on its way. */
typedef struct {
    ValidateOptions options; /* borrowed */
    TraceQuestions *questions;
    GArray *begun; /* of guint: runs that can be begun */
    Progress *progress;
    ValidateResult result;
} Job;

static void job_clear(Job *self)
{
    trace_validation_clear(&self->result.validation);
    trace_questions_free(self->questions);
    g_array_unref(self->begun);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Job, job_clear)

static bool load_suite(Job *self, const char *name, GError **error)
{
    g_autofree char *path = search_find_or_fail(SEARCH_SUITE, "suite", name, error);
    g_autofree char *short_name = search_name(SEARCH_SUITE, name);
    TraceSuite *suite =
        path != NULL ? trace_suite_load(short_name, path, self->options.data, error)
                     : NULL;

    if (suite == NULL) {
        return false;
    }
    g_ptr_array_add(self->result.validation.suites, suite);
    return true;
}

/* Loads suites, and asks whether all files can be written. */
static bool load(Job *self, GError **error)
{
    const ValidateOptions *options = &self->options;
    g_autoptr(GPtrArray) known = search_names(SEARCH_SUITE);
    char **name = options->suites;

    g_ptr_array_add(known, NULL);
    self->result.validation.is_quick = options->is_quick;
    self->result.validation.is_full = options->is_full;
    for (name = name != NULL ? name : (char **) known->pdata; *name != NULL; name++) {
        if (!load_suite(self, *name, error)) {
            return false;
        }
    }
    return (options->json == NULL || trace_output_check(options->json, error)) &&
           (options->html == NULL || trace_output_check(options->html, error)) &&
           (options->output == NULL || cmd_plot_file_check(options->output, error));
}

static void tell_begun(gpointer data, guint index)
{
    const Job *self = data;
    const char *words = trace_questions_words(self->questions,
                                              g_array_index(self->begun, guint, index));
    g_autofree char *what =
        g_utf8_substring(words, 0, MIN(g_utf8_strlen(words, -1), PROGRESS_LETTERS));

    progress_step(self->progress, index + 1, self->begun->len, what);
}

/* A WlBatchDone. */
static void keep_result(gpointer data, guint index, WlProcess *process)
{
    const Job *self = data;

    trace_questions_keep(self->questions, g_array_index(self->begun, guint, index),
                         wl_process_result(process), process->why);
}

/* Does all runs that were asked for; none if a line may not be run. The last begin
 * first: suites have long runs behind short ones, and one that begins last is waited
 * for while other processors have nothing to do. */
static bool do_runs(Job *self, GError **error)
{
    g_autoptr(GPtrArray) commands = wl_batch_runs_new();
    const WlBatch batch = {.runs = commands,
                           .jobs = self->options.jobs,
                           .begun = tell_begun,
                           .done = keep_result,
                           .data = self};

    for (guint left = trace_questions_count(self->questions); left > 0; left--) {
        const guint i = left - 1;
        g_autoptr(GError) cause = NULL;
        char **command = wl_words_of_line(trace_questions_words(self->questions, i),
                                          self->options.threads, &cause);

        if (g_error_matches(cause, WL_ERROR, WL_ERROR_SYNTAX)) {
            g_propagate_error(error, g_steal_pointer(&cause));
            return false;
        }
        if (command == NULL) {
            trace_questions_keep(self->questions, i, NULL, cause->message);
        } else {
            g_ptr_array_add(commands, command);
            g_array_append_val(self->begun, i);
        }
    }
    (void) wl_batch_do(&batch);
    return true;
}

static bool validate(Job *self, GError **error)
{
    const gint64 start = g_get_monotonic_time();
    TraceValidation *validation = &self->result.validation;

    trace_validation_ask(validation, trace_questions_ask, self->questions);
    self->progress = progress_new("validate", !self->options.is_quiet);
    const bool is_done = do_runs(self, error);

    g_clear_pointer(&self->progress, progress_free);
    if (!is_done) {
        return false;
    }
    self->result.run_count = trace_questions_count(self->questions);
    trace_validation_compare(validation, trace_questions_answer, self->questions);
    self->result.wall_seconds = envelope_seconds(start);
    return true;
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
    g_autofree char *svg = trace_validation_picture_new(&self->result.validation);

    return cmd_plot_file_write(path, svg, 1, error);
}

static bool report(const Job *self, GError **error)
{
    const ValidateOptions *options = &self->options;
    g_autofree char *json = validate_result_to_json(&self->result);

    if (!options->is_quiet && !trace_output_is_stdout(options->json) &&
        !trace_output_is_stdout(options->html) &&
        !trace_output_is_stdout(options->output)) {
        validate_result_print(&self->result, options->has_rows);
    }
    return (options->json == NULL || trace_output_write(options->json, json, error)) &&
           (options->html == NULL || write_page(options->html, json, error)) &&
           (options->output == NULL || write_picture(self, options->output, error));
}

int validate_run(gpointer options)
{
    g_auto(Job) job = {.options = *(const ValidateOptions *) options,
                       .questions = trace_questions_new(),
                       .begun = g_array_new(FALSE, FALSE, sizeof(guint))};
    g_autoptr(GError) error = NULL;

    trace_validation_init(&job.result.validation);
    if (!load(&job, &error) || !validate(&job, &error) || !report(&job, &error)) {
        return complain_of(error);
    }
    return trace_validation_count(&job.result.validation, TRACE_VALIDATION_FAIL) > 0
               ? EXIT_CHECK
               : EXIT_DONE;
}
