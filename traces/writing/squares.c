/* Reads squares of places. */
#include "traces/writing/squares.h"

/* 3 or 0:3. */
static bool read_span(const char *text, guint *first, guint *last)
{
    g_auto(GStrv) ends = g_strsplit(text, ":", 2);
    guint64 from = 0;
    guint64 to = 0;

    if (ends[0] == NULL ||
        !g_ascii_string_to_unsigned(ends[0], 10, 0, G_MAXINT32, &from, NULL) ||
        !g_ascii_string_to_unsigned(ends[1] != NULL ? ends[1] : ends[0], 10, from,
                                    G_MAXINT32, &to, NULL)) {
        return false;
    }
    *first = (guint) from;
    *last = (guint) to;
    return true;
}

static bool read_square(const char *text, TraceSquare *square)
{
    g_auto(GStrv) spans = g_strsplit(text, ",", -1);

    return g_strv_length(spans) == 2 &&
           read_span(spans[0], &square->x, &square->x_end) &&
           read_span(spans[1], &square->y, &square->y_end);
}

GArray *trace_squares_read(const char *text)
{
    g_auto(GStrv) words = g_strsplit(text, ";", -1);
    g_autoptr(GArray) squares = g_array_new(FALSE, FALSE, sizeof(TraceSquare));

    for (char **word = words; *word != NULL; word++) {
        TraceSquare square = {0};

        if (!read_square(*word, &square)) {
            return NULL;
        }
        g_array_append_val(squares, square);
    }
    return squares->len > 0 ? g_steal_pointer(&squares) : NULL;
}

bool trace_squares_have(gconstpointer squares, guint x, guint y)
{
    const GArray *list = squares;

    for (guint i = 0; i < list->len; i++) {
        const TraceSquare *square = &g_array_index(list, TraceSquare, i);

        if (x >= square->x && x <= square->x_end && y >= square->y &&
            y <= square->y_end) {
            return true;
        }
    }
    return false;
}
