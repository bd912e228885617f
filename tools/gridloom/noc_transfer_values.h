/* Values on the command lines of network experiments: read, or refused in one line. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* Sets "option = text, allowed is ..."; returns false. */
bool noc_value_refuse(const char *option,
                      const char *text,
                      const char *allowed,
                      GError **error);

/* The readers leave `value` alone where `text` is NULL. They fail with G_OPTION_ERROR.
 */
bool noc_value_count(const char *text,
                     const char *option,
                     uint64_t minimum,
                     uint64_t maximum,
                     uint64_t *value,
                     GError **error);

/* Which of `words`, a list that ends with NULL. */
bool noc_value_word(const char *text,
                    const char *option,
                    const char *const *words,
                    guint *value,
                    GError **error);

/* on or off. */
bool noc_value_switch(const char *text,
                      const char *option,
                      bool *value,
                      GError **error);

/* Can results be written to these files, either of which may be NULL? */
bool noc_value_check_targets(const char *json, const char *heatmap, GError **error);
