/* Formats numbers of tables. */
#include "tools/gridloom/number_text.h"

#include <math.h>

#include <glib.h>

const char *number_text(NumberText text, const char *format, double value)
{
    return isfinite(value) ? g_ascii_formatd(text, NUMBER_TEXT_BYTES, format, value)
                           : "-";
}
