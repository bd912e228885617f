/* What `gridloom model time` answers, and what its pages share. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

#include "tools/gridloom/model/time/options.h"

/* Each asks the model and writes what it says; returns the exit code. `start` is
 * g_get_monotonic_time() when the command began. */
int model_time_tiles(const ModelTimeOptions *options, gint64 start);
int model_time_surface(const ModelTimeOptions *options, gint64 start);
int model_time_campaign(const ModelTimeOptions *options, gint64 start);
int model_time_measured(const ModelTimeOptions *options, gint64 start);

/* "16x64, 34 steps, k 2"; the caller frees it. */
char *model_time_tile_name(const GpuTile *tile, guint dimension);

/* "corrected" or "as printed". */
const char *model_time_form_name(GpuTilingForm form);

/* space, steps and resident. */
JsonObject *model_time_tile_json(const GpuTile *tile, guint dimension);

/* A RecordFunc: the same of a GpuTileChoice, with seconds; the context is a guint, the
 * dimension. */
JsonObject *model_time_choice_json(gconstpointer choice, gconstpointer dimension);

/* What was asked, for a result's parameters: all but the tile. */
JsonObject *model_time_asked_json(const ModelTimeOptions *options);

/* GPU, machine and stencil, the head of a page. */
void model_time_print_head(const ModelTimeOptions *options);
