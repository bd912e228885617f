/* Formulas over named numbers: "a.b", "a+b", "1e3*a/(b-c)". */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* The number called `name`; false where there is none. */
typedef bool (*TraceFormulaFunc)(gpointer data, const char *name, double *value);

/* Is it one? Numbers, names (letters, digits, _ and . behind a letter or _), + - * /,
 * brackets and spaces. Fails with TRACE_ERROR_READ, saying what was expected where. */
bool trace_formula_check(const char *text, GError **error);

/* Its value. Fails as trace_formula_check(), where a name has no number, and where the
 * value is none (a division by 0). */
bool trace_formula_value(const char *text,
                         TraceFormulaFunc number_of,
                         gpointer data,
                         double *value,
                         GError **error);
