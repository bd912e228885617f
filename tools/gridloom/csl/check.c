/* gridloom csl check: what is wrong with a CSL program. */
#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/commands.h"
#include "workloads/csl.h"

typedef struct {
    char **words;
    guint arch;
    char **parameters;
    char **colors;
    char **import_paths;
} Options;

static const char *const archs[] = {"wse2", "wse3", NULL};

static int run(gpointer data)
{
    const Options *self = data;
    const WlCslOrder order = {
        .path = self->words[0],
        .arch = archs[self->arch],
        .parameters = (const char *const *) self->parameters,
        .colors = (const char *const *) self->colors,
        .import_paths = (const char *const *) self->import_paths,
    };
    g_auto(WlCslReport) report = {0};
    const bool is_well = wl_csl_check(&order, &report);

    (void) fputs(report.text, stderr);
    if (is_well) {
        printf("%s: %u x %u PEs, %u %s\n", order.path, report.width, report.height,
               report.class_count, report.class_count == 1 ? "program" : "programs");
    }
    return is_well ? EXIT_DONE : EXIT_INPUT;
}

static const Option rows[] = {
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(words)},
    {"arch", "NAME", "wse2 (usual) or wse3", OPTION_WORD(arch, archs)},
    {"params", "a:1,b:2", "values of params of the file; may be repeated",
     OPTION_TEXTS(parameters)},
    {"colors", "c:1", "the same for params that are colors", OPTION_TEXTS(colors)},
    {"import-path", "DIR", "a folder of libraries, for <...>; may be repeated",
     OPTION_TEXTS(import_paths)},
    {0},
};

const Command cmd_csl_check = {
    .name = "csl check",
    .words = "FILE.csl",
    .purpose = "say what is wrong with a CSL program",
    .help = "csl-check",
    .missing = "no file; give the one with the layout block: csl check layout.csl",
    .most_words = 1,
    .tables = {{rows, 0}},
    .size = sizeof(Options),
    .run = run,
};
