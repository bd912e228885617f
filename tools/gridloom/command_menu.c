/* Finds a command by its name and runs it. */
#include "tools/gridloom/command_menu.h"

#include "tools/gridloom/complaint.h"

void command_menu_print(const CommandMenu *self, FILE *stream)
{
    (void) fputs(self->above, stream);
    for (gsize i = 0; i < self->entry_count; i++) {
        (void) fprintf(stream, "  %-10s %s\n", self->entries[i].name,
                       self->entries[i].help);
    }
    (void) fputs(self->below, stream);
}

static char *entry_names(const CommandMenu *self)
{
    GString *names = g_string_new(NULL);

    for (gsize i = 0; i < self->entry_count; i++) {
        g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", self->entries[i].name);
    }
    return g_string_free(names, FALSE);
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
    for (gsize i = 0; i < self->entry_count; i++) {
        if (g_str_equal(argv[1], self->entries[i].name)) {
            return self->entries[i].func(argc - 1, argv + 1);
        }
    }
    g_autofree char *names = entry_names(self);

    return complain("%sunknown %s '%s', known are %s", self->prefix, self->noun,
                    argv[1], names);
}
