/* Formulas over named numbers: "a.b", "a+b", "1e3*a/(b-c)". */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* Looks up the number called `name`; false if there is none. */
typedef bool (*TraceFormulaFunc)(gpointer data, const char *name, double *value);

/* Is `text` a formula? It may hold numbers, names (letters, digits, _ and . after a
 * letter or _), + - * /, brackets and spaces. Fails with TRACE_ERROR_READ and says what
 * was expected where. */
bool trace_formula_check(const char *text, GError **error);

/* Evaluates a formula. Fails as trace_formula_check() does, if a name has no number, or
 * if the value is not finite (a division by 0). */
bool trace_formula_value(const char *text,
                         TraceFormulaFunc number_of,
                         gpointer data,
                         double *value,
                         GError **error);
