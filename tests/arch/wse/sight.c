/* A watcher for tests. */
#include "tests/arch/wse/sight.h"

enum {
    START = 1, /* the engine's cycle in which programs start */
};

static void see(gpointer data, const SimProbeRecord *record)
{
    WseSight *self = data;

    g_array_append_val(self->records, *record);
    g_string_append_printf(self->text,
                           "%u %u %s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                           " %" G_GINT64_FORMAT " %" G_GUINT64_FORMAT " %d",
                           record->kind, record->lane, record->name, record->begin,
                           record->end, record->value, record->detail.flow,
                           record->detail.is_flow_end);
    for (guint i = 0; i < record->detail.argument_count; i++) {
        g_string_append_printf(self->text, " %s=%" G_GINT64_FORMAT,
                               record->detail.arguments[i].name,
                               record->detail.arguments[i].value);
    }
    g_string_append_c(self->text, '\n');
}

void wse_sight_open(WseSight *self, WseRun *run)
{
    *self = (WseSight){
        .run = run,
        .records = g_array_new(FALSE, FALSE, sizeof(SimProbeRecord)),
        .text = g_string_new(NULL),
    };
    run->watch = (SimWatch){.func = see, .data = self, .to = SIM_TIME_NEVER};
}

void wse_sight_close(WseSight *self)
{
    g_array_unref(self->records);
    g_string_free(self->text, TRUE);
}

SimLane wse_sight_lane(const WseSight *self, guint x, guint y, const char *unit)
{
    const SimEngine *engine = self->run->engine;

    for (SimLane lane = 0; lane < sim_engine_lane_count(engine); lane++) {
        const SimLanePlace place = sim_engine_lane_place(engine, lane);

        if (place.x == x && place.y == y && g_str_equal(place.grid->kind, "pe") &&
            g_str_equal(place.unit, unit)) {
            return lane;
        }
    }
    fail_msg("pe[%u,%u].%s: there is no such lane", x, y, unit);
    return 0;
}

static void describe(GString *text, const SimProbeRecord *record)
{
    g_string_append_printf(text, " %s%s@%" G_GUINT64_FORMAT,
                           record->kind == SIM_PROBE_STALL ? "!" : "", record->name,
                           record->begin - START);
    if (record->kind != SIM_PROBE_MARK) {
        g_string_append_printf(text, "-%" G_GUINT64_FORMAT, record->end - START);
    }
}

void wse_sight_assert(
    const WseSight *self, guint x, guint y, const char *unit, const char *expected)
{
    const SimLane lane = wse_sight_lane(self, x, y, unit);
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < self->records->len; i++) {
        const SimProbeRecord *record = &g_array_index(self->records, SimProbeRecord, i);

        if (record->lane == lane) {
            describe(text, record);
        }
    }
    assert_string_equal(text->str, expected);
}

uint64_t wse_sight_cycles(
    const WseSight *self, guint x, guint y, const char *unit, SimProbeKind kind)
{
    const SimLane lane = wse_sight_lane(self, x, y, unit);
    uint64_t cycles = 0;

    for (guint i = 0; i < self->records->len; i++) {
        const SimProbeRecord *record = &g_array_index(self->records, SimProbeRecord, i);

        cycles += record->lane == lane && record->kind == kind
                      ? record->end - record->begin
                      : 0;
    }
    return cycles;
}

static void
check_order(const WseSight *self, const SimProbeRecord *record, SimTime *ends)
{
    if (record->kind == SIM_PROBE_SLICE || record->kind == SIM_PROBE_STALL) {
        if (record->begin < ends[record->lane] || record->begin >= record->end) {
            g_autofree char *name =
                sim_engine_lane_name(self->run->engine, record->lane);

            fail_msg("%s: %s from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
                     " after one that ends at %" G_GUINT64_FORMAT,
                     name, record->name, record->begin, record->end,
                     ends[record->lane]);
        }
        ends[record->lane] = record->end;
    }
}

/* Flows by number: where each begins, and how many ends it has. */
typedef struct {
    gint64 number;
    SimTime begin; /* 0: not seen */
    guint ends;
    SimTime end;
} Flow;

static void note_flow(GHashTable *flows, const SimProbeRecord *record)
{
    const gint64 key = (gint64) record->detail.flow;
    Flow *flow = g_hash_table_lookup(flows, &key);

    if (flow == NULL) {
        flow = g_new0(Flow, 1);
        flow->number = key;
        g_hash_table_insert(flows, &flow->number, flow);
    }
    if (record->kind == SIM_PROBE_SLICE) {
        assert_int_equal(flow->begin, 0);
        flow->begin = record->begin;
    } else {
        flow->ends += record->detail.is_flow_end;
        flow->end = MAX(flow->end, record->begin);
    }
}

static void check_flow(gpointer key, gpointer value, gpointer data)
{
    const Flow *flow = value;

    (void) key;
    (void) data;
    assert_int_not_equal(flow->begin, 0);
    assert_int_equal(flow->ends, 1);
    assert_true(flow->begin < flow->end);
}

guint wse_sight_check(const WseSight *self)
{
    g_autofree SimTime *ends =
        g_new0(SimTime, sim_engine_lane_count(self->run->engine));
    g_autoptr(GHashTable) flows =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);

    for (guint i = 0; i < self->records->len; i++) {
        const SimProbeRecord *record = &g_array_index(self->records, SimProbeRecord, i);

        check_order(self, record, ends);
        if (record->detail.flow != 0) {
            note_flow(flows, record);
        }
    }
    g_hash_table_foreach(flows, check_flow, NULL);
    return g_hash_table_size(flows);
}
