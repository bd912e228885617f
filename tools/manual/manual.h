/* Manual pages and shell completion, made from the table of commands and options. */
#pragma once

#include <glib.h>

#include "tools/gridloom/command.h"

/* Called for each command with its entry in a menu, and that menu. */
typedef void (*ManualVisitFunc)(const CommandMenu *menu,
                                const CommandMenuEntry *entry,
                                gpointer data);

/* Visits all entries; those of submenus come after their menu's own. */
void manual_visit(const CommandMenu *menu, ManualVisitFunc func, gpointer data);

/* The full name of an entry, such as "noc transfer"; the caller frees it. */
char *manual_entry_name(const CommandMenu *menu, const CommandMenuEntry *entry);

/* All rows of the command except that of its words, as pointers to const Option; then
 * the rows that only its command for files has. */
GPtrArray *manual_rows(const Command *command);
GPtrArray *manual_entry_rows(const CommandMenuEntry *entry);

/* The row of the command's words; NULL: it takes none. */
const Option *manual_words(const Command *command);

/* The names that a value may be: words of the row, or those in its argument, such as
 * on|off. NULL-terminated; the caller frees it. */
char **manual_values(const Option *row);

/* The manual page of the program, of a menu or of a command, in roff; the caller frees
 * it. */
char *manual_program_page(const CommandMenu *commands);
char *manual_entry_page(const CommandMenu *menu, const CommandMenuEntry *entry);

/* May the value be a file as well as one of manual_values()? */
bool manual_has_files(const Option *row);

/* May the value be several names, separated by commas? */
bool manual_is_list(const Option *row);

/* The template with each line that equals one of `places`, a NULL-terminated list,
 * replaced by the matching text. The caller frees it. */
char *manual_fill(const char *template, const char *const *places, char *const *texts);

/* Completion scripts for bash and zsh, made from their templates; the caller frees
 * them. */
char *manual_bash(const CommandMenu *commands, const char *template);
char *manual_zsh(const CommandMenu *commands, const char *template);
