/* Chooses lanes. */
#include "traces/picture/timeline_choice.h"

#include "traces/reading/lane_use.h"
#include "traces/reading/timeline_items.h"

enum {
    LANES_UNASKED = 48,  /* of cores, if none are selected */
    LANES_MAXIMUM = 2000 /* of a picture that is still readable */
};

/* Lanes with counters of use; the caller frees it. */
static bool *used_lanes(const TraceTimeline *timeline)
{
    bool *is_used = g_new0(bool, timeline->lanes->len);

    for (guint32 i = 0; i < timeline->counters->len; i++) {
        const TraceCounter *counter = trace_counter_at(timeline, i);

        is_used[counter->lane] = is_used[counter->lane] || counter->width > 0;
    }
    return is_used;
}

static bool
is_chosen(const TraceTimelineChoice *self, const TraceTimeline *timeline, guint32 index)
{
    const TraceLane *lane = trace_lane_at(timeline, index);
    const TracePlace *place = trace_place_at(timeline, lane->place);
    /* Networks have coordinates of their own. */
    bool is_network = g_str_has_prefix(place->kind, "noc");

    if (self->units != NULL &&
        !g_strv_contains((const char *const *) self->units, lane->unit)) {
        return false;
    }
    return self->has_core == NULL ? !is_network || self->units != NULL
                                  : !is_network && place->has_place &&
                                        self->has_core(self->data, place->x, place->y);
}

/* The number of lanes, in whole places, to show if none are selected. */
static guint cut_lanes(const TraceTimeline *timeline, const GArray *lanes)
{
    guint kept = LANES_UNASKED;

    if (lanes->len <= kept) {
        return lanes->len;
    }
    while (kept > 0 &&
           trace_lane_at(timeline, g_array_index(lanes, guint32, kept - 1))->place ==
               trace_lane_at(timeline, g_array_index(lanes, guint32, kept))->place) {
        kept--;
    }
    return kept > 0 ? kept : LANES_UNASKED;
}

/* Looks at the whole run: a lane that rests in the window is shown all the same. */
GArray *trace_timeline_choose(const TraceTimelineChoice *self,
                              const TraceTimeline *timeline)
{
    GArray *lanes = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_autofree bool *is_used = used_lanes(timeline);
    guint most = self->has_core != NULL ? LANES_MAXIMUM : LANES_UNASKED + 1;

    for (guint32 i = 0; i < timeline->lanes->len && lanes->len < most; i++) {
        if (is_chosen(self, timeline, i) &&
            (trace_lane_at(timeline, i)->slice_count > 0 ||
             trace_lane_at(timeline, i)->mark_count > 0 || is_used[i])) {
            g_array_append_val(lanes, i);
        }
    }
    if (self->has_core == NULL) {
        g_array_set_size(lanes, cut_lanes(timeline, lanes));
    }
    return lanes;
}

static void
cover(const TraceTimeline *timeline, const TraceLane *lane, SimTime *from, SimTime *to)
{
    for (guint32 i = 0; i < lane->slice_count; i++) {
        const TraceSlice *slice = trace_slice_at(timeline, lane->first_slice + i);

        *from = MIN(*from, slice->begin);
        *to = MAX(*to, slice->end);
    }
    for (guint32 i = 0; i < lane->mark_count; i++) {
        const TraceMark *mark = trace_mark_at(timeline, lane->first_mark + i);

        *from = MIN(*from, mark->at);
        *to = MAX(*to, trace_time_after(mark->at, MAX(mark->cycles, 1)));
    }
}

/* Counters of use say so only roughly. */
void trace_timeline_span(const TraceTimeline *timeline,
                         const GArray *lanes,
                         SimTime *from,
                         SimTime *to)
{
    g_autofree bool *is_shown = g_new0(bool, timeline->lanes->len);

    *from = SIM_TIME_NEVER;
    *to = 0;
    for (guint i = 0; i < lanes->len; i++) {
        guint32 lane = g_array_index(lanes, guint32, i);

        is_shown[lane] = true;
        cover(timeline, trace_lane_at(timeline, lane), from, to);
    }
    if (*from >= *to) {
        trace_lane_use_span(timeline, TRACE_USE_BUSY, is_shown, from, to);
        trace_lane_use_span(timeline, TRACE_USE_STALLED, is_shown, from, to);
    }
    if (*from >= *to) {
        *from = timeline->begin;
        *to = MAX(timeline->end, timeline->begin + 1);
    }
}
