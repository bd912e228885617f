/* How busy a network's links are, for readers of JSON and for people. */
#pragma once

#include <stdio.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "traces/heatmap.h"

/* Adds links[], routers[] and windows[]; those of links and routers hold a value for
 * each of the latter. */
void noc_links_to_json(const TraceHeatmap *map, JsonObject *metrics);

/* Prints the busiest links, at most `count`, those with equal values in their order. */
void noc_links_print(const TraceHeatmap *map, guint count, FILE *stream);
