/* Finds schemas, and which of them a result belongs to. */
#include "traces/schema/catalog.h"

#include <string.h>

#include "traces/error.h"
#include "traces/file/json_member.h"
#include "traces/schema/bundle.h"

char **trace_catalog_names(void)
{
    return trace_bundle_names();
}

JsonNode *trace_catalog_read(const char *name, GError **error)
{
    if (!trace_bundle_has(name)) {
        g_auto(GStrv) names = trace_bundle_names();
        g_autofree char *known = g_strjoinv(", ", names);

        trace_refuse(error, "%s: no such schema; known are %s",
                     *name != '\0' ? name : "(nothing)", known);
        return NULL;
    }
    return trace_bundle_new(name, error);
}

/* What has no envelope: by a member that only it has. */
static const char *without_envelope(JsonObject *object)
{
    if (trace_json_string(object, "family", NULL) != NULL) {
        return "describe";
    }
    return trace_json_string(object, "sweep", NULL) != NULL ? "sweep" : NULL;
}

/* Schemas that no workload has. */
static bool is_no_command(const char *name)
{
    static const char *const names[] = {"result", "describe", "sweep", NULL};

    return g_strv_contains(names, name);
}

/* Commands name themselves as the workload. A script may have such a name, too, but
 * only runs have the times of their parts. */
char *trace_catalog_name_of(JsonNode *value)
{
    JsonObject *object =
        JSON_NODE_HOLDS_OBJECT(value) ? json_node_get_object(value) : NULL;
    JsonObject *metrics = trace_json_object(object, "metrics");

    if (object == NULL) {
        return NULL;
    }
    if (!json_object_has_member(object, "schema_version")) {
        return g_strdup(without_envelope(object));
    }
    if (trace_json_bool(metrics, "measured") || trace_json_bool(metrics, "published")) {
        return g_strdup("gpu-measured");
    }
    g_autofree char *name =
        g_strdelimit(g_strdup(trace_json_string(object, "workload", "")), " ", '-');
    const bool is_run =
        metrics != NULL && json_object_has_member(metrics, "device_seconds");

    return is_run || is_no_command(name) || !trace_bundle_has(name)
               ? g_strdup("run")
               : g_steal_pointer(&name);
}

bool trace_catalog_check(JsonNode *value,
                         TraceSchemaStrictness strictness,
                         GError **error)
{
    g_autofree char *name = trace_catalog_name_of(value);

    if (name == NULL) {
        return trace_refuse(error, "no result of gridloom, it has no schema_version");
    }
    g_autoptr(JsonNode) root = trace_catalog_read(name, error);
    g_autoptr(TraceSchema) schema = root != NULL ? trace_schema_new(root, error) : NULL;
    g_autoptr(GError) mismatch = NULL;

    if (schema == NULL) {
        return false;
    }
    return trace_schema_check(schema, value, strictness, &mismatch) ||
           trace_refuse(error, "%s (gridloom schema %s)", mismatch->message, name);
}
