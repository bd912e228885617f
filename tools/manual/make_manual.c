/* Writes manual pages of gridloom into a folder. */
#include <stdio.h>
#include <stdlib.h>

#include <glib.h>
#include <glib/gstdio.h>

#include "tools/gridloom/commands.h"
#include "tools/manual/manual.h"

static void fail(const GError *error)
{
    (void) fprintf(stderr, "make_manual: %s\n", error->message);
    exit(EXIT_FAILURE);
}

static void write_file(const char *folder, const char *name, const char *text)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autoptr(GError) error = NULL;

    if (!g_file_set_contents(path, text, -1, &error)) {
        fail(error);
    }
}

static void
write_page(const CommandMenu *menu, const CommandMenuEntry *entry, gpointer data)
{
    const char *folder = data;
    g_autofree char *name = g_strdelimit(manual_entry_name(menu, entry), " ", '-');
    g_autofree char *file = g_strdup_printf("gridloom-%s.1", name);
    g_autofree char *page = manual_entry_page(menu, entry);

    write_file(folder, file, page);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        (void) fputs("usage: make_manual FOLDER\n", stderr);
        return EXIT_FAILURE;
    }
    g_autofree char *pages = g_build_filename(argv[1], "man1", NULL);
    g_autofree char *program = manual_program_page(&commands);

    if (g_mkdir_with_parents(pages, 0755) != 0) {
        perror(pages);
        return EXIT_FAILURE;
    }
    write_file(pages, "gridloom.1", program);
    manual_visit(&commands, write_page, pages);
    return EXIT_SUCCESS;
}
