/* Parses the names of places. */
#include "traces/reading/timeline/place_name.h"

#include <stdbool.h>
#include <string.h>

static bool read_number(const char **next, guint *number)
{
    guint64 value = 0;
    const char *digits = *next;

    while (g_ascii_isdigit(**next) && value <= G_MAXINT32) {
        value = 10 * value + (guint64) g_ascii_digit_value(*(*next)++);
    }
    *number = (guint) value;
    return *next != digits && value <= G_MAXINT32;
}

/* 3 or 0:15, and then `end`. */
static bool read_span(const char **next, guint *first, guint *last, char end)
{
    if (!read_number(next, first)) {
        return false;
    }
    *last = *first;
    if (**next == ':') {
        (*next)++;
        if (!read_number(next, last) || *last < *first) {
            return false;
        }
    }
    return *(*next)++ == end;
}

TracePlace place_name_read(const char *name, GStringChunk *strings)
{
    const char *open = strchr(name, '[');
    TracePlace place = {.name = g_string_chunk_insert_const(strings, name)};
    TracePlace spans = {0};
    const char *next = open == NULL ? NULL : open + 1;

    if (next != NULL && open != name && read_span(&next, &spans.x, &spans.x_end, ',') &&
        read_span(&next, &spans.y, &spans.y_end, ']') && *next == '\0') {
        g_autofree char *kind = g_strndup(name, (gsize) (open - name));

        spans.name = place.name;
        spans.kind = g_string_chunk_insert_const(strings, kind);
        spans.has_place = true;
        return spans;
    }
    place.kind = place.name;
    return place;
}
