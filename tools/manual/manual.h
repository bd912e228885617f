/* Manual pages and completion, made of the list of commands and their options. */
#pragma once

#include <glib.h>

#include "tools/gridloom/command.h"

/* What a function is told about a command: its entry in a menu, and that menu. */
typedef void (*ManualVisitFunc)(const CommandMenu *menu,
                                const CommandMenuEntry *entry,
                                gpointer data);

/* Visits all entries, those of menus below after the menu's own. */
void manual_visit(const CommandMenu *menu, ManualVisitFunc func, gpointer data);

/* "noc transfer", of an entry of the menu noc; the caller frees it. */
char *manual_entry_name(const CommandMenu *menu, const CommandMenuEntry *entry);

/* All rows of the command but that of its words, as pointers to const Option; then
 * those that only its command for files has. */
GPtrArray *manual_rows(const Command *command);
GPtrArray *manual_entry_rows(const CommandMenuEntry *entry);

/* The row of its words; NULL: it takes none. */
const Option *manual_words(const Command *command);

/* Names that a value may be: words of the row, or those that its argument lists, such
 * as on|off. Ends with NULL; the caller frees it. */
char **manual_values(const Option *row);

/* The page of the program, of a menu or of a command, in roff; the caller frees it. */
char *manual_program_page(const CommandMenu *commands);
char *manual_entry_page(const CommandMenu *menu, const CommandMenuEntry *entry);

/* Is a value a file, too, where it may be one of manual_values()? */
bool manual_has_files(const Option *row);

/* Is a value several names, with commas between them? */
bool manual_is_list(const Option *row);

/* The template with a text in place of each line that is one of `places`, a list that
 * ends with NULL. The caller frees it. */
char *manual_fill(const char *template, const char *const *places, char *const *texts);

/* Scripts that complete command lines in bash and in zsh, of their templates; the
 * caller frees them. */
char *manual_bash(const CommandMenu *commands, const char *template);
char *manual_zsh(const CommandMenu *commands, const char *template);
