/* Makes maps of links, and writes them as JSON and as a table. */
#include "tools/gridloom/noc/map.h"

#include "tools/gridloom/grid.h"

static const char *const networks[] = {"noc0", "noc1"};

static guint node_count(const CmdNocMap *self)
{
    return self->picture.width * self->picture.height;
}

static const CmdNocMapLink *link_at(const CmdNocMap *self, gsize index)
{
    return &g_array_index(self->links, CmdNocMapLink, index);
}

static void
average_routers(const CmdNocMap *self, const double *values, double *routers)
{
    g_autofree guint *counts = g_new0(guint, node_count(self));

    for (guint i = 0; i < self->links->len; i++) {
        counts[link_at(self, i)->from]++;
        routers[link_at(self, i)->from] += values[i];
    }
    for (guint node = 0; node < node_count(self); node++) {
        routers[node] /= MAX(counts[node], 1);
    }
}

/* Links go by NoC 0 first; where none is of NoC 1 there is nothing to tell apart. */
static bool has_pair(const CmdNocMap *self)
{
    return self->links->len > 0 && link_at(self, self->links->len - 1)->noc > 0;
}

static void fill_links(CmdNocMap *self, SimTime cycles)
{
    g_autofree double *values = g_new(double, self->links->len);

    for (guint i = 0; i < self->links->len; i++) {
        const CmdNocMapLink *link = link_at(self, i);

        values[i] = (double) link->flits / (double) MAX(cycles, 1);
        self->drawn[i] =
            (TraceHeatmapLink){.from = link->from,
                               .to = link->to,
                               .direction = link->direction,
                               .network = has_pair(self) ? networks[link->noc] : NULL,
                               .utilisation = values[i]};
    }
    average_routers(self, values, self->routers);
}

static void fill_windows(CmdNocMap *self, const ArchNocWindows *windows)
{
    const gsize links = self->links->len;

    for (guint i = 0; i < windows->count; i++) {
        const SimTime start = i > 0 ? windows->ends[i - 1] : 0;
        const double cycles = (double) (windows->ends[i] - start);
        double *values = &self->values[i * links];
        double *routers = &self->routers[(i + 1) * (gsize) node_count(self)];

        for (gsize link = 0; link < links; link++) {
            values[link] = (double) windows->flits[i * links + link] / cycles;
        }
        average_routers(self, values, routers);
        self->windows[i] = (TraceHeatmapWindow){.start = start,
                                                .end = windows->ends[i],
                                                .links = values,
                                                .routers = routers};
    }
}

void cmd_noc_map_init(CmdNocMap *self,
                      const char *title,
                      guint width,
                      guint height,
                      GArray *links,
                      const ArchNocWindows *windows)
{
    const gsize nodes = (gsize) width * height;
    const SimTime end = windows->count > 0 ? windows->ends[windows->count - 1] : 0;

    *self = (CmdNocMap){
        .title = g_strdup(title),
        .links = links,
        .drawn = g_new0(TraceHeatmapLink, links->len),
        .windows = g_new0(TraceHeatmapWindow, windows->count),
        .values = g_new0(double, (gsize) windows->count * links->len),
        .routers = g_new0(double, (windows->count + 1) * nodes),
    };
    self->picture = (TraceHeatmap){
        .title = self->title,
        .unit = "flits per cycle",
        .width = width,
        .height = height,
        .is_y_down = true,
        .end = end,
        .links = self->drawn,
        .link_count = links->len,
        .routers = self->routers,
        .windows = self->windows,
        .window_count = windows->count,
    };
    fill_links(self, end);
    fill_windows(self, windows);
}

void cmd_noc_map_clear(CmdNocMap *self)
{
    g_free(self->title);
    g_clear_pointer(&self->links, g_array_unref);
    g_free(self->drawn);
    g_free(self->windows);
    g_free(self->values);
    g_free(self->routers);
}

uint64_t cmd_noc_map_flits(const CmdNocMap *self)
{
    uint64_t flits = 0;

    for (guint i = 0; i < self->links->len; i++) {
        flits += link_at(self, i)->flits;
    }
    return flits;
}

