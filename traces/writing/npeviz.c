/* Writes .npeviz: the header, transfers with their routes, zones, steps of time. */
#include "traces/writing/npeviz.h"

#include <math.h>

#include "traces/error.h"
#include "traces/file/json_member.h"
#include "traces/file/stream.h"
#include "traces/reading/timeline.h"
#include "traces/reading/timeline_items.h"
#include "traces/writing/npeviz/demand.h"
#include "traces/writing/npeviz/tiles.h"
#include "traces/writing/npeviz/transfers.h"

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

/* Writes the value of `zones`, a list of roots; times are cycles from `origin` on. */
static void npe_zones_write(const TraceTimeline *timeline,
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

/* Names of links, by network and axis. */
static const char *const link_names[NPE_NOCS][NPE_AXES] = {{"NOC0_EAST", "NOC0_SOUTH"},
                                                           {"NOC1_WEST", "NOC1_NORTH"}};

typedef struct {
    const TraceTimeline *timeline;
    TraceStream *stream;
    NpeTiles tiles;
    NpeTransfers transfers;
    NpeDemand demand;
} Writer;

static void writer_clear(Writer *self)
{
    npe_tiles_clear(&self->tiles);
    npe_transfers_clear(&self->transfers);
    npe_demand_clear(&self->demand);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Writer, writer_clear)

static void add_number(const Writer *self, const char *member, double value)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];

    trace_stream_format(
        self->stream, "\"%s\":%s", member,
        g_ascii_formatd(digits, sizeof digits, "%.6g", isfinite(value) ? value : 0));
}

static void add_percent(const Writer *self, const char *member, double part)
{
    add_number(self, member, 100 * part);
}

static SimTime shown(const Writer *self, SimTime time)
{
    return time > self->demand.origin ? time - self->demand.origin : 0;
}

static void add_cycles(const Writer *self, const char *member, SimTime time)
{
    trace_stream_format(self->stream, "\"%s\":", member);
    trace_stream_count(self->stream, shown(self, time));
}

/* How much of the DRAM's roof was reached, as the result says. */
static double dram_part(JsonObject *result)
{
    JsonArray *roofs = trace_json_array(result, "roofs");

    for (guint i = 0; i < trace_json_count(roofs); i++) {
        JsonObject *roof = trace_json_item(roofs, i);

        if (g_str_equal(trace_json_string(roof, "name", ""), "DRAM")) {
            return trace_json_number(roof, "achieved", 0) /
                   trace_json_number(roof, "value", 1);
        }
    }
    return 0;
}

static void write_common(const Writer *self)
{
    const NpeDemand *demand = &self->demand;
    JsonObject *result = self->timeline->result;
    double mean = 0;
    double most = 0;

    for (guint step = 0; step < demand->step_count; step++) {
        mean += (npe_demand_mean(demand, step, 0) + npe_demand_mean(demand, step, 1)) /
                2 / demand->step_count;
        for (guint link = 0; link < demand->link_count; link++) {
            most = MAX(most, npe_demand_at(demand, step, link));
        }
    }
    trace_stream_text(self->stream, "{\"common_info\":{\"version\":"
                                    "\"" TRACE_NPEVIZ_VERSION "\","
                                    "\"arch\":\"wormhole_b0\",\"device_name\":");
    trace_stream_json(self->stream, trace_json_string(result, "chip", "wormhole_b0"));
    trace_stream_text(self->stream, ",\"congestion_model_name\":\"gridloom\",");
    trace_stream_text(self->stream, "\"cycles_per_timestep\":");
    trace_stream_count(self->stream, demand->width);
    trace_stream_format(self->stream, ",\"num_cols\":%u,\"num_rows\":%u,",
                        self->tiles.columns, self->tiles.rows);
    trace_stream_text(self->stream, "\"first_cycle\":");
    trace_stream_count(self->stream, demand->origin);
    trace_stream_text(self->stream, ",");
    add_percent(self, "dram_bw_util", dram_part(result));
    trace_stream_text(self->stream, ",");
    add_percent(self, "link_demand", mean);
    trace_stream_text(self->stream, ",");
    add_percent(self, "link_util", mean);
    trace_stream_text(self->stream, ",");
    add_percent(self, "max_link_demand", most);
    trace_stream_text(self->stream, "},\n\"chips\":{\"0\":[0,0,0,0]},\n");
}

