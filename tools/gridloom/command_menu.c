/* Finds a command by its name and runs it. */
#include "tools/gridloom/command_menu.h"

#include "tools/gridloom/complaint.h"

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

/* What follows an option for files is written, not read. */
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

static int run(const CommandMenuEntry *entry, int argc, char **argv)
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
            return run(entry, argc - 1, argv + 1);
        }
    }
    return refuse(self, argv[1]);
}
