/* The positions of a Wormhole's cores and DRAM banks on its networks, from the chip
 * numbers in a result. */
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

/* Fails with TRACE_ERROR_LACKS if `result`, which may be NULL, lacks them. */
bool npe_tiles_init(NpeTiles *self, JsonObject *result, GError **error);
void npe_tiles_clear(NpeTiles *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(NpeTiles, npe_tiles_clear)

/* Returns false if there is no such core or bank. */
bool npe_tiles_core(const NpeTiles *self, int64_t x, int64_t y, NpeTile *tile);
bool npe_tiles_bank(const NpeTiles *self, int64_t bank, NpeTile *tile);

/* A link that leaves a tile: 0 is along the row, 1 along the column. */
typedef struct {
    NpeTile from;
    guint axis;
} NpeLink;

/* Appends the links of network `noc` (0 goes east and south, 1 west and north) from
 * tile to tile to `links`, an array of NpeLink. The route may wrap around the edge. */
void npe_tiles_route(
    const NpeTiles *self, guint noc, NpeTile from, NpeTile to, GArray *links);
