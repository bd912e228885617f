/* Writes timelines as CSV. */
#include "traces/writing/timeline_csv.h"

#include "traces/reading/timeline_items.h"

typedef struct {
    const TraceTimeline *timeline;
    TraceStream *stream;
} Writer;

static void add_comma(const Writer *self)
{
    trace_stream_text(self->stream, ",");
}

static void add_count(const Writer *self, uint64_t value)
{
    add_comma(self);
    trace_stream_count(self->stream, value);
}

static void add_range(const Writer *self, bool is_there, guint first, guint last)
{
    add_comma(self);
    if (is_there) {
        trace_stream_count(self->stream, first);
        if (last != first) {
            trace_stream_format(self->stream, ":%u", last);
        }
    }
}

/* Up to and with the name. */
static void
open_row(const Writer *self, const char *record, guint32 index, const char *name)
{
    const TraceLane *lane = trace_lane_at(self->timeline, index);
    const TracePlace *place = trace_place_at(self->timeline, lane->place);

    trace_stream_text(self->stream, record);
    add_comma(self);
    trace_stream_field(self->stream, lane->name);
    add_comma(self);
    trace_stream_field(self->stream, place->kind);
    add_range(self, place->has_place, place->x, place->x_end);
    add_range(self, place->has_place, place->y, place->y_end);
    add_comma(self);
    trace_stream_field(self->stream, lane->unit);
    add_comma(self);
    trace_stream_field(self->stream, name);
}

static void add_arguments(const Writer *self, guint32 first, guint32 count)
{
    g_autofree char *text = trace_arguments_text(self->timeline, first, count);

    add_comma(self);
    trace_stream_field(self->stream, text);
    trace_stream_text(self->stream, "\n");
}

static void write_slices(const Writer *self)
{
    for (guint32 i = 0; i < self->timeline->slices->len; i++) {
        const TraceSlice *slice = trace_slice_at(self->timeline, i);

        open_row(self, "slice", slice->lane, slice->name);
        add_count(self, slice->begin);
        add_count(self, slice->end);
        add_count(self, trace_slice_cycles(slice));
        add_comma(self);
        add_count(self, slice->depth);
        add_comma(self);
        add_arguments(self, slice->first_argument, slice->argument_count);
    }
}

static void write_marks(const Writer *self)
{
    for (guint32 i = 0; i < self->timeline->marks->len; i++) {
        const TraceMark *mark = trace_mark_at(self->timeline, i);

        open_row(self, mark->is_stall ? "stall" : "mark", mark->lane, mark->name);
        add_count(self, mark->at);
        if (mark->is_stall) {
            add_count(self, trace_time_after(mark->at, mark->cycles));
            add_count(self, mark->cycles);
        } else {
            trace_stream_text(self->stream, ",,");
        }
        trace_stream_text(self->stream, ",,,");
        add_arguments(self, mark->first_argument, mark->argument_count);
    }
}

static void write_counter(const Writer *self, const TraceCounter *counter)
{
    bool is_use = counter->width > 0;

    for (guint32 i = 0; i < counter->sample_count; i++) {
        const TraceSample *sample =
            trace_sample_at(self->timeline, counter->first_sample + i);

        open_row(self, is_use ? "use" : "counter", counter->lane, counter->name);
        add_count(self, sample->at);
        if (is_use) {
            add_count(self, trace_time_after(sample->at, counter->width));
        } else {
            add_comma(self);
        }
        trace_stream_format(self->stream, ",,%" G_GINT64_FORMAT ",,,\n", sample->value);
    }
}

static void write_counters(const Writer *self)
{
    for (guint32 i = 0; i < self->timeline->counters->len; i++) {
        write_counter(self, trace_counter_at(self->timeline, i));
    }
}

static void write_flows(const Writer *self)
{
    TraceFlowEnd from;
    TraceFlowEnd to;

    for (guint32 i = 0; i < self->timeline->flows->len; i++) {
        if (!trace_flow_ends(self->timeline, i, &from, &to)) {
            continue;
        }
        SimTime arrival = trace_flow_arrival(&from, &to);

        open_row(self, "flow", from.lane, from.name);
        add_count(self, from.begin);
        add_count(self, arrival);
        add_count(self, arrival > from.begin ? arrival - from.begin : 0);
        add_count(self, trace_flow_at(self->timeline, i)->id);
        trace_stream_text(self->stream, ",,");
        trace_stream_field(self->stream, trace_lane_at(self->timeline, to.lane)->name);
        add_arguments(self, from.first_argument, from.argument_count);
    }
}

void trace_timeline_csv_write(const TraceTimeline *timeline, TraceStream *stream)
{
    const Writer writer = {.timeline = timeline, .stream = stream};

    trace_stream_text(stream, "record,lane,kind,x,y,unit,name,begin,end,cycles,value,"
                              "depth,to_lane,arguments\n");
    write_slices(&writer);
    write_marks(&writer);
    write_counters(&writer);
    write_flows(&writer);
}
