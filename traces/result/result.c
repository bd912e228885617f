/* Writes the result object, members in the order of the schema. */
#include "traces/result/result.h"

#include <stdbool.h>

#include "traces/file/json_member.h"
#include "traces/file/json_text.h"

/* A count: exact in JSON up to 2^63. */
static void set_count(JsonObject *object, const char *name, uint64_t value)
{
    json_object_set_int_member(object, name,
                               (gint64) MIN(value, (uint64_t) G_MAXINT64));
}

static void set_object(JsonObject *object, const char *name, JsonObject *member)
{
    json_object_set_object_member(
        object, name, member != NULL ? json_object_ref(member) : json_object_new());
}

static JsonObject *counters_object(JsonObject *counters)
{
    static const char *const always[] = {"flops", "sram_bytes", "noc_bytes",
                                         "dram_bytes"};
    JsonObject *object = json_object_new();

    for (gsize i = 0; i < G_N_ELEMENTS(always); i++) {
        set_count(object, always[i], 0);
    }
    if (counters != NULL) {
        g_autoptr(GList) names = json_object_get_members(counters);

        for (GList *name = names; name != NULL; name = name->next) {
            json_object_set_int_member(
                object, name->data, json_object_get_int_member(counters, name->data));
        }
    }
    return object;
}

static JsonArray *roofs_array(const TraceResult *self)
{
    JsonArray *array = json_array_new();

    for (gsize i = 0; i < self->roof_count; i++) {
        JsonObject *roof = json_object_new();

        trace_json_set_text(roof, "name", self->roofs[i].name);
        trace_json_set_text(roof, "unit", self->roofs[i].unit);
        json_object_set_double_member(roof, "value", self->roofs[i].value);
        trace_json_set_text(roof, "source", self->roofs[i].source);
        json_object_set_double_member(roof, "achieved", self->roofs[i].achieved);
        json_array_add_object_element(array, roof);
    }
    return array;
}

static JsonObject *check_object(const TraceResult *self)
{
    JsonObject *check = json_object_new();

    trace_json_set_text(check, "status", self->check_status);
    json_object_set_double_member(check, "max_abs_error", self->max_abs_error);
    json_object_set_double_member(check, "tolerance", self->tolerance);
    trace_json_set_text(check, "reference", self->reference);
    return check;
}

static JsonObject *host_object(const TraceResult *self)
{
    JsonObject *host = json_object_new();

    json_object_set_double_member(host, "wall_seconds", self->wall_seconds);
    set_count(host, "events", self->events);
    json_object_set_double_member(
        host, "events_per_second",
        self->wall_seconds > 0 ? (double) self->events / self->wall_seconds : 0);
    set_count(host, "peak_rss_bytes", self->peak_rss_bytes);
    set_count(host, "threads", self->threads);
    return host;
}

static JsonObject *result_object(const TraceResult *self)
{
    JsonObject *object = json_object_new();
    double iterations = (double) MAX(self->iterations, 1);

    set_count(object, "schema_version", TRACE_RESULT_SCHEMA_VERSION);
    trace_json_set_text(object, "gridloom", self->gridloom);
    trace_json_set_text(object, "workload", self->workload);
    trace_json_set_text(object, "chip", self->chip);
    set_object(object, "parameters", self->parameters);
    set_object(object, "overrides", self->overrides);
    set_count(object, "seed", self->seed);
    trace_json_set_text(object, "chip_digest", self->chip_digest);
    if (self->system != NULL) {
        trace_json_set_text(object, "system", self->system);
        set_count(object, "chips", self->chips);
    }
    set_count(object, "cycles", self->cycles);
    json_object_set_double_member(object, "seconds", self->seconds);
    set_count(object, "iterations", self->iterations);
    json_object_set_double_member(object, "cycles_per_iteration",
                                  (double) self->cycles / iterations);
    json_object_set_double_member(object, "seconds_per_iteration",
                                  self->seconds / iterations);
    json_object_set_object_member(object, "counters", counters_object(self->counters));
    set_object(object, "busy", self->busy);
    set_object(object, "stalls", self->stalls);
    set_object(object, "zones", self->zones);
    set_object(object, "metrics", self->metrics);
    if (self->energy_joules != NULL) {
        json_object_set_double_member(object, "energy_joules", *self->energy_joules);
    } else {
        json_object_set_null_member(object, "energy_joules");
    }
    json_object_set_array_member(object, "roofs", roofs_array(self));
    if (self->rows != NULL) {
        json_object_set_array_member(object, "rows", json_array_ref(self->rows));
    }
    json_object_set_object_member(object, "check", check_object(self));
    if (self->chip_parameters != NULL) {
        json_object_set_array_member(object, "chip_parameters",
                                     json_array_ref(self->chip_parameters));
    }
    json_object_set_object_member(object, "host", host_object(self));
    return object;
}

char *trace_result_to_json(const TraceResult *self)
{
    g_autoptr(JsonObject) object = result_object(self);
    g_autofree char *text = trace_json_object_text(object, true);

    return g_strconcat(text, "\n", NULL);
}
