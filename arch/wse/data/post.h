/* The payloads that letters (letter.h) stand for, by PE of the whole wafer. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/wse/region.h"

typedef struct WsePost WsePost;

WsePost *wse_post_new(guint pe_count);
void wse_post_free(WsePost *self);

/* Makes room for the first `count` letters of every PE, less those forgotten. */
void wse_post_reserve(WsePost *self, uint32_t count);

/* A PE's letter with so many before it stands for this payload; takes its reference
 * over. PEs may post side by side. */
void wse_post_put(WsePost *self, uint32_t pe, uint32_t before, uint32_t payload);
uint32_t wse_post_at(const WsePost *self, uint32_t pe, uint32_t before);

/* Drops the payloads of all letters with fewer than so many before them. */
void wse_post_forget(WsePost *self, const WseFabric *fabric, uint32_t before);

/* How many of each PE are forgotten. */
uint32_t wse_post_forgotten(const WsePost *self);
