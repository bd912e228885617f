/* Numbers of tables, in a place that the caller has: for rows of many. */
#pragma once

#include <glib.h>

enum {
    CMD_NUMBER_TEXT_BYTES = 40,
};

typedef char CmdNumberText[CMD_NUMBER_TEXT_BYTES];

/* Formats a number in the C locale and returns `text`; "-" where it is not finite. */
const char *cmd_number_text(CmdNumberText text, const char *format, double value);

/* Adds a comma and the number to a line of CSV; nothing behind the comma where it is
 * not finite. */
void cmd_number_text_add_field(GString *line, double value);
