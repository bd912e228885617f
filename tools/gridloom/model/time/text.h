/* Tiles and problems of the model of time, as people and files read them. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

#include "tools/gridloom/model/time/options.h"

/* "16x64, 34 steps, k 2"; the caller frees it. */
char *model_time_tile_name(const GpuTile *tile, guint dimension);

/* "corrected" or "as printed". */
const char *model_time_form_name(GpuTilingForm form);

/* space, steps and resident. */
JsonObject *model_time_tile_json(const GpuTile *tile, guint dimension);

/* The same with seconds. */
JsonObject *model_time_choice_json(const GpuTileChoice *choice, guint dimension);

/* What was asked, for a result's parameters: all but the tile. */
JsonObject *model_time_asked_json(const ModelTimeOptions *options);

/* GPU, machine and stencil, the head of a page. */
void model_time_print_head(const ModelTimeOptions *options, const char *what);