static JsonArray *tile_array(const CmdNocMap *self, uint32_t node)
{
    JsonArray *array = json_array_new();

    json_array_add_int_element(array, node % self->picture.width);
    json_array_add_int_element(array, node / self->picture.width);
    return array;
}

static JsonObject *link_object(const CmdNocMap *self, gsize index)
{
    const CmdNocMapLink *link = link_at(self, index);
    JsonObject *object = json_object_new();
    JsonArray *windows = json_array_new();

    for (gsize i = 0; i < self->picture.window_count; i++) {
        json_array_add_double_element(windows, self->windows[i].links[index]);
    }
    json_object_set_int_member(object, "noc", link->noc);
    json_object_set_array_member(object, "from", tile_array(self, link->from));
    json_object_set_array_member(object, "to", tile_array(self, link->to));
    json_object_set_int_member(object, "from_node", link->from);
    json_object_set_int_member(object, "to_node", link->to);
    json_object_set_string_member(object, "direction", link->direction);
    json_object_set_int_member(object, "flits", (gint64) link->flits);
    json_object_set_double_member(object, "utilisation",
                                  self->drawn[index].utilisation);
    json_object_set_array_member(object, "windows", windows);
    return object;
}

static JsonObject *router_object(const CmdNocMap *self, guint node)
{
    JsonObject *object = json_object_new();
    JsonArray *windows = json_array_new();

    for (gsize i = 0; i < self->picture.window_count; i++) {
        json_array_add_double_element(windows, self->windows[i].routers[node]);
    }
    json_object_set_int_member(object, "node", node);
    json_object_set_int_member(object, "x", node % self->picture.width);
    json_object_set_int_member(object, "y", node / self->picture.width);
    json_object_set_double_member(object, "utilisation", self->routers[node]);
    json_object_set_array_member(object, "windows", windows);
    return object;
}

void cmd_noc_map_to_json(const CmdNocMap *self, JsonObject *metrics)
{
    JsonArray *windows = json_array_new();
    JsonArray *links = json_array_new();
    JsonArray *routers = json_array_new();

    for (gsize i = 0; i < self->picture.window_count; i++) {
        JsonObject *window = json_object_new();

        json_object_set_int_member(window, "start", (gint64) self->windows[i].start);
        json_object_set_int_member(window, "end", (gint64) self->windows[i].end);
        json_array_add_object_element(windows, window);
    }
    for (guint i = 0; i < self->links->len; i++) {
        json_array_add_object_element(links, link_object(self, i));
    }
    for (guint node = 0; node < node_count(self); node++) {
        json_array_add_object_element(routers, router_object(self, node));
    }
    json_object_set_array_member(metrics, "windows", windows);
    json_object_set_array_member(metrics, "links", links);
    json_object_set_array_member(metrics, "routers", routers);
}

static int compare(gconstpointer a, gconstpointer b)
{
    const TraceHeatmapLink *first = *(const TraceHeatmapLink *const *) a;
    const TraceHeatmapLink *second = *(const TraceHeatmapLink *const *) b;

    if (first->utilisation != second->utilisation) {
        return first->utilisation < second->utilisation ? 1 : -1;
    }
    return first < second ? -1 : 1;
}

void cmd_noc_map_print(const CmdNocMap *self, guint count, FILE *stream)
{
    const guint width = self->picture.width;
    g_autoptr(GPtrArray) links = g_ptr_array_new();
    g_autoptr(Grid) grid = grid_new(4);

    for (guint i = 0; i < self->links->len; i++) {
        g_ptr_array_add(links, &self->drawn[i]);
    }
    g_ptr_array_sort(links, compare);
    grid_add(grid, (const char *[]){"FROM", "TO", "DIRECTION", "UTILISATION"});
    for (guint i = 0; i < MIN(count, links->len); i++) {
        const TraceHeatmapLink *link = g_ptr_array_index(links, i);
        g_autofree char *from =
            g_strdup_printf("%u,%u", link->from % width, link->from / width);
        g_autofree char *to =
            g_strdup_printf("%u,%u", link->to % width, link->to / width);
        g_autofree char *utilisation = g_strdup_printf("%.4f", link->utilisation);

        grid_add(grid, (const char *[]){from, to, link->direction, utilisation});
    }
    grid_print(grid, stream, 2);
}
