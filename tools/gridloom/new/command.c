/* gridloom new: a file to start from. */
#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/commands.h"
#include "workloads/template.h"

typedef struct {
    char **words;
} Options;

static int run(gpointer data)
{
    char **words = ((const Options *) data)->words;
    g_autoptr(GError) error = NULL;
    g_autofree char *hint = wl_template_write(words[0], words[1], &error);

    if (hint == NULL) {
        return complain_of(error);
    }
    printf("%s\n", hint);
    return EXIT_DONE;
}

static const Option rows[] = {
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(words), .words = wl_template_kinds},
    {0},
};

const Command cmd_new = {
    .name = "new",
    .words = "KIND FILE.lua",
    .purpose = "write a working start for a program of your own",
    .help = "new",
    .missing = "give a kind and the name of a new file: new tensix mine.lua",
    .most_words = 2,
    .tables = {{rows, 0}},
    .size = sizeof(Options),
    .run = run,
};
