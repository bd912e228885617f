/* Finds the tiles of a chip. */
#include "arch/traffic/tiles.h"

#include "sim/engine.h"
#include "sim/narrow.h"

/* The network itself knows what is where; harvested rows are told apart here. */
static bool read_kinds(ArchTiles *self, const ArchParams *params, GError **error)
{
    g_autoptr(SimEngine) engine = sim_engine_new(sim_engine_config_default());
    g_autoptr(ArchWormholeNoc) noc =
        arch_wormhole_noc_new(sim_engine_region(engine, 0), sim_key(1, 0), params,
                              (ArchWormholeNocOptions){.is_whole = true}, error);

    if (noc == NULL) {
        return false;
    }
    self->width = arch_wormhole_noc_width(noc);
    self->height = arch_wormhole_noc_height(noc);
    self->kinds = g_new(ArchTileKind, (gsize) self->width * self->height);
    for (guint node = 0; node < self->width * self->height; node++) {
        self->kinds[node] = arch_wormhole_noc_tile(
            noc, (ArchTile){.x = node % self->width, .y = node / self->width});
    }
    return true;
}

static void read_cores(ArchTiles *self, const ArchParams *params)
{
    gsize count = 0;
    const uint64_t *items = arch_params_list(params, "grid.harvested_rows", &count);

    self->is_harvested = g_new0(bool, self->height);
    for (gsize i = 0; i < count; i++) {
        self->is_harvested[items[i]] = true;
    }
    items = arch_params_list(params, "grid.tensix_columns", &count);
    for (gsize i = 0; i < count; i++) {
        guint column = sim_u32(items[i]);

        g_array_append_val(self->columns, column);
    }
    items = arch_params_list(params, "grid.tensix_rows", &count);
    for (gsize i = 0; i < count; i++) {
        guint row = sim_u32(items[i]);

        if (!self->is_harvested[row]) {
            g_array_append_val(self->rows, row);
        }
    }
}

ArchTiles *arch_tiles_new(const ArchParams *params, GError **error)
{
    g_autoptr(ArchTiles) self = g_new0(ArchTiles, 1);

    self->columns = g_array_new(FALSE, FALSE, sizeof(guint));
    self->rows = g_array_new(FALSE, FALSE, sizeof(guint));
    if (!read_kinds(self, params, error)) {
        return NULL;
    }
    read_cores(self, params);
    return g_steal_pointer(&self);
}

void arch_tiles_free(ArchTiles *self)
{
    if (self != NULL) {
        g_free(self->kinds);
        g_free(self->is_harvested);
        g_array_unref(self->columns);
        g_array_unref(self->rows);
        g_free(self);
    }
}

ArchTile arch_tiles_core(const ArchTiles *self, guint column, guint row)
{
    g_return_val_if_fail(column < self->columns->len && row < self->rows->len,
                         (ArchTile){0});

    return (ArchTile){.x = g_array_index(self->columns, guint, column),
                      .y = g_array_index(self->rows, guint, row)};
}

bool arch_tiles_contain(const ArchTiles *self, ArchTile tile)
{
    return tile.x < self->width && tile.y < self->height;
}

ArchTileKind arch_tiles_kind(const ArchTiles *self, ArchTile tile)
{
    return self->kinds[tile.x + self->width * tile.y];
}

const char *arch_tiles_kind_name(const ArchTiles *self, ArchTile tile)
{
    static const char *const names[] = {[ARCH_TILE_TENSIX] = "a Tensix tile",
                                        [ARCH_TILE_DRAM] = "a DRAM tile",
                                        [ARCH_TILE_ETHERNET] = "an Ethernet tile",
                                        [ARCH_TILE_PCIE] = "a PCIe tile",
                                        [ARCH_TILE_OTHER] = "a router without memory"};

    return names[arch_tiles_kind(self, tile)];
}

bool arch_tiles_lost(const ArchTiles *self, ArchTile tile)
{
    return arch_tiles_kind(self, tile) == ARCH_TILE_TENSIX &&
           self->is_harvested[tile.y];
}

bool arch_tiles_have(const ArchTiles *self, ArchTile tile, ArchTilesNeed need)
{
    const ArchTileKind kind = arch_tiles_kind(self, tile);

    switch (need) {
    case ARCH_TILES_MEMORY:
        return kind != ARCH_TILE_OTHER && !arch_tiles_lost(self, tile);
    case ARCH_TILES_TENSIX:
        return kind == ARCH_TILE_TENSIX && !arch_tiles_lost(self, tile);
    }
    return false;
}

static bool is_listed(const GArray *list, guint place)
{
    for (guint i = 0; i < list->len; i++) {
        if (g_array_index(list, guint, i) == place) {
            return true;
        }
    }
    return false;
}

/* Moves both ends inwards, around the edge, until they are listed or meet. */
static bool shrink(const GArray *list, guint length, guint *first, guint *last)
{
    while (!is_listed(list, *first) && *first != *last) {
        *first = (*first + 1) % length;
    }
    while (!is_listed(list, *last) && *first != *last) {
        *last = (*last + length - 1) % length;
    }
    return is_listed(list, *first);
}

bool arch_tiles_shrink(const ArchTiles *self, ArchTile corners[2])
{
    const bool has_column =
        shrink(self->columns, self->width, &corners[0].x, &corners[1].x);

    return shrink(self->rows, self->height, &corners[0].y, &corners[1].y) && has_column;
}

/* Columns of a rectangle or its rows, around the edge. */
static guint side(guint first, guint last, guint length)
{
    return (last + length - first) % length + 1;
}

bool arch_tiles_have_receiver(const ArchTiles *self,
                              const ArchTile corners[2],
                              const ArchTile *sender)
{
    const guint width = side(corners[0].x, corners[1].x, self->width);
    const guint height = side(corners[0].y, corners[1].y, self->height);

    for (guint i = 0; i < width * height; i++) {
        const ArchTile tile = {
            .x = (corners[0].x + i % width) % self->width,
            .y = (corners[0].y + i / width) % self->height,
        };

        if (arch_tiles_have(self, tile, ARCH_TILES_TENSIX) &&
            (sender == NULL || !arch_tile_is_same(tile, *sender))) {
            return true;
        }
    }
    return false;
}
