/* Loads a chip and finds tiles on it. */
#include "tools/gridloom/noc/chip.h"

#include <string.h>

#include "arch/chipfile/value.h"
#include "arch/error.h"
#include "arch/family.h"
#include "sim/engine.h"
#include "tools/gridloom/chip_numbers.h"
#include "tools/gridloom/option_value.h"

struct CmdNocChip {
    ArchParams *params;
    guint width;
    guint height;
    ArchTileKind *kinds; /* by x + width * y */
    bool *is_harvested;  /* by row */
    GArray *columns;     /* of guint: those of Tensix tiles that work */
    GArray *rows;
};

static const char *const kind_names[] = {[ARCH_TILE_TENSIX] = "a Tensix tile",
                                         [ARCH_TILE_DRAM] = "a DRAM tile",
                                         [ARCH_TILE_ETHERNET] = "an Ethernet tile",
                                         [ARCH_TILE_PCIE] = "a PCIe tile",
                                         [ARCH_TILE_OTHER] = "a router without memory"};

/* The first family that has the networks. */
static const ArchFamily *family_of_networks(void)
{
    guint i = 0;

    while (!arch_families[i]->has_wormhole_noc) {
        i++;
    }
    return arch_families[i];
}

static ArchParams *load_params(const char *name, char **overrides, GError **error)
{
    g_autoptr(ArchParams) params = chip_numbers_load_to_run(name, error);

    if (params == NULL) {
        return NULL;
    }
    if (!arch_family_of(params)->has_wormhole_noc) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                    "%s: family = %s, this network is modelled for %s chips only",
                    arch_params_name(params), arch_params_family(params),
                    family_of_networks()->name);
        return NULL;
    }
    return chip_numbers_override(params, overrides, error) ? g_steal_pointer(&params)
                                                           : NULL;
}

