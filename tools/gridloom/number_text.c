/* Formats numbers of tables. */
#include "tools/gridloom/number_text.h"

#include <math.h>

const char *cmd_number_text(CmdNumberText text, const char *format, double value)
{
    return isfinite(value) ? g_ascii_formatd(text, CMD_NUMBER_TEXT_BYTES, format, value)
                           : "-";
}

void cmd_number_text_add_field(GString *line, double value)
{
    g_string_append_c(line, ',');
    if (isfinite(value)) {
        CmdNumberText text;

        g_string_append(line, cmd_number_text(text, "%.15g", value));
    }
}
