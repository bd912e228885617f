/* Reads option values from a command line, or refuses them in one line that says what
 * is allowed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/time.h"

/* Sets a G_OPTION_ERROR that concerns no single value; returns false. */
bool option_fail(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Sets "option = text, allowed is ..." as a G_OPTION_ERROR; returns false. */
bool option_refuse(const char *option,
                   const char *text,
                   const char *allowed,
                   GError **error);

/* The readers leave `value` unchanged if `text` is NULL, as the option was not given.
 * They fail with G_OPTION_ERROR. */

/* As quantity_read_count() reads it. */
bool option_count(const char *text,
                  const char *option,
                  uint64_t minimum,
                  uint64_t maximum,
                  uint64_t *value,
                  GError **error);

/* The index of `text` in `words`, a NULL-terminated list. */
bool option_word(const char *text,
                 const char *option,
                 const char *const *words,
                 guint *value,
                 GError **error);

#define OPTION_VALUES "NAME=VALUE,VALUE,..."
/* Splits such a text into name and values, which the caller frees; single values may be
 * empty. `text` is not NULL. */
bool option_values(
    const char *text, const char *option, char **name, char ***values, GError **error);

/* For parts of values; these return false without an error. */

/* A finite number. */
bool option_is_number(const char *text, double *value);

/* Two whole numbers around the separator, each at most G_MAXINT32. */
bool option_is_pair(const char *text, const char *separator, guint pair[2]);

/* "8192x8192": `count` whole numbers, each in 1..most. `sizes` may be partly set on
 * failure. */
bool option_is_sizes(const char *text, guint count, uint64_t most, uint64_t *sizes);

/* FROM:TO in cycles, FROM below TO; an empty one leaves its value unchanged. */
bool option_window(
    const char *text, const char *option, SimTime *from, SimTime *to, GError **error);

/* An array of TraceSquare, made by trace_squares_read(); the caller frees it. */
bool option_squares(const char *text,
                    const char *option,
                    GArray **squares,
                    GError **error);
