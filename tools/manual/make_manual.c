/* Writes manual pages and completion of gridloom into a folder. */
#include <stdio.h>
#include <stdlib.h>

#include <glib.h>

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

static char *read_file(const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autoptr(GError) error = NULL;
    char *text = NULL;

    if (!g_file_get_contents(path, &text, NULL, &error)) {
        fail(error);
    }
    return text;
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
    if (argc != 3) {
        (void) fputs("usage: make_manual TEMPLATES FOLDER\n", stderr);
        return EXIT_FAILURE;
    }
    g_autofree char *pages = g_build_filename(argv[2], "man1", NULL);
    g_autofree char *program = manual_program_page(&commands);
    g_autofree char *bash_template = read_file(argv[1], "gridloom.bash.in");
    g_autofree char *zsh_template = read_file(argv[1], "gridloom.zsh.in");
    g_autofree char *bash = manual_bash(&commands, bash_template);
    g_autofree char *zsh = manual_zsh(&commands, zsh_template);

    if (g_mkdir_with_parents(pages, 0755) != 0) {
        perror(pages);
        return EXIT_FAILURE;
    }
    write_file(pages, "gridloom.1", program);
    manual_visit(&commands, write_page, pages);
    write_file(argv[2], "gridloom", bash);
    write_file(argv[2], "_gridloom", zsh);
    return EXIT_SUCCESS;
}
