/* Compares the spelling of words, by edit distance. */
#include "arch/chipfile/spelling.h"

#include <string.h>

/* Names longer than this are not worth a comparison. */
#define NAME_LIMIT 64

guint arch_spelling_distance(const char *from, const char *to)
{
    gsize from_length = strlen(from);
    gsize to_length = strlen(to);
    guint row[NAME_LIMIT + 1];

    if (from_length > NAME_LIMIT || to_length > NAME_LIMIT) {
        return G_MAXUINT;
    }
    for (guint j = 0; j <= to_length; j++) {
        row[j] = j;
    }
    for (guint i = 1; i <= from_length; i++) {
        guint diagonal = row[0];

        row[0] = i;
        for (guint j = 1; j <= to_length; j++) {
            guint change = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);

            diagonal = row[j];
            row[j] = MIN(change, MIN(row[j], row[j - 1]) + 1);
        }
    }
    return row[to_length];
}

const char *arch_spelling_nearest(const char *const *words, const char *word)
{
    const char *nearest = words[0];

    for (guint i = 1; words[i] != NULL; i++) {
        if (arch_spelling_distance(word, words[i]) <
            arch_spelling_distance(word, nearest)) {
            nearest = words[i];
        }
    }
    return nearest;
}
