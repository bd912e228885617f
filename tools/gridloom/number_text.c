/* Formats numbers of tables. */
#include "tools/gridloom/number_text.h"

#include <math.h>

const char *number_text(NumberText text, const char *format, double value)
{
    return isfinite(value) ? g_ascii_formatd(text, NUMBER_TEXT_BYTES, format, value)
                           : "-";
}

void number_text_add_field(GString *line, double value)
{
    g_string_append_c(line, ',');
    if (isfinite(value)) {
        NumberText text;

        g_string_append(line, number_text(text, "%.15g", value));
    }
}
