/* gridloom csl python: a host program of CSL on a simulated wafer. */
#include <glib.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/csl/place.h"
#include "tools/gridloom/ending.h"
#include "tools/gridloom/run/options.h"
#include "traces/file/output.h"
#include "workloads/csl.h"
#include "workloads/host_process.h"
#include "workloads/run.h"
#include "workloads/search.h"

typedef CmdRunOptions Options;

/* Python finds our modules, and programs that it starts our cslc. The caller frees it.
 */
static char **environment(const char *modules)
{
    const char *before = g_getenv("PYTHONPATH");
    g_autofree char *path = before == NULL || *before == '\0'
                                ? g_strdup(modules)
                                : g_strjoin(":", modules, before, NULL);

    char **variables =
        g_environ_setenv(cmd_csl_environment(), "PYTHONPATH", path, TRUE);

    return g_environ_setenv(variables, "PYTHONDONTWRITEBYTECODE", "1", TRUE);
}

static int run_on(Options *self, const char *script, const char *modules)
{
    const char *python = g_getenv("GRIDLOOM_PYTHON");
    g_autofree char *base = g_path_get_basename(self->line[0]);
    g_autofree char *arch = wl_csl_arch_of((const char *const *) self->line);
    char *words[] = {NULL};
    char *again[] = {(char *) "csl", (char *) "python", NULL};
    WlHostOrder order = {.path = python != NULL ? python : "/usr/bin/python3",
                         .arguments = self->line,
                         .socket = "GRIDLOOM_CSL_SOCKET",
                         .variables = environment(modules),
                         .is_quiet = trace_output_is_stdout(self->json)};
    CmdRunOptions options = *self;
    WlHostProcess process = {0};
    g_autoptr(GError) error = NULL;
    int code;

    if (!wl_host_start(&order, &process, &error)) {
        return complain_of(error);
    }
    ending_outlive_readers(!order.is_quiet);

    g_autoptr(WlCslRuntime) csl = wl_csl_runtime_new(process.socket);

    if (options.chip == NULL && options.system == NULL) {
        options.chip = arch; /* NULL: the usual one */
    }
    options.script = script;
    options.words = words;
    options.csl = csl;
    options.program = self->line[0];
    options.door = "csl python";
    options.again = again;
    options.arguments = self->line;
    code = cmd_run_run(&options);
    ending_drop_unread(!order.is_quiet);
    g_clear_pointer(&csl, wl_csl_runtime_free);
    return cmd_run_judge(self, base, code, wl_host_wait(&process));
}

static int run(gpointer data)
{
    Options *self = data;
    g_autofree char *script = search_beside(search_csl(), "csl.lua");
    g_autofree char *modules = search_beside(search_csl(), "host");

    if (script == NULL || modules == NULL) {
        return complain("workloads/csl is missing from this installation");
    }
    if (self->is_dry_run) {
        return complain("--dry-run: a host program cannot be tried without running it; "
                        "'gridloom csl check' looks at the program of its PEs");
    }
    if (!g_file_test(self->line[0], G_FILE_TEST_IS_REGULAR)) {
        return complain("%s: no such file; expected a host program in Python",
                        self->line[0]);
    }
    return run_on(self, script, modules);
}

const Command cmd_csl_python = {
    .name = "csl python",
    .words = "SCRIPT.py [ARGUMENTS]",
    .purpose = "run a host program in Python, as cs_python does",
    .help = "csl-python",
    .missing = "no script; give a host program: gridloom csl python run.py --name out",
    .is_prefix = true,
    .tables = {{cmd_run_rows, 0}, {cmd_trace_rows, offsetof(Options, trace)}},
    COMMAND_OPTIONS(Options,
                    .threads = 1,
                    .seed = 1,
                    .limit_cycles = SIM_TIME_NEVER,
                    .livelock_cycles = WL_LIVELOCK_CYCLES),
    .check = cmd_run_check,
    .clear = cmd_run_clear,
    .run = run,
};