static void add_tile(const Writer *self, NpeTile tile)
{
    trace_stream_format(self->stream, "[0,%u,%u]", tile.row, tile.column);
}

static void add_ends(const Writer *self, const NpeTransfer *transfer)
{
    trace_stream_text(self->stream, "\"src\":");
    add_tile(self, transfer->from);
    trace_stream_text(self->stream, ",\"dst\":[");
    for (guint i = 0; i < transfer->to_count; i++) {
        trace_stream_text(self->stream, i > 0 ? "," : "");
        add_tile(self, g_array_index(self->transfers.receivers, NpeTile,
                                     transfer->first_to + i));
    }
    trace_stream_format(self->stream, "],\"total_bytes\":%" G_GINT64_FORMAT ",",
                        transfer->bytes);
    trace_stream_text(self->stream, "\"noc_event_type\":");
    trace_stream_json(self->stream, transfer->name);
    trace_stream_text(self->stream, ",");
    add_cycles(self, "start_cycle", transfer->begin);
    trace_stream_text(self->stream, ",");
    add_cycles(self, "end_cycle", transfer->end);
}

static void add_link(const Writer *self, NpeTile tile, const char *name, bool is_first)
{
    trace_stream_format(self->stream, "%s[0,%u,%u,\"%s\"]", is_first ? "" : ",",
                        tile.row, tile.column, name);
}

/* Ways to several receivers share their beginning. */
static void add_links(const Writer *self, const NpeTransfer *transfer)
{
    g_autoptr(GArray) links = g_array_new(FALSE, FALSE, sizeof(NpeLink));
    g_autoptr(GHashTable) seen = g_hash_table_new(g_direct_hash, g_direct_equal);
    const char *out = transfer->noc == 0 ? "NOC0_OUT" : "NOC1_OUT";

    add_link(self, transfer->from, transfer->noc == 0 ? "NOC0_IN" : "NOC1_IN", true);
    for (guint i = 0; i < transfer->to_count; i++) {
        NpeTile to =
            g_array_index(self->transfers.receivers, NpeTile, transfer->first_to + i);

        npe_tiles_route(&self->tiles, transfer->noc, transfer->from, to, links);
    }
    for (guint i = 0; i < links->len; i++) {
        const NpeLink *link = &g_array_index(links, NpeLink, i);
        guint key =
            (link->from.row * self->tiles.columns + link->from.column) * NPE_AXES +
            link->axis;

        if (g_hash_table_add(seen, GUINT_TO_POINTER(key))) {
            add_link(self, link->from, link_names[transfer->noc][link->axis], false);
        }
    }
    for (guint i = 0; i < transfer->to_count; i++) {
        add_link(
            self,
            g_array_index(self->transfers.receivers, NpeTile, transfer->first_to + i),
            out, false);
    }
}

static void write_transfer(const Writer *self, guint id)
{
    const NpeTransfer *transfer =
        &g_array_index(self->transfers.transfers, NpeTransfer, id);

    trace_stream_format(self->stream, "%s\n{\"id\":%u,", id > 0 ? "," : "", id);
    add_ends(self, transfer);
    trace_stream_text(self->stream, ",\"fabric_event_type\":false,\"route\":[{"
                                    "\"device_id\":0,");
    add_ends(self, transfer);
    trace_stream_format(self->stream, ",\"noc_type\":\"NOC%u\",", transfer->noc);
    add_number(self, "injection_rate",
               (double) transfer->bytes /
                   (double) MAX(transfer->end - transfer->begin, 1));
    trace_stream_text(self->stream, ",\"links\":[");
    add_links(self, transfer);
    trace_stream_text(self->stream, "]}]}");
}

static void add_demand(const Writer *self, guint step)
{
    const guint columns = self->tiles.columns;
    const guint tiles = columns * self->tiles.rows;
    bool is_first = true;

    trace_stream_text(self->stream, "\"link_demand\":[");
    for (guint i = 0; i < self->demand.link_count; i++) {
        double part = npe_demand_at(&self->demand, step, i);
        guint tile = i / NPE_AXES % tiles;

        if (part > 0) {
            char digits[G_ASCII_DTOSTR_BUF_SIZE];

            trace_stream_format(
                self->stream, "%s[0,%u,%u,\"%s\",%s]", is_first ? "" : ",",
                tile / columns, tile % columns,
                link_names[i / NPE_AXES / tiles][i % NPE_AXES],
                g_ascii_formatd(digits, sizeof digits, "%.6g", 100 * part));
            is_first = false;
        }
    }
    trace_stream_text(self->stream, "],");
}

