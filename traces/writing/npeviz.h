/* The .npeviz files of tt-npe, which ttnn-visualizer shows: transfers on the networks
 * of a Wormhole, and how busy its links are. */
#pragma once

#include <stdbool.h>

#include "traces/file/stream.h"
#include "traces/reading/timeline.h"

#define TRACE_NPEVIZ_VERSION "1.0.0"

/* A transfer is a flow that ends on a core or DRAM bank. Its route follows the chip's
 * rules between its ends; a multicast's is the paths to its receivers. Its demand on
 * links is what they carried: our links never carry more than their capacity, so demand
 * equals utilisation. Tiles have physical coordinates. Fails with TRACE_ERROR_LACKS and
 * writes nothing if the trace lacks such networks, transfers on them, or the chip's
 * numbers. */
bool trace_npeviz_write(const TraceTimeline *timeline,
                        TraceStream *stream,
                        GError **error);
