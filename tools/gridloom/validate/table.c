/* Prints a validation for people. */
#include "tools/gridloom/validate/table.h"

#include <math.h>
#include <stdio.h>

#include "tools/gridloom/grid.h"
#include "tools/gridloom/validate/summary.h"
#include "traces/file/quantity.h"

/* A word, or a number with its unit; "1" is none. */
static char *value_text(const char *word, double value, const char *unit)
{
    if (word != NULL || isnan(value)) {
        return g_strdup(word != NULL ? word : "-");
    }
    return g_str_equal(unit, "1") ? g_strdup_printf("%.4g", value)
                                  : g_strdup_printf("%.4g %s", value, unit);
}

/* The unit in which a row's error is written. */
static const char *error_unit(const TraceReferenceRow *row)
{
    if (row->is_relative) {
        return "%";
    }
    if (g_str_equal(row->unit, "%")) {
        return "points";
    }
    return g_str_equal(row->unit, "1") ? "" : row->unit;
}

static char *tolerance_text(const TraceReferenceRow *row)
{
    if (!row->is_judged) {
        return g_strdup("not judged");
    }
    return row->word != NULL
               ? g_strdup("the same")
               : g_strdup_printf("%g %s", row->tolerance, error_unit(row));
}

static void print_row(Grid *grid, const ValidateRow *self)
{
    const TraceReferenceRow *row = self->row;
    const char *unit = error_unit(row);
    g_autofree char *name = validate_row_case(self);
    g_autofree char *published = value_text(row->word, row->published, row->unit);
    g_autofree char *simulated =
        self->is_simulated ? value_text(self->word, self->simulated, row->unit)
                           : g_strdup("-");
    g_autofree char *error = validate_row_has_error(self)
                                 ? g_strdup_printf("%+.2f %s", self->error, unit)
                                 : g_strdup("-");
    g_autofree char *tolerance = tolerance_text(row);
    const char *const texts[] = {
        row->source,
        name,
        row->quantity,
        published,
        simulated,
        error,
        tolerance,
        trace_reference_kind_name(row->kind),
        validate_status_name(self->status),
    };

    grid_add(grid, texts);
}

/* Rows of measurements are many: those that failed, and means, say enough. */
static bool is_shown(const ValidateRow *self, bool has_all)
{
    if (validate_row_is_context(self)) {
        return false;
    }
    return has_all || !self->suite->is_measured || self->status == VALIDATE_FAIL ||
           trace_reference_is_mean(self->row);
}

static void print_rows(const ValidateResult *self, bool has_all)
{
    static const char *const titles[] = {"source",    "case",      "quantity",
                                         "published", "simulated", "error",
                                         "tolerance", "kind",      "status"};
    g_autoptr(Grid) grid = grid_new(G_N_ELEMENTS(titles));
    guint shown = 0;
    guint hidden = 0;

    grid_add(grid, titles);
    for (guint i = 0; i < self->rows->len; i++) {
        const ValidateRow *row = validate_result_row(self, i);

        if (is_shown(row, has_all)) {
            print_row(grid, row);
            shown++;
        } else {
            hidden += !validate_row_is_context(row) && !row->suite->lacks_data;
        }
    }
    if (shown > 0) {
        grid_print(grid, stdout, 0);
    }
    if (hidden > 0) {
        printf("(and %u rows of measurements: --rows, --json or --html have them)\n",
               hidden);
    }
}

static void print_context(const ValidateRow *self)
{
    const TraceReferenceRow *row = self->row;
    g_autofree char *name = validate_row_case(self);
    g_autofree char *value = value_text(row->word, row->published, row->unit);

    printf("for comparison: %s, %s: %s %s; %s\n", row->source, name, row->quantity,
           value, row->note);
}

/* A note of a row, once for all rows that have it: of the first it stands there. */
static void print_note(const ValidateResult *self, guint index, const char *name)
{
    const char *note = validate_result_row(self, index)->row->note;
    guint more = 0;

    for (guint i = 0; i < self->rows->len; i++) {
        const ValidateRow *other = validate_result_row(self, i);

        if (i != index && other->is_simulated && g_str_equal(other->row->note, note)) {
            if (i < index) {
                return;
            }
            more++;
        }
    }
    printf("%s", name);
    if (more > 0) {
        printf(" and %u more", more);
    }
    printf(": %s\n", note);
}

static void print_notes(const ValidateResult *self, bool has_all)
{
    for (guint i = 0; i < self->rows->len; i++) {
        const ValidateRow *row = validate_result_row(self, i);
        g_autofree char *name = validate_row_case(row);

        if (validate_row_is_context(row)) {
            print_context(row);
        } else if (row->why != NULL && row->status == VALIDATE_FAIL) {
            printf("failed: %s: %s\n", name, row->why);
        } else if (row->is_simulated && *row->row->note != '\0' &&
                   is_shown(row, has_all)) {
            print_note(self, i, name);
        }
    }
}

/* What suites of measurements lack. */
static void print_suites(const ValidateResult *self)
{
    for (guint i = 0; i < self->suites->len; i++) {
        const ValidateSuite *suite = g_ptr_array_index(self->suites, i);

        if (suite->lacks_data) {
            printf("%s: skipped, no measurements; give their folder by --data DIR or "
                   "GRIDLOOM_DATA\n",
                   suite->name);
        }
        if (suite->left->len > 0) {
            g_autofree char *list = NULL;

            g_ptr_array_add(suite->left, NULL);
            list = g_strjoinv(", ", (char **) suite->left->pdata);
            g_ptr_array_set_size(suite->left, (gint) suite->left->len - 1);
            printf("%s: no rule covers %s\n", suite->name, list);
        }
    }
}

void validate_table_print(const ValidateResult *self, bool has_all)
{
    const guint unjudged = validate_result_unjudged(self);
    g_autofree char *wall = quantity_seconds(self->wall_seconds);

    print_rows(self, has_all);
    printf("\n");
    print_notes(self, has_all);
    print_suites(self);
    printf("\n");
    validate_summary_print(self);
    printf("\n%u rows within their tolerance, %u not, %u not judged, %u not run%s; %u "
           "runs in %s\n",
           validate_result_count(self, VALIDATE_PASS),
           validate_result_count(self, VALIDATE_FAIL), unjudged,
           validate_result_count(self, VALIDATE_SKIPPED) - unjudged,
           self->is_quick ? " (--quick leaves out the long ones)" : "", self->run_count,
           wall);
}
