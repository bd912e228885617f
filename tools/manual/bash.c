/* Fills the tables of the script that completes command lines in bash. */
#include "tools/manual/manual.h"

static void add_case(GString *cases, const char *of, const char *words)
{
    g_string_append_printf(cases, "    '%s') echo '%s' ;;\n", of, words);
}

static void add_menu(GString *cases, const CommandMenu *menu)
{
    g_autoptr(GString) words = g_string_new(NULL);

    for (const CommandMenuEntry *entry = menu->entries; entry->name != NULL; entry++) {
        g_string_append_printf(words, "%s%s", words->len > 0 ? " " : "", entry->name);
    }
    add_case(cases, menu->name, words->str);
}

static void add_menu_of(const CommandMenu *menu G_GNUC_UNUSED,
                        const CommandMenuEntry *entry,
                        gpointer data)
{
    if (entry->menu != NULL) {
        add_menu(data, entry->menu);
    }
}

static void
add_options(const CommandMenu *menu, const CommandMenuEntry *entry, gpointer data)
{
    g_autofree char *name = manual_entry_name(menu, entry);
    g_autoptr(GPtrArray) rows = NULL;
    g_autoptr(GString) words = g_string_new(NULL);

    if (entry->menu != NULL) {
        return;
    }
    rows = manual_entry_rows(entry);
    for (guint i = 0; i < rows->len; i++) {
        const Option *row = g_ptr_array_index(rows, i);
        const char *value = row->argument != NULL ? "=" : "";

        g_string_append_printf(words, "%s--%s%s", i > 0 ? " " : "", row->name, value);
        if (row->letter != '\0') {
            g_string_append_printf(words, " -%c%s", row->letter, value);
        }
    }
    add_case(data, name, words->str);
}

/* The allowed values: words, or names of a kind; "" for files. */
static char *value_text(const Option *row)
{
    static const char *const kinds[] = {
        [OPTION_NAMES_FILES] = "",
        [OPTION_NAMES_CHIPS] = "@chips",
        [OPTION_NAMES_SYSTEMS] = "@systems",
        [OPTION_NAMES_WORKLOADS] = "@workloads",
        [OPTION_NAMES_CHIPS_AND_WORKLOADS] = "@chips @workloads",
        [OPTION_NAMES_SUITES] = "@suites",
    };
    g_auto(GStrv) values = manual_values(row);
    const char *kind = kinds[row->names];
    g_autofree char *words = g_strjoinv(" ", values);

    return values[0] != NULL
               ? g_strconcat(words, manual_has_files(row) ? " @files" : "", NULL)
               : g_strconcat(kind, *kind != '\0' && manual_is_list(row) ? "," : "",
                             NULL);
}

static void add_value(GString *cases, const char *name, const Option *row)
{
    g_autofree char *text = value_text(row);
    g_autofree char *option = g_strconcat(name, " --", row->name, NULL);

    if (*text == '\0') {
        return;
    }
    add_case(cases, *row->name != '\0' ? option : name, text);
    if (row->letter != '\0') {
        g_autofree char *short_option = g_strdup_printf("%s -%c", name, row->letter);

        add_case(cases, short_option, text);
    }
}

static void
add_values(const CommandMenu *menu, const CommandMenuEntry *entry, gpointer data)
{
    g_autofree char *name = manual_entry_name(menu, entry);
    g_autoptr(GPtrArray) rows = NULL;
    const Option *words;

    if (entry->menu != NULL) {
        return;
    }
    rows = manual_entry_rows(entry);
    words = manual_words(entry->command);
    if (words != NULL) {
        add_value(data, name, words);
    }
    for (guint i = 0; i < rows->len; i++) {
        add_value(data, name, g_ptr_array_index(rows, i));
    }
}

char *manual_bash(const CommandMenu *commands, const char *template)
{
    static const char *const places[] = {"@COMMANDS@", "@OPTIONS@", "@VALUES@", NULL};
    g_autoptr(GString) menus = g_string_new(NULL);
    g_autoptr(GString) options = g_string_new(NULL);
    g_autoptr(GString) values = g_string_new(NULL);

    add_menu(menus, commands);
    manual_visit(commands, add_menu_of, menus);
    manual_visit(commands, add_options, options);
    manual_visit(commands, add_values, values);
    return manual_fill(template, places,
                       (char *const[]){menus->str, options->str, values->str});
}
