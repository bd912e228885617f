/* Fills the tables of the script that completes command lines in zsh. */
#include "tools/manual/manual.h"

/* For single quotes, in which zsh's functions take a colon for their own. */
static void append_quoted(GString *script, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            g_string_append(script, "'\\''");
        } else if (*text == ':') {
            g_string_append(script, "\\:");
        } else {
            g_string_append_c(script, *text);
        }
    }
}

static void add_menu(GString *cases, const CommandMenu *menu)
{
    g_string_append_printf(cases, "    '%s') list=(\n", menu->name);
    for (const CommandMenuEntry *entry = menu->entries; entry->name != NULL; entry++) {
        g_string_append_printf(cases, "        '%s:", entry->name);
        append_quoted(cases, entry->help);
        g_string_append(cases, "'\n");
    }
    g_string_append(cases, "    ) ;;\n");
}

static void add_menu_of(const CommandMenu *menu G_GNUC_UNUSED,
                        const CommandMenuEntry *entry,
                        gpointer data)
{
    if (entry->menu != NULL) {
        add_menu(data, entry->menu);
    }
}

/* ":what it is called:what it may be" */
static void add_value(GString *cases, const Option *row)
{
    static const char *const kinds[] = {
        [OPTION_NAMES_CHIPS] = "chips",
        [OPTION_NAMES_SYSTEMS] = "systems",
        [OPTION_NAMES_WORKLOADS] = "workloads",
        [OPTION_NAMES_CHIPS_AND_WORKLOADS] = "chips workloads",
        [OPTION_NAMES_SUITES] = "suites",
    };
    g_auto(GStrv) values = manual_values(row);
    g_autofree char *words = g_strjoinv(" ", values);

    g_string_append_c(cases, ':');
    append_quoted(cases, row->argument != NULL ? row->argument : "word");
    if (values[0] != NULL && manual_has_files(row)) {
        g_string_append_printf(cases, ":{compadd %s; _files}", words);
    } else if (values[0] != NULL) {
        g_string_append_printf(cases, ":(%s)", words);
    } else if (row->names == OPTION_NAMES_FILES) {
        g_string_append(cases, ":_files");
    } else {
        g_string_append_printf(cases, ": _gridloom_%s %s",
                               manual_is_list(row) ? "list" : "names",
                               kinds[row->names]);
    }
}

static void add_spec(GString *cases, const Option *row)
{
    const char *value = row->argument != NULL ? "=" : "";
    const bool is_repeated = row->type == OPTION_TYPE_TEXTS;

    g_string_append(cases, "        ");
    if (row->letter != '\0') {
        g_autofree char *others = g_strdup_printf("(-%c --%s)", row->letter, row->name);

        g_string_append_printf(cases, "'%s'{-%c,--%s%s}'", is_repeated ? "*" : others,
                               row->letter, row->name, value);
    } else {
        g_string_append_printf(cases, "'%s--%s%s", is_repeated ? "*" : "", row->name,
                               value);
    }
    g_string_append_c(cases, '[');
    append_quoted(cases, row->help);
    g_string_append_c(cases, ']');
    if (row->argument != NULL) {
        add_value(cases, row);
    }
    g_string_append(cases, "'\n");
}

static void
add_specs(const CommandMenu *menu, const CommandMenuEntry *entry, gpointer data)
{
    g_autofree char *name = manual_entry_name(menu, entry);
    g_autoptr(GPtrArray) rows = NULL;
    const Option *words;
    GString *cases = data;

    if (entry->menu != NULL) {
        return;
    }
    rows = manual_entry_rows(entry);
    words = manual_words(entry->of_file != NULL ? entry->of_file : entry->command);
    g_string_append_printf(cases, "    '%s') specs=(\n", name);
    for (guint i = 0; i < rows->len; i++) {
        add_spec(cases, g_ptr_array_index(rows, i));
    }
    if (words != NULL) {
        g_string_append(cases, "        '*");
        add_value(cases, words);
        g_string_append(cases, "'\n");
    }
    g_string_append(cases, "    ) ;;\n");
}

char *manual_zsh(const CommandMenu *commands, const char *template)
{
    static const char *const places[] = {"@COMMANDS@", "@SPECS@", NULL};
    g_autoptr(GString) menus = g_string_new(NULL);
    g_autoptr(GString) specs = g_string_new(NULL);

    add_menu(menus, commands);
    manual_visit(commands, add_menu_of, menus);
    manual_visit(commands, add_specs, specs);
    return manual_fill(template, places, (char *const[]){menus->str, specs->str});
}
