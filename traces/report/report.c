/* Makes the data of a report's page. */
#include "traces/report/report.h"

#include <string.h>

#include "traces/file/json_text.h"
#include "traces/reading/timeline_items.h"
#include "traces/report/page/cut.h"
#include "traces/report/page/heat.h"
#include "traces/report/page/table.h"
#include "traces/result/limit.h"

enum {
    ARGUMENTS_MAXIMUM = 16, /* of one slice; a trace of ours has 4 */
};

/* The events on a trace's lanes, packed for the page. */
typedef struct {
    const TraceTimeline *timeline;
    TraceReportCut cut;
    TraceReportTable *strings;
    TraceReportTable *shapes; /* rows: name; a slice's depth, or whether a mark is a
                                 stall; names of arguments */
    guint32 *slices; /* for each slice, its number on the page; TRACE_NONE: left out */
    guint32 *marks;
} Events;

static guint32 *numbers_new(guint count)
{
    guint32 *numbers = g_new(guint32, count);

    for (guint i = 0; i < count; i++) {
        numbers[i] = TRACE_NONE;
    }
    return numbers;
}

static void events_init(Events *self,
                        const TraceTimeline *timeline,
                        const TraceReportCut *cut,
                        TraceReportTable *strings,
                        TraceReportTable *shapes)
{
    *self = (Events){
        .timeline = timeline,
        .cut = *cut,
        .strings = strings,
        .shapes = shapes,
        .slices = numbers_new(timeline->slices->len),
        .marks = numbers_new(timeline->marks->len),
    };
}

