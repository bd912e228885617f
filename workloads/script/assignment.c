/* The words name=value that a user types after a script's name. Knows no Lua. */
#include "workloads/script/assignment.h"

#include <string.h>

#include "workloads/error.h"
#include "workloads/sandbox/quote.h"

enum {
    COMPARED_BYTES = 64, /* longer words are not worth a suggestion */
};

/* Levenshtein's distance: insertions, deletions and replacements. */
static guint distance(const char *a, const char *b)
{
    size_t b_length = strlen(b);
    guint row[COMPARED_BYTES + 1];
    for (size_t k = 0; k <= b_length; k++) {
        row[k] = (guint) k;
    }
    for (size_t i = 0; a[i] != '\0'; i++) {
        guint diagonal = row[0];
        row[0] = (guint) i + 1;
        for (size_t k = 0; k < b_length; k++) {
            guint replaced = diagonal + (a[i] == b[k] ? 0 : 1);
            diagonal = row[k + 1];
            row[k + 1] = MIN(replaced, MIN(row[k], row[k + 1]) + 1);
        }
    }
    return row[b_length];
}

static const char *nearest_name(const GPtrArray *parameters, const char *name)
{
    size_t length = strlen(name);
    if (length > COMPARED_BYTES) {
        return NULL;
    }
    const char *nearest = NULL;
    guint least = 1 + (guint) length / 3;
    for (guint i = 0; i < parameters->len; i++) {
        const char *known = parameter_view(parameters->pdata[i])->name;
        guint steps = distance(name, known);
        if (steps < least || (steps == least && nearest == NULL)) {
            nearest = known;
            least = steps;
        }
    }
    return nearest;
}

static bool
refuse_unknown(const GPtrArray *parameters, const char *name, GError **error)
{
    GString *known = g_string_new(NULL);
    for (guint i = 0; i < parameters->len; i++) {
        g_string_append_printf(known, "%s%s", i == 0 ? "" : ", ",
                               parameter_view(parameters->pdata[i])->name);
    }
    g_autofree char *list = g_string_free(known, FALSE);
    g_autofree char *shown = quote_word(name);
    const char *nearest = nearest_name(parameters, name);
    g_autofree char *advice = nearest == NULL
                                  ? g_strdup("")
                                  : g_strdup_printf("did you mean '%s'? ", nearest);
    g_set_error(error, WL_ERROR, WL_ERROR_KEY, "no parameter '%s'; %sknown: %s", shown,
                advice, list);
    return false;
}

static bool refuse_form(const GPtrArray *parameters, const char *word, GError **error)
{
    g_autofree char *shown = quote_word(word);
    const WlParameter *named = assignment_find(parameters, word);
    if (named == NULL) {
        g_set_error(error, WL_ERROR, WL_ERROR_KEY, "'%s' is not of the form name=value",
                    shown);
    } else {
        g_autofree char *allowed = parameter_allowed(named);
        g_set_error(error, WL_ERROR, WL_ERROR_KEY,
                    "'%s' has no value; write %s=VALUE, expected %s", shown, shown,
                    allowed);
    }
    return false;
}

WlParameter *assignment_find(const GPtrArray *parameters, const char *name)
{
    for (guint i = 0; i < parameters->len; i++) {
        if (strcmp(parameter_view(parameters->pdata[i])->name, name) == 0) {
            return parameters->pdata[i];
        }
    }
    return NULL;
}

bool assignment_apply(const GPtrArray *parameters, const char *word, GError **error)
{
    const char *equals = strchr(word, '=');
    if (equals == NULL) {
        return refuse_form(parameters, word, error);
    }
    if (equals == word) {
        g_autofree char *shown = quote_word(word);
        g_set_error(error, WL_ERROR, WL_ERROR_KEY, "'%s' has no name before '='",
                    shown);
        return false;
    }
    g_autofree char *name = g_strndup(word, (gsize) (equals - word));
    WlParameter *parameter = assignment_find(parameters, name);
    if (parameter == NULL) {
        return refuse_unknown(parameters, name, error);
    }
    if (parameter_view(parameter)->is_set) {
        g_autofree char *shown = quote_word(word);
        g_autofree char *before = quote_word(parameter_view(parameter)->value_text);
        g_set_error(error, WL_ERROR, WL_ERROR_KEY,
                    "'%s': %s is set twice, it is '%s' already", shown, name, before);
        return false;
    }
    return parameter_set(parameter, equals + 1, error);
}
