/* Names, checks and writes the files of a script's arrays. */
#include "tools/gridloom/run/arrays.h"

#include <string.h>

#include "tools/gridloom/option_value.h"
#include "traces/file/named_files.h"
#include "traces/file/output.h"

static const char *const option_names[] = {
    [WL_INPUTS] = "--in", [WL_OUTPUTS] = "--save"};

static char **words_of(const CmdRunOptions *options, guint way)
{
    return way == WL_INPUTS ? options->inputs : options->saves;
}

bool cmd_run_arrays_name(const CmdRunOptions *options, WlScript *script, GError **error)
{
    for (guint way = 0; way < WL_ARRAY_WAYS; way++) {
        for (char **word = words_of(options, way); word != NULL && *word != NULL;
             word++) {
            if (!wl_script_set_file(script, (WlArrayWay) way, *word, error)) {
                g_prefix_error(error, "%s: ", option_names[way]);
                return false;
            }
        }
    }
    return true;
}

/* A saved file must not be what is read, or another file of the run. */
static bool check_apart(const CmdRunOptions *options, GError **error)
{
    g_autoptr(GArray) files = g_array_new(FALSE, FALSE, sizeof(TraceNamedFile));
    const TraceNamedFile others[] = {
        {"--json", options->json},        {"--progress", options->progress},
        {"--trace", options->trace.path}, {"--system-trace", options->system_trace},
        {"--report", options->report},    {"--heatmap", options->heatmap}};

    for (char **word = options->saves; *word != NULL; word++) {
        const TraceNamedFile file = {"--save", strchr(*word, '=') + 1};

        g_array_append_val(files, file);
    }
    g_array_append_vals(files, others, G_N_ELEMENTS(others));
    if (!trace_named_files_differ((const TraceNamedFile *) files->data, files->len,
                                  error)) {
        return false;
    }
    /* One file may be the array of several inputs. */
    for (char **in = options->inputs; in != NULL && *in != NULL; in++) {
        for (char **word = options->saves; *word != NULL; word++) {
            const char *equals = strchr(*in, '=');
            const TraceNamedFile pair[] = {{"--in", equals != NULL ? equals + 1 : NULL},
                                           {"--save", strchr(*word, '=') + 1}};

            if (!trace_named_files_differ(pair, G_N_ELEMENTS(pair), error)) {
                return false;
            }
        }
    }
    return true;
}

bool cmd_run_arrays_check(const CmdRunOptions *options, GError **error)
{
    if (options->saves == NULL) {
        return true;
    }
    if (options->is_timing_only) {
        return option_fail(error,
                           "--save %s and --timing-only: at most one of them is "
                           "allowed, a run without data has no numbers",
                           options->saves[0]);
    }
    for (char **word = options->saves; *word != NULL; word++) {
        const char *equals = strchr(*word, '=');

        if (equals == NULL || !g_str_has_suffix(*word, ".npy")) {
            return option_refuse("--save", *word, "name=FILE.npy", error);
        }
        if (!trace_output_check_beside(equals + 1, "--save", options->out, error)) {
            return false;
        }
    }
    return check_apart(options, error);
}

bool cmd_run_arrays_write(const WlScript *script,
                          const WlOutcome *outcome,
                          GError **error)
{
    for (guint i = 0; i < wl_script_array_count(script, WL_OUTPUTS); i++) {
        const WlScriptArray *output = wl_script_array(script, WL_OUTPUTS, i);
        const WlSavedArray *array = wl_outcome_array(outcome, output->name);

        if (array != NULL &&
            !trace_output_write_bytes(output->file, array->file, error)) {
            return false;
        }
    }
    return true;
}

void cmd_run_arrays_list(const WlScript *script, GPtrArray *paths)
{
    for (guint i = 0; i < wl_script_array_count(script, WL_OUTPUTS); i++) {
        const char *file = wl_script_array(script, WL_OUTPUTS, i)->file;

        if (file != NULL) {
            g_ptr_array_add(paths, g_strdup(file));
        }
    }
}