static void events_clear(Events *self)
{
    g_clear_pointer(&self->slices, g_free);
    g_clear_pointer(&self->marks, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Events, events_clear)

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

static void add_event(const Events *self, GByteArray *bytes, const Event *event)
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
static guint32 count_before(const Events *self, const LaneEvents *events)
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
static guint32 add_events(const Events *self,
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

/* Each of the following returns base64, which the caller frees. A time is the
 * difference to the one before it; the first is relative to the timeline's begin. */

/* For each lane the number of slices; for each slice begin, cycles, shape and signed
 * arguments. */
static char *events_slices(Events *self)
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

/* The same for marks: at, cycles, shape, arguments. */
static char *events_marks(Events *self)
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

/* For each counter, except counters of use: the number of samples; for each sample time
 * and value. */
static char *events_samples(const Events *self)
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

static guint32 end_of(const Events *self, guint32 end, bool is_mark)
{
    return end == TRACE_NONE ? TRACE_NONE
           : is_mark         ? self->marks[end]
                             : self->slices[end];
}

/* For each flow with both ends, after slices and marks: twice the number of the event
 * where it begins, plus 1 if that is a mark; then the same for its end. */
static char *events_flows(const Events *self)
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

static JsonArray *places_array(const TraceTimeline *timeline, TraceReportTable *strings)
{
    JsonArray *places = json_array_new();

    for (guint i = 0; i < timeline->places->len; i++) {
        const TracePlace *place = trace_place_at(timeline, i);
        JsonArray *row = json_array_new();

        json_array_add_int_element(row, trace_report_table_text(strings, place->name));
        json_array_add_int_element(row, trace_report_table_text(strings, place->kind));
        if (place->has_place) {
            json_array_add_int_element(row, place->x);
            json_array_add_int_element(row, place->y);
            json_array_add_int_element(row, place->x_end);
            json_array_add_int_element(row, place->y_end);
        }
        json_array_add_array_element(places, row);
    }
    return places;
}

static JsonArray *lanes_array(const TraceTimeline *timeline, TraceReportTable *strings)
{
    JsonArray *lanes = json_array_new();

    for (guint i = 0; i < timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(timeline, i);
        JsonArray *row = json_array_new();

        json_array_add_int_element(row, trace_report_table_text(strings, lane->unit));
        json_array_add_int_element(row, lane->place);
        json_array_add_array_element(lanes, row);
    }
    return lanes;
}

/* The counters, except counters of use. */
static JsonArray *counters_array(const TraceTimeline *timeline,
                                 TraceReportTable *strings)
{
    JsonArray *counters = json_array_new();

    for (guint i = 0; i < timeline->counters->len; i++) {
        const TraceCounter *counter = trace_counter_at(timeline, i);

        if (!trace_report_cut_is_use(counter)) {
            JsonArray *row = json_array_new();

            json_array_add_int_element(row,
                                       trace_report_table_text(strings, counter->name));
            json_array_add_int_element(row,
                                       trace_report_table_text(strings, counter->unit));
            json_array_add_int_element(row, counter->lane);
            json_array_add_array_element(counters, row);
        }
    }
    return counters;
}

static JsonObject *shown_object(const TraceTimeline *timeline,
                                const TraceReportCut *cut)
{
    JsonObject *shown = json_object_new();

    if (cut->time != SIM_TIME_NEVER) {
        json_object_set_int_member(shown, "to", (gint64) cut->time);
    }
    if (cut->edge != G_MAXUINT) {
        json_object_set_int_member(shown, "edge", cut->edge);
    }
    json_object_set_int_member(shown, "slices", timeline->slices->len);
    json_object_set_int_member(shown, "marks", timeline->marks->len);
    return shown;
}

static void take_text(JsonObject *object, const char *name, char *text)
{
    json_object_set_string_member(object, name, text);
    g_free(text);
}

static JsonObject *timeline_object(const TraceTimeline *timeline, guint limit)
{
    const TraceReportCut cut = trace_report_cut_find(timeline, limit);
    JsonObject *object = json_object_new();
    g_auto(TraceReportTable) strings = {0};
    g_auto(TraceReportTable) shapes = {0};
    g_auto(Events) events = {0};

    trace_report_table_init(&strings);
    trace_report_table_init(&shapes);
    events_init(&events, timeline, &cut, &strings, &shapes);
    json_object_set_int_member(object, "begin", (gint64) timeline->begin);
    json_object_set_int_member(object, "end", (gint64) timeline->end);
    json_object_set_double_member(object, "clock_hz", timeline->clock_hz);
    if (timeline->warning != NULL) {
        take_text(object, "warning", g_utf8_make_valid(timeline->warning, -1));
    }
    json_object_set_object_member(object, "shown", shown_object(timeline, &cut));
    json_object_set_array_member(object, "places", places_array(timeline, &strings));
    json_object_set_array_member(object, "lanes", lanes_array(timeline, &strings));
    json_object_set_array_member(object, "counters",
                                 counters_array(timeline, &strings));
    take_text(object, "slices", events_slices(&events));
    take_text(object, "marks", events_marks(&events));
    take_text(object, "samples", events_samples(&events));
    take_text(object, "flows", events_flows(&events));
    json_object_set_object_member(object, "heat", trace_report_heat_new(timeline));
    json_object_set_array_member(object, "shapes", json_array_ref(shapes.rows));
    json_object_set_array_member(object, "strings", json_array_ref(strings.rows));
    return object;
}

static JsonObject *run_object(const TraceRun *run, guint limit)
{
    JsonObject *object = json_object_new();

    take_text(object, "name", g_utf8_make_valid(run->name, -1));
    json_object_set_boolean_member(object, "is_whole", run->is_whole);
    json_object_set_object_member(object, "result", json_object_ref(run->result));
    if (run->is_whole) {
        take_text(object, "limit", trace_limit_text(run->result));
    }
    if (run->timeline != NULL) {
        json_object_set_object_member(object, "timeline",
                                      timeline_object(run->timeline, limit));
    }
    return object;
}

/* In JSON these stand in strings only. */
static char *escape(const char *text)
{
    GString *escaped = g_string_sized_new(strlen(text));

    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '<' || *c == '>' || *c == '&') {
            g_string_append_printf(escaped, "\\u%04x", (guint) *c);
        } else {
            g_string_append_c(escaped, *c);
        }
    }
    return g_string_free(escaped, FALSE);
}

char *trace_report_data(TraceRun *const *runs, guint count, JsonObject *roofline)
{
    g_autoptr(JsonObject) object = json_object_new();
    JsonArray *array = json_array_new();

    for (guint i = 0; i < count; i++) {
        json_array_add_object_element(array,
                                      run_object(runs[i], TRACE_REPORT_SLICES / count));
    }
    json_object_set_array_member(object, "runs", array);
    if (roofline != NULL) {
        json_object_set_object_member(object, "roofline", json_object_ref(roofline));
    }
    g_autofree char *text = trace_json_object_text(object, false);

    return escape(text);
}

char *trace_report_data_of_sweep(JsonObject *sweep)
{
    g_autoptr(JsonObject) object = json_object_new();

    json_object_set_array_member(object, "runs", json_array_new());
    json_object_set_object_member(object, "sweep", json_object_ref(sweep));
    g_autofree char *text = trace_json_object_text(object, false);

    return escape(text);
}
