/* gridloom metal: a program of tt-metal's kind on a simulated chip. */
#include <glib.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/run/options.h"
#include "workloads/error.h"
#include "workloads/metal.h"
#include "workloads/run.h"
#include "workloads/search.h"

typedef struct {
    CmdRunOptions run; /* its line: the program, then its arguments */
    char *kernels;
    char **includes;
} Options;

/* The script that serves host programs. The caller frees it. */
static char *find_script(void)
{
    g_autofree char *device = search_metal();
    g_autofree char *folder = device == NULL ? NULL : g_path_get_dirname(device);

    return folder == NULL ? NULL : g_build_filename(folder, "metal.lua", NULL);
}

/* What is left to say when the host program has ended, and the exit code. */
static int judge(const char *name, int code, int status)
{
    if (code != EXIT_DONE || status == 0) {
        return code;
    }
    if (status < 0) {
        (void) complain("%s: ended by signal %d (%s)", name, -1 - status,
                        g_strsignal(-1 - status));
    } else {
        (void) complain("%s: ended with exit code %d", name, status);
    }
    return EXIT_CHECK;
}

static int run_on(Options *self, const char *path, const char *script)
{
    const char *given = self->run.line[0];
    g_autofree char *base = g_path_get_basename(given);
    char *words[] = {NULL};
    const WlMetalHostOrder order = {.path = path,
                                    .source = given,
                                    .kernels = self->kernels,
                                    .arguments = self->run.line + 1};
    CmdRunOptions options = self->run;
    WlMetalHost process = {0};
    g_autoptr(GError) error = NULL;
    int code;

    if (!wl_metal_host_start(&order, &process, &error)) {
        return complain_of(error);
    }
    g_autoptr(WlMetal) metal = wl_metal_new(process.socket, self->includes);

    options.script = script;
    options.words = words;
    options.metal = metal;
    options.program = given;
    code = cmd_run_run(&options);
    g_clear_pointer(&metal, wl_metal_free);
    return judge(base, code, wl_metal_host_wait(&process));
}

static int run(gpointer data)
{
    Options *self = data;
    g_autofree char *script = find_script();
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

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    const Options *self = options;

    if (!cmd_run_check(options, texts, error)) {
        return false;
    }
    if (self->run.is_timing_only) {
        return option_fail(error,
                           "--timing-only: values steer kernels and host programs, "
                           "which run with data only");
    }
    return self->run.uncertainty == 0 ||
           option_fail(error, "--uncertainty: not there yet for host programs; "
                              "--set changes a number of the chip");
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
    .check = check,
    .clear = cmd_run_clear,
    .run = run,
};
