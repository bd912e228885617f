/* Numbers as users type them: decimal, exact, finite. */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* Plain decimal digits with an optional sign ("64"), or a decimal that is exactly an
 * integer ("1e3", "2.50e1"). False, and *value untouched, for everything else and
 * for what does not fit 64 bits. */
bool number_parse_integer(const char *text, gint64 *value);

/* A decimal number with an optional fraction and exponent. False for hexadecimal,
 * infinities, NaN, overflow, and for a nonzero number that would become zero. */
bool number_parse_double(const char *text, double *value);

/* The shortest text that reads back as the same number. The caller frees it. */
char *number_format_double(double value);
