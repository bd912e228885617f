/* Adds up energies by part, and reports them. */
#include "workloads/host/energy.h"

#include "workloads/host/family.h"

static HostEnergyPart *find(HostEnergy *self, const char *name)
{
    for (guint i = 0; i < self->count; i++) {
        if (g_str_equal(self->parts[i].name, name)) {
            return &self->parts[i];
        }
    }
    return NULL;
}

void host_energy_add(HostEnergy *self, HostEnergyPart part)
{
    HostEnergyPart *there = find(self, part.name);

    if (there == NULL) {
        g_assert(self->count < HOST_ENERGY_PARTS);
        self->parts[self->count++] = part;
        return;
    }
    there->done += part.done;
    there->joules += part.joules;
    there->low += part.low;
    there->high += part.high;
}

HostEnergy host_energy_until(const SessionRun *run, double seconds)
{
    HostEnergy self = {.count = 0};

    for (guint i = 0; run->family->energy != NULL && i < run->session_count; i++) {
        run->family->energy(&run->sessions[i], seconds, &self);
    }
    return self;
}

static JsonNode *part_json(const HostEnergyPart *part)
{
    JsonObject *object = json_object_new();
    JsonNode *node = json_node_new(JSON_NODE_OBJECT);

    json_object_set_string_member(object, "part", part->name);
    json_object_set_double_member(object, "joules", part->joules);
    json_object_set_double_member(object, "low_joules", part->low);
    json_object_set_double_member(object, "high_joules", part->high);
    json_object_set_double_member(object, "done", part->done);
    json_object_set_string_member(object, "unit", part->unit);
    json_node_take_object(node, object);
    return node;
}

void host_energy_report(const SessionRun *run,
                        const HostEnergy *from,
                        const HostEnergy *to,
                        double seconds)
{
    WlOutcome *outcome = run->sessions[0].outcome;
    HostEnergyPart sum = {.name = "sum"};

    if (to->count == 0) {
        return;
    }
    JsonArray *list = json_array_new();

    for (guint i = 0; i < to->count; i++) {
        HostEnergyPart part = to->parts[i];

        if (i < from->count) {
            part.done -= from->parts[i].done;
            part.joules -= from->parts[i].joules;
            part.low -= from->parts[i].low;
            part.high -= from->parts[i].high;
        }
        sum.joules += part.joules;
        sum.low += part.low;
        sum.high += part.high;
        json_array_add_element(list, part_json(&part));
    }
    sum.high = MIN(sum.high, MAX(sum.joules, to->most_watts * seconds));
    outcome->energy_joules = sum.joules;
    outcome->energy_low_joules = sum.low;
    outcome->energy_high_joules = sum.high;
    json_object_set_array_member(outcome->metrics, "energy_parts", list);
    json_object_set_double_member(outcome->metrics, "energy_low_joules", sum.low);
    json_object_set_double_member(outcome->metrics, "energy_high_joules", sum.high);
    if (seconds > 0) {
        json_object_set_double_member(outcome->metrics, "power_watts",
                                      sum.joules / seconds);
    }
}
