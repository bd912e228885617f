/* Keeps records of probes, and writes them down. */
#include "tests/arch/probe_log.h"

static void keep(gpointer data, const SimProbeRecord *record)
{
    ProbeLog *self = data;

    g_array_append_val(self->records, *record);
}

static SimLaneLevel choose(gpointer data, const SimLanePlace *place)
{
    const ProbeLog *self = data;
    g_autofree char *name =
        g_strdup_printf("%s[%u,%u].%s", place->grid->kind, place->x, place->y,
                        place->unit != NULL ? place->unit : "");
    g_auto(GStrv) prefixes = g_strsplit(self->only != NULL ? self->only : "", ";", -1);

    for (char **prefix = prefixes; *prefix != NULL; prefix++) {
        if (g_str_has_prefix(name, *prefix)) {
            return SIM_LANE_FULL;
        }
    }
    return self->only == NULL ? SIM_LANE_FULL : SIM_LANE_OFF;
}

void probe_log_open(ProbeLog *self, SimEngine *engine)
{
    self->engine = engine;
    self->records = g_array_new(FALSE, FALSE, sizeof(SimProbeRecord));
    self->lanes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (SimLane lane = 0; lane < sim_engine_lane_count(engine); lane++) {
        g_hash_table_insert(self->lanes, sim_engine_lane_name(engine, lane),
                            GUINT_TO_POINTER(lane));
    }
    sim_engine_watch(engine, &(SimWatch){.func = keep,
                                         .data = self,
                                         .to = SIM_TIME_NEVER,
                                         .choose = choose});
}

void probe_log_close(ProbeLog *self)
{
    g_clear_pointer(&self->records, g_array_unref);
    g_clear_pointer(&self->lanes, g_hash_table_unref);
}

static void write_detail(GString *text, const SimProbeDetail *detail)
{
    for (guint i = 0; i < detail->argument_count; i++) {
        g_string_append_printf(text, " %s=%" G_GINT64_FORMAT, detail->arguments[i].name,
                               detail->arguments[i].value);
    }
    if (detail->flow != 0) {
        g_string_append_printf(text, " %c%" G_GUINT64_FORMAT,
                               detail->is_flow_end ? '<' : '>',
                               detail->flow & G_MAXUINT32);
    }
}

static void write_record(GString *text, const SimProbeRecord *record)
{
    const char *name = record->name;
    const guint64 begin = record->begin;
    const guint64 end = record->end;

    switch (record->kind) {
    case SIM_PROBE_SLICE:
        g_string_append_printf(text, "%s %" G_GUINT64_FORMAT "..%" G_GUINT64_FORMAT,
                               name, begin, end);
        break;
    case SIM_PROBE_STALL:
        g_string_append_printf(text,
                               "(%s %" G_GUINT64_FORMAT "..%" G_GUINT64_FORMAT ")",
                               name, begin, end);
        break;
    case SIM_PROBE_MARK:
        g_string_append_printf(text, "%s @%" G_GUINT64_FORMAT, name, begin);
        break;
    case SIM_PROBE_COUNTER:
    case SIM_PROBE_CHANGE:
        g_string_append_printf(text, "%s %+" G_GINT64_FORMAT " @%" G_GUINT64_FORMAT,
                               name, record->value, begin);
        break;
    case SIM_PROBE_USE:
        g_string_append_printf(text,
                               "%s %" G_GINT64_FORMAT " of %" G_GUINT64_FORMAT
                               "..%" G_GUINT64_FORMAT,
                               name, record->value, begin, end);
        break;
    }
    write_detail(text, &record->detail);
    g_string_append_c(text, '\n');
}

static SimLane lane_of(const ProbeLog *self, const char *name)
{
    gpointer lane = NULL;

    g_assert_true(g_hash_table_lookup_extended(self->lanes, name, NULL, &lane));
    return GPOINTER_TO_UINT(lane);
}

static gint by_time(gconstpointer a, gconstpointer b, gpointer data G_GNUC_UNUSED)
{
    const SimProbeRecord *first = a;
    const SimProbeRecord *second = b;

    return (first->begin > second->begin) - (first->begin < second->begin);
}

char *probe_log_lane(const ProbeLog *self, const char *lane)
{
    g_autoptr(GArray) records = g_array_new(FALSE, FALSE, sizeof(SimProbeRecord));
    const SimLane number = lane_of(self, lane);
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < self->records->len; i++) {
        const SimProbeRecord *record = &g_array_index(self->records, SimProbeRecord, i);

        if (record->lane == number) {
            g_array_append_vals(records, record, 1);
        }
    }
    g_qsort_with_data(records->data, (gint) records->len, sizeof(SimProbeRecord),
                      by_time, NULL); /* stable */
    for (guint i = 0; i < records->len; i++) {
        write_record(text, &g_array_index(records, SimProbeRecord, i));
    }
    return g_string_free(text, FALSE);
}

uint64_t probe_log_cycles(const ProbeLog *self, const char *lane, const char *reason)
{
    const SimLane number = lane_of(self, lane);
    uint64_t cycles = 0;

    for (guint i = 0; i < self->records->len; i++) {
        const SimProbeRecord *record = &g_array_index(self->records, SimProbeRecord, i);
        const bool is_meant = reason == NULL ? record->kind == SIM_PROBE_SLICE
                                             : record->kind == SIM_PROBE_STALL &&
                                                   g_str_equal(record->name, reason);

        if (is_meant && record->lane == number) {
            cycles += record->end - record->begin;
        }
    }
    return cycles;
}

char *probe_log_text(const ProbeLog *self)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < self->records->len; i++) {
        const SimProbeRecord *record = &g_array_index(self->records, SimProbeRecord, i);
        g_autofree char *name = sim_engine_lane_name(self->engine, record->lane);

        g_string_append_printf(text, "%" G_GUINT64_FORMAT " %s ", record->now, name);
        write_record(text, record);
    }
    return g_string_free(text, FALSE);
}
