/* Parameters of a script: what they allow, the values they have, and the words
 * name=value that a user types. Knows no Lua. */
#include "workloads/script/parameter.h"

#include <math.h>
#include <string.h>

#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/sandbox/quote.h"
#include "workloads/script/number.h"

enum {
    NAME_BYTES = 64,
};

typedef struct {
    gint64 integer;
    double number;
    bool is_on;
    char *text; /* as the user would type it, in one spelling; owned */
} Value;

struct WlParameter {
    WlParam view; /* its strings belong to the fields below */
    WlParameterSpec spec;
    char *name;
    char *help;
    char **choices;
    char *default_text;
    Value value;
};

static bool is_name(const char *text)
{
    size_t length = strlen(text);
    if (length == 0 || length > NAME_BYTES || g_ascii_isdigit(text[0])) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (!g_ascii_isalnum(text[i]) && text[i] != '_') {
            return false;
        }
    }
    return true;
}

static bool is_one_line(const char *text)
{
    return *text != '\0' && strpbrk(text, "\r\n") == NULL &&
           g_utf8_validate(text, -1, NULL);
}

static bool is_choice_word(const char *text)
{
    return is_one_line(text) && strpbrk(text, " \t,|") == NULL;
}

static bool check_choices(const char *const *choices, GError **error)
{
    if (choices == NULL || choices[0] == NULL) {
        return wl_refuse(error, "choices: at least one is needed");
    }
    for (guint i = 0; choices[i] != NULL; i++) {
        if (!is_choice_word(choices[i])) {
            g_autofree char *shown = quote_word(choices[i]);
            return wl_refuse(error, "choices[%u] = '%s', expected one word", i + 1,
                             shown);
        }
        for (guint k = 0; k < i; k++) {
            if (strcmp(choices[i], choices[k]) == 0) {
                return wl_refuse(error, "choices[%u] = '%s' is there twice", i + 1,
                                 choices[i]);
            }
        }
    }
    return true;
}

static bool check_range(const WlParameterSpec *spec, GError **error)
{
    if (spec->type == WL_PARAM_NUMBER &&
        ((spec->has_minimum && !isfinite(spec->minimum)) ||
         (spec->has_maximum && !isfinite(spec->maximum)))) {
        return wl_refuse(error, "min and max must be finite");
    }
    bool is_empty = spec->type == WL_PARAM_INTEGER ? spec->least > spec->most
                                                   : spec->minimum > spec->maximum;
    if (spec->has_minimum && spec->has_maximum && is_empty) {
        return wl_refuse(error, "min is greater than max");
    }
    return true;
}

static bool check_spec(const WlParameterSpec *spec, GError **error)
{
    if (!is_name(spec->name)) {
        g_autofree char *shown = quote_word(spec->name);
        return wl_refuse(error,
                         "name = '%s', expected letters, digits and '_' (at most %d), "
                         "not a digit first",
                         shown, NAME_BYTES);
    }
    if (!is_one_line(spec->help)) {
        return wl_refuse(error, "help must be one line of text");
    }
    return check_range(spec, error) &&
           (spec->type != WL_PARAM_CHOICE || check_choices(spec->choices, error));
}

static char *range_text(const WlParameter *self, const char *noun)
{
    g_autofree char *least = NULL;
    g_autofree char *most = NULL;
    if (self->spec.type == WL_PARAM_INTEGER) {
        least = g_strdup_printf("%" G_GINT64_FORMAT, self->spec.least);
        most = g_strdup_printf("%" G_GINT64_FORMAT, self->spec.most);
    } else {
        least = number_format_double(self->spec.minimum);
        most = number_format_double(self->spec.maximum);
    }
    if (self->spec.has_minimum && self->spec.has_maximum) {
        return g_strdup_printf("%s in %s..%s", noun, least, most);
    }
    if (self->spec.has_minimum) {
        return g_strdup_printf("%s of at least %s", noun, least);
    }
    if (self->spec.has_maximum) {
        return g_strdup_printf("%s of at most %s", noun, most);
    }
    return g_strdup(noun);
}

