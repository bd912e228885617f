/* Compares published with simulated values. */
#include "tools/gridloom/validate/compare.h"

#include <math.h>

bool validate_is_left_out(const TraceReferenceRow *row, bool is_quick)
{
    return row->kind == TRACE_REFERENCE_CONTEXT || *row->skip != '\0' ||
           (is_quick && row->is_long);
}

/* What a row wants to know of one of its runs. */
static ValidateQuestion question_of(const TraceReferenceRow *row, const char *words)
{
    return (ValidateQuestion){
        .words = words, .field = row->field, .is_word = row->word != NULL};
}

void validate_ask(const ValidateResult *self, ValidateRuns *runs)
{
    for (guint i = 0; i < self->rows->len; i++) {
        const ValidateRow *row = validate_result_row(self, i);
        const char *const words[] = {row->runs->run, row->runs->base_run};
        bool is_run = !validate_is_left_out(row->row, self->is_quick);

        for (gsize k = 0; is_run && k < G_N_ELEMENTS(words); k++) {
            if (*words[k] != '\0') {
                ValidateQuestion question = question_of(row->row, words[k]);

                validate_runs_ask(runs, &question);
            }
        }
    }
}

static void note_chip(ValidateResult *self, const ValidateAnswer *answer)
{
    g_free(self->chip);
    g_free(self->chip_digest);
    self->chip = g_strdup(answer->chip);
    self->chip_digest = g_strdup(answer->chip_digest);
}

/* What a run gives, or why there is nothing; the caller frees that. */
static char *read_run(ValidateResult *self,
                      const ValidateRuns *runs,
                      const TraceReferenceRow *row,
                      const char *words,
                      ValidateAnswer *answer)
{
    ValidateQuestion question = question_of(row, words);

    *answer = validate_runs_answer(runs, &question);
    if (answer->why != NULL) {
        return g_strdup_printf("%s: %s", words, answer->why);
    }
    note_chip(self, answer);
    return NULL;
}

static void set_status(ValidateRow *out, bool is_good)
{
    out->is_simulated = true;
    if (out->row->is_judged) {
        out->status = is_good ? VALIDATE_PASS : VALIDATE_FAIL;
    } else {
        out->why = g_strdup("not judged");
    }
}

static void judge(ValidateRow *out, double value, double base)
{
    const TraceReferenceRow *row = out->row;

    out->simulated = trace_reference_simulated(row, value, base);
    out->error = trace_reference_error(row, out->simulated);
    set_status(out, trace_reference_is_within(row, out->error));
}

static void judge_word(ValidateRow *out, const char *word)
{
    out->word = g_strdup(word);
    set_status(out, g_str_equal(word, out->row->word));
}

static void
compare_runs(ValidateResult *self, const ValidateRuns *runs, ValidateRow *out)
{
    ValidateAnswer value = {0};
    ValidateAnswer base = {0};

    out->why = read_run(self, runs, out->row, out->runs->run, &value);
    if (out->why == NULL && *out->runs->base_run != '\0') {
        out->why = read_run(self, runs, out->row, out->runs->base_run, &base);
    }
    if (out->why != NULL) {
        out->status = VALIDATE_FAIL;
    } else if (out->row->word != NULL) {
        judge_word(out, value.word);
    } else {
        judge(out, value.number, base.number);
    }
}

/* After all rows that have runs. */
static void compare_mean(const ValidateResult *self, ValidateRow *out)
{
    g_autoptr(GArray) errors = g_array_new(FALSE, FALSE, sizeof(double));

    for (guint i = 0; i < self->rows->len; i++) {
        const ValidateRow *row = validate_result_row(self, i);

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

static void compare(ValidateResult *self, const ValidateRuns *runs, ValidateRow *out)
{
    if (out->row->kind == TRACE_REFERENCE_CONTEXT) {
        out->why = g_strdup("not simulated");
    } else if (*out->row->skip != '\0') {
        out->why = g_strdup(out->row->skip);
    } else if (validate_is_left_out(out->row, self->is_quick)) {
        out->why = g_strdup("left out by --quick");
    } else if (trace_reference_is_mean(out->row)) {
        compare_mean(self, out);
    } else {
        compare_runs(self, runs, out);
    }
}

void validate_compare(ValidateResult *self, const ValidateRuns *runs)
{
    for (guint pass = 0; pass < 2; pass++) {
        for (guint i = 0; i < self->rows->len; i++) {
            ValidateRow *row = &g_array_index(self->rows, ValidateRow, i);

            if (trace_reference_is_mean(row->row) == (pass == 1)) {
                compare(self, runs, row);
            }
        }
    }
}
