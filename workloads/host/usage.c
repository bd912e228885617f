/* Sums cycles by lane and reason. */
#include "workloads/host/usage.h"

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

void usage_report(SessionRun *run)
{
    WlOutcome *outcome = run->sessions[0].outcome;
    g_autoptr(GList) lanes = json_object_get_members(run->units);

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
