/* Use of lanes: cycles by lane and reason. */
#include "workloads/host/usage.h"

#include "sim/counter.h"
#include "workloads/host/report.h"

static JsonObject *member_object(JsonObject *object, const char *name)
{
    if (!json_object_has_member(object, name)) {
        json_object_set_object_member(object, name, json_object_new());
    }
    return json_object_get_object_member(object, name);
}

static void add_cycles(JsonObject *object, const char *name, uint64_t cycles)
{
    gint64 before = json_object_has_member(object, name)
                        ? json_object_get_int_member(object, name)
                        : 0;

    json_object_set_int_member(object, name, before + (gint64) cycles);
}

void usage_add_cycles(SessionRun *run,
                      const char *lane,
                      const char *reason,
                      uint64_t cycles)
{
    add_cycles(member_object(run->units, lane), reason, cycles);
}

void usage_add(Session *session, const ArchTensix *tensix)
{
    g_autoptr(GArray) uses = arch_tensix_uses(tensix, NULL);
    g_autoptr(GArray) zones = arch_tensix_zones(tensix);
    double clock_hz = arch_chip_clock_hz(session->chip);
    ArchTensixSpan span = arch_tensix_span(tensix);

    session->work.cycles += (double) span.cycles;
    session->work.core_cycles += (double) span.cycles * span.core_count;
    for (guint i = 0; i < uses->len; i++) {
        const ArchTensixUse *use = &g_array_index(uses, ArchTensixUse, i);

        usage_add_cycles(session->run, use->name, use->reason, use->cycles);
    }
    for (guint i = 0; i < zones->len; i++) {
        const ArchTensixZone *zone = &g_array_index(zones, ArchTensixZone, i);

        report_zone(session->zones, zone->name, (double) zone->cycles / clock_hz);
    }
}

/* The fraction of its time that a lane was busy; the rest goes to `stalls`. */
static double split_lane(JsonObject *lane, JsonObject *stalls)
{
    g_autoptr(GList) reasons = json_object_get_members(lane);
    gint64 busy = 0;
    gint64 total = 0;

    for (const GList *reason = reasons; reason != NULL; reason = reason->next) {
        gint64 cycles = json_object_get_int_member(lane, reason->data);

        total += cycles;
        if (g_str_equal(reason->data, "busy")) {
            busy = cycles;
        } else if (!g_str_equal(reason->data, "idle")) {
            add_cycles(stalls, reason->data, (uint64_t) cycles);
        }
    }
    return total > 0 ? (double) busy / (double) total : 0;
}

/* Bytes over links between routers, as on a wafer. */
static void count_links(const Session *session, const ArchTensix *tensix)
{
    const ArchChip *chip = session->chip;
    SimEngine *engine = arch_chip_engine(chip);

    sim_region_count(sim_engine_region(engine, 0),
                     sim_engine_counter(engine, "noc_bytes"),
                     arch_wormhole_noc_flit_hops(arch_tensix_noc(tensix)) *
                         arch_params_uint(arch_chip_params(chip), "noc.flit_bytes"));
}

void usage_report(SessionRun *run)
{
    WlOutcome *outcome = run->sessions[0].outcome;
    g_autoptr(GList) lanes = json_object_get_members(run->units);

    for (guint i = 0; i < run->session_count; i++) {
        const ArchTensix *tensix = arch_tensix_of(run->sessions[i].chip);

        if (tensix != NULL) {
            count_links(&run->sessions[i], tensix);
        }
    }
    for (const GList *lane = lanes; lane != NULL; lane = lane->next) {
        JsonObject *reasons = json_object_get_object_member(run->units, lane->data);

        json_object_set_double_member(outcome->busy, lane->data,
                                      split_lane(reasons, outcome->stalls));
    }
    if (lanes != NULL) {
        json_object_set_object_member(outcome->metrics, "units",
                                      json_object_ref(run->units));
    }
}
