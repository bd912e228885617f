/* Writes manual pages of the program, its menus and its commands. */
#include <stdbool.h>
#include <string.h>

#include "tools/gridloom/build_name.h"
#include "tools/manual/manual.h"

static const char exit_status[] =
    ".SH EXIT STATUS\n"
    ".TP\n0\nDone, and checked where there is a check.\n"
    ".TP\n1\nThe input is wrong: the line, a script, a file.\n"
    ".TP\n2\nThe hardware does it, but it is not modelled or not documented.\n"
    ".TP\n3\nA deadlock, or a limit was reached.\n"
    ".TP\n4\nA check failed.\n";

static const char environment[] =
    ".SH ENVIRONMENT\n"
    ".TP\n.B GRIDLOOM_PATH\n"
    "Folders with colons between them, in which chips, systems, scripts and suites "
    "are\n"
    "looked for before those of the installation.\n"
    ".TP\n.B GRIDLOOM_DATA\n"
    "Folder of measurements for\n.BR gridloom\\-validate (1).\n";

static void append(GString *page, char letter, bool is_typed)
{
    static const struct {
        char letter;
        const char *name;
    } names[] = {
        {'\\', "\\e"}, {'\'', "\\(aq"}, {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        if (letter == names[i].letter) {
            g_string_append(page, names[i].name);
            return;
        }
    }
    if (letter == '-' && is_typed) {
        g_string_append_c(page, '\\');
    }
    g_string_append_c(page, letter);
}

/* A dot at the beginning would be a request. */
static void begin_line(GString *page, const char *text)
{
    if (*text == '.') {
        g_string_append(page, "\\&");
    }
}

/* Appends words whose dashes users type literally; adds no line end. */
static void roff_literal(GString *page, const char *text)
{
    begin_line(page, text);
    for (; *text != '\0'; text++) {
        append(page, *text, true);
    }
}

/* Appends a line of prose; words that look like options keep their dashes. */
static void roff_prose(GString *page, const char *text)
{
    bool is_option = false;
    char before = ' ';

    begin_line(page, text);
    for (; *text != '\0'; text++) {
        const bool is_inside = g_ascii_isalnum(*text) || *text == '-';

        is_option = is_inside &&
                    (is_option || (*text == '-' && strchr(" ('[", before) != NULL &&
                                   text[1] != ' ' && text[1] != '\0'));
        append(page, *text, is_option);
        before = *text;
    }
    g_string_append_c(page, '\n');
}

/* Appends paragraphs: lines that begin with a space are kept, others are filled. */
static void roff_paragraphs(GString *page, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    bool is_kept = false;
    bool is_new = false;

    for (char **line = lines; *line != NULL; line++) {
        const bool keeps = **line == ' ';

        if (**line == '\0') {
            is_new = true;
            continue;
        }
        if (is_kept != keeps) {
            g_string_append(page, keeps ? ".PP\n.nf\n" : ".fi\n.PP\n");
        } else if (is_new) {
            g_string_append(page, keeps ? "\n" : ".PP\n");
        }
        is_kept = keeps;
        is_new = false;
        if (keeps) {
            roff_literal(page, *line);
            g_string_append_c(page, '\n');
        } else {
            roff_prose(page, *line);
        }
    }
    g_string_append(page, is_kept ? ".fi\n" : "");
}

/* "gridloom-noc-transfer" */
static char *page_name(const char *entry)
{
    g_autofree char *name = g_strdelimit(g_strdup(entry), " ", '-');

    return g_strconcat("gridloom-", name, NULL);
}

/* The title, and what it is for in a line. */
static GString *page_new(const char *name, const char *purpose)
{
    GString *page = g_string_new(".\\\" Made of the same tables as --help.\n");
    g_autofree char *title = g_ascii_strup(name, -1);

    g_string_append(page, ".TH ");
    roff_literal(page, title);
    g_string_append(page, " 1 \"\" \"gridloom ");
    roff_literal(page, gridloom_build_name);
    g_string_append(page, "\" \"Gridloom\"\n.SH NAME\n");
    roff_literal(page, name);
    g_string_append(page, " \\- ");
    roff_prose(page, purpose);
    return page;
}

static void add_see_also(GString *page, const char *first, const CommandMenu *menu)
{
    g_autofree char *below =
        *menu->name != '\0' ? g_strconcat(menu->name, " ", NULL) : g_strdup("");

    g_string_append(page, ".SH SEE ALSO\n.BR ");
    roff_literal(page, first);
    g_string_append(page, " (1)");
    for (const CommandMenuEntry *entry = menu->entries; entry->name != NULL; entry++) {
        g_autofree char *name = g_strconcat(below, entry->name, NULL);
        g_autofree char *other = page_name(name);

        g_string_append(page, ",\n.BR ");
        roff_literal(page, other);
        g_string_append(page, " (1)");
    }
    g_string_append_c(page, '\n');
}

/* The allowed values, if the help does not say them. */
static char *allowed(const Option *row)
{
    if ((row->type == OPTION_TYPE_COUNT || row->type == OPTION_TYPE_SMALL) &&
        row->most < G_MAXINT32) {
        return g_strdup_printf("%" G_GUINT64_FORMAT "..%" G_GUINT64_FORMAT, row->least,
                               row->most);
    }
    return g_strdup(row->allowed);
}

static void add_option(GString *page, const Option *row)
{
    g_autofree char *limits = allowed(row);

    g_string_append(page, ".TP\n");
    if (row->letter != '\0') {
        g_string_append_printf(page, "\\fB\\-%c\\fR, ", row->letter);
    }
    g_string_append(page, "\\fB\\-\\-");
    roff_literal(page, row->name);
    g_string_append(page, "\\fR");
    if (row->argument != NULL) {
        g_string_append(page, "=\\fI");
        roff_literal(page, row->argument);
        g_string_append(page, "\\fR");
    }
    g_string_append_c(page, '\n');
    roff_prose(page, row->help);
    if (limits != NULL) {
        g_string_append(page, ".br\nAllowed: ");
        roff_prose(page, limits);
    }
}

static void add_options(GString *page, const char *title, const Command *command)
{
    g_autoptr(GPtrArray) rows = manual_rows(command);

    g_string_append_printf(page, ".SH %s\n", title);
    for (guint i = 0; i < rows->len; i++) {
        add_option(page, g_ptr_array_index(rows, i));
    }
    g_string_append(page, ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nShow help options\n");
}

/* Where --help has the command's own name among the words. */
static const char *words_of(const Command *command)
{
    const char *last = strrchr(command->name, ' ');
    g_autofree char *own = g_strconcat(last != NULL ? last + 1 : "", " ", NULL);

    return command->program != NULL && command->words != NULL &&
                   g_str_has_prefix(command->words, own)
               ? command->words + strlen(own)
               : command->words;
}

static void add_synopsis(GString *page, const Command *command)
{
    const char *words = words_of(command);

    g_string_append(page, ".B gridloom ");
    roff_literal(page, command->name);
    g_string_append(page, "\n[\\fIOPTION\\fR...]");
    if (words != NULL) {
        g_string_append_c(page, ' ');
        roff_literal(page, words);
    }
    g_string_append_c(page, '\n');
}

static void add_description(GString *page, const Command *command)
{
    g_autofree char *text = command_description(command);

    if (*text != '\0') {
        g_string_append(page, ".PP\n");
        roff_paragraphs(page, text);
    }
}

static void add_command(GString *page, const CommandMenuEntry *entry)
{
    g_autofree char *help = g_strdup(entry->help);

    *help = g_ascii_toupper(*help);
    g_string_append(page, ".SH SYNOPSIS\n");
    add_synopsis(page, entry->command);
    if (entry->of_file != NULL) {
        g_string_append(page, ".br\n");
        add_synopsis(page, entry->of_file);
    }
    g_string_append(page, ".SH DESCRIPTION\n");
    g_string_append(page, help);
    g_string_append(page, ".\n");
    add_description(page, entry->command);
    if (entry->of_file != NULL) {
        g_string_append_printf(page, ".SS With %s\n", entry->of_file->words);
        add_description(page, entry->of_file);
    }
    add_options(page, "OPTIONS", entry->command);
    if (entry->of_file != NULL) {
        g_autofree char *title =
            g_strdup_printf("OPTIONS WITH %s", entry->of_file->words);

        add_options(page, title, entry->of_file);
    }
}

/* The commands of a menu, each with its page. */
static void add_menu(GString *page, const CommandMenu *menu)
{
    g_autofree char *noun = g_ascii_strup(menu->noun, -1);
    g_auto(GStrv) paragraphs = g_strsplit(menu->above, "\n\n", 3);

    g_string_append_printf(page, ".SH SYNOPSIS\n.B gridloom%s%s\n\\fI%s\\fR ...\n",
                           *menu->name != '\0' ? " " : "", menu->name, noun);
    g_string_append(page, ".SH DESCRIPTION\n");
    roff_paragraphs(page, paragraphs[1]);
    g_string_append_printf(page, ".SH %sS\n", noun);
    for (const CommandMenuEntry *entry = menu->entries; entry->name != NULL; entry++) {
        g_autofree char *name = manual_entry_name(menu, entry);
        g_autofree char *other = page_name(name);

        g_string_append(page, ".TP\n.BR ");
        roff_literal(page, other);
        g_string_append(page, " (1)\n");
        roff_prose(page, entry->help);
    }
}

char *manual_program_page(const CommandMenu *commands_of)
{
    GString *page = page_new(
        "gridloom", "run numerical programs on simulated spatial dataflow chips");

    add_menu(page, commands_of);
    g_string_append(page, ".SH OPTIONS\n"
                          ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nList the commands.\n"
                          ".TP\n\\fB\\-\\-version\\fR\nShow the version.\n");
    g_string_append(page, exit_status);
    g_string_append(page, environment);
    g_string_append(page, ".SH SEE ALSO\n.BR gridloom\\-run (1),\n"
                          ".BR gridloom\\-workloads (1)\n");
    return g_string_free(page, FALSE);
}

char *manual_entry_page(const CommandMenu *menu, const CommandMenuEntry *entry)
{
    g_autofree char *name = manual_entry_name(menu, entry);
    g_autofree char *own = page_name(name);
    g_autofree char *above =
        *menu->name != '\0' ? page_name(menu->name) : g_strdup("gridloom");
    GString *page =
        page_new(own, entry->menu != NULL ? entry->help : entry->command->purpose);

    if (entry->menu != NULL) {
        add_menu(page, entry->menu);
        g_string_append(page, ".SH SEE ALSO\n.BR gridloom (1)\n");
    } else {
        add_command(page, entry);
        g_string_append(page, exit_status);
        add_see_also(page, above, menu);
    }
    return g_string_free(page, FALSE);
}
