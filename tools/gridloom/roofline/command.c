/* gridloom roofline: runs of chips and GPUs under their roofs. */
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/envelope.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/plot/file.h"
#include "tools/gridloom/report/page.h"
#include "tools/gridloom/roofline/options.h"
#include "tools/gridloom/roofline/set.h"
#include "traces/file/output.h"
#include "traces/picture/roofline_picture.h"

static char *result_json(const CmdRooflineOptions *options, const TraceRooflineSet *set)
{
    const struct {
        const char *name;
        const char *value;
    } given[] = {{"figure", options->figure},
                 {"gpu", options->gpus},
                 {"beside", options->beside}};
    JsonObject *metrics = cmd_roofline_text_to_json(set);
    JsonObject *parameters = json_object_new();

    if (options->figure != NULL) {
        cmd_roofline_text_add_figure(set, metrics);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(given); i++) {
        if (given[i].value != NULL) {
            json_object_set_string_member(parameters, given[i].name, given[i].value);
        }
    }
    return envelope_to_json(
        (TraceResult){
            .workload = "roofline",
            .chip = trace_roofline_set_run(set, 0)->chip,
            .parameters = parameters,
            .metrics = metrics,
            .reference = "nothing: counters of runs that are over",
        },
        NULL);
}

static bool
read_runs(TraceRooflineSet *set, const CmdRooflineOptions *options, GError **error)
{
    if (options->figure != NULL) {
        return cmd_roofline_set_read_figure(set, options->figure, options->words,
                                            error);
    }
    for (char **word = options->words; *word != NULL; word++) {
        if (!cmd_roofline_set_read(set, *word, error)) {
            return false;
        }
    }
    return true;
}

static bool
fill(TraceRooflineSet *set, const CmdRooflineOptions *options, GError **error)
{
    set->level = options->level;
    set->is_published = options->is_published;
    if (!read_runs(set, options, error) ||
        (options->gpus != NULL &&
         !cmd_roofline_set_add_machines(set, options->gpus, true, error)) ||
        (options->beside != NULL &&
         !cmd_roofline_set_add_machines(set, options->beside, false, error))) {
        return false;
    }
    if (options->is_per_watt && !trace_roofline_set_per_watt(set)) {
        return option_fail(error, "--per-watt: of no run is the power known");
    }
    trace_roofline_set_tell(set);
    return true;
}

static bool write_one(const CmdRooflineOptions *options,
                      const TraceRooflineSet *set,
                      const char *path,
                      GError **error)
{
    g_autofree char *text = NULL;

    if (g_str_has_suffix(path, ".csv")) {
        text = cmd_roofline_text_to_csv(set);
    } else if (g_str_has_suffix(path, ".html")) {
        text = cmd_report_page_of_roofline(set);
    } else {
        text = trace_roofline_picture_new(set, options->title, error);
        return text != NULL && cmd_plot_file_write(path, text, options->pixels, error);
    }
    return trace_output_write(path, text, error);
}

static bool write_all(const CmdRooflineOptions *options,
                      const TraceRooflineSet *set,
                      GError **error)
{
    for (char **path = options->outputs; path != NULL && *path != NULL; path++) {
        if (!write_one(options, set, *path, error)) {
            return false;
        }
    }
    if (options->json != NULL) {
        g_autofree char *json = result_json(options, set);

        return trace_output_write(options->json, json, error);
    }
    return true;
}

int cmd_roofline_run(gpointer data)
{
    const CmdRooflineOptions *options = data;
    g_auto(TraceRooflineSet) set = {0};
    g_autoptr(GError) error = NULL;

    cmd_roofline_set_init(&set);
    if (!fill(&set, options, &error) || !write_all(options, &set, &error)) {
        return complain_of(error);
    }
    if (!options->is_quiet && !trace_output_is_stdout(options->json) &&
        !trace_output_has_stdout(options->outputs)) {
        cmd_roofline_text_print(&set);
    }
    return EXIT_DONE;
}
