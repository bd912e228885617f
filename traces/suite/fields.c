/* Evaluates conditions and templates over the fields of a record. */
#include "traces/suite/fields.h"

#include <math.h>
#include <string.h>

#include "traces/error.h"
#include "traces/suite/formula.h"

/* Whole numbers beyond it are not exact. */
#define WHOLE_MAXIMUM 9007199254740992.0

TraceFields *trace_fields_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

char *trace_fields_name(const char *column)
{
    GString *name = g_string_new(NULL);

    for (const char *letter = column; *letter != '\0'; letter++) {
        if (g_ascii_isalnum(*letter)) {
            g_string_append_c(name, g_ascii_tolower(*letter));
        } else if (name->len > 0 && name->str[name->len - 1] != '_') {
            g_string_append_c(name, '_');
        }
    }
    while (name->len > 0 && name->str[name->len - 1] == '_') {
        g_string_truncate(name, name->len - 1);
    }
    return g_string_free(name, FALSE);
}

void trace_fields_set(TraceFields *self, const char *name, const char *text)
{
    g_hash_table_insert(self, g_strdup(name), g_strdup(text));
}

/* A TraceFormulaFunc. */
static bool read_number(gpointer data, const char *name, double *value)
{
    const char *text = g_hash_table_lookup(data, name);
    char *end;

    if (text == NULL || *text == '\0') {
        return false;
    }
    *value = g_ascii_strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

static bool refuse(const char *what, const char *text, GError **error)
{
    g_autofree char *shown = g_strescape(text, NULL);

    return trace_refuse(error, "'%.60s': %s", shown, what);
}

static bool is_one_of(const char *text, const char *alternatives)
{
    g_auto(GStrv) list = g_strsplit(alternatives, "|", -1);

    return *alternatives == '\0' ? *text == '\0'
                                 : g_strv_contains((const char *const *) list, text);
}

/* Both sides as numbers; a side without one holds nothing. */
static bool compare(TraceFields *self,
                    const char *left,
                    const char *right,
                    const char *sign,
                    bool *is_held,
                    GError **error)
{
    double a;
    double b;

    if (!trace_formula_check(left, error) || !trace_formula_check(right, error)) {
        return false;
    }
    if (!trace_formula_value(left, read_number, self, &a, NULL) ||
        !trace_formula_value(right, read_number, self, &b, NULL)) {
        *is_held = false;
        return true;
    }
    *is_held = (*sign == '<' ? a < b : a > b) || (sign[1] == '=' && a == b);
    return true;
}

static bool
hold_part(TraceFields *self, const char *part, bool *is_held, GError **error)
{
    const char *sign = strpbrk(part, "<>=");

    if (sign == NULL) {
        return refuse("expected =, <, <=, > or >= in a condition", part, error);
    }
    g_autofree char *left = g_strndup(part, (gsize) (sign - part));

    g_strstrip(left);
    if (*sign == '=') {
        const char *text = g_hash_table_lookup(self, left);

        *is_held = text != NULL && is_one_of(text, sign + 1);
        return true;
    }
    return compare(self, left, sign + (sign[1] == '=' ? 2 : 1), sign, is_held, error);
}

bool trace_fields_hold(TraceFields *self,
                       const char *condition,
                       bool *is_held,
                       GError **error)
{
    g_auto(GStrv) parts = g_strsplit(condition, ";", -1);

    *is_held = true;
    for (char **part = parts; *part != NULL; part++) {
        bool holds = true;

        g_strstrip(*part);
        if (**part != '\0' && !hold_part(self, *part, &holds, error)) {
            return false;
        }
        *is_held = *is_held && holds;
    }
    return true;
}

/* As it is where a shell takes it so. */
static char *quoted(const char *text)
{
    return *text != '\0' &&
                   text[strspn(text, "abcdefghijklmnopqrstuvwxyz"
                                     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,:/=")] ==
                       '\0'
               ? g_strdup(text)
               : g_shell_quote(text);
}

static char *fill_place(TraceFields *self, const char *place, GError **error)
{
    const char *text = g_hash_table_lookup(self, place);
    double value;

    if (text != NULL) {
        return quoted(text);
    }
    if (!trace_formula_value(place, read_number, self, &value, error)) {
        return NULL;
    }
    if (value != floor(value) || fabs(value) > WHOLE_MAXIMUM) {
        (void) refuse("not a whole number", place, error);
        return NULL;
    }
    return g_strdup_printf("%.0f", value);
}

char *trace_fields_fill(TraceFields *self, const char *text, GError **error)
{
    g_autoptr(GString) filled = g_string_new(NULL);
    const char *rest = text;

    for (;;) {
        const gsize length = strcspn(rest, "{");
        const char *begin = rest + length;
        const char *end = strchr(begin, '}');

        g_string_append_len(filled, rest, (gssize) length);
        if (*begin == '\0') {
            return g_string_free(g_steal_pointer(&filled), FALSE);
        }
        if (end == NULL) {
            (void) refuse("expected } behind {", begin, error);
            return NULL;
        }
        g_autofree char *place = g_strndup(begin + 1, (gsize) (end - begin - 1));
        g_autofree char *part = fill_place(self, place, error);

        if (part == NULL) {
            return NULL;
        }
        g_string_append(filled, part);
        rest = end + 1;
    }
}
