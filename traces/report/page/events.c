/* Packs slices, marks, values of counters and flows. */
#include "traces/report/page/events.h"

#include "traces/reading/timeline_items.h"
#include "traces/report/page/table.h"

enum {
    ARGUMENTS_MAXIMUM = 16, /* of one slice; a trace of ours has 4 */
};

static guint32 *numbers_new(guint count)
{
    guint32 *numbers = g_new(guint32, count);

    for (guint i = 0; i < count; i++) {
        numbers[i] = TRACE_NONE;
    }
    return numbers;
}

void trace_report_events_init(TraceReportEvents *self,
                              const TraceTimeline *timeline,
                              const TraceReportCut *cut,
                              TraceReportTable *strings,
                              TraceReportTable *shapes)
{
    *self = (TraceReportEvents){
        .timeline = timeline,
        .cut = *cut,
        .strings = strings,
        .shapes = shapes,
        .slices = numbers_new(timeline->slices->len),
        .marks = numbers_new(timeline->marks->len),
    };
}

void trace_report_events_clear(TraceReportEvents *self)
{
    g_clear_pointer(&self->slices, g_free);
    g_clear_pointer(&self->marks, g_free);
}

/* A slice or a mark as written to the page. */
typedef struct {
    SimTime at;
    SimTime cycles;
    const char *name;
    gint64 more; /* about it: depth of a slice, whether a mark is a stall */
    guint32 first_argument;
    guint32 argument_count;
} Event;

typedef Event (*EventFunc)(const TraceTimeline *timeline, guint32 index);

static Event slice_event(const TraceTimeline *timeline, guint32 index)
{
    const TraceSlice *slice = trace_slice_at(timeline, index);

    return (Event){.at = slice->begin,
                   .cycles = slice->end - slice->begin,
                   .name = slice->name,
                   .more = slice->depth,
                   .first_argument = slice->first_argument,
                   .argument_count = slice->argument_count};
}

static Event mark_event(const TraceTimeline *timeline, guint32 index)
{
    const TraceMark *mark = trace_mark_at(timeline, index);

    return (Event){.at = mark->at,
                   .cycles = mark->cycles,
                   .name = mark->name,
                   .more = mark->is_stall,
                   .first_argument = mark->first_argument,
                   .argument_count = mark->argument_count};
}

static void
add_event(const TraceReportEvents *self, GByteArray *bytes, const Event *event)
{
    const TraceArgument *arguments =
        (const TraceArgument *) self->timeline->arguments->data + event->first_argument;
    gint64 shape[2 + ARGUMENTS_MAXIMUM] = {
        trace_report_table_text(self->strings, event->name), event->more};

    guint count = 0;

    while (count < event->argument_count && count < ARGUMENTS_MAXIMUM) {
        shape[2 + count] =
            trace_report_table_text(self->strings, arguments[count].name);
        count++;
    }
    trace_report_bytes_add(bytes,
                           trace_report_table_row(self->shapes, shape, 2 + count));
    for (guint i = 0; i < count; i++) {
        trace_report_bytes_add_signed(bytes, arguments[i].value);
    }
}

/* The events of one kind that a lane has, and their numbers on the page. */
typedef struct {
    EventFunc event;
    const TraceLane *lane;
    guint32 first;
    guint32 count;
    guint32 *numbers; /* by event */
} LaneEvents;

/* They lie by time: those before the cut come first. */
static guint32 count_before(const TraceReportEvents *self, const LaneEvents *events)
{
    guint32 count = 0;

    while (trace_report_cut_has(&self->cut, self->timeline, events->lane) &&
           count < events->count &&
           events->event(self->timeline, events->first + count).at < self->cut.time) {
        count++;
    }
    return count;
}

/* Numbers them from `number` on; returns the next one. */
static guint32 add_events(const TraceReportEvents *self,
                          GByteArray *bytes,
                          const LaneEvents *events,
                          guint32 number)
{
    const guint32 count = count_before(self, events);
    SimTime before = self->timeline->begin;

    trace_report_bytes_add(bytes, count);
    for (guint32 i = 0; i < count; i++) {
        const Event event = events->event(self->timeline, events->first + i);

        trace_report_bytes_add(bytes, event.at - before);
        trace_report_bytes_add(bytes, event.cycles);
        add_event(self, bytes, &event);
        before = event.at;
        events->numbers[events->first + i] = number++;
    }
    return number;
}

char *trace_report_events_slices(TraceReportEvents *self)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    guint32 number = 0;

    for (guint i = 0; i < self->timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(self->timeline, i);
        const LaneEvents events = {slice_event, lane, lane->first_slice,
                                   lane->slice_count, self->slices};

        number = add_events(self, bytes, &events, number);
    }
    return trace_report_bytes_text(bytes);
}

char *trace_report_events_marks(TraceReportEvents *self)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    guint32 number = 0;

    for (guint i = 0; i < self->timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(self->timeline, i);
        const LaneEvents events = {mark_event, lane, lane->first_mark, lane->mark_count,
                                   self->marks};

        number = add_events(self, bytes, &events, number);
    }
    return trace_report_bytes_text(bytes);
}

char *trace_report_events_samples(const TraceReportEvents *self)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    for (guint i = 0; i < self->timeline->counters->len; i++) {
        const TraceCounter *counter = trace_counter_at(self->timeline, i);
        const TraceSample *samples =
            (const TraceSample *) self->timeline->samples->data + counter->first_sample;
        SimTime before = self->timeline->begin;
        guint32 count = 0;

        if (trace_report_cut_is_use(counter)) {
            continue;
        }
        const TraceLane *lane = trace_lane_at(self->timeline, counter->lane);

        while (trace_report_cut_has(&self->cut, self->timeline, lane) &&
               count < counter->sample_count && samples[count].at < self->cut.time) {
            count++;
        }
        trace_report_bytes_add(bytes, count);
        for (guint32 j = 0; j < count; j++) {
            trace_report_bytes_add(bytes, samples[j].at - before);
            trace_report_bytes_add_signed(bytes, samples[j].value);
            before = samples[j].at;
        }
    }
    return trace_report_bytes_text(bytes);
}

static guint32 end_of(const TraceReportEvents *self, guint32 end, bool is_mark)
{
    return end == TRACE_NONE ? TRACE_NONE
           : is_mark         ? self->marks[end]
                             : self->slices[end];
}

char *trace_report_events_flows(const TraceReportEvents *self)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    for (guint i = 0; i < self->timeline->flows->len; i++) {
        const TraceFlow *flow = trace_flow_at(self->timeline, i);
        const guint32 from = end_of(self, flow->from, flow->is_from_mark);
        const guint32 to = end_of(self, flow->to, flow->is_to_mark);

        if (from != TRACE_NONE && to != TRACE_NONE) {
            trace_report_bytes_add(bytes, 2 * (uint64_t) from + flow->is_from_mark);
            trace_report_bytes_add(bytes, 2 * (uint64_t) to + flow->is_to_mark);
        }
    }
    return trace_report_bytes_text(bytes);
}
