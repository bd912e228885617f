/* Counts what begins when. */
#include "traces/report/cut.h"

static int compare_times(gconstpointer a, gconstpointer b)
{
    const SimTime first = *(const SimTime *) a;
    const SimTime second = *(const SimTime *) b;

    return first < second ? -1 : first > second;
}

/* The time of the first that is too much; sorts them. */
static SimTime find(GArray *times, guint limit)
{
    if (times->len <= limit) {
        return SIM_TIME_NEVER;
    }
    g_array_sort(times, compare_times);
    return g_array_index(times, SimTime, limit);
}

static SimTime find_slices(const TraceTimeline *timeline, guint limit)
{
    g_autoptr(GArray) times = g_array_new(FALSE, FALSE, sizeof(SimTime));

    for (guint i = 0; i < timeline->slices->len; i++) {
        g_array_append_val(times, g_array_index(timeline->slices, TraceSlice, i).begin);
    }
    return find(times, limit);
}

static SimTime find_marks(const TraceTimeline *timeline, guint limit)
{
    g_autoptr(GArray) times = g_array_new(FALSE, FALSE, sizeof(SimTime));

    for (guint i = 0; i < timeline->marks->len; i++) {
        g_array_append_val(times, g_array_index(timeline->marks, TraceMark, i).at);
    }
    return find(times, limit);
}

static SimTime find_samples(const TraceTimeline *timeline, guint limit)
{
    g_autoptr(GArray) times = g_array_new(FALSE, FALSE, sizeof(SimTime));

    for (guint i = 0; i < timeline->counters->len; i++) {
        const TraceCounter *counter =
            &g_array_index(timeline->counters, TraceCounter, i);

        for (guint j = 0; j < counter->sample_count && !report_cut_is_use(counter);
             j++) {
            g_array_append_val(times, g_array_index(timeline->samples, TraceSample,
                                                    counter->first_sample + j)
                                          .at);
        }
    }
    return find(times, limit);
}

SimTime report_cut_find(const TraceTimeline *timeline, guint limit)
{
    const SimTime slices = find_slices(timeline, limit);
    const SimTime marks = find_marks(timeline, limit);

    return MIN(MIN(slices, marks), find_samples(timeline, limit));
}

bool report_cut_is_use(const TraceCounter *counter)
{
    return counter->width > 0;
}
