/* Compares published with simulated values. */
#include "traces/suite/validation.h"

#include <math.h>
#include <string.h>

#include "sim/compare.h"
#include "traces/error.h"
#include "traces/suite/measured.h"

static const char *const no_data =
    "no measurements: give their folder by --data DIR or GRIDLOOM_DATA";

void trace_suite_free(TraceSuite *self)
{
    if (self != NULL) {
        g_free(self->name);
        trace_reference_free(self->rows);
        g_ptr_array_unref(self->left);
        g_free(self);
    }
}

/* Names in a folder, sorted; NULL where it is none. */
static GPtrArray *names_in(const char *folder, GError **error)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, error);
    GPtrArray *names;
    const char *name;

    if (dir == NULL) {
        return NULL;
    }
    names = g_ptr_array_new_with_free_func(g_free);
    while ((name = g_dir_read_name(dir)) != NULL) {
        g_ptr_array_add(names, g_strdup(name));
    }
    g_ptr_array_sort(names, sim_compare_texts);
    return names;
}

/* CSV and JSON of one folder in `data`. */
static bool add_folder(TraceMeasured *measured,
                       const char *data,
                       const char *folder,
                       GError **error)
{
    g_autofree char *path = g_build_filename(data, folder, NULL);
    g_autoptr(GPtrArray) files = names_in(path, NULL);

    for (guint i = 0; files != NULL && i < files->len; i++) {
        const char *name = g_ptr_array_index(files, i);
        g_autofree char *file = g_build_filename(folder, name, NULL);

        if ((g_str_has_suffix(name, ".csv") || g_str_has_suffix(name, ".json")) &&
            !trace_measured_add(measured, data, file, error)) {
            return false;
        }
    }
    return true;
}

static bool add_data(TraceMeasured *measured, const char *data, GError **error)
{
    g_autoptr(GPtrArray) folders = names_in(data, error);

    for (guint i = 0; folders != NULL && i < folders->len; i++) {
        if (!add_folder(measured, data, g_ptr_array_index(folders, i), error)) {
            return false;
        }
    }
    return folders != NULL;
}

/* The text of the suite that rules make of the data. */
static char *
make_suite(TraceSuite *self, TraceMeasured *measured, const char *data, GError **error)
{
    self->is_measured = true;
    self->lacks_data = data == NULL;
    if (data == NULL) {
        return trace_measured_nothing(measured, no_data);
    }
    if (!add_data(measured, data, error)) {
        return NULL;
    }
    for (guint i = 0; i < trace_measured_left_count(measured); i++) {
        g_ptr_array_add(self->left, g_strdup(trace_measured_left(measured, i)));
    }
    return trace_measured_suite(measured);
}

static TraceReference *load_measured(TraceSuite *self,
                                     const char *path,
                                     const char *text,
                                     const char *data,
                                     GError **error)
{
    g_autoptr(TraceMeasured) measured =
        trace_measured_parse(path, text, strlen(text), error);
    g_autofree char *made =
        measured != NULL ? make_suite(self, measured, data, error) : NULL;
    g_autoptr(TraceReference) rows =
        made != NULL ? trace_reference_parse(path, made, strlen(made), error) : NULL;

    if (rows != NULL && trace_reference_row_count(rows) == 0) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ,
                    "%s: no file that suite %s has rules for", data, self->name);
        return NULL;
    }
    return g_steal_pointer(&rows);
}

TraceSuite *
trace_suite_load(const char *name, const char *path, const char *data, GError **error)
{
    g_autoptr(TraceSuite) self = NULL;
    g_autofree char *text = NULL;
    gsize length;

    if (!g_file_get_contents(path, &text, &length, error)) {
        return NULL;
    }
    self = g_new0(TraceSuite, 1);
    self->name = g_utf8_make_valid(name, -1);
    self->left = g_ptr_array_new_with_free_func(g_free);
    self->rows = trace_measured_is_rules(text)
                     ? load_measured(self, path, text, data, error)
                     : trace_reference_parse(path, text, length, error);
    return self->rows != NULL ? g_steal_pointer(&self) : NULL;
}

const char *trace_validation_status_name(TraceValidationStatus status)
{
    static const char *const names[] = {[TRACE_VALIDATION_PASS] = "pass",
                                        [TRACE_VALIDATION_FAIL] = "fail",
                                        [TRACE_VALIDATION_SKIPPED] = "skipped"};

    return names[status];
}

