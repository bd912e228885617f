/* Writes zones. */
#include "traces/writing/npeviz/zones.h"

#include "traces/reading/timeline_items.h"

/* tt-metal's names of the processors whose lanes of zones these are. */
static const struct {
    const char *unit;
    const char *processor;
} processors[] = {
    {"zones_reader", "NCRISC"}, {"zones_writer", "BRISC"}, {"zones_unpack", "TRISC_0"},
    {"zones_math", "TRISC_1"},  {"zones_pack", "TRISC_2"},
};

static const char *processor_of(const char *unit)
{
    for (gsize i = 0; i < G_N_ELEMENTS(processors); i++) {
        if (g_str_equal(processors[i].unit, unit)) {
            return processors[i].processor;
        }
    }
    return NULL;
}

static void
open_zone(TraceStream *stream, const TraceSlice *slice, guint32 depth, SimTime origin)
{
    trace_stream_text(stream, "{\"id\":");
    trace_stream_json(stream, slice->name);
    trace_stream_text(stream, ",\"start\":");
    trace_stream_count(stream, slice->begin > origin ? slice->begin - origin : 0);
    trace_stream_text(stream, ",\"end\":");
    trace_stream_count(stream, slice->end > origin ? slice->end - origin : 0);
    trace_stream_format(stream, ",\"depth\":%u,\"zones\":[", depth);
}

static void write_lane(const TraceTimeline *timeline,
                       const TraceLane *lane,
                       SimTime origin,
                       TraceStream *stream)
{
    guint32 open = 0;
    bool is_first = true;

    for (guint32 i = 0; i < lane->slice_count; i++) {
        const TraceSlice *slice = trace_slice_at(timeline, lane->first_slice + i);

        for (; open > slice->depth; open--) {
            trace_stream_text(stream, "]}");
            is_first = false;
        }
        trace_stream_text(stream, is_first ? "" : ",");
        open_zone(stream, slice, open, origin);
        open++;
        is_first = true;
    }
    for (; open > 0; open--) {
        trace_stream_text(stream, "]}");
    }
}

void npe_zones_write(const TraceTimeline *timeline,
                     const NpeTiles *tiles,
                     SimTime origin,
                     TraceStream *stream)
{
    bool is_first = true;

    trace_stream_text(stream, "[");
    for (guint32 i = 0; i < timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(timeline, i);
        const TracePlace *place = trace_place_at(timeline, lane->place);
        const char *processor = processor_of(lane->unit);
        NpeTile tile;

        if (processor == NULL || lane->slice_count == 0 || !place->has_place ||
            !npe_tiles_core(tiles, place->x, place->y, &tile)) {
            continue;
        }
        trace_stream_format(stream,
                            "%s\n{\"proc\":\"%s\",\"core\":[0,%u,%u],\"zones\":[",
                            is_first ? "" : ",", processor, tile.row, tile.column);
        write_lane(timeline, lane, origin, stream);
        trace_stream_text(stream, "]}");
        is_first = false;
    }
    trace_stream_text(stream, "]");
}
