/* Sums slices, stalls and use counters in bins. */
#include "traces/report/page/heat.h"

#include <math.h>

#include "traces/reading/timeline_items.h"
#include "traces/report/page/cut.h"
#include "traces/report/page/table.h"

enum {
    BINS_MINIMUM = 24,
    BINS_MAXIMUM = 192,
    CELLS = 1 << 19, /* of all lanes together, about */
    FULL = 255,
};

typedef struct {
    const TraceTimeline *timeline;
    SimTime begin;
    SimTime end;
    guint bins;
    double width;  /* of a bin, in cycles */
    double *cells; /* of one lane */
} Heat;

/* Spreads cycles evenly over a span of time. */
static void add(const Heat *self, SimTime begin, SimTime end, double cycles)
{
    const double origin = (double) self->begin;
    const double from = ((double) begin - origin) / self->width;
    const double to = ((double) end - origin) / self->width;
    const guint first = (guint) CLAMP(from, 0, (double) self->bins);

    if (end <= begin) {
        return;
    }
    for (guint bin = first; bin < self->bins && bin < to; bin++) {
        const double part = fmin(to, bin + 1.0) - fmax(from, bin);

        self->cells[bin] += fmax(part, 0) / (to - from) * cycles;
    }
}

static void add_slices(const Heat *self, const TraceLane *lane)
{
    for (guint i = 0; i < lane->slice_count; i++) {
        const TraceSlice *slice = trace_slice_at(self->timeline, lane->first_slice + i);

        if (slice->depth == 0) {
            add(self, slice->begin, slice->end, (double) (slice->end - slice->begin));
        }
    }
}

static void add_stalls(const Heat *self, const TraceLane *lane)
{
    for (guint i = 0; i < lane->mark_count; i++) {
        const TraceMark *mark = trace_mark_at(self->timeline, lane->first_mark + i);

        if (mark->is_stall) {
            add(self, mark->at, mark->at + mark->cycles, (double) mark->cycles);
        }
    }
}

static void add_use(const Heat *self, const TraceCounter *counter)
{
    for (guint i = 0; i < counter->sample_count; i++) {
        const TraceSample *sample =
            trace_sample_at(self->timeline, counter->first_sample + i);

        add(self, sample->at, sample->at + counter->width, (double) sample->value);
    }
}

static bool is_placed(const TraceTimeline *timeline, guint32 lane)
{
    const guint32 place = trace_lane_at(timeline, lane)->place;

    return trace_place_at(timeline, place)->has_place;
}

/* How many places stand for one lane. */
static double places_of(const TraceTimeline *timeline, const TraceLane *lane)
{
    const TracePlace *place = trace_place_at(timeline, lane->place);

    return (place->x_end - place->x + 1.0) * (place->y_end - place->y + 1.0);
}

/* The counters of use of each lane: lists of indices, from 1 on, by lane. */
typedef struct {
    guint32 *first; /* by lane */
    guint32 *next;  /* by counter */
} Uses;

static void uses_clear(Uses *self)
{
    g_free(self->first);
    g_free(self->next);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Uses, uses_clear)

static void uses_init(Uses *self, const TraceTimeline *timeline)
{
    self->first = g_new0(guint32, timeline->lanes->len);
    self->next = g_new0(guint32, timeline->counters->len);
    for (guint i = 0; i < timeline->counters->len; i++) {
        const TraceCounter *counter = trace_counter_at(timeline, i);

        if (trace_report_cut_is_use(counter)) {
            self->next[i] = self->first[counter->lane];
            self->first[counter->lane] = i + 1;
        }
    }
}

static void add_uses(const Heat *self, const Uses *uses, guint lane, bool is_stalled)
{
    for (guint32 i = uses->first[lane]; i > 0; i = uses->next[i - 1]) {
        const TraceCounter *counter = trace_counter_at(self->timeline, i - 1);

        if (g_str_equal(counter->name, "stalled") == is_stalled) {
            add_use(self, counter);
        }
    }
}

/* Rounds to 0..255; a share above 0 stays above 0. */
static guint8 to_byte(double part)
{
    return (guint8) (part <= 0 ? 0 : CLAMP(round(part * FULL), 1, FULL));
}

