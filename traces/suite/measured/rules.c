/* Parses rules and finds the one for a record. */
#include "traces/suite/measured/rules.h"

#include "traces/error.h"

static const char *const names[] = {
    "file",      "where",   "case",  "quantity", "unit",  "published",
    "tolerance", "kind",    "quick", "run",      "field", "scale",
    "group",     "combine", "limit", "skip",     "note",
};
_Static_assert(G_N_ELEMENTS(names) == RULE_COLUMN_COUNT, "a name for each column");

const char *rules_text(const Rules *self, guint rule, RuleColumn column)
{
    return trace_csv_field(self->csv, rule, self->columns[column]);
}

static bool refuse(const Rules *self,
                   guint rule,
                   RuleColumn column,
                   const char *expected,
                   GError **error)
{
    g_autofree char *shown = g_strescape(rules_text(self, rule, column), NULL);

    return trace_refuse(error, "%s:%u: %s = '%.60s', expected %s", self->name,
                        trace_csv_line(self->csv, rule), names[column], shown,
                        expected);
}

static bool find_columns(Rules *self, GError **error)
{
    for (guint i = 0; i < RULE_COLUMN_COUNT; i++) {
        const int column = trace_csv_column(self->csv, names[i]);

        if (column < 0) {
            return trace_refuse(error, "%s: no column %s", self->name, names[i]);
        }
        self->columns[i] = (guint) column;
    }
    return true;
}

static bool check_rule(Rules *self, guint rule, GError **error)
{
    const char *combine = rules_text(self, rule, RULE_COMBINE);
    g_autoptr(GHashTable) none = trace_fields_new();
    g_autoptr(GError) wrong = NULL;
    guint64 quick;
    bool is_held;

    if (*rules_text(self, rule, RULE_FILES) == '\0') {
        return refuse(self, rule, RULE_FILES, "patterns for names of files", error);
    }
    if (!trace_fields_hold(none, rules_text(self, rule, RULE_WHERE), &is_held,
                           &wrong)) {
        g_autofree char *expected = g_strdup_printf("a condition: %s", wrong->message);

        return refuse(self, rule, RULE_WHERE, expected, error);
    }
    if (!g_ascii_string_to_unsigned(rules_text(self, rule, RULE_QUICK), 10, 0,
                                    G_MAXUINT, &quick, NULL)) {
        return refuse(self, rule, RULE_QUICK, "a whole number of rows", error);
    }
    self->quick[rule] = (guint) quick;
    if (*combine != '\0' && !g_str_equal(combine, "mean_error") &&
        !g_str_equal(combine, "median_error")) {
        return refuse(self, rule, RULE_COMBINE, "mean_error, median_error or nothing",
                      error);
    }
    return (*combine == '\0') == (*rules_text(self, rule, RULE_LIMIT) == '\0') ||
           refuse(self, rule, RULE_LIMIT, "one where combine is, and else none", error);
}

bool rules_init(
    Rules *self, const char *name, const char *text, gsize length, GError **error)
{
    *self = (Rules){.name = g_strdup(name),
                    .csv = trace_csv_parse(name, text, length, error)};
    if (self->csv == NULL || !find_columns(self, error)) {
        return false;
    }
    self->quick = g_new0(guint, rules_count(self));
    for (guint i = 0; i < rules_count(self); i++) {
        if (!check_rule(self, i, error)) {
            return false;
        }
    }
    return true;
}

void rules_clear(Rules *self)
{
    g_free(self->name);
    g_clear_pointer(&self->csv, trace_csv_free);
    g_free(self->quick);
}

guint rules_count(const Rules *self)
{
    return trace_csv_row_count(self->csv);
}

/* Blanks in a file's name count as underscores. */
static bool is_for(const Rules *self, guint rule, const char *file)
{
    g_auto(GStrv) patterns = g_strsplit(rules_text(self, rule, RULE_FILES), " ", -1);
    g_autofree char *name = g_strdelimit(g_strdup(file), " ", '_');

    for (char **pattern = patterns; *pattern != NULL; pattern++) {
        if (**pattern != '\0' && g_pattern_match_simple(*pattern, name)) {
            return true;
        }
    }
    return false;
}

bool rules_know(const Rules *self, const char *file)
{
    for (guint i = 0; i < rules_count(self); i++) {
        if (is_for(self, i, file)) {
            return true;
        }
    }
    return false;
}

int rules_find(const Rules *self, const char *file, TraceFields *fields)
{
    for (guint i = 0; i < rules_count(self); i++) {
        bool is_held = false;

        if (is_for(self, i, file) &&
            trace_fields_hold(fields, rules_text(self, i, RULE_WHERE), &is_held,
                              NULL) &&
            is_held) {
            return (int) i;
        }
    }
    return -1;
}

bool rules_is_counted(const Rules *self, guint rule)
{
    return *rules_text(self, rule, RULE_SKIP) == '\0' &&
           !g_str_equal(rules_text(self, rule, RULE_TOLERANCE), "-");
}
