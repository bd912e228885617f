/* gridloom metal: a program of tt-metal's kind on a simulated chip. */
#include <glib.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/ending.h"
#include "tools/gridloom/run/options.h"
#include "traces/file/output.h"
#include "workloads/metal.h"
#include "workloads/process.h"
#include "workloads/run.h"
#include "workloads/search.h"

typedef struct {
    CmdRunOptions run; /* its line: the program, then its arguments */
    char *kernels;
    char **includes;
} Options;

/* The words of another run of the same, up to its options. */
static char **words_again(const Options *self)
{
    GPtrArray *words = g_ptr_array_new();

    g_ptr_array_add(words, g_strdup("metal"));
    g_ptr_array_add(words, g_strdup(self->run.line[0]));
    wl_words_option(words, "--kernels", self->kernels);
    wl_words_each(words, "--include", self->includes);
    return wl_words_end(words);
}

static int run_on(Options *self, const char *path, const char *script)
{
    const char *given = self->run.line[0];
    g_autofree char *base = g_path_get_basename(given);
    char *words[] = {NULL};
    g_auto(GStrv) again = words_again(self);
    const WlMetalHostOrder order = {.path = path,
                                    .source = given,
                                    .kernels = self->kernels,
                                    .arguments = self->run.line + 1,
                                    .is_quiet = trace_output_is_stdout(self->run.json)};
    CmdRunOptions options = self->run;
    WlHostProcess process = {0};
    g_autoptr(GError) error = NULL;
    int code;

    if (!wl_metal_host_start(&order, &process, &error)) {
        return complain_of(error);
    }
    ending_outlive_readers(!order.is_quiet);

    g_autoptr(WlMetal) metal = wl_metal_new(process.socket, self->includes);

    options.script = script;
    options.words = words;
    options.metal = metal;
    options.program = given;
    options.door = "metal";
    options.again = again;
    options.arguments = self->run.line + 1;
    code = cmd_run_run(&options);
    ending_drop_unread(!order.is_quiet);
    g_clear_pointer(&metal, wl_metal_free);
    return cmd_run_judge(&self->run, base, code, wl_host_wait(&process));
}

static int run(gpointer data)
{
    Options *self = data;
    g_autofree char *script = search_beside(search_metal(), "metal.lua");
    g_autoptr(GError) error = NULL;
    g_autofree char *path =
        wl_metal_host_make(self->run.line[0], self->includes, &error);

    if (path == NULL) {
        return complain_of(error);
    }
    if (script == NULL) {
        return complain("workloads/metal is missing from this installation");
    }
    return run_on(self, path, script);
}

static const Option rows[] = {
    {"kernels", "DIR", "look for kernels here, before the usual places",
     OPTION_TEXT(kernels)},
    {"include", "DIR",
     "a folder that host program and kernels include from; may be repeated",
     OPTION_TEXTS(includes), .letter = 'I'},
    {0},
};

const Command cmd_metal = {
    .name = "metal",
    .words = "PROGRAM.cpp|PROGRAM [-- ARGUMENTS]",
    .purpose = "run a tt-metal program, host and kernels as they are",
    .help = "metal",
    .missing = "no program; give a host program in C++: gridloom metal loopback.cpp",
    .tables = {{cmd_run_rows, 0},
               {cmd_trace_rows, offsetof(Options, run.trace)},
               {rows, 0}},
    COMMAND_OPTIONS(Options,
                    .run = {.threads = 1,
                            .seed = 1,
                            .limit_cycles = SIM_TIME_NEVER,
                            .livelock_cycles = WL_LIVELOCK_CYCLES}),
    .check = cmd_run_check,
    .clear = cmd_run_clear,
    .run = run,
};