char *parameter_allowed(const WlParameter *self)
{
    switch (self->spec.type) {
    case WL_PARAM_INTEGER:
        return range_text(self, "an integer");
    case WL_PARAM_NUMBER:
        return range_text(self, "a number");
    case WL_PARAM_TEXT:
        return g_strdup("text in UTF-8");
    case WL_PARAM_SWITCH:
        return g_strdup("on or off");
    case WL_PARAM_CHOICE: {
        g_autofree char *list = g_strjoinv(", ", self->choices);
        return g_strdup_printf("one of %s", list);
    }
    }
    g_assert_not_reached();
}

static bool parse_switch(const char *text, bool *is_on)
{
    static const char *const words[] = {"on",  "off", "true", "false",
                                        "yes", "no",  "1",    "0"};
    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        if (strcmp(text, words[i]) == 0) {
            *is_on = i % 2 == 0;
            return true;
        }
    }
    return false;
}

static bool parse_integer(const WlParameterSpec *spec, const char *text, Value *value)
{
    if (!number_parse_integer(text, &value->integer) ||
        (spec->has_minimum && value->integer < spec->least) ||
        (spec->has_maximum && value->integer > spec->most)) {
        return false;
    }
    value->text = g_strdup_printf("%" G_GINT64_FORMAT, value->integer);
    return true;
}

static bool parse_number(const WlParameterSpec *spec, const char *text, Value *value)
{
    if (!number_parse_double(text, &value->number) ||
        (spec->has_minimum && value->number < spec->minimum) ||
        (spec->has_maximum && value->number > spec->maximum)) {
        return false;
    }
    value->text = number_format_double(value->number);
    return true;
}

static bool parse_value(const WlParameter *self, const char *text, Value *value)
{
    switch (self->spec.type) {
    case WL_PARAM_INTEGER:
        return parse_integer(&self->spec, text, value);
    case WL_PARAM_NUMBER:
        return parse_number(&self->spec, text, value);
    case WL_PARAM_SWITCH:
        if (!parse_switch(text, &value->is_on)) {
            return false;
        }
        value->text = g_strdup(value->is_on ? "on" : "off");
        return true;
    case WL_PARAM_CHOICE:
        if (!g_strv_contains((const char *const *) self->choices, text)) {
            return false;
        }
        value->text = g_strdup(text);
        return true;
    case WL_PARAM_TEXT:
        if (!g_utf8_validate(text, -1, NULL)) {
            return false;
        }
        value->text = g_strdup(text);
        return true;
    }
    g_assert_not_reached();
}

/* `what` is how the message calls the value: the parameter's name, or "default". */
static bool
assign(WlParameter *self, const char *what, const char *text, GError **error)
{
    Value value = {0};
    if (!parse_value(self, text, &value)) {
        g_autofree char *shown = quote_word(text);
        g_autofree char *allowed = parameter_allowed(self);
        return sim_fail(error, WL_ERROR, WL_ERROR_KEY, "%s = %s, expected %s", what,
                        *shown == '\0' ? "(nothing)" : shown, allowed);
    }
    g_free(self->value.text);
    self->value = value;
    self->view.value_text = value.text;
    return true;
}

static void fill_view(WlParameter *self)
{
    const WlParameterSpec *spec = &self->spec;
    bool is_integer = spec->type == WL_PARAM_INTEGER;
    double minimum = is_integer ? (double) spec->least : spec->minimum;
    double maximum = is_integer ? (double) spec->most : spec->maximum;
    self->view.name = self->name;
    self->view.type = spec->type;
    self->view.help = self->help;
    self->view.default_text = self->default_text;
    self->view.has_range = spec->has_minimum || spec->has_maximum;
    self->view.minimum = spec->has_minimum ? minimum : -INFINITY;
    self->view.maximum = spec->has_maximum ? maximum : INFINITY;
    self->view.choices = (const char *const *) self->choices;
}

