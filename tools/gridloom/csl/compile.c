/* gridloom csl compile: what cslc does. */
#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/commands.h"
#include "workloads/csl.h"

typedef struct {
    char **words;
    guint arch;
    char *fabric;
    char *offsets;
    char **parameters;
    char **colors;
    char **import_paths;
    char *output;
    guint channels;
    guint west_buffers;
    guint east_buffers;
    guint max_inlined;
    char *format;
    bool has_memcpy;
    bool is_verbose;
    bool is_strict;
} Options;

static const char *const archs[] = {"wse2", "wse3", NULL};

/* The first word that names a file of CSL; others may belong to unknown options. */
static const char *find_file(char *const *words)
{
    const char *file = NULL;

    for (guint i = 0; words[i] != NULL; i++) {
        if (file == NULL &&
            (g_str_has_suffix(words[i], ".csl") || words[i + 1] == NULL)) {
            file = words[i];
        } else {
            (void) complain("warning: unexpected word '%s', left out", words[i]);
        }
    }
    return file;
}

static int run(gpointer data)
{
    const Options *self = data;
    const WlCslOrder order = {
        .path = find_file(self->words),
        .arch = archs[self->arch],
        .parameters = (const char *const *) self->parameters,
        .colors = (const char *const *) self->colors,
        .import_paths = (const char *const *) self->import_paths,
        .fabric = self->fabric,
        .offsets = self->offsets,
        .channels = self->channels,
        .west_buffers = self->west_buffers,
        .east_buffers = self->east_buffers,
        .has_memcpy = self->has_memcpy,
        .is_strict = self->is_strict,
    };
    g_auto(WlCslReport) report = {0};
    g_autoptr(GError) error = NULL;
    const bool is_made = wl_csl_compile(
        &order, self->output == NULL ? "out" : self->output, &report, &error);

    (void) fputs(report.text, stderr);
    if (error != NULL) {
        return complain_of(error);
    }
    if (is_made && self->is_verbose) {
        printf("%s: %u x %u PEs, %u %s\n", order.path, report.width, report.height,
               report.class_count, report.class_count == 1 ? "program" : "programs");
    }
    return is_made ? EXIT_DONE : EXIT_INPUT;
}

enum {
    BUFFERS_MOST = 64,
    CHANNELS_MOST = 16,
};

static const Option rows[] = {
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(words)},
    {"arch", "NAME", "wse2 (usual) or wse3", OPTION_WORD(arch, archs)},
    {"fabric-dims", "W,H", "size of the fabric (default: the smallest)",
     OPTION_TEXT(fabric)},
    {"fabric-offsets", "X,Y", "where its first PE lies (default: the smallest)",
     OPTION_TEXT(offsets)},
    {"params", "a:1,b:2", "values of params of the file; may be repeated",
     OPTION_TEXTS(parameters)},
    {"colors", "c:1", "the same for params that are colors", OPTION_TEXTS(colors)},
    {"import-path", "DIR", "a folder of libraries, for <...>; may be repeated",
     OPTION_TEXTS(import_paths)},
    {"output", "DIR", "where to write what host programs need (default: out)",
     OPTION_TEXT(output), .letter = 'o'},
    {"memcpy", NULL, "leave room for the host's runtime around the PEs",
     OPTION_FLAG(has_memcpy)},
    {"channels", "N", "channels to the host, 1 to 16 (default: 1)",
     OPTION_SMALL(channels, 1, CHANNELS_MOST)},
    {"width-west-buf", "N", "columns of buffers west of the PEs (default: 0)",
     OPTION_SMALL(west_buffers, 0, BUFFERS_MOST)},
    {"width-east-buf", "N", "columns of buffers east of them (default: 0)",
     OPTION_SMALL(east_buffers, 0, BUFFERS_MOST)},
    {"max-inlined-iterations", "N", "accepted, without effect",
     OPTION_SMALL(max_inlined, 0, G_MAXINT32)},
    {"fp16-format", "NAME", "accepted, without effect: f16", OPTION_TEXT(format)},
    {"warnings-as-errors", NULL, "fail where there are warnings",
     OPTION_FLAG(is_strict)},
    {"verbose", NULL, "say what was compiled", OPTION_FLAG(is_verbose)},
    {0},
};

const Command cmd_csl_compile = {
    .name = "csl compile",
    .words = "FILE.csl",
    .purpose = "make a CSL program ready to run, as cslc does",
    .help = "csl-compile",
    .missing = "no file; give the one with the layout block: csl compile layout.csl",
    .is_lenient = true,
    .tables = {{rows, 0}},
    .size = sizeof(Options),
    .run = run,
};
