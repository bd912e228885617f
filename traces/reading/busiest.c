/* Sums cycles by group. */
#include "traces/reading/busiest.h"

#include <string.h>

#include "traces/reading/timeline_items.h"

typedef struct {
    const TraceTimeline *timeline;
    TraceGroupFunc group;
    gpointer data;
    GHashTable *sums; /* of doubles, by group */
} Count;

static void
count(gpointer data, guint32 lane, SimTime begin, SimTime end, double cycles)
{
    const Count *self = data;
    const char *group = self->group(self->data, trace_lane_at(self->timeline, lane));
    double *sum = group == NULL ? NULL : g_hash_table_lookup(self->sums, group);

    (void) begin;
    (void) end;
    if (group == NULL) {
        return;
    }
    if (sum == NULL) {
        sum = g_new0(double, 1);
        g_hash_table_insert(self->sums, (gpointer) group, sum);
    }
    *sum += cycles;
}

const char *trace_busiest(const TraceTimeline *timeline,
                          TraceUse use,
                          TraceGroupFunc group,
                          gpointer data)
{
    g_autoptr(GHashTable) sums =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    Count all = {timeline, group, data, sums};
    const char *busiest = NULL;
    double most = 0;
    GHashTableIter each;
    gpointer name;
    gpointer sum;

    trace_lane_use_each(timeline, use, count, &all);
    g_hash_table_iter_init(&each, sums);
    while (g_hash_table_iter_next(&each, &name, &sum)) {
        double cycles = *(double *) sum;

        if (cycles > most ||
            (cycles == most && busiest != NULL && strcmp(name, busiest) < 0)) {
            most = cycles;
            busiest = name;
        }
    }
    return busiest;
}
