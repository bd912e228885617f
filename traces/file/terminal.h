/* Text on terminals: control characters are shown, not obeyed. */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* The text with \xHH for every control character but line ends and tabs; UTF-8 stays.
 * The caller frees it. */
char *trace_terminal_text(const char *text);

/* From now on, text that the program prints to a terminal is changed likewise: it may
 * come from files and scripts of others. */
void trace_terminal_guard(void);

/* Empties the line of standard error that the cursor is in. */
void trace_terminal_erase_line(void);

/* Draws a line there, without an end, that gives way to whatever the program prints
 * next; and whether it is still there. */
void trace_terminal_draw_line(const char *text);
bool trace_terminal_has_line(void);
