/* Goes through menus, commands and their options. */
#include <string.h>

#include "tools/manual/manual.h"

void manual_visit(const CommandMenu *menu, ManualVisitFunc func, gpointer data)
{
    for (const CommandMenuEntry *entry = menu->entries; entry->name != NULL; entry++) {
        func(menu, entry, data);
        if (entry->menu != NULL) {
            manual_visit(entry->menu, func, data);
        }
    }
}

char *manual_entry_name(const CommandMenu *menu, const CommandMenuEntry *entry)
{
    return *menu->name == '\0' ? g_strdup(entry->name)
                               : g_strdup_printf("%s %s", menu->name, entry->name);
}

GPtrArray *manual_rows(const Command *command)
{
    GPtrArray *rows = g_ptr_array_new();

    for (const OptionTable *table = command->tables; table->rows != NULL; table++) {
        for (const Option *row = table->rows; row->name != NULL; row++) {
            if (*row->name != '\0') {
                g_ptr_array_add(rows, (gpointer) row);
            }
        }
    }
    return rows;
}

static bool has_row(const GPtrArray *rows, const char *name)
{
    for (guint i = 0; i < rows->len; i++) {
        if (g_str_equal(((const Option *) g_ptr_array_index(rows, i))->name, name)) {
            return true;
        }
    }
    return false;
}

GPtrArray *manual_entry_rows(const CommandMenuEntry *entry)
{
    GPtrArray *rows = manual_rows(entry->command);

    if (entry->of_file != NULL) {
        g_autoptr(GPtrArray) more = manual_rows(entry->of_file);

        for (guint i = 0; i < more->len; i++) {
            const Option *row = g_ptr_array_index(more, i);

            if (!has_row(rows, row->name)) {
                g_ptr_array_add(rows, (gpointer) row);
            }
        }
    }
    return rows;
}

const Option *manual_words(const Command *command)
{
    for (const OptionTable *table = command->tables; table->rows != NULL; table++) {
        for (const Option *row = table->rows; row->name != NULL; row++) {
            if (*row->name == '\0') {
                return row;
            }
        }
    }
    return NULL;
}

/* A word that users type, not one that stands for others as FILE does. */
static bool is_word(const char *text)
{
    return *text != '\0' &&
           strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(text);
}

char **manual_values(const Option *row)
{
    const char *argument = row->argument != NULL ? row->argument : "";
    g_auto(GStrv) listed = g_strsplit(argument, "|", -1);
    const char *const *words = option_words(row);
    GPtrArray *values = g_ptr_array_new();

    if (words == NULL && strchr(argument, '|') != NULL) {
        words = (const char *const *) listed;
    }
    for (; words != NULL && *words != NULL; words++) {
        if (is_word(*words)) {
            g_ptr_array_add(values, g_strdup(*words));
        }
    }
    g_ptr_array_add(values, NULL);
    return (char **) g_ptr_array_free(values, FALSE);
}

bool manual_has_files(const Option *row)
{
    return row->argument != NULL && strstr(row->argument, "FILE") != NULL;
}

bool manual_is_list(const Option *row)
{
    return row->argument != NULL && g_str_has_prefix(row->argument, "A,B");
}

char *manual_fill(const char *template, const char *const *places, char *const *texts)
{
    g_auto(GStrv) lines = g_strsplit(template, "\n", -1);

    for (char **line = lines; *line != NULL; line++) {
        for (guint i = 0; places[i] != NULL; i++) {
            if (g_str_equal(*line, places[i])) {
                g_free(*line);
                *line = g_strchomp(g_strdup(texts[i]));
                break;
            }
        }
    }
    return g_strjoinv("\n", lines);
}