static void row_clear(gpointer data)
{
    TraceValidationRow *row = data;

    g_free(row->word);
    g_free(row->why);
}

void trace_validation_init(TraceValidation *self)
{
    *self = (TraceValidation){
        .suites = g_ptr_array_new_with_free_func((GDestroyNotify) trace_suite_free),
        .rows = g_array_new(FALSE, FALSE, sizeof(TraceValidationRow))};
    g_array_set_clear_func(self->rows, row_clear);
}

void trace_validation_clear(TraceValidation *self)
{
    g_clear_pointer(&self->rows, g_array_unref);
    g_clear_pointer(&self->suites, g_ptr_array_unref);
    g_free(self->chip);
    g_free(self->chip_digest);
}

const TraceValidationRow *trace_validation_row(const TraceValidation *self, guint row)
{
    return &g_array_index(self->rows, TraceValidationRow, row);
}

bool trace_validation_is_context(const TraceValidationRow *self)
{
    return self->row->kind == TRACE_REFERENCE_CONTEXT;
}

guint trace_validation_count(const TraceValidation *self, TraceValidationStatus status)
{
    guint count = 0;

    for (guint i = 0; i < self->rows->len; i++) {
        const TraceValidationRow *row = trace_validation_row(self, i);

        count += row->status == status && !trace_validation_is_context(row);
    }
    return count;
}

guint trace_validation_unjudged(const TraceValidation *self)
{
    guint count = 0;

    for (guint i = 0; i < self->rows->len; i++) {
        const TraceValidationRow *row = trace_validation_row(self, i);

        count += row->status == TRACE_VALIDATION_SKIPPED && row->is_simulated;
    }
    return count;
}

char *trace_validation_case(const TraceValidationRow *self)
{
    const char *extent = self->runs->extent;

    return g_strconcat(self->row->name, *extent != '\0' ? " " : "", extent, NULL);
}

bool trace_validation_has_error(const TraceValidationRow *self)
{
    return self->is_simulated && self->word == NULL;
}

/* Does the row need no run, as context or, in a quick validation, as a long row? */
static bool is_left_out(const TraceReferenceRow *row, bool is_quick)
{
    return row->kind == TRACE_REFERENCE_CONTEXT || *row->skip != '\0' ||
           (is_quick && row->is_long);
}

/* The question of a row about one of its runs. */
static TraceQuestion question_of(const TraceReferenceRow *row, const char *words)
{
    return (TraceQuestion){
        .words = words, .field = row->field, .is_word = row->word != NULL};
}

/* Every row of every suite, waiting for its runs. */
static void collect_rows(TraceValidation *self)
{
    for (guint i = 0; i < self->suites->len; i++) {
        const TraceSuite *suite = g_ptr_array_index(self->suites, i);

        for (guint k = 0; k < trace_reference_row_count(suite->rows); k++) {
            const TraceReferenceRow *published = trace_reference_row(suite->rows, k);
            TraceValidationRow row = {.suite = suite,
                                      .row = published,
                                      .runs = self->is_full ? &published->full_runs
                                                            : &published->runs,
                                      .status = TRACE_VALIDATION_SKIPPED};

            g_array_append_val(self->rows, row);
        }
    }
}

void trace_validation_ask(TraceValidation *self,
                          void (*ask)(gpointer data, const TraceQuestion *question),
                          gpointer data)
{
    collect_rows(self);
    for (guint i = 0; i < self->rows->len; i++) {
        const TraceValidationRow *row = trace_validation_row(self, i);
        const char *const words[] = {row->runs->run, row->runs->base_run};
        const bool is_run = !is_left_out(row->row, self->is_quick);

        for (gsize k = 0; is_run && k < G_N_ELEMENTS(words); k++) {
            if (*words[k] != '\0') {
                const TraceQuestion question = question_of(row->row, words[k]);

                ask(data, &question);
            }
        }
    }
}

/* Who knows the answers. */
typedef struct {
    TraceAnswer (*answer)(gconstpointer data, const TraceQuestion *question);
    gconstpointer data;
} Source;

static void note_chip(TraceValidation *self, const TraceAnswer *answer)
{
    g_free(self->chip);
    g_free(self->chip_digest);
    self->chip = g_strdup(answer->chip);
    self->chip_digest = g_strdup(answer->chip_digest);
}

/* Reads the value of a run; returns why there is none, which the caller frees, or
 * NULL. */
