/* Packs slices, marks, values of counters and flows. */
#include "traces/report/events.h"

#include "traces/report/bytes.h"

enum {
    ARGUMENTS_MAXIMUM = 16, /* of one slice; a trace of ours has 4 */
};

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
        .slices = g_new(guint32, timeline->slices->len),
        .marks = g_new(guint32, timeline->marks->len),
    };
}

void report_events_clear(ReportEvents *self)
{
    g_clear_pointer(&self->slices, g_free);
    g_clear_pointer(&self->marks, g_free);
}

/* A name with more about it, and arguments, of a slice or a mark. */
typedef struct {
    const char *name;
    gint64 more;
    guint32 first_argument;
    guint32 argument_count;
} Event;

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

/* Events of a lane lie by time: those before the cut come first. */
static guint32 slices_before(const ReportEvents *self, const TraceLane *lane)
{
    guint32 count = 0;

    while (report_cut_has(&self->cut, self->timeline, lane) &&
           count < lane->slice_count &&
           g_array_index(self->timeline->slices, TraceSlice, lane->first_slice + count)
                   .begin < self->cut.time) {
        count++;
    }
    return count;
}

static guint32 marks_before(const ReportEvents *self, const TraceLane *lane)
{
    guint32 count = 0;

    while (
        report_cut_has(&self->cut, self->timeline, lane) && count < lane->mark_count &&
        g_array_index(self->timeline->marks, TraceMark, lane->first_mark + count).at <
            self->cut.time) {
        count++;
    }
    return count;
}

char *report_events_slices(ReportEvents *self)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    guint32 number = 0;

    for (guint i = 0; i < self->timeline->slices->len; i++) {
        self->slices[i] = TRACE_NONE;
    }
    for (guint i = 0; i < self->timeline->lanes->len; i++) {
        const TraceLane *lane = &g_array_index(self->timeline->lanes, TraceLane, i);
        const guint32 count = slices_before(self, lane);
        SimTime before = self->timeline->begin;

        report_bytes_add(bytes, count);
        for (guint32 j = lane->first_slice; j < lane->first_slice + count; j++) {
            const TraceSlice *slice =
                &g_array_index(self->timeline->slices, TraceSlice, j);

            report_bytes_add(bytes, slice->begin - before);
            report_bytes_add(bytes, slice->end - slice->begin);
            add_event(self, bytes,
                      &(Event){slice->name, slice->depth, slice->first_argument,
                               slice->argument_count});
            before = slice->begin;
            self->slices[j] = number++;
        }
    }
    return report_bytes_text(bytes);
}

char *report_events_marks(ReportEvents *self)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    guint32 number = 0;

    for (guint i = 0; i < self->timeline->marks->len; i++) {
        self->marks[i] = TRACE_NONE;
    }
    for (guint i = 0; i < self->timeline->lanes->len; i++) {
        const TraceLane *lane = &g_array_index(self->timeline->lanes, TraceLane, i);
        const guint32 count = marks_before(self, lane);
        SimTime before = self->timeline->begin;

        report_bytes_add(bytes, count);
        for (guint32 j = lane->first_mark; j < lane->first_mark + count; j++) {
            const TraceMark *mark = &g_array_index(self->timeline->marks, TraceMark, j);

            report_bytes_add(bytes, mark->at - before);
            report_bytes_add(bytes, mark->cycles);
            add_event(self, bytes,
                      &(Event){mark->name, mark->is_stall, mark->first_argument,
                               mark->argument_count});
            before = mark->at;
            self->marks[j] = number++;
        }
    }
    return report_bytes_text(bytes);
}

char *report_events_samples(const ReportEvents *self)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    for (guint i = 0; i < self->timeline->counters->len; i++) {
        const TraceCounter *counter =
            &g_array_index(self->timeline->counters, TraceCounter, i);
        const TraceSample *samples =
            (const TraceSample *) self->timeline->samples->data + counter->first_sample;
        SimTime before = self->timeline->begin;
        guint32 count = 0;

        if (report_cut_is_use(counter)) {
            continue;
        }
        const TraceLane *lane =
            &g_array_index(self->timeline->lanes, TraceLane, counter->lane);

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
        const TraceFlow *flow = &g_array_index(self->timeline->flows, TraceFlow, i);
        const guint32 from = end_of(self, flow->from, flow->is_from_mark);
        const guint32 to = end_of(self, flow->to, flow->is_to_mark);

        if (from != TRACE_NONE && to != TRACE_NONE) {
            report_bytes_add(bytes, 2 * (uint64_t) from + flow->is_from_mark);
            report_bytes_add(bytes, 2 * (uint64_t) to + flow->is_to_mark);
        }
    }
    return report_bytes_text(bytes);
}
