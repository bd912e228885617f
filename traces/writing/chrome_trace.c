/* Writes trace events, one a line. */
#include "traces/writing/chrome_trace.h"

#include <math.h>

#include "traces/file/json_member.h"
#include "traces/reading/timeline_items.h"

typedef struct {
    const TraceTimeline *timeline;
    TraceStream *stream;
    bool *is_used;  /* lanes with something on them */
    bool *is_ended; /* marks at which a flow begins or ends */
    bool is_first;  /* no event has been written */
} Writer;

/* Everything but the comma between two of them. */
static void open_event(Writer *self, const char *phase, guint32 lane)
{
    const TraceLane *on = trace_lane_at(self->timeline, lane);

    trace_stream_text(self->stream, self->is_first ? "\n" : ",\n");
    self->is_first = false;
    trace_stream_format(self->stream, "{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u", phase,
                        on->place + 1, lane + 1);
}

static void add_name(Writer *self, const char *name)
{
    trace_stream_text(self->stream, ",\"name\":");
    trace_stream_json(self->stream, name);
}

/* Cycles as microseconds, of which they are a thousandth. */
static void add_time(Writer *self, const char *member, SimTime cycles)
{
    trace_stream_format(self->stream, ",\"%s\":", member);
    trace_stream_count(self->stream, cycles / 1000);
    trace_stream_format(self->stream, ".%03u", (guint) (cycles % 1000));
}

static void close_event(Writer *self)
{
    trace_stream_text(self->stream, "}");
}

static void add_arguments(Writer *self, guint32 first, guint32 count)
{
    if (count == 0) {
        return;
    }
    trace_stream_text(self->stream, ",\"args\":{");
    for (guint32 i = 0; i < count; i++) {
        const TraceArgument *argument = trace_argument_at(self->timeline, first + i);

        trace_stream_text(self->stream, i > 0 ? "," : "");
        trace_stream_json(self->stream, argument->name);
        trace_stream_format(self->stream, ":%" G_GINT64_FORMAT, argument->value);
    }
    trace_stream_text(self->stream, "}");
}

/* Writes the name of a process or a thread, and its sort order. */
static void
write_label(Writer *self, guint32 lane, const char *what, const char *name, guint32 at)
{
    open_event(self, "M", lane);
    trace_stream_format(self->stream,
                        ",\"name\":\"%s_name\",\"args\":{\"name\":", what);
    trace_stream_json(self->stream, name);
    trace_stream_text(self->stream, "}");
    close_event(self);
    open_event(self, "M", lane);
    trace_stream_format(self->stream,
                        ",\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%u}",
                        what, at);
    close_event(self);
}

static void write_labels(Writer *self)
{
    guint32 before = TRACE_NONE;

    for (guint32 i = 0; i < self->timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(self->timeline, i);

        if (!self->is_used[i]) {
            continue;
        }
        if (lane->place != before) {
            write_label(self, i, "process",
                        trace_place_at(self->timeline, lane->place)->name, lane->place);
            before = lane->place;
        }
        write_label(self, i, "thread", *lane->unit != '\0' ? lane->unit : lane->name,
                    i);
    }
}

static void write_slice(Writer *self, const TraceSlice *slice)
{
    open_event(self, "X", slice->lane);
    add_name(self, slice->name);
    add_time(self, "ts", slice->begin);
    add_time(self, "dur", trace_slice_cycles(slice));
    add_arguments(self, slice->first_argument, slice->argument_count);
    close_event(self);
}

static void write_stall(Writer *self, const TraceMark *mark)
{
    open_event(self, "X", mark->lane);
    add_name(self, mark->name);
    trace_stream_text(self->stream, ",\"cat\":\"stall\",\"cname\":\"grey\"");
    add_time(self, "ts", mark->at);
    add_time(self, "dur", mark->cycles);
    close_event(self);
}

static void write_mark(Writer *self, guint32 index)
{
    const TraceMark *mark = trace_mark_at(self->timeline, index);

    if (mark->is_stall) {
        write_stall(self, mark);
        return;
    }
    open_event(self, self->is_ended[index] ? "X" : "i", mark->lane);
    add_name(self, mark->name);
    add_time(self, "ts", mark->at);
    if (self->is_ended[index]) {
        add_time(self, "dur", 1);
    } else {
        trace_stream_text(self->stream, ",\"s\":\"t\"");
    }
    add_arguments(self, mark->first_argument, mark->argument_count);
    close_event(self);
}

