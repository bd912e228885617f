/* Folds the lines of waiters that differ only in who waits, and since when. */
#include "sim/alike.h"

#include <string.h>

#include "sim/narrow.h"

/* Past the digits and commas at `text`. */
static const char *skip_numbers(const char *text)
{
    return text + strspn(text, "0123456789,");
}

char *sim_alike_key(const char *line)
{
    static const char since[] = "cycle ";
    GString *key = g_string_new(NULL);

    while (*line != '\0' && *line != '\n') {
        const char *numbers = *line == '[' ? line + 1 : NULL;

        if (g_str_has_prefix(line, since)) {
            numbers = line + strlen(since);
        }
        g_string_append_c(key, *line);
        line = numbers != NULL ? skip_numbers(numbers) : line + 1;
    }
    return g_string_free(key, FALSE);
}

char *sim_alike_line(const char *line, guint count)
{
    const char *bracket = strchr(line, '[');
    const char *after = bracket != NULL ? strchr(bracket, ']') : NULL;

    if (count < 2 || after == NULL) {
        return g_strdup(line);
    }
    const gsize kind = (gsize) (bracket - line);
    g_autofree char *first = g_strndup(line, (gsize) (after + 1 - line));
    g_autofree char *noun =
        kind == 2 ? g_ascii_strup(line, 2) : g_strndup(line, kind); /* a PE */

    return g_strdup_printf("%u %ss like %s%s%s", count, noun, first,
                           after[1] == '.' ? ": " : "", after + 1 + (after[1] == '.'));
}

/* How many a line is about. */
static guint count_of(const char *line)
{
    return g_ascii_isdigit(*line) ? sim_u32(g_ascii_strtoull(line, NULL, 10)) : 1;
}

guint sim_alike_fold(GPtrArray *lines)
{
    g_autoptr(GHashTable) counts =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GPtrArray) keys = g_ptr_array_new_with_free_func(g_free);
    guint total = 0;
    guint kept = 0;

    for (guint i = 0; i < lines->len; i++) {
        const char *line = g_ptr_array_index(lines, i);
        char *key = sim_alike_key(line);
        const guint before = GPOINTER_TO_UINT(g_hash_table_lookup(counts, key));

        total += count_of(line);
        g_ptr_array_add(keys, key);
        (void) g_hash_table_insert(counts, g_strdup(key), GUINT_TO_POINTER(before + 1));
    }
    for (guint i = 0; i < lines->len; i++) {
        char *line = g_ptr_array_index(lines, i);
        const char *key = g_ptr_array_index(keys, i);
        const guint count = GPOINTER_TO_UINT(g_hash_table_lookup(counts, key));

        if (count > 0) {
            g_ptr_array_index(lines, kept++) = sim_alike_line(line, count);
            (void) g_hash_table_remove(counts, key);
        }
        g_free(line);
    }
    for (guint i = kept; i < lines->len; i++) {
        g_ptr_array_index(lines, i) = NULL;
    }
    g_ptr_array_set_size(lines, sim_i32(kept));
    return total;
}
