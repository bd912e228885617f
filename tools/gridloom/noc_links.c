/* Links of a network as JSON and as a table. */
#include "tools/gridloom/noc_links.h"

#include "tools/gridloom/grid.h"

static JsonArray *links_array(const TraceHeatmap *map)
{
    JsonArray *array = json_array_new();

    for (gsize i = 0; i < map->link_count; i++) {
        const TraceHeatmapLink *link = &map->links[i];
        JsonObject *object = json_object_new();
        JsonArray *windows = json_array_new();

        for (gsize window = 0; window < map->window_count; window++) {
            json_array_add_double_element(windows, map->windows[window].links[i]);
        }
        json_object_set_int_member(object, "from", link->from);
        json_object_set_int_member(object, "to", link->to);
        json_object_set_string_member(object, "direction", link->direction);
        if (link->network != NULL) {
            json_object_set_string_member(object, "network", link->network);
        }
        json_object_set_double_member(object, "utilisation", link->utilisation);
        json_object_set_array_member(object, "windows", windows);
        json_array_add_object_element(array, object);
    }
    return array;
}

static JsonArray *routers_array(const TraceHeatmap *map)
{
    JsonArray *array = json_array_new();

    for (guint node = 0; node < map->width * map->height; node++) {
        JsonObject *object = json_object_new();
        JsonArray *windows = json_array_new();

        for (gsize window = 0; window < map->window_count; window++) {
            json_array_add_double_element(windows, map->windows[window].routers[node]);
        }
        json_object_set_int_member(object, "node", node);
        json_object_set_int_member(object, "x", node % map->width);
        json_object_set_int_member(object, "y", node / map->width);
        json_object_set_double_member(object, "utilisation", map->routers[node]);
        json_object_set_array_member(object, "windows", windows);
        json_array_add_object_element(array, object);
    }
    return array;
}

void noc_links_to_json(const TraceHeatmap *map, JsonObject *metrics)
{
    JsonArray *windows = json_array_new();

    for (gsize i = 0; i < map->window_count; i++) {
        JsonObject *window = json_object_new();

        json_object_set_int_member(window, "start", (gint64) map->windows[i].start);
        json_object_set_int_member(window, "end", (gint64) map->windows[i].end);
        json_array_add_object_element(windows, window);
    }
    json_object_set_array_member(metrics, "windows", windows);
    json_object_set_array_member(metrics, "links", links_array(map));
    if (map->routers != NULL) {
        json_object_set_array_member(metrics, "routers", routers_array(map));
    }
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

void noc_links_print(const TraceHeatmap *map, guint count, FILE *stream)
{
    g_autoptr(GPtrArray) links = g_ptr_array_new();
    g_autoptr(Grid) grid = grid_new(4);

    for (gsize i = 0; i < map->link_count; i++) {
        g_ptr_array_add(links, (gpointer) &map->links[i]);
    }
    g_ptr_array_sort(links, compare);
    grid_add(grid, (const char *[]){"FROM", "TO", "DIRECTION", "UTILISATION"});
    for (guint i = 0; i < MIN(count, links->len); i++) {
        const TraceHeatmapLink *link = g_ptr_array_index(links, i);
        g_autofree char *from =
            g_strdup_printf("%u,%u", link->from % map->width, link->from / map->width);
        g_autofree char *to =
            g_strdup_printf("%u,%u", link->to % map->width, link->to / map->width);
        g_autofree char *utilisation = g_strdup_printf("%.4f", link->utilisation);

        grid_add(grid, (const char *[]){from, to, link->direction, utilisation});
    }
    grid_print(grid, stream, 2);
}
