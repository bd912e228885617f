/* Reads windows of time and squares of places. */
#include "tools/gridloom/option_part.h"

#include <string.h>

#include "tools/gridloom/option_value.h"

bool option_window(
    const char *text, const char *option, SimTime *from, SimTime *to, GError **error)
{
    static const char allowed[] = "FROM:TO in cycles, FROM below TO, either may be "
                                  "left out";
    g_auto(GStrv) ends = text != NULL ? g_strsplit(text, ":", -1) : NULL;
    guint64 first = 0;
    guint64 last = 0;

    if (text == NULL) {
        return true;
    }
    if (g_strv_length(ends) != 2 ||
        (*ends[0] != '\0' &&
         !g_ascii_string_to_unsigned(ends[0], 10, 0, G_MAXINT64, &first, NULL)) ||
        (*ends[1] != '\0' && !g_ascii_string_to_unsigned(ends[1], 10, first + 1,
                                                         G_MAXINT64, &last, NULL))) {
        return option_refuse(option, text, allowed, error);
    }
    *from = *ends[0] != '\0' ? first : *from;
    *to = *ends[1] != '\0' ? last : *to;
    return true;
}

/* 3 or 0:3. */
static bool read_span(const char *text, guint *first, guint *last)
{
    guint pair[2];
    guint64 one = 0;

    if (strchr(text, ':') != NULL) {
        if (!option_is_pair(text, ":", pair) || pair[0] > pair[1]) {
            return false;
        }
        *first = pair[0];
        *last = pair[1];
        return true;
    }
    if (!g_ascii_string_to_unsigned(text, 10, 0, G_MAXINT32, &one, NULL)) {
        return false;
    }
    *first = (guint) one;
    *last = (guint) one;
    return true;
}

static bool read_square(const char *text, TraceSquare *square)
{
    g_auto(GStrv) spans = g_strsplit(text, ",", -1);

    return g_strv_length(spans) == 2 &&
           read_span(spans[0], &square->x, &square->x_end) &&
           read_span(spans[1], &square->y, &square->y_end);
}

bool option_squares(const char *text,
                    const char *option,
                    GArray **squares,
                    GError **error)
{
    g_auto(GStrv) words = text != NULL ? g_strsplit(text, ";", -1) : NULL;
    g_autoptr(GArray) read = g_array_new(FALSE, FALSE, sizeof(TraceSquare));

    if (text == NULL) {
        return true;
    }
    for (char **word = words; *word != NULL; word++) {
        TraceSquare square = {0};

        if (!read_square(*word, &square)) {
            g_array_set_size(read, 0);
            break;
        }
        g_array_append_val(read, square);
    }
    if (read->len == 0) {
        return option_refuse(option, text,
                             "x,y or first:last,first:last, several with ; between",
                             error);
    }
    *squares = g_steal_pointer(&read);
    return true;
}

bool option_squares_have(const GArray *squares, guint x, guint y)
{
    for (guint i = 0; squares != NULL && i < squares->len; i++) {
        const TraceSquare *square = &g_array_index(squares, TraceSquare, i);

        if (x >= square->x && x <= square->x_end && y >= square->y &&
            y <= square->y_end) {
            return true;
        }
    }
    return squares == NULL;
}