static void
write_sample(Writer *self, const TraceCounter *counter, SimTime at, int64_t value)
{
    const TraceLane *lane = trace_lane_at(self->timeline, counter->lane);
    g_autofree char *name = *lane->unit != '\0'
                                ? g_strdup_printf("%s %s", lane->unit, counter->name)
                                : g_strdup(counter->name);

    open_event(self, "C", counter->lane);
    add_name(self, name);
    add_time(self, "ts", at);
    trace_stream_text(self->stream, ",\"args\":{");
    trace_stream_json(self->stream, *counter->unit != '\0' ? counter->unit : "value");
    trace_stream_format(self->stream, ":%" G_GINT64_FORMAT "}", value);
    close_event(self);
}

/* A use holds for its width only, a level until it changes. */
static void write_counter(Writer *self, const TraceCounter *counter)
{
    for (guint32 i = 0; i < counter->sample_count; i++) {
        const TraceSample *sample =
            trace_sample_at(self->timeline, counter->first_sample + i);
        SimTime end = trace_time_after(sample->at, counter->width);

        write_sample(self, counter, sample->at, sample->value);
        if (counter->width > 0 && sample->value != 0 &&
            (i + 1 == counter->sample_count || sample[1].at > end)) {
            write_sample(self, counter, end, 0);
        }
    }
}

static void write_flow_end(
    Writer *self, const char *phase, guint32 number, guint32 lane, SimTime at)
{
    open_event(self, phase, lane);
    trace_stream_format(self->stream, ",\"cat\":\"flow\",\"name\":\"flow\",\"id\":%u%s",
                        number + 1, *phase == 'f' ? ",\"bp\":\"e\"" : "");
    add_time(self, "ts", at);
    close_event(self);
}

static void write_flow(Writer *self, guint32 flow)
{
    TraceFlowEnd from;
    TraceFlowEnd to;

    if (trace_flow_ends(self->timeline, flow, &from, &to)) {
        SimTime arrival = trace_flow_arrival(&from, &to);

        /* The last cycle of a slice is in it, its end is not. */
        if (arrival == to.end && to.end > to.begin) {
            arrival--;
        }
        write_flow_end(self, "s", flow, from.lane, from.begin);
        write_flow_end(self, "f", flow, to.lane, arrival);
    }
}

static void mark_ends(Writer *self)
{
    for (guint32 i = 0; i < self->timeline->flows->len; i++) {
        const TraceFlow *flow = trace_flow_at(self->timeline, i);

        if (flow->from == TRACE_NONE || flow->to == TRACE_NONE) {
            continue;
        }
        if (flow->is_from_mark) {
            self->is_ended[flow->from] = true;
        }
        if (flow->is_to_mark) {
            self->is_ended[flow->to] = true;
        }
    }
}

static void write_member(Writer *self, const char *member)
{
    const char *text = trace_json_string(self->timeline->start, member, NULL);

    if (text != NULL) {
        trace_stream_format(self->stream, "\"%s\":", member);
        trace_stream_json(self->stream, text);
        trace_stream_text(self->stream, ",");
    }
}

static void write_events(Writer *self)
{
    const TraceTimeline *timeline = self->timeline;

    write_labels(self);
    for (guint32 i = 0; i < timeline->slices->len; i++) {
        write_slice(self, trace_slice_at(timeline, i));
    }
    for (guint32 i = 0; i < timeline->marks->len; i++) {
        write_mark(self, i);
    }
    for (guint32 i = 0; i < timeline->counters->len; i++) {
        write_counter(self, trace_counter_at(timeline, i));
    }
    for (guint32 i = 0; i < timeline->flows->len; i++) {
        write_flow(self, i);
    }
}

void trace_chrome_write(const TraceTimeline *timeline, TraceStream *stream)
{
    char clock[G_ASCII_DTOSTR_BUF_SIZE];
    g_autofree bool *is_used = trace_timeline_used_lanes(timeline);
    g_autofree bool *is_ended = g_new0(bool, timeline->marks->len);
    Writer writer = {.timeline = timeline,
                     .stream = stream,
                     .is_used = is_used,
                     .is_ended = is_ended,
                     .is_first = true};

    mark_ends(&writer);
    trace_stream_text(stream, "{\"displayTimeUnit\":\"ns\",\"otherData\":{");
    write_member(&writer, "workload");
    write_member(&writer, "chip");
    trace_stream_format(
        stream, "\"clock_hz\":%s,\"time\":\"one cycle is shown as 1 ns\"},\n",
        g_ascii_dtostr(clock, sizeof clock,
                       isfinite(timeline->clock_hz) ? timeline->clock_hz : 0));
    trace_stream_text(stream, "\"traceEvents\":[");
    write_events(&writer);
    trace_stream_text(stream, "\n]}\n");
}
