/* Wavelets between the host and PEs while a launch runs. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

#include "arch/wse.h"
#include "workloads/wafer/wafer.h"

enum {
    WAFER_CHANNELS = 16, /* of the host, at most, as cslc has them */
};

/* Cycles that a wavelet takes of the host's side, on this many of its channels. */
SimRatio wafer_stream_rate(const ArchParams *params, bool is_to, guint channels);

/* wafer:stream_to{ color =, buffer =, count =, tiles =, channels = }: the words go to
 * PEs during the next launch. */
int wafer_stream_to(lua_State *L);
/* wafer:stream_from{ ... }: words of PEs, which are in the buffer after the next
 * launch. */
int wafer_stream_from(lua_State *L);

/* The streams begin; what has come is in their buffers. */
bool wafer_streams_begin(Wafer *self, GError **error);
bool wafer_streams_take(Wafer *self, GError **error);
/* Forgets them. */
void wafer_streams_clear(Wafer *self);
