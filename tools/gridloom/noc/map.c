/* Writes how busy links were as a picture, as JSON and as a table. */
#include "tools/gridloom/noc/map.h"

#include <stdio.h>

#include "tools/gridloom/record.h"

static const char *const networks[] = {"noc0", "noc1"};

bool cmd_noc_map_write(const ArchLinkUse *use,
                       const char *title,
                       const CmdNocOutput *output,
                       const char *json,
                       GError **error)
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
    return cmd_noc_output_write(output, &picture, json, error);
}

JsonArray *cmd_noc_map_tile(guint x, guint y)
{
    JsonArray *array = json_array_new();

    json_array_add_int_element(array, x);
    json_array_add_int_element(array, y);
    return array;
}

/* A link or a router, and its place among all. */
typedef struct {
    const ArchLinkUse *use;
    gsize index;
    ArchUsedLink link;
    guint x;
    guint y;
    double utilisation;
} Row;

static char *place_text(const Row *row, guint node)
{
    return g_strdup_printf("%u,%u", node % row->use->width, node / row->use->width);
}

static char *from_text(gconstpointer row)
{
    return place_text(row, ((const Row *) row)->link.from);
}

static char *to_text(gconstpointer row)
{
    return place_text(row, ((const Row *) row)->link.to);
}

static JsonNode *place_node(const Row *row, guint node)
{
    return record_array(
        cmd_noc_map_tile(node % row->use->width, node / row->use->width));
}

static JsonNode *from_node(gconstpointer row)
{
    return place_node(row, ((const Row *) row)->link.from);
}

static JsonNode *to_node(gconstpointer row)
{
    return place_node(row, ((const Row *) row)->link.to);
}

/* The value of each window; those of the next one are `stride` numbers on. */
static JsonNode *windows_node(const Row *row, const double *values, gsize stride)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < row->use->windows->count; i++) {
        json_array_add_double_element(array, values[i * stride]);
    }
    return record_array(array);
}

static JsonNode *link_windows(gconstpointer record)
{
    const Row *row = record;

    return windows_node(row, row->use->values + row->index, row->use->links->len);
}

static JsonNode *router_windows(gconstpointer record)
{
    const Row *row = record;
    const gsize nodes = (gsize) row->use->width * row->use->height;

    return windows_node(row, row->use->routers + nodes + row->index, nodes);
}

static const RecordField link_fields[] = {
    {"noc", RECORD_MEMBER(Row, link.noc)},
    {"from", "FROM", .node = from_node, .words = from_text},
    {"to", "TO", .node = to_node, .words = to_text},
    {"from_node", RECORD_MEMBER(Row, link.from)},
    {"to_node", RECORD_MEMBER(Row, link.to)},
    {"direction", "DIRECTION", RECORD_MEMBER(Row, link.direction)},
    {"flits", RECORD_MEMBER(Row, link.flits)},
    {"utilisation", "UTILISATION", "%.4f", RECORD_MEMBER(Row, link.utilisation)},
    {"windows", .node = link_windows},
};
static const RecordTable link_table = RECORD_TABLE(link_fields);

static const RecordField router_fields[] = {
    {"node", RECORD_MEMBER(Row, link.from)},
    {"x", RECORD_MEMBER(Row, x)},
    {"y", RECORD_MEMBER(Row, y)},
    {"utilisation", RECORD_MEMBER(Row, utilisation)},
    {"windows", .node = router_windows},
};
static const RecordTable router_table = RECORD_TABLE(router_fields);

void cmd_noc_map_set(const ArchLinkUse *use, JsonObject *metrics)
{
    JsonArray *windows = json_array_new();
    JsonArray *links = json_array_new();
    JsonArray *routers = json_array_new();

    for (guint i = 0; i < use->windows->count; i++) {
        const SimTime *ends = use->windows->ends;
        JsonObject *window = json_object_new();

        json_object_set_int_member(window, "start", i > 0 ? (gint64) ends[i - 1] : 0);
        json_object_set_int_member(window, "end", (gint64) ends[i]);
        json_array_add_object_element(windows, window);
    }
    for (guint i = 0; i < use->links->len; i++) {
        const Row row = {.use = use, .index = i, .link = *arch_link_use_at(use, i)};

        json_array_add_object_element(links, record_to_json(&link_table, &row));
    }
    for (guint node = 0; node < use->width * use->height; node++) {
        const Row row = {.use = use,
                         .index = node,
                         .link.from = node,
                         .x = node % use->width,
                         .y = node / use->width,
                         .utilisation = use->routers[node]};

        json_array_add_object_element(routers, record_to_json(&router_table, &row));
    }
    json_object_set_array_member(metrics, "windows", windows);
    json_object_set_array_member(metrics, "links", links);
    json_object_set_array_member(metrics, "routers", routers);
}

void cmd_noc_map_print(const ArchLinkUse *use, guint count)
{
    g_autoptr(GPtrArray) links = arch_link_use_busiest(use, count);
    g_autoptr(Grid) grid = record_grid_new(&link_table);

    for (guint i = 0; i < links->len; i++) {
        const Row row = {.use = use,
                         .link = *(const ArchUsedLink *) g_ptr_array_index(links, i)};

        record_add_to_grid(&link_table, &row, grid);
    }
    grid_print(grid, stdout, 2);
}