WlParameter *
parameter_new(const WlParameterSpec *spec, const char *default_text, GError **error)
{
    if (!check_spec(spec, error)) {
        return NULL;
    }
    g_autoptr(WlParameter) self = g_new0(WlParameter, 1);
    self->spec = *spec;
    self->name = g_strdup(spec->name);
    self->help = g_strdup(spec->help);
    if (spec->type == WL_PARAM_CHOICE) {
        self->choices = g_strdupv((char **) spec->choices);
    }
    self->spec.name = self->name;
    self->spec.help = self->help;
    self->spec.choices = (const char *const *) self->choices;
    GError *refused = NULL;
    if (!assign(self, "default", default_text, &refused)) {
        /* A wrong default is the script's mistake, not the user's. */
        refused->code = WL_ERROR_SYNTAX;
        g_propagate_error(error, refused);
        return NULL;
    }
    self->default_text = g_strdup(self->value.text);
    fill_view(self);
    return g_steal_pointer(&self);
}

void parameter_free(WlParameter *self)
{
    if (self != NULL) {
        g_free(self->name);
        g_free(self->help);
        g_strfreev(self->choices);
        g_free(self->default_text);
        g_free(self->value.text);
        g_free(self);
    }
}

const WlParam *parameter_view(const WlParameter *self)
{
    return &self->view;
}

gint64 parameter_integer(const WlParameter *self)
{
    g_return_val_if_fail(self->spec.type == WL_PARAM_INTEGER, 0);
    return self->value.integer;
}

double parameter_number(const WlParameter *self)
{
    g_return_val_if_fail(self->spec.type == WL_PARAM_NUMBER, 0);
    return self->value.number;
}

bool parameter_is_on(const WlParameter *self)
{
    g_return_val_if_fail(self->spec.type == WL_PARAM_SWITCH, false);
    return self->value.is_on;
}

const char *parameter_text(const WlParameter *self)
{
    g_return_val_if_fail(
        self->spec.type == WL_PARAM_TEXT || self->spec.type == WL_PARAM_CHOICE, "");
    return self->value.text;
}

/* Fails with WL_ERROR_KEY and leaves the old value. */
static bool parameter_set(WlParameter *self, const char *text, GError **error)
{
    if (!assign(self, self->name, text, error)) {
        return false;
    }
    self->view.is_set = true;
    return true;
}

enum {
    COMPARED_BYTES = 64, /* longer words are not worth a suggestion */
};

/* Levenshtein's distance: insertions, deletions and replacements. */
static guint distance(const char *a, const char *b)
{
    size_t b_length = strlen(b);
    guint row[COMPARED_BYTES + 1];
    for (size_t k = 0; k <= b_length; k++) {
        row[k] = sim_u32(k);
    }
    for (size_t i = 0; a[i] != '\0'; i++) {
        guint diagonal = row[0];
        row[0] = sim_u32(i) + 1;
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
    guint least = 1 + sim_u32(length) / 3;
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
        return sim_fail(error, WL_ERROR, WL_ERROR_KEY, "'%s' has no name before '='",
                        shown);
    }
    g_autofree char *name = g_strndup(word, (gsize) (equals - word));
    WlParameter *parameter = assignment_find(parameters, name);
    if (parameter == NULL) {
        return refuse_unknown(parameters, name, error);
    }
    if (parameter_view(parameter)->is_set) {
        g_autofree char *shown = quote_word(word);
        g_autofree char *before = quote_word(parameter_view(parameter)->value_text);
        return sim_fail(error, WL_ERROR, WL_ERROR_KEY,
                        "'%s': %s is set twice, it is '%s' already", shown, name,
                        before);
    }
    return parameter_set(parameter, equals + 1, error);
}
