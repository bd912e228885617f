/* Makes a map of two networks that flow in opposite directions. */
#include "tools/gridloom/noc_chip_links.h"

#include "tools/gridloom/noc_links.h"

static const char *const networks[] = {"noc0", "noc1"};

static void add_link(NocChipLinks *self, const ArchWormholeLink *link, guint noc)
{
    const gsize index = self->map.link_count++;
    const guint width = self->map.width;

    self->flits[index] = link->flits;
    self->links[index] = (TraceHeatmapLink){
        .from = link->from.x + width * link->from.y,
        .to = link->to.x + width * link->to.y,
        .direction = link->direction,
        .network = networks[noc],
        .utilisation = (double) link->flits / (double) MAX(self->map.end, 1),
    };
}

/* A router's utilisation is the mean of the links that leave it. */
static void average_routers(NocChipLinks *self)
{
    const gsize node_count = (gsize) self->map.width * self->map.height;
    g_autofree guint *counts = g_new0(guint, node_count);

    for (gsize i = 0; i < self->map.link_count; i++) {
        counts[self->links[i].from]++;
        self->routers[self->links[i].from] += self->links[i].utilisation;
    }
    for (gsize node = 0; node < node_count; node++) {
        self->routers[node] /= MAX(counts[node], 1);
    }
}

void noc_chip_links_init(NocChipLinks *self,
                         const char *title,
                         guint width,
                         guint height,
                         GArray *const links[2],
                         SimTime cycles)
{
    const gsize link_count = links[0]->len + links[1]->len;

    *self = (NocChipLinks){
        .title = g_strdup(title),
        .links = g_new0(TraceHeatmapLink, link_count),
        .routers = g_new0(double, (gsize) width *height),
        .flits = g_new0(uint64_t, link_count),
    };
    self->map = (TraceHeatmap){
        .title = self->title,
        .unit = "flits per cycle",
        .width = width,
        .height = height,
        .is_y_down = true,
        .end = cycles,
        .links = self->links,
        .routers = self->routers,
    };
    for (guint noc = 0; noc < G_N_ELEMENTS(networks); noc++) {
        for (guint i = 0; i < links[noc]->len; i++) {
            add_link(self, &g_array_index(links[noc], ArchWormholeLink, i), noc);
        }
    }
    average_routers(self);
}

void noc_chip_links_clear(NocChipLinks *self)
{
    g_free(self->title);
    g_free(self->links);
    g_free(self->routers);
    g_free(self->flits);
}

uint64_t noc_chip_links_flits(const NocChipLinks *self)
{
    uint64_t flits = 0;

    for (gsize i = 0; i < self->map.link_count; i++) {
        flits += self->flits[i];
    }
    return flits;
}

static JsonArray *tile_array(const NocChipLinks *self, uint32_t node)
{
    JsonArray *array = json_array_new();

    json_array_add_int_element(array, node % self->map.width);
    json_array_add_int_element(array, node / self->map.width);
    return array;
}

void noc_chip_links_to_json(const NocChipLinks *self, JsonObject *metrics)
{
    JsonArray *array = json_array_new();

    for (gsize i = 0; i < self->map.link_count; i++) {
        const TraceHeatmapLink *link = &self->links[i];
        JsonObject *object = json_object_new();

        json_object_set_int_member(object, "noc", link->network == networks[1] ? 1 : 0);
        json_object_set_array_member(object, "from", tile_array(self, link->from));
        json_object_set_array_member(object, "to", tile_array(self, link->to));
        json_object_set_string_member(object, "direction", link->direction);
        json_object_set_int_member(object, "flits", (gint64) self->flits[i]);
        json_object_set_double_member(object, "utilisation", link->utilisation);
        json_array_add_object_element(array, object);
    }
    noc_links_to_json(&self->map, metrics);
    json_object_set_array_member(metrics, "links", array);
}
