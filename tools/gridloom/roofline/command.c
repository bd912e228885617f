/* gridloom roofline: runs of chips and GPUs under their roofs. */
#include <stdio.h>
#include <string.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/peak_memory.h"
#include "tools/gridloom/plot/file.h"
#include "tools/gridloom/report/page.h"
#include "tools/gridloom/roofline/figure.h"
#include "tools/gridloom/roofline/options.h"
#include "tools/gridloom/roofline/picture.h"
#include "tools/gridloom/roofline/set.h"
#include "tools/gridloom/roofline/text.h"
#include "traces/file/output.h"
#include "traces/result/result.h"

static const char *const reference = "nothing: counters of runs that are over";

static char *result_json(const CmdRooflineOptions *options, const CmdRooflineSet *set)
{
    const TraceRooflineRun *first = cmd_roofline_set_run(set, 0);
    g_autoptr(JsonObject) metrics = cmd_roofline_text_to_json(set);
    g_autoptr(JsonObject) parameters = json_object_new();

    if (options->figure != NULL) {
        cmd_roofline_figure_add_json(set, metrics);
        json_object_set_string_member(parameters, "figure", options->figure);
    }
    if (options->gpus != NULL) {
        json_object_set_string_member(parameters, "gpu", options->gpus);
    }
    if (options->beside != NULL) {
        json_object_set_string_member(parameters, "beside", options->beside);
    }
    const TraceResult result = {
        .gridloom = GRIDLOOM_VERSION,
        .workload = "roofline",
        .chip = first->chip,
        .chip_digest = "",
        .parameters = parameters,
        .iterations = 1,
        .metrics = metrics,
        .check_status = "skipped",
        .reference = reference,
        .peak_rss_bytes = peak_memory_bytes(),
        .threads = 1,
    };

    return trace_result_to_json(&result);
}

static bool fill(CmdRooflineSet *set, const CmdRooflineOptions *options, GError **error)
{
    set->level = options->level;
    set->is_published = options->is_published;
    if (options->figure != NULL &&
        !cmd_roofline_figure_read(set, options->figure, options->words, error)) {
        return false;
    }
    for (char **word = options->words;
         options->figure == NULL && word != NULL && *word != NULL; word++) {
        if (!cmd_roofline_set_read(set, *word, error)) {
            return false;
        }
    }
    if (options->gpus != NULL &&
        !cmd_roofline_set_add_gpus(set, options->gpus, error)) {
        return false;
    }
    if (options->beside != NULL &&
        !cmd_roofline_set_add_beside(set, options->beside, error)) {
        return false;
    }
    if (options->is_per_watt && !cmd_roofline_set_per_watt(set, error)) {
        return false;
    }
    cmd_roofline_set_tell(set);
    return true;
}

static bool write_one(const CmdRooflineOptions *options,
                      const CmdRooflineSet *set,
                      const char *path,
                      GError **error)
{
    g_autofree char *text = NULL;

    if (g_str_has_suffix(path, ".csv")) {
        text = cmd_roofline_text_to_csv(set);
    } else if (g_str_has_suffix(path, ".html")) {
        text = cmd_report_page_of_roofline(set);
    } else {
        text = cmd_roofline_picture_new(set, options->title, error);
        return text != NULL && cmd_plot_file_write(path, text, options->pixels, error);
    }
    return trace_output_write(path, text, error);
}

static bool
write_all(const CmdRooflineOptions *options, const CmdRooflineSet *set, GError **error)
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
    g_auto(CmdRooflineSet) set = {0};
    g_autoptr(GError) error = NULL;

    cmd_roofline_set_init(&set);
    if (!fill(&set, options, &error) || !write_all(options, &set, &error)) {
        return complain_of(error);
    }
    if (cmd_roofline_options_have_text(options)) {
        cmd_roofline_text_print(&set);
    }
    return EXIT_DONE;
}
