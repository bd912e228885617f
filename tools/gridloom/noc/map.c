/* Writes how busy links were as a picture, as JSON and as a table, where options say.
 */
#include "tools/gridloom/noc/map.h"

#include <stdio.h>

#include "traces/error.h"
#include "traces/file/output.h"
#include "traces/picture/heatmap.h"
#include "traces/table/grid.h"
#include "traces/table/record.h"

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
        return sim_fail(error, TRACE_ERROR, TRACE_ERROR_WRITE,
                        "%s: --json and --heatmap cannot both be written there",
                        self->json);
    }
    return (self->json == NULL || trace_output_check(self->json, error)) &&
           (self->heatmap == NULL || trace_output_check(self->heatmap, error));
}

bool cmd_noc_output_has_text(const CmdNocOutput *self)
{
    return !self->is_quiet && !trace_output_is_stdout(self->json) &&
           !trace_output_is_stdout(self->heatmap);
}

static const char *const networks[] = {"noc0", "noc1"};

static char *draw(const ArchLinkUse *use, const char *title)
{
    const gsize nodes = (gsize) use->width * use->height;
    const guint links = use->links->len;
    const guint count = use->windows->count;
    g_autofree TraceHeatmapLink *drawn = g_new0(TraceHeatmapLink, links);
    g_autofree TraceHeatmapWindow *windows = g_new0(TraceHeatmapWindow, count);
    const TraceHeatmap picture = {
        .title = title,
        .unit = "flits per cycle",
        .width = use->width,
        .height = use->height,
        .is_y_down = true,
        .end = use->end,
        .links = drawn,
        .link_count = links,
        .routers = use->routers,
        .windows = windows,
        .window_count = count,
    };

    for (guint i = 0; i < links; i++) {
        const ArchUsedLink *link = arch_link_use_at(use, i);

        drawn[i] = (TraceHeatmapLink){
            .from = link->from,
            .to = link->to,
            .direction = link->direction,
            .network = arch_link_use_has_pair(use) ? networks[link->noc] : NULL,
            .utilisation = link->utilisation};
    }
    for (guint i = 0; i < count; i++) {
        windows[i] =
            (TraceHeatmapWindow){.start = i > 0 ? use->windows->ends[i - 1] : 0,
                                 .end = use->windows->ends[i],
                                 .links = &use->values[(gsize) i * links],
                                 .routers = &use->routers[(i + 1) * nodes]};
    }
    return trace_heatmap_to_svg(&picture);
}

bool cmd_noc_map_write(const ArchLinkUse *use,
                       const char *title,
                       const CmdNocOutput *output,
                       const char *json,
                       GError **error)
{
    if (output->heatmap != NULL) {
        g_autofree char *svg = draw(use, title);

        if (!trace_output_write(output->heatmap, svg, error)) {
            return false;
        }
    }
    return output->json == NULL || trace_output_write(output->json, json, error);
}

static JsonArray *tile_of(const ArchLinkUse *use, guint node)
{
    return record_counts((const uint64_t[]){node % use->width, node / use->width}, 2);
}

static JsonObject *link_object(const ArchLinkUse *use, guint index)
{
    const ArchUsedLink *link = arch_link_use_at(use, index);

    return RECORD(VALUE("noc", link->noc), VALUE("from", tile_of(use, link->from)),
                  VALUE("to", tile_of(use, link->to)), VALUE("from_node", link->from),
                  VALUE("to_node", link->to), VALUE("direction", link->direction),
                  VALUE("flits", link->flits), VALUE("utilisation", link->utilisation),
                  VALUE("windows", record_reals(use->values + index,
                                                use->windows->count, use->links->len)));
}

static JsonObject *router_object(const ArchLinkUse *use, guint node)
{
    const gsize nodes = (gsize) use->width * use->height;

    return RECORD(VALUE("node", node), VALUE("x", node % use->width),
                  VALUE("y", node / use->width),
                  VALUE("utilisation", use->routers[node]),
                  VALUE("windows", record_reals(use->routers + nodes + node,
                                                use->windows->count, nodes)));
}

void cmd_noc_map_set(const ArchLinkUse *use, JsonObject *metrics)
{
    JsonArray *windows = json_array_new();
    JsonArray *links = json_array_new();
    JsonArray *routers = json_array_new();
    SimTime start = 0;

    for (guint i = 0; i < use->windows->count; i++) {
        const SimTime end = use->windows->ends[i];

        json_array_add_object_element(windows,
                                      RECORD(VALUE("start", start), VALUE("end", end)));
        start = end;
    }
    for (guint i = 0; i < use->links->len; i++) {
        json_array_add_object_element(links, link_object(use, i));
    }
    for (guint node = 0; node < use->width * use->height; node++) {
        json_array_add_object_element(routers, router_object(use, node));
    }
    RECORD_ADD(metrics, VALUE("windows", windows), VALUE("links", links),
               VALUE("routers", routers));
}

void cmd_noc_map_print(const ArchLinkUse *use, guint count)
{
    g_autoptr(GPtrArray) links = arch_link_use_busiest(use, count);
    g_autoptr(Grid) grid = grid_with("FROM|TO|DIRECTION|UTILISATION");

    for (guint i = 0; i < links->len; i++) {
        const ArchUsedLink *link = g_ptr_array_index(links, i);

        grid_printf(grid, "%u,%u|%u,%u|%s|%.4f", link->from % use->width,
                    link->from / use->width, link->to % use->width,
                    link->to / use->width, link->direction, link->utilisation);
    }
    grid_print(grid, stdout, 2);
}
