/* Finds members of results. */
#include "tools/gridloom/result_member.h"

#include <math.h>

#include "traces/error.h"
#include "traces/formula.h"

/* The part of an object or a list that a name or a number means; NULL for none. */
static JsonNode *part_of(JsonNode *node, const char *name)
{
    guint64 index;

    if (JSON_NODE_HOLDS_OBJECT(node)) {
        return json_object_get_member(json_node_get_object(node), name);
    }
    if (!JSON_NODE_HOLDS_ARRAY(node) ||
        !g_ascii_string_to_unsigned(name, 10, 0, G_MAXUINT, &index, NULL) ||
        index >= json_array_get_length(json_node_get_array(node))) {
        return NULL;
    }
    return json_array_get_element(json_node_get_array(node), (guint) index);
}

static JsonNode *node_at(JsonObject *result, const char *path)
{
    g_auto(GStrv) names = g_strsplit(path, ".", -1);
    JsonNode *node = names[0] != NULL ? json_object_get_member(result, names[0]) : NULL;

    for (guint i = 1; node != NULL && names[i] != NULL; i++) {
        node = part_of(node, names[i]);
    }
    return node;
}

static GType type_of(JsonNode *node)
{
    return node != NULL && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_value_type(node)
                                                       : G_TYPE_INVALID;
}

/* A TraceFormulaFunc; `data` is a result. */
static bool read_number(gpointer data, const char *path, double *value)
{
    JsonNode *node = node_at(data, path);
    const GType type = type_of(node);

    if (type != G_TYPE_INT64 && type != G_TYPE_DOUBLE) {
        return false;
    }
    *value = json_node_get_double(node);
    return isfinite(*value);
}

bool result_number(JsonObject *result,
                   const char *formula,
                   double *value,
                   GError **error)
{
    if (!trace_formula_value(formula, read_number, result, value, error)) {
        g_prefix_error(error, "the result: ");
        return false;
    }
    return true;
}

char *result_word(JsonObject *result, const char *path, GError **error)
{
    JsonNode *node = node_at(result, path);
    const GType type = type_of(node);

    if (type == G_TYPE_BOOLEAN) {
        return g_strdup(json_node_get_boolean(node) ? "true" : "false");
    }
    if (type == G_TYPE_STRING) {
        return json_node_dup_string(node);
    }
    g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ, "the result: no text %s", path);
    return NULL;
}
