/* Values of options on a command line: read, or refused in one line that says what is
 * allowed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/time.h"

/* Sets a G_OPTION_ERROR about what no single value is to blame for; returns false. */
bool option_fail(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Sets "option = text, allowed is ..." as a G_OPTION_ERROR; returns false. */
bool option_refuse(const char *option,
                   const char *text,
                   const char *allowed,
                   GError **error);

/* The readers leave `value` alone where `text` is NULL: the option was not given. They
 * fail with G_OPTION_ERROR. */

/* A whole number in minimum..maximum, digits only. */
bool option_count(const char *text,
                  const char *option,
                  uint64_t minimum,
                  uint64_t maximum,
                  uint64_t *value,
                  GError **error);

/* Which of `words`, a list that ends with NULL. */
bool option_word(const char *text,
                 const char *option,
                 const char *const *words,
                 guint *value,
                 GError **error);

#define OPTION_VALUES "NAME=VALUE,VALUE,..."
/* The same, split; single values may be empty. `text` is not NULL; the caller frees
 * name and values. */
bool option_values(
    const char *text, const char *option, char **name, char ***values, GError **error);

/* For parts of values; they say nothing where the text is something else. */

/* A finite number. */
bool option_is_number(const char *text, double *value);

/* Two whole numbers with the separator between them, each at most G_MAXINT32. */
bool option_is_pair(const char *text, const char *separator, guint pair[2]);

/* "8192x8192": `count` whole numbers, each in 1..most. Sizes may have been set where it
 * is something else. */
bool option_is_sizes(const char *text, guint count, uint64_t most, uint64_t *sizes);

/* FROM:TO in cycles, FROM below TO; either may be empty and is then left alone. */
bool option_window(
    const char *text, const char *option, SimTime *from, SimTime *to, GError **error);

/* An array of TraceSquare, as trace_squares_read() makes it; the caller frees it. */
bool option_squares(const char *text,
                    const char *option,
                    GArray **squares,
                    GError **error);