/* The network itself knows what is where; harvested rows are told apart here. */
static bool read_kinds(CmdNocChip *self, GError **error)
{
    g_autoptr(SimEngine) engine = sim_engine_new(sim_engine_config_default());
    g_autoptr(ArchWormholeNoc) noc =
        arch_wormhole_noc_new(sim_engine_region(engine, 0), sim_key(1, 0), self->params,
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

static void read_cores(CmdNocChip *self)
{
    gsize count = 0;
    const uint64_t *items =
        arch_params_list(self->params, "grid.harvested_rows", &count);

    self->is_harvested = g_new0(bool, self->height);
    for (gsize i = 0; i < count; i++) {
        self->is_harvested[items[i]] = true;
    }
    items = arch_params_list(self->params, "grid.tensix_columns", &count);
    for (gsize i = 0; i < count; i++) {
        guint column = (guint) items[i];

        g_array_append_val(self->columns, column);
    }
    items = arch_params_list(self->params, "grid.tensix_rows", &count);
    for (gsize i = 0; i < count; i++) {
        guint row = (guint) items[i];

        if (!self->is_harvested[row]) {
            g_array_append_val(self->rows, row);
        }
    }
}

CmdNocChip *cmd_noc_chip_load(const char *name, char **overrides, GError **error)
{
    g_autoptr(CmdNocChip) self = g_new0(CmdNocChip, 1);

    self->columns = g_array_new(FALSE, FALSE, sizeof(guint));
    self->rows = g_array_new(FALSE, FALSE, sizeof(guint));
    self->params = load_params(name != NULL ? name : family_of_networks()->usual_chip,
                               overrides, error);
    if (self->params == NULL || !read_kinds(self, error)) {
        return NULL;
    }
    read_cores(self);
    return g_steal_pointer(&self);
}

void cmd_noc_chip_free(CmdNocChip *self)
{
    if (self == NULL) {
        return;
    }
    arch_params_free(self->params);
    g_free(self->kinds);
    g_free(self->is_harvested);
    g_array_unref(self->columns);
    g_array_unref(self->rows);
    g_free(self);
}

const ArchParams *cmd_noc_chip_params(const CmdNocChip *self)
{
    return self->params;
}

double cmd_noc_chip_hertz(const CmdNocChip *self)
{
    return arch_params_real(self->params, "chip.clock_hz");
}

guint cmd_noc_chip_width(const CmdNocChip *self)
{
    return self->width;
}

guint cmd_noc_chip_height(const CmdNocChip *self)
{
    return self->height;
}

guint cmd_noc_chip_core_columns(const CmdNocChip *self)
{
    return self->columns->len;
}

guint cmd_noc_chip_core_rows(const CmdNocChip *self)
{
    return self->rows->len;
}

ArchTile cmd_noc_chip_core(const CmdNocChip *self, guint column, guint row)
{
    g_return_val_if_fail(column < self->columns->len && row < self->rows->len,
                         (ArchTile){0});

    return (ArchTile){.x = g_array_index(self->columns, guint, column),
                      .y = g_array_index(self->rows, guint, row)};
}

bool cmd_noc_chip_contains(const CmdNocChip *self, ArchTile tile)
{
    return tile.x < self->width && tile.y < self->height;
}

ArchTileKind cmd_noc_chip_kind(const CmdNocChip *self, ArchTile tile)
{
    return self->kinds[tile.x + self->width * tile.y];
}

static bool is_harvested(const CmdNocChip *self, ArchTile tile)
{
    return cmd_noc_chip_kind(self, tile) == ARCH_TILE_TENSIX &&
           self->is_harvested[tile.y];
}

bool cmd_noc_chip_has(const CmdNocChip *self, ArchTile tile, CmdNocChipNeed need)
{
    switch (need) {
    case CMD_NOC_CHIP_ANY:
        return true;
    case CMD_NOC_CHIP_MEMORY:
        return cmd_noc_chip_kind(self, tile) != ARCH_TILE_OTHER &&
               !is_harvested(self, tile);
    case CMD_NOC_CHIP_TENSIX:
        return cmd_noc_chip_kind(self, tile) == ARCH_TILE_TENSIX &&
               !is_harvested(self, tile);
    }
    return false;
}

static bool read_pair(const char *text, ArchTile *tile)
{
    guint pair[2] = {0};

    if (!option_is_pair(text, ",", pair)) {
        return false;
    }
    *tile = (ArchTile){.x = pair[0], .y = pair[1]};
    return true;
}

static bool place_tile(const CmdNocChip *self,
                       const char *text,
                       const char *option,
                       bool is_logical,
                       ArchTile *tile,
                       GError **error)
{
    const guint width = is_logical ? self->columns->len : self->width;
    const guint height = is_logical ? self->rows->len : self->height;

    if (tile->x >= width || tile->y >= height) {
        g_autofree char *quoted = arch_value_quote(text);

        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                    "%s = %s, %s has %s 0..%d,0..%d", option, quoted,
                    arch_params_name(self->params),
                    is_logical ? "logical coordinates" : "tiles", (int) width - 1,
                    (int) height - 1);
        return false;
    }
    if (is_logical) {
        *tile = cmd_noc_chip_core(self, tile->x, tile->y);
    }
    return true;
}

static bool check_need(const CmdNocChip *self,
                       const char *text,
                       const char *option,
                       CmdNocChipNeed need,
                       ArchTile tile,
                       GError **error)
{
    if (cmd_noc_chip_has(self, tile, need)) {
        return true;
    }
    g_autofree char *quoted = arch_value_quote(text);

    g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                "%s = %s, which is %s%s, allowed is %s", option, quoted,
                kind_names[cmd_noc_chip_kind(self, tile)],
                is_harvested(self, tile) ? " of a harvested row" : "",
                need == CMD_NOC_CHIP_TENSIX ? "a Tensix tile that works"
                                            : "a tile with memory that works");
    return false;
}

