/* Writes the result object, members in the order of the schema. */
#include "traces/result/result.h"

#include <math.h>

#include "traces/file/json_text.h"
#include "traces/table/record.h"

/* A count: exact in JSON up to 2^63. */
static gint64 exact(uint64_t count)
{
    return (gint64) MIN(count, (uint64_t) G_MAXINT64);
}

static JsonObject *shared(JsonObject *object)
{
    return object != NULL ? json_object_ref(object) : json_object_new();
}

static JsonObject *counters_object(JsonObject *counters)
{
    JsonObject *object = RECORD(VALUE("flops", 0), VALUE("sram_bytes", 0),
                                VALUE("noc_bytes", 0), VALUE("dram_bytes", 0));

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
        const TraceRoof *roof = &self->roofs[i];

        json_array_add_object_element(
            array, RECORD(VALUE("name", roof->name), VALUE("unit", roof->unit),
                          VALUE("value", roof->value), VALUE("source", roof->source),
                          VALUE("achieved", roof->achieved)));
    }
    return array;
}

static JsonObject *check_object(const TraceResult *self)
{
    return RECORD(VALUE("status", self->check_status),
                  VALUE("max_abs_error", self->max_abs_error),
                  VALUE("tolerance", self->tolerance),
                  VALUE("reference", self->reference));
}

static JsonObject *host_object(const TraceResult *self)
{
    const double rate =
        self->wall_seconds > 0 ? (double) self->events / self->wall_seconds : 0;

    return RECORD(VALUE("wall_seconds", self->wall_seconds),
                  VALUE("events", exact(self->events)),
                  VALUE("events_per_second", rate),
                  VALUE("peak_rss_bytes", exact(self->peak_rss_bytes)),
                  VALUE("threads", self->threads));
}

static JsonObject *result_object(const TraceResult *self)
{
    const double iterations = (double) MAX(self->iterations, 1);
    JsonObject *object = RECORD(
        VALUE("schema_version", TRACE_RESULT_SCHEMA_VERSION),
        VALUE("gridloom", self->gridloom), VALUE("workload", self->workload),
        VALUE("chip", self->chip), VALUE("parameters", shared(self->parameters)),
        VALUE("overrides", shared(self->overrides)), VALUE("seed", exact(self->seed)),
        VALUE("chip_digest", self->chip_digest));

    if (self->system != NULL) {
        RECORD_ADD(object, VALUE("system", self->system), VALUE("chips", self->chips));
    }
    if (self->given != NULL) {
        RECORD_ADD(object, VALUE("given", json_object_ref(self->given)));
    }
    if (self->inputs != NULL) {
        RECORD_ADD(object, VALUE("inputs", json_object_ref(self->inputs)));
    }
    if (self->chip_used != NULL) {
        RECORD_ADD(object, VALUE("chip_used", json_object_ref(self->chip_used)));
    }
    RECORD_ADD(
        object, VALUE("cycles", exact(self->cycles)), VALUE("seconds", self->seconds),
        VALUE("iterations", exact(self->iterations)),
        VALUE("cycles_per_iteration", (double) self->cycles / iterations),
        VALUE("seconds_per_iteration", self->seconds / iterations),
        VALUE("counters", counters_object(self->counters)),
        VALUE("busy", shared(self->busy)), VALUE("stalls", shared(self->stalls)),
        VALUE("zones", shared(self->zones)), VALUE("metrics", shared(self->metrics)),
        VALUE("energy_joules",
              self->energy_joules != NULL ? *self->energy_joules : NAN),
        VALUE("roofs", roofs_array(self)));
    if (self->rows != NULL) {
        RECORD_ADD(object, VALUE("rows", json_array_ref(self->rows)));
    }
    RECORD_ADD(object, VALUE("check", check_object(self)));
    if (self->chip_parameters != NULL) {
        RECORD_ADD(object,
                   VALUE("chip_parameters", json_array_ref(self->chip_parameters)));
    }
    RECORD_ADD(object, VALUE("host", host_object(self)));
    return object;
}

char *trace_result_to_json(const TraceResult *self)
{
    g_autoptr(JsonObject) object = result_object(self);
    g_autofree char *text = trace_json_object_text(object, true);

    return g_strconcat(text, "\n", NULL);
}
