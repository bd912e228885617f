/* Divides what a trace holds by time. */
#include <math.h>

#include "traces/reading/lane_use.h"
#include "traces/reading/timeline_items.h"
#include "traces/roofline/work.h"

/* Parts between bounds while they are added to. */
typedef struct {
    GArray *parts;
    const SimTime *bounds;
    guint count;
    guint at;      /* the part of the last event: the next one is in it or near it */
    SimTime first; /* programs ran from then on: what is known by intervals only */
    SimTime last;  /* happened between these times, as did what arrives at the end */
    gssize unit;   /* whose cycles are added; else amounts */
} Split;

static double *place_in(const Split *self, guint index, guint counter)
{
    TraceWorkPart *part = &g_array_index(self->parts, TraceWorkPart, index);

    return self->unit >= 0 ? &part->busy[self->unit] : &part->amounts[counter];
}

/* The first part that ends after `at`. */
static void seek(Split *self, SimTime at)
{
    if (self->at >= self->count || self->bounds[self->at] > at) {
        guint low = 0;
        guint high = self->count;

        while (low < high) {
            const guint middle = (low + high) / 2;

            if (self->bounds[middle + 1] > at) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        self->at = low;
    }
    while (self->at < self->count && self->bounds[self->at + 1] <= at) {
        self->at++;
    }
}

static void
add_amount(gpointer data, guint counter, SimTime begin, SimTime end, double amount)
{
    Split *self = data;

    begin = CLAMP(begin, self->first, self->last - 1);
    end = MIN(end, self->last);
    seek(self, begin);
    if (end <= begin) {
        if (self->at < self->count && begin >= self->bounds[0]) {
            *place_in(self, self->at, counter) += amount;
        }
        return;
    }
    for (guint i = self->at; i < self->count && self->bounds[i] < end; i++) {
        *place_in(self, i, counter) += trace_lane_use_within(
            begin, end, amount, self->bounds[i], self->bounds[i + 1]);
    }
}

/* Cycles in which the lane's unit was busy. */
static void add_busy(const TraceWork *self, Split *split, const TraceLane *lane)
{
    guint unit = 0;

    if (!g_ptr_array_find_with_equal_func(self->units, lane->unit, g_str_equal,
                                          &unit)) {
        return;
    }
    split->unit = unit;
    split->at = 0;
    for (guint32 i = 0; i < lane->slice_count; i++) {
        const TraceSlice *slice = trace_slice_at(self->timeline, lane->first_slice + i);

        if (slice->depth == 0 && slice->end > slice->begin) {
            add_amount(split, 0, slice->begin, slice->end,
                       (double) (slice->end - slice->begin));
        }
    }
    split->unit = -1;
}

/* Bytes over links: cycles in which they were busy, by time. */
typedef struct {
    const TraceWork *work;
    const TraceWorkChoice *choice;
    Split *split;
    guint counter;
} Links;

static void
add_link(gpointer data, guint32 lane, SimTime begin, SimTime end, double cycles)
{
    const Links *self = data;

    if (trace_work_is_link(trace_lane_at(self->work->timeline, lane)) &&
        (trace_work_has_all_cores(self->work, self->choice) ||
         trace_work_has_lane(self->work, self->choice, lane))) {
        add_amount(self->split, self->counter, begin, end,
                   cycles * self->work->link_bytes);
    }
}

/* Whether links belong to cores, each with a block of its own. */
static bool has_links_of_cores(const TraceWork *self, const TraceWorkChoice *choice)
{
    for (guint32 i = 0; i < self->timeline->lanes->len; i++) {
        if (trace_work_is_link(trace_lane_at(self->timeline, i)) &&
            trace_work_has_lane(self, choice, i)) {
            return true;
        }
    }
    return false;
}

static void
add_links(const TraceWork *self, const TraceWorkChoice *choice, Split *split)
{
    const Links links = {self, choice, split, trace_work_counter(self, "noc_bytes")};

    if (links.counter == self->counters->len || !(self->link_bytes > 0)) {
        return;
    }
    if (trace_work_has_all_cores(self, choice) || has_links_of_cores(self, choice)) {
        trace_lane_use_each(self->timeline, TRACE_USE_BUSY, add_link,
                            (gpointer) &links);
        return;
    }
    for (guint i = 0; i < split->count; i++) {
        *place_in(split, i, links.counter) = NAN;
    }
}

GArray *trace_work_split(const TraceWork *self,
                         const TraceWorkChoice *choice,
                         const SimTime *bounds,
                         guint count)
{
    Split split = {
        .parts = trace_work_parts_new(), .bounds = bounds, .count = count, .unit = -1};
    const bool has_all = trace_work_has_all_cores(self, choice);

    trace_work_span(self, &split.first, &split.last);
    for (guint i = 0; i < count; i++) {
        TraceWorkPart *part = trace_work_parts_add(self, split.parts);

        part->from = bounds[i];
        part->to = bounds[i + 1];
        trace_work_add_time(self, choice, part);
    }
    for (guint32 i = 0; i < self->timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(self->timeline, i);
        const bool is_chosen = trace_work_has_lane(self, choice, i);

        /* Channels and links of boards belong to no core. */
        if (is_chosen || (has_all && !trace_work_is_of_core(self, lane))) {
            split.at = 0;
            trace_work_each(self, i, add_amount, &split);
        }
        if (is_chosen) {
            add_busy(self, &split, lane);
        }
    }
    add_links(self, choice, &split);
    return split.parts;
}
