/* Where the cores and DRAM banks of a Wormhole lie on its networks, as the numbers of
 * the chip in a result say. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

typedef struct {
    guint column;
    guint row;
} NpeTile;

typedef struct {
    guint columns;
    guint rows;
    GArray *core_columns; /* of guint, by logical coordinate */
    GArray *core_rows;
    GArray *bank_columns; /* by bank */
    GArray *bank_rows;
} NpeTiles;

/* Fails with TRACE_ERROR_LACKS where `result` (may be NULL) does not have them. */
bool npe_tiles_init(NpeTiles *self, JsonObject *result, GError **error);
void npe_tiles_clear(NpeTiles *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(NpeTiles, npe_tiles_clear)

/* False where there is no such core or bank. */
bool npe_tiles_core(const NpeTiles *self, int64_t x, int64_t y, NpeTile *tile);
bool npe_tiles_bank(const NpeTiles *self, int64_t bank, NpeTile *tile);

/* A link that leaves a tile: 0 is along the row, 1 along the column. */
typedef struct {
    NpeTile from;
    guint axis;
} NpeLink;

/* Adds the links of network `noc` (0 goes east and south, 1 west and north) from tile
 * to tile, around the edge where the way leads there, to `links`, of NpeLink. */
void npe_tiles_route(
    const NpeTiles *self, guint noc, NpeTile from, NpeTile to, GArray *links);
