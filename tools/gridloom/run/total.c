/* Sums over chips. */
#include "tools/gridloom/run/total.h"

#include "sim/counter.h"

static void add_counters(JsonObject *object, const SimEngine *engine)
{
    for (guint i = 0; i < sim_engine_counter_count(engine); i++) {
        const char *name = sim_engine_counter_name(engine, i);
        gint64 before = json_object_has_member(object, name)
                            ? json_object_get_int_member(object, name)
                            : 0;

        json_object_set_int_member(
            object, name, before + (gint64) sim_engine_counter_total(engine, i));
    }
}

JsonObject *cmd_run_total_counters(const WlChip *chips, guint count)
{
    JsonObject *object = json_object_new();

    for (guint i = 0; i < count; i++) {
        add_counters(object, arch_chip_engine(chips[i].chip));
    }
    return object;
}

uint64_t cmd_run_total_events(const WlChip *chips, guint count)
{
    uint64_t events = 0;

    for (guint i = 0; i < count; i++) {
        events += sim_engine_events(arch_chip_engine(chips[i].chip));
    }
    return events;
}
