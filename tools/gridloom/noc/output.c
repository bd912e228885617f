/* Writes files of network experiments. */
#include "tools/gridloom/noc/output.h"

#include "traces/error.h"
#include "traces/file/output.h"

typedef CmdNocOutput Options;

const Option cmd_noc_output_rows[] = {
    {"json", "FILE", "write the result as JSON; - is standard output",
     OPTION_TEXT(json)},
    {"heatmap", "FILE.svg", "draw how busy the links are", OPTION_TEXT(heatmap)},
    {"limit-seconds", "N", "stop after this much real time",
     OPTION_SECONDS(limit_seconds)},
    {"quiet", NULL, "no progress line and no result table", OPTION_FLAG(is_quiet),
     .letter = 'q'},
    {0},
};

bool cmd_noc_output_check(const CmdNocOutput *self, GError **error)
{
    if (self->heatmap != NULL && self->json != NULL &&
        g_str_equal(self->heatmap, self->json)) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_WRITE,
                    "%s: --json and --heatmap cannot both be written there",
                    self->json);
        return false;
    }
    return (self->json == NULL || trace_output_check(self->json, error)) &&
           (self->heatmap == NULL || trace_output_check(self->heatmap, error));
}

bool cmd_noc_output_write(const CmdNocOutput *self,
                          const TraceHeatmap *map,
                          const char *json,
                          GError **error)
{
    if (self->heatmap != NULL) {
        g_autofree char *svg = trace_heatmap_to_svg(map);

        if (!trace_output_write(self->heatmap, svg, error)) {
            return false;
        }
    }
    return self->json == NULL || trace_output_write(self->json, json, error);
}

bool cmd_noc_output_has_text(const CmdNocOutput *self)
{
    return !self->is_quiet && !trace_output_is_stdout(self->json) &&
           !trace_output_is_stdout(self->heatmap);
}
