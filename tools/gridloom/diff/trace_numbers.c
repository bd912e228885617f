/* Adds up what the lanes of a trace did. */
#include "tools/gridloom/diff/numbers.h"
#include "traces/reading/lane_use.h"
#include "traces/reading/timeline_items.h"

typedef struct {
    DiffNumbers *numbers;
    const TraceTimeline *timeline;
    GPtrArray *units; /* the name of each lane's unit */
    TraceUse use;
} Count;

/* The caller frees it. */
static char *unit_name(const TraceTimeline *timeline, guint32 lane, bool is_by_place)
{
    const TraceLane *own = trace_lane_at(timeline, lane);
    const char *kind = trace_place_at(timeline, own->place)->kind;

    if (is_by_place) {
        return g_strdup_printf("trace.%s", own->name);
    }
    return *own->unit != '\0' ? g_strdup_printf("trace.%s.%s", kind, own->unit)
                              : g_strdup_printf("trace.%s", kind);
}

static void G_GNUC_PRINTF(4, 5)
    count(const Count *self, guint32 lane, double by, const char *format, ...)
{
    g_autofree char *what = NULL;
    g_autofree char *name = NULL;
    va_list values;

    va_start(values, format);
    what = g_strdup_vprintf(format, values);
    va_end(values);
    name = g_strconcat(g_ptr_array_index(self->units, lane), ".", what, (char *) NULL);
    diff_numbers_count_up(self->numbers, name, by);
}

static void count_use(gpointer data,
                      guint32 lane,
                      SimTime begin G_GNUC_UNUSED,
                      SimTime end G_GNUC_UNUSED,
                      double cycles)
{
    const Count *self = data;

    count(self, lane, cycles, "%s", self->use == TRACE_USE_BUSY ? "busy" : "stalled");
}

static void count_slices(const Count *self)
{
    for (guint32 i = 0; i < self->timeline->slices->len; i++) {
        const TraceSlice *slice = trace_slice_at(self->timeline, i);

        count(self, slice->lane, (double) trace_slice_cycles(slice), "%s.cycles",
              slice->name);
        count(self, slice->lane, 1, "%s.count", slice->name);
    }
}

static void count_marks(const Count *self)
{
    for (guint32 i = 0; i < self->timeline->marks->len; i++) {
        const TraceMark *mark = trace_mark_at(self->timeline, i);

        if (!mark->is_stall) {
            count(self, mark->lane, 1, "%s.marks", mark->name);
            continue;
        }
        count(self, mark->lane, (double) mark->cycles, "stalled.%s.cycles", mark->name);
        count(self, mark->lane, 1, "stalled.%s.count", mark->name);
    }
}

void diff_numbers_add_trace(DiffNumbers *self,
                            const TraceTimeline *timeline,
                            bool is_by_place)
{
    g_autoptr(GPtrArray) units = g_ptr_array_new_with_free_func(g_free);
    Count all = {.numbers = self, .timeline = timeline, .units = units};

    for (guint32 i = 0; i < timeline->lanes->len; i++) {
        g_ptr_array_add(units, unit_name(timeline, i, is_by_place));
    }
    diff_numbers_count_up(self, "trace.cycles",
                          (double) (timeline->end - timeline->begin));
    diff_numbers_count_up(self, "trace.flows", timeline->flows->len);
    for (all.use = TRACE_USE_BUSY; all.use <= TRACE_USE_STALLED; all.use++) {
        trace_lane_use_each(timeline, all.use, count_use, &all);
    }
    count_slices(&all);
    count_marks(&all);
}
