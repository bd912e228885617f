/* Reads the line of a command and runs it; finds commands by their names. */
#include "tools/gridloom/command.h"

#include <gio/gio.h>
#include <string.h>

#include "arch/chipfile/value.h"
#include "tools/gridloom/option_value.h"

/* Made by glib-compile-resources of tools/gridloom/help. */
GResource *gridloom_help_get_resource(void);

/* A file of that folder; it is a bug if it is not there. */
static char *help_text(const char *name)
{
    g_autofree char *path = g_strdup_printf("/help/%s.txt", name);
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) bytes = g_resource_lookup_data(
        gridloom_help_get_resource(), path, G_RESOURCE_LOOKUP_FLAGS_NONE, &error);

    if (bytes == NULL) {
        g_error("tools/gridloom: %s", error->message);
    }
    return g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
}

char *command_description(const Command *self)
{
    g_autofree char *first = self->describe != NULL ? self->describe() : g_strdup("");
    g_autofree char *rest = self->help != NULL ? help_text(self->help) : g_strdup("");

    return g_strconcat(first, rest, NULL);
}

static GOptionContext *context_new(const Command *self)
{
    g_autofree char *program = g_strconcat("gridloom ", self->name, NULL);
    g_autofree char *parameter =
        g_strconcat(self->words != NULL ? self->words : "",
                    self->words != NULL ? " - " : "- ", self->purpose, NULL);
    g_autofree char *description = command_description(self);
    GOptionContext *context = g_option_context_new(parameter);

    g_set_prgname(self->program != NULL ? self->program : program);
    g_option_context_set_description(context,
                                     *description != '\0' ? description : NULL);
    return context;
}

void command_free_options(const Command *self, gpointer options)
{
    if (options == NULL) {
        return;
    }
    option_tables_clear(self->tables, options);
    if (self->clear != NULL) {
        self->clear(options);
    }
    g_free(options);
}

static bool check_words(const Command *self, const OptionTexts *texts, GError **error)
{
    const char *word = option_texts_stray(texts, self->most_words);

    if (word == NULL) {
        return self->missing == NULL || option_is_given(texts, OPTION_WORDS) ||
               option_fail(error, "%s: %s", self->name, self->missing);
    }
    g_autofree char *quoted = arch_value_quote(word);

    return option_fail(error, "%s: unexpected word '%s'; %s", self->name, quoted,
                       self->hint != NULL ? self->hint : "--help lists the options");
}

/* What a lenient command has left of its line. */
static void warn_of_rest(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        (void) complain("warning: unknown option %s, left out", argv[i]);
    }
}

gpointer command_parse(const Command *self, int argc, char **argv, GError **error)
{
    g_autoptr(GOptionContext) context = context_new(self);
    g_autoptr(OptionTexts) texts = option_texts_new(self->tables);
    gpointer options = g_malloc0(MAX(self->size, 1));

    if (self->usual != NULL) {
        memcpy(options, self->usual, self->size);
    }
    if (self->init != NULL) {
        self->init(options);
    }
    option_texts_add(texts, context);
    g_autoptr(GPtrArray) line = option_texts_spell(texts, argc, argv);

    argv = (char **) line->pdata;
    g_option_context_set_strict_posix(context, self->is_prefix);
    g_option_context_set_ignore_unknown_options(context, self->is_lenient);
    if (!g_option_context_parse(context, &argc, &argv, error) ||
        !check_words(self, texts, error) ||
        !option_texts_convert(texts, options, error) ||
        (self->check != NULL && !self->check(options, texts, error))) {
        command_free_options(self, options);
        return NULL;
    }
    if (self->is_lenient) {
        warn_of_rest(argc, argv);
    }
    return options;
}

int command_run(const Command *self, int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    gpointer options = command_parse(self, argc, argv, &error);
    int status;

    if (options == NULL) {
        return self->fail != NULL ? self->fail(error) : complain_of(error);
    }
    status = self->run(options);
    command_free_options(self, options);
    return status;
}

void command_menu_print(const CommandMenu *self, FILE *stream)
{
    (void) fputs(self->above, stream);
    for (const CommandMenuEntry *entry = self->entries; entry->name != NULL; entry++) {
        (void) fprintf(stream, "  %-10s %s\n", entry->name, entry->help);
    }
    (void) fputs(self->below, stream);
}

static int refuse(const CommandMenu *self, const char *word)
{
    g_autoptr(GString) names = g_string_new(NULL);

    for (const CommandMenuEntry *entry = self->entries; entry->name != NULL; entry++) {
        g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", entry->name);
    }
    return complain("%s%sunknown %s '%s', known are %s", self->name,
                    *self->name != '\0' ? ": " : "", self->noun, word, names->str);
}

/* The argument of an option for files is written, not read. */
static bool has_file(int argc, char **argv)
{
    static const char *const written[] = {"-o", "--output", "--json", NULL};

    for (int i = 1; i < argc; i++) {
        if (*argv[i] != '-' && g_str_has_suffix(argv[i], ".lua") &&
            !g_strv_contains(written, argv[i - 1])) {
            return true;
        }
    }
    return false;
}

static int run_entry(const CommandMenuEntry *entry, int argc, char **argv)
{
    if (entry->menu != NULL) {
        return command_menu_run(entry->menu, argc, argv);
    }
    return command_run(entry->of_file != NULL && has_file(argc, argv) ? entry->of_file
                                                                      : entry->command,
                       argc, argv);
}

int command_menu_run(const CommandMenu *self, int argc, char **argv)
{
    if (argc < 2) {
        command_menu_print(self, stderr);
        return EXIT_INPUT;
    }
    if (g_str_equal(argv[1], "--help") || g_str_equal(argv[1], "-h")) {
        command_menu_print(self, stdout);
        return EXIT_DONE;
    }
    for (const CommandMenuEntry *entry = self->entries; entry->name != NULL; entry++) {
        if (g_str_equal(argv[1], entry->name)) {
            return run_entry(entry, argc - 1, argv + 1);
        }
    }
    return refuse(self, argv[1]);
}