static char *read_run(TraceValidation *self,
                      const Source *source,
                      const TraceReferenceRow *row,
                      const char *words,
                      TraceAnswer *answer)
{
    const TraceQuestion question = question_of(row, words);

    *answer = source->answer(source->data, &question);
    if (answer->why != NULL) {
        return g_strdup_printf("%s: %s", words, answer->why);
    }
    note_chip(self, answer);
    return NULL;
}

static void set_status(TraceValidationRow *out, bool is_good)
{
    out->is_simulated = true;
    if (out->row->is_judged) {
        out->status = is_good ? TRACE_VALIDATION_PASS : TRACE_VALIDATION_FAIL;
    } else {
        out->why = g_strdup("not judged");
    }
}

static void judge(TraceValidationRow *out, double value, double base)
{
    const TraceReferenceRow *row = out->row;

    out->simulated = trace_reference_simulated(row, value, base);
    out->error = trace_reference_error(row, out->simulated);
    set_status(out, trace_reference_is_within(row, out->error));
}

static void judge_word(TraceValidationRow *out, const char *word)
{
    out->word = g_strdup(word);
    set_status(out, g_str_equal(word, out->row->word));
}

static void
compare_runs(TraceValidation *self, const Source *source, TraceValidationRow *out)
{
    TraceAnswer value = {0};
    TraceAnswer base = {0};

    out->why = read_run(self, source, out->row, out->runs->run, &value);
    if (out->why == NULL && *out->runs->base_run != '\0') {
        out->why = read_run(self, source, out->row, out->runs->base_run, &base);
    }
    if (out->why != NULL) {
        out->status = TRACE_VALIDATION_FAIL;
    } else if (out->row->word != NULL) {
        judge_word(out, value.word);
    } else {
        judge(out, value.number, base.number);
    }
}

/* After all rows that have runs. */
static void compare_mean(const TraceValidation *self, TraceValidationRow *out)
{
    g_autoptr(GArray) errors = g_array_new(FALSE, FALSE, sizeof(double));

    for (guint i = 0; i < self->rows->len; i++) {
        const TraceValidationRow *row = trace_validation_row(self, i);

        if (!trace_reference_is_member(out->row, row->row)) {
            continue;
        }
        if (!row->is_simulated) {
            out->status = row->status;
            out->why = g_strdup_printf("%s: %s", row->row->name, row->why);
            return;
        }
        g_array_append_val(errors, row->error);
    }
    judge(
        out,
        trace_reference_mean(out->row, (double *) (gpointer) errors->data, errors->len),
        0);
}

static void
compare(TraceValidation *self, const Source *source, TraceValidationRow *out)
{
    if (out->row->kind == TRACE_REFERENCE_CONTEXT) {
        out->why = g_strdup("not simulated");
    } else if (*out->row->skip != '\0') {
        out->why = g_strdup(out->row->skip);
    } else if (is_left_out(out->row, self->is_quick)) {
        out->why = g_strdup("left out by --quick");
    } else if (trace_reference_is_mean(out->row)) {
        compare_mean(self, out);
    } else {
        compare_runs(self, source, out);
    }
}

void trace_validation_compare(TraceValidation *self,
                              TraceAnswer (*answer)(gconstpointer data,
                                                    const TraceQuestion *question),
                              gconstpointer data)
{
    const Source source = {.answer = answer, .data = data};

    for (guint pass = 0; pass < 2; pass++) {
        for (guint i = 0; i < self->rows->len; i++) {
            TraceValidationRow *row = &g_array_index(self->rows, TraceValidationRow, i);

            if (trace_reference_is_mean(row->row) == (pass == 1)) {
                compare(self, &source, row);
            }
        }
    }
}

/* The error over the tolerance: up to 1 passes. */
static double excess_of(const TraceValidationRow *self)
{
    if (self->error == 0) {
        return self->status == TRACE_VALIDATION_PASS ? 0 : HUGE_VAL;
    }
    return fabs(self->error) / self->row->tolerance;
}

double trace_validation_worst(const TraceValidation *self)
{
    double most = 0;

    for (guint i = 0; i < self->rows->len; i++) {
        const TraceValidationRow *row = trace_validation_row(self, i);

        if (row->status == TRACE_VALIDATION_FAIL && !row->is_simulated) {
            return HUGE_VAL;
        }
        if (row->status != TRACE_VALIDATION_SKIPPED) {
            most = fmax(most, excess_of(row));
        }
    }
    return most;
}