bool cmd_noc_chip_read_tile(const CmdNocChip *self,
                            const char *text,
                            const char *option,
                            CmdNocChipNeed need,
                            ArchTile *tile,
                            GError **error)
{
    const bool is_logical = g_str_has_prefix(text, "L:");
    ArchTile found = {0};

    if (!read_pair(is_logical ? text + 2 : text, &found)) {
        return option_refuse(option, text, "X,Y or L:X,Y", error);
    }
    if (!place_tile(self, text, option, is_logical, &found, error) ||
        !check_need(self, text, option, need, found, error)) {
        return false;
    }
    *tile = found;
    return true;
}

static bool is_core_column(const CmdNocChip *self, guint x)
{
    for (guint i = 0; i < self->columns->len; i++) {
        if (g_array_index(self->columns, guint, i) == x) {
            return true;
        }
    }
    return false;
}

static bool is_core_row(const CmdNocChip *self, guint y)
{
    for (guint i = 0; i < self->rows->len; i++) {
        if (g_array_index(self->rows, guint, i) == y) {
            return true;
        }
    }
    return false;
}

/* Drops columns without a Tensix tile at either end, then rows. */
static bool shrink(const CmdNocChip *self, ArchTile corners[2])
{
    ArchTile *first = &corners[0];
    ArchTile *last = &corners[1];

    while (!is_core_column(self, first->x) && first->x != last->x) {
        first->x = (first->x + 1) % self->width;
    }
    while (!is_core_column(self, last->x) && first->x != last->x) {
        last->x = (last->x + self->width - 1) % self->width;
    }
    while (!is_core_row(self, first->y) && first->y != last->y) {
        first->y = (first->y + 1) % self->height;
    }
    while (!is_core_row(self, last->y) && first->y != last->y) {
        last->y = (last->y + self->height - 1) % self->height;
    }
    return is_core_column(self, first->x) && is_core_row(self, first->y);
}

bool cmd_noc_chip_read_rectangle(const CmdNocChip *self,
                                 const char *text,
                                 const char *option,
                                 ArchTile corners[2],
                                 GError **error)
{
    const bool is_logical = g_str_has_prefix(text, "L:");
    g_auto(GStrv) parts = g_strsplit(is_logical ? text + 2 : text, ":", 2);
    const char *second = parts[0] != NULL ? parts[1] : NULL;
    ArchTile found[2] = {{0}};

    if (second == NULL) {
        second = parts[0];
    } else if (is_logical && g_str_has_prefix(second, "L:")) {
        second += 2;
    }
    if (second == NULL || !read_pair(parts[0], &found[0]) ||
        !read_pair(second, &found[1])) {
        return option_refuse(option, text, "X,Y:X,Y or L:X,Y:X,Y", error);
    }
    if (!place_tile(self, text, option, is_logical, &found[0], error) ||
        !place_tile(self, text, option, is_logical, &found[1], error)) {
        return false;
    }
    if (!shrink(self, found)) {
        return option_refuse(option, text, "a rectangle with a Tensix tile that works",
                             error);
    }
    memcpy(corners, found, sizeof(found));
    return true;
}

static uint32_t node_of(const CmdNocChip *self, ArchTile tile)
{
    return tile.x + self->width * tile.y;
}

void cmd_noc_chip_map(const CmdNocChip *self,
                      const char *title,
                      GArray *const links[2],
                      const ArchNocWindows *windows,
                      CmdNocMap *map)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(CmdNocMapLink));

    for (guint noc = 0; noc < 2; noc++) {
        for (guint i = 0; i < links[noc]->len; i++) {
            const ArchWormholeLink *link =
                &g_array_index(links[noc], ArchWormholeLink, i);
            const CmdNocMapLink item = {.from = node_of(self, link->from),
                                        .to = node_of(self, link->to),
                                        .direction = link->direction,
                                        .noc = noc,
                                        .flits = link->flits};

            g_array_append_val(all, item);
        }
    }
    cmd_noc_map_init(map, title, self->width, self->height, all, windows);
}
