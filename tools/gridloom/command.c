/* Reads the line of a command and runs it. */
#include "tools/gridloom/command.h"

#include <gio/gio.h>
#include <string.h>

#include "arch/chipfile/value.h"
#include "tools/gridloom/complaint.h"
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
    if (!g_option_context_parse(context, &argc, &argv, error) ||
        !check_words(self, texts, error) ||
        !option_texts_convert(texts, options, error) ||
        (self->check != NULL && !self->check(options, texts, error))) {
        command_free_options(self, options);
        return NULL;
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
