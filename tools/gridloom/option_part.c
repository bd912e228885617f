/* Reads windows of time and squares of places. */
#include "tools/gridloom/option_part.h"

#include "tools/gridloom/option_value.h"
#include "traces/writing/squares.h"

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

bool option_squares(const char *text,
                    const char *option,
                    GArray **squares,
                    GError **error)
{
    if (text == NULL) {
        return true;
    }
    *squares = trace_squares_read(text);
    return *squares != NULL ||
           option_refuse(option, text,
                         "x,y or first:last,first:last, several with ; between", error);
}
