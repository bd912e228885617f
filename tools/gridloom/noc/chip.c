/* Loads a chip, and reads the names of its tiles. */
#include "tools/gridloom/noc/chip.h"

#include <string.h>

#include "arch/chipfile/value.h"
#include "arch/error.h"
#include "arch/family.h"
#include "tools/gridloom/option_value.h"
#include "workloads/chip_file.h"

bool cmd_noc_chip_load(CmdNocChip *self,
                       const char *name,
                       char **overrides,
                       GError **error)
{
    const ArchFamily *family = arch_family_of_networks();

    self->params = wl_chip_load_to_run(name != NULL ? name : family->usual_chip, error);
    if (self->params == NULL) {
        return false;
    }
    if (!arch_family_of(self->params)->has_wormhole_noc) {
        return sim_fail(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                        "%s: family = %s, this network is modelled for %s chips only",
                        arch_params_name(self->params),
                        arch_params_family(self->params), family->name);
    }
    if (!wl_chip_override(self->params, overrides, error)) {
        return false;
    }
    self->tiles = arch_tiles_new(self->params, error);
    return self->tiles != NULL;
}

void cmd_noc_chip_clear(CmdNocChip *self)
{
    g_clear_pointer(&self->params, arch_params_free);
    g_clear_pointer(&self->tiles, arch_tiles_free);
}

double cmd_noc_chip_hertz(const CmdNocChip *self)
{
    return arch_params_real(self->params, "chip.clock_hz");
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
    const ArchTiles *tiles = self->tiles;
    const guint width = is_logical ? tiles->columns->len : tiles->width;
    const guint height = is_logical ? tiles->rows->len : tiles->height;

    if (tile->x >= width || tile->y >= height) {
        g_autofree char *quoted = arch_value_quote(text);

        return option_fail(error, "%s = %s, %s has %s 0..%d,0..%d", option, quoted,
                           arch_params_name(self->params),
                           is_logical ? "logical coordinates" : "tiles",
                           (int) width - 1, (int) height - 1);
    }
    if (is_logical) {
        *tile = arch_tiles_core(tiles, tile->x, tile->y);
    }
    return true;
}

static bool check_need(const CmdNocChip *self,
                       const char *text,
                       const char *option,
                       ArchTilesNeed need,
                       ArchTile tile,
                       GError **error)
{
    if (arch_tiles_have(self->tiles, tile, need)) {
        return true;
    }
    g_autofree char *quoted = arch_value_quote(text);

    return option_fail(error, "%s = %s, which is %s%s, allowed is %s", option, quoted,
                       arch_tiles_kind_name(self->tiles, tile),
                       arch_tiles_lost(self->tiles, tile) ? " of a harvested row" : "",
                       need == ARCH_TILES_TENSIX ? "a Tensix tile that works"
                                                 : "a tile with memory that works");
}

bool cmd_noc_chip_read_tile(const CmdNocChip *self,
                            const char *text,
                            const char *option,
                            ArchTilesNeed need,
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
    if (!arch_tiles_shrink(self->tiles, found)) {
        return option_refuse(option, text, "a rectangle with a Tensix tile that works",
                             error);
    }
    memcpy(corners, found, sizeof(found));
    return true;
}
