/* gridloom validate: published figures against simulated ones. */
#include <stdbool.h>
#include <string.h>

#include "tools/gridloom/command.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/progress.h"
#include "tools/gridloom/search.h"
#include "tools/gridloom/validate_options.h"
#include "tools/gridloom/validate_result.h"
#include "tools/gridloom/validate_runs.h"
#include "traces/output.h"

/* A validation on its way. */
typedef struct {
    ValidateOptions options;
    GPtrArray *suites; /* of TraceReference */
    ValidateRuns *runs;
    ValidateResult result;
} Job;

static void job_clear(Job *self)
{
    /* Rows of the result lie in the suites. */
    validate_result_clear(&self->result);
    g_clear_pointer(&self->runs, validate_runs_free);
    g_clear_pointer(&self->suites, g_ptr_array_unref);
    validate_options_clear(&self->options);
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
    g_autofree char *path = search_find_or_fail(SEARCH_SUITE, "suite", name, error);
    g_autofree char *text = NULL;
    TraceReference *suite;
    gsize length;

    if (path == NULL || !g_file_get_contents(path, &text, &length, error)) {
        return false;
    }
    suite = trace_reference_parse(path, text, length, error);
    if (suite == NULL) {
        return false;
    }
    g_ptr_array_add(self->suites, suite);
    return true;
}

static bool load(Job *self, GError **error)
{
    self->result.suites = suite_names(&self->options);
    self->result.is_quick = self->options.is_quick;
    for (char **name = self->result.suites; *name != NULL; name++) {
        if (!load_suite(self, *name, error)) {
            return false;
        }
    }
    return self->options.json == NULL || trace_output_check(self->options.json, error);
}

static bool is_left_out(const Job *self, const TraceReferenceRow *row)
{
    return row->kind == TRACE_REFERENCE_CONTEXT ||
           (self->options.is_quick && row->is_long);
}

/* Every row of every suite, as rows of the result that wait for their runs. */
static void collect_rows(Job *self)
{
    for (guint i = 0; i < self->suites->len; i++) {
        const TraceReference *suite = g_ptr_array_index(self->suites, i);

        for (guint k = 0; k < trace_reference_row_count(suite); k++) {
            ValidateRow row = {.row = trace_reference_row(suite, k),
                               .status = VALIDATE_SKIPPED};

            g_array_append_val(self->result.rows, row);
        }
    }
}

/* The different runs that the rows need, in their order; words are borrowed. */
static GPtrArray *collect_runs(const Job *self)
{
    GPtrArray *runs = g_ptr_array_new();

    for (guint i = 0; i < self->result.rows->len; i++) {
        const TraceReferenceRow *row =
            g_array_index(self->result.rows, ValidateRow, i).row;
        const char *const words[] = {row->run, row->base_run};

        for (gsize k = 0; !is_left_out(self, row) && k < G_N_ELEMENTS(words); k++) {
            if (*words[k] != '\0' &&
                !g_ptr_array_find_with_equal_func(runs, words[k], g_str_equal, NULL)) {
                g_ptr_array_add(runs, (gpointer) words[k]);
            }
        }
    }
    return runs;
}

static void do_runs(Job *self)
{
    g_autoptr(GPtrArray) runs = collect_runs(self);
    g_autoptr(Progress) progress = progress_new("validate", !self->options.is_quiet);

    for (guint i = 0; i < runs->len; i++) {
        progress_step(progress, i + 1, runs->len, g_ptr_array_index(runs, i));
        validate_runs_do(self->runs, g_ptr_array_index(runs, i));
    }
}

static void note_chip(ValidateResult *self, JsonObject *result)
{
    g_free(self->chip);
    g_free(self->chip_digest);
    self->chip =
        g_strdup(json_object_get_string_member_with_default(result, "chip", ""));
    self->chip_digest =
        g_strdup(json_object_get_string_member_with_default(result, "chip_digest", ""));
}

/* The number that a run gives, or why there is none; the caller frees that. */
static char *read_run(Job *self, const char *words, const char *field, double *value)
{
    const char *why;
    JsonObject *result = validate_runs_result(self->runs, words, &why);

    if (result == NULL) {
        return g_strdup_printf("%s: %s", words, why);
    }
    note_chip(&self->result, result);
    return validate_runs_number(result, field, value)
               ? NULL
               : g_strdup_printf("%s: the result has no number %s", words, field);
}

static void compare(Job *self, ValidateRow *out)
{
    const TraceReferenceRow *row = out->row;
    double value = 0;
    double base = 0;

    if (is_left_out(self, row)) {
        out->why =
            g_strdup(row->kind == TRACE_REFERENCE_CONTEXT ? "not simulated"
                                                          : "left out by --quick");
        return;
    }
    out->why = read_run(self, row->run, row->field, &value);
    if (out->why == NULL && *row->base_run != '\0') {
        out->why = read_run(self, row->base_run, row->field, &base);
    }
    if (out->why != NULL) {
        out->status = VALIDATE_FAIL;
        return;
    }
    out->is_simulated = true;
    out->simulated = trace_reference_simulated(row, value, base);
    out->error = trace_reference_error(row, out->simulated);
    if (row->is_judged) {
        out->status =
            trace_reference_is_within(row, out->error) ? VALIDATE_PASS : VALIDATE_FAIL;
    } else {
        out->why = g_strdup("not judged");
    }
}

static void validate(Job *self)
{
    gint64 start = g_get_monotonic_time();

    collect_rows(self);
    do_runs(self);
    for (guint i = 0; i < self->result.rows->len; i++) {
        compare(self, &g_array_index(self->result.rows, ValidateRow, i));
    }
    self->result.wall_seconds = (double) (g_get_monotonic_time() - start) / 1e6;
}

static bool report(const Job *self, GError **error)
{
    const char *target = self->options.json;

    if (!self->options.is_quiet && (target == NULL || !g_str_equal(target, "-"))) {
        validate_result_print(&self->result);
    }
    if (target != NULL) {
        g_autofree char *json = validate_result_to_json(&self->result);

        return trace_output_write(target, json, error);
    }
    return true;
}

int cmd_validate(int argc, char **argv)
{
    g_auto(Job) job = {0};
    g_autoptr(GError) error = NULL;

    job.suites = g_ptr_array_new_with_free_func((GDestroyNotify) trace_reference_free);
    job.runs = validate_runs_new();
    validate_result_init(&job.result);
    if (!validate_options_parse(&job.options, argc, argv, &error) ||
        !load(&job, &error)) {
        return complain_of(error);
    }
    validate(&job);
    if (!report(&job, &error)) {
        return complain_of(error);
    }
    return validate_result_count(&job.result, VALIDATE_FAIL) > 0 ? EXIT_CHECK
                                                                 : EXIT_DONE;
}
