/* Reads and computes formulas. */
#include "traces/suite/formula.h"

#include <math.h>
#include <string.h>

#include "traces/error.h"

enum {
    DEPTH = 32, /* of brackets */
    SHOWN = 20, /* bytes of the rest in a message */
};

typedef struct {
    const char *rest;
    guint depth;
    TraceFormulaFunc number_of;
    gpointer data;
} Reader;

static bool read_sum(Reader *self, double *value, GError **error);

static void skip_spaces(Reader *self)
{
    self->rest += strspn(self->rest, " ");
}

/* Takes the next letter where it is one of `letters`; 0 where it is not. */
static char take(Reader *self, const char *letters)
{
    skip_spaces(self);
    if (*self->rest == '\0' || strchr(letters, *self->rest) == NULL) {
        return '\0';
    }
    return *self->rest++;
}

static bool refuse(const Reader *self, const char *expected, GError **error)
{
    g_autofree char *start = g_strndup(self->rest, SHOWN);
    g_autofree char *shown = g_strescape(start, NULL);

    return trace_refuse(error, "expected %s at '%s'", expected, shown);
}

static bool read_brackets(Reader *self, double *value, GError **error)
{
    if (self->depth == DEPTH) {
        return refuse(self, "fewer brackets in brackets", error);
    }
    self->depth++;
    if (!read_sum(self, value, error)) {
        return false;
    }
    self->depth--;
    return take(self, ")") != '\0' || refuse(self, ") or an operator", error);
}

static bool read_number(Reader *self, double *value, GError **error)
{
    char *end;

    *value = g_ascii_strtod(self->rest, &end);
    if (!isfinite(*value)) {
        return refuse(self, "a finite number", error);
    }
    self->rest = end;
    return true;
}

static bool read_name(Reader *self, double *value, GError **error)
{
    gsize length = 1;

    while (g_ascii_isalnum(self->rest[length]) || self->rest[length] == '_' ||
           self->rest[length] == '.') {
        length++;
    }
    g_autofree char *name = g_strndup(self->rest, length);

    self->rest += length;
    return self->number_of(self->data, name, value) ||
           trace_refuse(error, "no number %s", name);
}

static bool read_operand(Reader *self, double *value, GError **error)
{
    if (take(self, "(") != '\0') {
        return read_brackets(self, value, error);
    }
    if (g_ascii_isdigit(*self->rest)) {
        return read_number(self, value, error);
    }
    if (g_ascii_isalpha(*self->rest) || *self->rest == '_') {
        return read_name(self, value, error);
    }
    return refuse(self, "a number, a name or (", error);
}

static bool read_product(Reader *self, double *value, GError **error)
{
    char sign;

    *value = 0;
    if (!read_operand(self, value, error)) {
        return false;
    }
    while ((sign = take(self, "*/")) != '\0') {
        double factor = 0;

        if (!read_operand(self, &factor, error)) {
            return false;
        }
        *value = sign == '*' ? *value * factor : *value / factor;
    }
    return true;
}

/* The depth is bounded. */
static bool read_sum(Reader *self, double *value, GError **error)
{
    char sign;

    *value = 0;
    if (!read_product(self, value, error)) {
        return false;
    }
    while ((sign = take(self, "+-")) != '\0') {
        double term = 0;

        if (!read_product(self, &term, error)) {
            return false;
        }
        *value += sign == '+' ? term : -term;
    }
    return true;
}

static bool read_all(Reader *self, double *value, GError **error)
{
    if (!read_sum(self, value, error)) {
        return false;
    }
    return *self->rest == '\0' || refuse(self, "an operator or the end", error);
}

static bool number_of_any(gpointer data, const char *name, double *value)
{
    (void) data;
    (void) name;
    *value = 1;
    return true;
}

bool trace_formula_check(const char *text, GError **error)
{
    Reader reader = {.rest = text, .number_of = number_of_any};
    double value;

    return read_all(&reader, &value, error);
}

bool trace_formula_value(const char *text,
                         TraceFormulaFunc number_of,
                         gpointer data,
                         double *value,
                         GError **error)
{
    Reader reader = {.rest = text, .number_of = number_of, .data = data};
    double computed = NAN;

    if (!read_all(&reader, &computed, error)) {
        return false;
    }
    if (!isfinite(computed)) {
        return trace_refuse(error, "%s is no number", text);
    }
    *value = computed;
    return true;
}
