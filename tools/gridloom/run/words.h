/* Words of a run of this program, as process.h takes them, one after another. */
#pragma once

#include <stdint.h>

#include <glib.h>

/* Adds the option and its value; nothing where that is NULL. Where the option is NULL,
 * the value is a word of its own. */
void cmd_run_words_option(GPtrArray *words, const char *option, const char *value);

/* The same for a number, and for each of a list, which ends with NULL or is NULL. */
void cmd_run_words_count(GPtrArray *words, const char *option, uint64_t count);
void cmd_run_words_each(GPtrArray *words, const char *option, char *const *values);

/* Frees the array; the caller frees the words, with g_strfreev(). */
char **cmd_run_words_end(GPtrArray *words);
