/* Packs slices, marks, values of counters and flows. */
#include "traces/report/page/events.h"

#include "traces/reading/timeline_items.h"
#include "traces/report/page/bytes.h"

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

void report_events_init(ReportEvents *self,
                        const TraceTimeline *timeline,
                        const ReportCut *cut,
                        ReportTable *strings,
                        ReportTable *shapes)
{
    *self = (ReportEvents){
        .timeline = timeline,
        .cut = *cut,
        .strings = strings,
        .shapes = shapes,
        .slices = numbers_new(timeline->slices->len),
        .marks = numbers_new(timeline->marks->len),
    };
}

void report_events_clear(ReportEvents *self)
{
    g_clear_pointer(&self->slices, g_free);
    g_clear_pointer(&self->marks, g_free);
}

/* What the page is told of a slice or a mark. */
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

static void add_event(const ReportEvents *self, GByteArray *bytes, const Event *event)
{
    const TraceArgument *arguments =
        (const TraceArgument *) self->timeline->arguments->data + event->first_argument;
    gint64 shape[2 + ARGUMENTS_MAXIMUM] = {
        report_table_text(self->strings, event->name), event->more};

    guint count = 0;

    while (count < event->argument_count && count < ARGUMENTS_MAXIMUM) {
        shape[2 + count] = report_table_text(self->strings, arguments[count].name);
        count++;
    }
    report_bytes_add(bytes, report_table_row(self->shapes, shape, 2 + count));
    for (guint i = 0; i < count; i++) {
        report_bytes_add_signed(bytes, arguments[i].value);
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
static guint32 count_before(const ReportEvents *self, const LaneEvents *events)
{
    guint32 count = 0;

    while (report_cut_has(&self->cut, self->timeline, events->lane) &&
           count < events->count &&
           events->event(self->timeline, events->first + count).at < self->cut.time) {
        count++;
    }
    return count;
}

/* Numbers them from `number` on; returns the next one. */
static guint32 add_events(const ReportEvents *self,
                          GByteArray *bytes,
                          const LaneEvents *events,
                          guint32 number)
{
    const guint32 count = count_before(self, events);
    SimTime before = self->timeline->begin;

    report_bytes_add(bytes, count);
    for (guint32 i = 0; i < count; i++) {
        const Event event = events->event(self->timeline, events->first + i);

        report_bytes_add(bytes, event.at - before);
        report_bytes_add(bytes, event.cycles);
        add_event(self, bytes, &event);
        before = event.at;
        events->numbers[events->first + i] = number++;
    }
    return number;
}

char *report_events_slices(ReportEvents *self)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    guint32 number = 0;

    for (guint i = 0; i < self->timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(self->timeline, i);
        const LaneEvents events = {slice_event, lane, lane->first_slice,
                                   lane->slice_count, self->slices};

        number = add_events(self, bytes, &events, number);
    }
    return report_bytes_text(bytes);
}

char *report_events_marks(ReportEvents *self)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    guint32 number = 0;

    for (guint i = 0; i < self->timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(self->timeline, i);
        const LaneEvents events = {mark_event, lane, lane->first_mark, lane->mark_count,
                                   self->marks};

        number = add_events(self, bytes, &events, number);
    }
    return report_bytes_text(bytes);
}

char *report_events_samples(const ReportEvents *self)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    for (guint i = 0; i < self->timeline->counters->len; i++) {
        const TraceCounter *counter = trace_counter_at(self->timeline, i);
        const TraceSample *samples =
            (const TraceSample *) self->timeline->samples->data + counter->first_sample;
        SimTime before = self->timeline->begin;
        guint32 count = 0;

        if (report_cut_is_use(counter)) {
            continue;
        }
        const TraceLane *lane = trace_lane_at(self->timeline, counter->lane);

        while (report_cut_has(&self->cut, self->timeline, lane) &&
               count < counter->sample_count && samples[count].at < self->cut.time) {
            count++;
        }
        report_bytes_add(bytes, count);
        for (guint32 j = 0; j < count; j++) {
            report_bytes_add(bytes, samples[j].at - before);
            report_bytes_add_signed(bytes, samples[j].value);
            before = samples[j].at;
        }
    }
    return report_bytes_text(bytes);
}

static guint32 end_of(const ReportEvents *self, guint32 end, bool is_mark)
{
    return end == TRACE_NONE ? TRACE_NONE
           : is_mark         ? self->marks[end]
                             : self->slices[end];
}

char *report_events_flows(const ReportEvents *self)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    for (guint i = 0; i < self->timeline->flows->len; i++) {
        const TraceFlow *flow = trace_flow_at(self->timeline, i);
        const guint32 from = end_of(self, flow->from, flow->is_from_mark);
        const guint32 to = end_of(self, flow->to, flow->is_to_mark);

        if (from != TRACE_NONE && to != TRACE_NONE) {
            report_bytes_add(bytes, 2 * (uint64_t) from + flow->is_from_mark);
            report_bytes_add(bytes, 2 * (uint64_t) to + flow->is_to_mark);
        }
    }
    return report_bytes_text(bytes);
}
