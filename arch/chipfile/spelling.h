/* How far a misspelt word is from the words that it may have meant. */
#pragma once

#include <glib.h>

/* Letters to insert, delete or replace; G_MAXUINT if a word is too long to compare. */
guint arch_spelling_distance(const char *from, const char *to);

/* The word of a list that ends with NULL that is nearest to `word`, the first of
 * several. */
const char *arch_spelling_nearest(const char *const *words, const char *word);
