/* The .npeviz files of tt-npe, which ttnn-visualizer shows: transfers on the networks
 * of a Wormhole, and how busy its links are. */
#pragma once

#include <stdbool.h>

#include "traces/file/stream.h"
#include "traces/reading/timeline.h"

#define TRACE_NPEVIZ_VERSION "1.0.0"

/* A transfer is a flow that ends on a core or DRAM bank. Its route is what the chip's
 * rules make of its ends (a multicast's: the ways to its receivers), its demand of
 * links is what they carried: no link of ours carries more than it can, so demand and
 * utilisation are one. Tiles are physical, as the network has them. Fails with
 * TRACE_ERROR_LACKS where the trace has no such networks, no transfers on them, or no
 * numbers of the chip. Nothing is written then. */
bool trace_npeviz_write(const TraceTimeline *timeline,
                        TraceStream *stream,
                        GError **error);
