/* Walks from the end of a run back to its beginning, from whoever waited to whoever
 * ended the wait. */
#include "traces/reading/path.h"

#include "traces/error.h"
#include "traces/reading/path/actors.h"
#include "traces/reading/path/walk.h"
#include "traces/reading/timeline_items.h"

/* Places that have lanes which act. */
static guint places_of(const TraceActors *actors)
{
    const TraceTimeline *timeline = actors->timeline;
    guint32 last = TRACE_NONE;
    guint count = 0;

    for (guint i = 0; i < actors->lanes->len; i++) {
        const guint32 place =
            trace_lane_at(timeline, g_array_index(actors->lanes, guint32, i))->place;

        count += place != last;
        last = place;
    }
    return count;
}

static int64_t used_parts(JsonObject *result)
{
    JsonNode *node = json_object_get_member(result, "chip_used");

    return node != NULL && JSON_NODE_HOLDS_OBJECT(node)
               ? json_object_get_int_member_with_default(json_node_get_object(node),
                                                         "used", 0)
               : 0;
}

static bool has_causes(const TraceTimeline *timeline)
{
    for (guint i = 0; i < timeline->arguments->len; i++) {
        if (g_str_has_prefix(trace_argument_at(timeline, i)->name, "by ")) {
            return true;
        }
    }
    return false;
}

/* Whether the trace says enough. */
static bool check(const TraceActors *actors, const char *name, GError **error)
{
    const TraceTimeline *timeline = actors->timeline;

    if (timeline->warning != NULL && timeline->cut != SIM_TIME_NEVER) {
        return trace_refuse(error,
                            "%s, so there is no critical path; write it again with "
                            "--trace FILE --trace-limit 4000000000",
                            timeline->warning);
    }
    if (timeline->warning != NULL) {
        return trace_refuse(error, "%s, so there is no critical path",
                            timeline->warning);
    }
    if (timeline->is_part) {
        return trace_refuse(error,
                            "%s: written with --trace-window: a critical path "
                            "needs all cycles",
                            name);
    }
    if (timeline->result == NULL || timeline->start == NULL) {
        return trace_refuse(error,
                            "%s: not a trace of gridloom's, which alone say who "
                            "waited for whom",
                            name);
    }
    if (json_object_get_int_member_with_default(timeline->result, "chips", 1) > 1) {
        return trace_refuse(error,
                            "%s: of several chips, whose ports do not say who waited "
                            "for whom",
                            name);
    }
    if (actors->lanes->len == 0) {
        return trace_refuse(error,
                            "%s: no core or PE is traced in full: a critical path "
                            "needs a trace of Tensix cores or a wafer with "
                            "--trace-level full",
                            name);
    }
    const guint places = places_of(actors);
    const int64_t used = used_parts(timeline->result);

    if (used > places) {
        return trace_refuse(error,
                            "%s: %u of %" G_GINT64_FORMAT " cores or PEs are in it; a "
                            "critical path needs all, without --trace-cores and with "
                            "--trace-level full",
                            name, places, used);
    }
    return places == 1 || has_causes(timeline) ||
           trace_refuse(error,
                        "%s: it does not say who waited for whom; write it again "
                        "with this version",
                        name);
}

/* The region that the run measured. */
static bool find_region(TracePath *self,
                        const TraceActors *actors,
                        const char *name,
                        GError **error)
{
    const TraceTimeline *timeline = actors->timeline;
    const SimTime cycles = (SimTime) MAX(
        json_object_get_int_member_with_default(timeline->result, "cycles", 0), 0);
    SimTime last = 0;

    (void) trace_actor_latest(actors, TRACE_NONE, SIM_TIME_NEVER, &last);
    self->end = timeline->measured_end > 0 ? timeline->measured_end : last;
    if (cycles == 0 || cycles > self->end) {
        return trace_refuse(error,
                            "%s: its result has %" G_GUINT64_FORMAT
                            " cycles, which is not a part of the trace",
                            name, cycles);
    }
    self->begin = self->end - cycles;
    if (trace_actor_latest(actors, TRACE_NONE, self->end, &last) == TRACE_NONE ||
        last <= self->begin) {
        return trace_refuse(error,
                            "%s: nothing happens in it from cycle "
                            "%" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
                            ", which the run measured",
                            name, self->begin, self->end);
    }
    return true;
}

static void reverse(GArray *steps)
{
    for (guint i = 0, j = steps->len; i + 1 < j; i++) {
        TraceStep *first = &g_array_index(steps, TraceStep, i);
        TraceStep *last = &g_array_index(steps, TraceStep, --j);
        const TraceStep kept = *first;

        *first = *last;
        *last = kept;
    }
}

TracePath *
trace_path_find(const TraceTimeline *timeline, const char *name, GError **error)
{
    g_autoptr(TraceActors) actors = trace_actors_new(timeline);
    g_autoptr(TracePath) self = g_new0(TracePath, 1);

    self->steps = g_array_new(FALSE, FALSE, sizeof(TraceStep));
    if (!check(actors, name, error) || !find_region(self, actors, name, error)) {
        return NULL;
    }
    const char *missing = trace_walk(actors, self);

    if (missing != NULL) {
        (void) trace_refuse(error,
                            "%s: %s ended a wait, but is not in it; a critical "
                            "path needs all cores and cycles",
                            name, missing);
        return NULL;
    }
    reverse(self->steps);
    return g_steal_pointer(&self);
}

typedef struct {
    guint32 lane;
    SimTime cycles;
} LaneShare;

static int compare_shares(gconstpointer a, gconstpointer b)
{
    const LaneShare *left = a;
    const LaneShare *right = b;

    if (left->cycles != right->cycles) {
        return left->cycles > right->cycles ? -1 : 1;
    }
    return left->lane < right->lane ? -1 : left->lane > right->lane;
}

static int compare_lanes(gconstpointer a, gconstpointer b)
{
    const guint32 left = *(const guint32 *) a;
    const guint32 right = *(const guint32 *) b;

    return left < right ? -1 : left > right;
}

GArray *trace_path_lanes(const TracePath *self, guint most)
{
    g_autoptr(GHashTable) numbers = g_hash_table_new(NULL, NULL);
    g_autoptr(GArray) shares = g_array_new(FALSE, FALSE, sizeof(LaneShare));
    GArray *lanes = g_array_new(FALSE, FALSE, sizeof(guint32));

    for (guint i = 0; i < self->steps->len; i++) {
        const TraceStep *step = &g_array_index(self->steps, TraceStep, i);
        const gpointer key = GUINT_TO_POINTER(step->lane);
        guint number = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, key));

        if (step->lane == TRACE_NONE) {
            continue;
        }
        if (number == 0) {
            const LaneShare share = {.lane = step->lane};

            g_array_append_val(shares, share);
            number = shares->len;
            (void) g_hash_table_insert(numbers, key, GUINT_TO_POINTER(number));
        }
        g_array_index(shares, LaneShare, number - 1).cycles += step->end - step->begin;
    }
    g_array_sort(shares, compare_shares);
    for (guint i = 0; i < MIN(most, shares->len); i++) {
        g_array_append_val(lanes, g_array_index(shares, LaneShare, i).lane);
    }
    g_array_sort(lanes, compare_lanes);
    return lanes;
}

void trace_path_free(TracePath *self)
{
    if (self != NULL) {
        g_array_unref(self->steps);
        g_free(self);
    }
}