/* Transfers that last into the step, from those that have begun; `active` keeps them.
 */
static void add_active(const Writer *self, GArray *active, guint *begun, guint step)
{
    SimTime from = self->demand.origin + step * self->demand.width;
    SimTime to = trace_time_after(from, self->demand.width);
    guint kept = 0;

    for (; *begun < self->transfers.transfers->len &&
           g_array_index(self->transfers.transfers, NpeTransfer, *begun).begin < to;
         (*begun)++) {
        g_array_append_val(active, *begun);
    }
    trace_stream_text(self->stream, "\"active_transfers\":[");
    for (guint i = 0; i < active->len; i++) {
        guint id = g_array_index(active, guint, i);

        if (g_array_index(self->transfers.transfers, NpeTransfer, id).end >= from) {
            trace_stream_format(self->stream, "%s%u", kept > 0 ? "," : "", id);
            g_array_index(active, guint, kept++) = id;
        }
    }
    g_array_set_size(active, kept);
    trace_stream_text(self->stream, "],");
}

static void add_means(const Writer *self, double part)
{
    add_percent(self, "avg_link_demand", part);
    trace_stream_text(self->stream, ",");
    add_percent(self, "avg_link_util", part);
}

static void write_step(const Writer *self, GArray *active, guint *begun, guint step)
{
    SimTime from = self->demand.origin + step * self->demand.width;
    const double means[NPE_NOCS] = {npe_demand_mean(&self->demand, step, 0),
                                    npe_demand_mean(&self->demand, step, 1)};

    trace_stream_text(self->stream, step > 0 ? ",\n{" : "\n{");
    add_cycles(self, "start_cycle", from);
    trace_stream_text(self->stream, ",");
    add_cycles(self, "end_cycle", trace_time_after(from, self->demand.width));
    trace_stream_text(self->stream, ",");
    add_active(self, active, begun, step);
    add_demand(self, step);
    add_means(self, (means[0] + means[1]) / NPE_NOCS);
    trace_stream_text(self->stream, ",\"noc\":{\"NOC0\":{");
    add_means(self, means[0]);
    trace_stream_text(self->stream, "},\"NOC1\":{");
    add_means(self, means[1]);
    trace_stream_text(self->stream, "}}}");
}

static void write_all(const Writer *self)
{
    g_autoptr(GArray) active = g_array_new(FALSE, FALSE, sizeof(guint));
    guint begun = 0;

    write_common(self);
    trace_stream_text(self->stream, "\"noc_transfers\":[");
    for (guint i = 0; i < self->transfers.transfers->len; i++) {
        write_transfer(self, i);
    }
    trace_stream_text(self->stream, "],\n\"zones\":");
    npe_zones_write(self->timeline, &self->tiles, self->demand.origin, self->stream);
    trace_stream_text(self->stream, ",\n\"timestep_data\":[");
    for (guint i = 0; i < self->demand.step_count; i++) {
        write_step(self, active, &begun, i);
    }
    trace_stream_text(self->stream, "]}\n");
}

static bool refuse(const char *why, GError **error)
{
    g_set_error_literal(error, TRACE_ERROR, TRACE_ERROR_LACKS, why);
    return false;
}

bool trace_npeviz_write(const TraceTimeline *timeline,
                        TraceStream *stream,
                        GError **error)
{
    g_auto(Writer) writer = {.timeline = timeline, .stream = stream};

    if (trace_json_number(timeline->result, "chips", 1) > 1) {
        return refuse("it is of several chips, and .npeviz shows the networks of one",
                      error);
    }
    if (!npe_tiles_init(&writer.tiles, timeline->result, error)) {
        return false;
    }
    npe_demand_init(&writer.demand, timeline, &writer.tiles);
    if (!writer.demand.is_seen) {
        return refuse("it has no links of Wormhole's networks, which .npeviz shows",
                      error);
    }
    npe_transfers_init(&writer.transfers, timeline, &writer.tiles);
    if (writer.transfers.transfers->len == 0) {
        return refuse("it has no transfer over Wormhole's networks, and "
                      "ttnn-visualizer shows no file without one",
                      error);
    }
    write_all(&writer);
    return true;
}