static void pack(const Heat *self, double places, GByteArray *bytes)
{
    for (guint bin = 0; bin < self->bins;) {
        guint8 value = to_byte(self->cells[bin] / (self->width * places));
        guint same = 1;

        g_byte_array_append(bytes, &value, 1);
        while (value == 0 && bin + same < self->bins && self->cells[bin + same] <= 0) {
            same++;
        }
        if (value == 0) {
            trace_report_bytes_add(bytes, same);
        }
        bin += same;
    }
}

static char *pack_lanes(const Heat *self, const Uses *uses, bool is_stalled)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    for (guint i = 0; i < self->timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(self->timeline, i);

        for (guint bin = 0; bin < self->bins; bin++) {
            self->cells[bin] = 0;
        }
        add_uses(self, uses, i, is_stalled);
        if (is_stalled) {
            add_stalls(self, lane);
        } else {
            add_slices(self, lane);
        }
        pack(self, places_of(self->timeline, lane), bytes);
    }
    return trace_report_bytes_text(bytes);
}

static void reach(Heat *self, SimTime begin, SimTime end)
{
    self->begin = MIN(self->begin, begin);
    self->end = MAX(self->end, end);
}

static void reach_events(Heat *self)
{
    const TraceTimeline *timeline = self->timeline;

    for (guint i = 0; i < timeline->slices->len; i++) {
        const TraceSlice *slice = trace_slice_at(timeline, i);

        if (is_placed(timeline, slice->lane)) {
            reach(self, slice->begin, slice->end);
        }
    }
    for (guint i = 0; i < timeline->marks->len; i++) {
        const TraceMark *mark = trace_mark_at(timeline, i);

        if (is_placed(timeline, mark->lane)) {
            reach(self, mark->at, mark->at + mark->cycles);
        }
    }
}

/* Extends the span for a trace that only has counters of use. */
static void reach_uses(Heat *self)
{
    const TraceTimeline *timeline = self->timeline;

    for (guint i = 0; i < timeline->counters->len; i++) {
        const TraceCounter *counter = trace_counter_at(timeline, i);

        for (guint j = 0; trace_report_cut_is_use(counter) && j < counter->sample_count;
             j++) {
            const TraceSample *sample =
                trace_sample_at(timeline, counter->first_sample + j);

            if (sample->value > 0 && is_placed(timeline, counter->lane)) {
                reach(self, sample->at,
                      MIN(sample->at + counter->width, timeline->end));
            }
        }
    }
}

/* The span of what happens on the chip: transfers before it may take far longer than
 * the part of interest. */
static void find_span(Heat *self)
{
    self->begin = SIM_TIME_NEVER;
    self->end = 0;
    reach_events(self);
    if (self->begin >= self->end) {
        reach_uses(self);
    }
    if (self->begin >= self->end) {
        self->begin = self->timeline->begin;
        self->end = self->timeline->end;
    }
}

JsonObject *trace_report_heat_new(const TraceTimeline *timeline)
{
    const guint lanes = MAX(timeline->lanes->len, 1);
    Heat heat = {.timeline = timeline,
                 .bins = CLAMP(CELLS / lanes, BINS_MINIMUM, BINS_MAXIMUM)};
    g_auto(Uses) uses = {0};
    JsonObject *object = json_object_new();

    find_span(&heat);
    heat.width = (double) MAX(heat.end - heat.begin, 1) / heat.bins;
    g_autofree double *cells = g_new(double, heat.bins);
    heat.cells = cells;
    uses_init(&uses, timeline);
    g_autofree char *busy = pack_lanes(&heat, &uses, false);
    g_autofree char *stalled = pack_lanes(&heat, &uses, true);

    json_object_set_int_member(object, "begin", (gint64) heat.begin);
    json_object_set_int_member(object, "end", (gint64) heat.end);
    json_object_set_int_member(object, "bins", heat.bins);
    json_object_set_string_member(object, "busy", busy);
    json_object_set_string_member(object, "stalled", stalled);
    return object;
}
