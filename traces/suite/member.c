/* Finds members of results. */
#include "traces/suite/member.h"

#include <math.h>

#include "traces/error.h"
#include "traces/suite/formula.h"

static GType type_of(JsonNode *node)
{
    return node != NULL && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_value_type(node)
                                                       : G_TYPE_INVALID;
}

/* Does a member of an item say so, as a text or a number? */
static bool is_called(JsonNode *item, const char *member, const char *text)
{
    JsonNode *node = JSON_NODE_HOLDS_OBJECT(item)
                         ? json_object_get_member(json_node_get_object(item), member)
                         : NULL;
    const GType type = type_of(node);

    if (type == G_TYPE_STRING) {
        return g_str_equal(json_node_get_string(node), text);
    }
    return (type == G_TYPE_INT64 || type == G_TYPE_DOUBLE) &&
           json_node_get_double(node) == g_ascii_strtod(text, NULL);
}

/* The item of a list chosen by a number or by two names, a member and its value;
 * `names` advances to the last one used. */
static JsonNode *item_of(JsonArray *list, char ***names)
{
    guint64 index;

    if (g_ascii_string_to_unsigned(**names, 10, 0, G_MAXUINT, &index, NULL)) {
        return index < json_array_get_length(list)
                   ? json_array_get_element(list, (guint) index)
                   : NULL;
    }
    if ((*names)[1] == NULL) {
        return NULL;
    }
    (*names)++;
    for (guint i = 0; i < json_array_get_length(list); i++) {
        JsonNode *item = json_array_get_element(list, i);

        if (is_called(item, (*names)[-1], (*names)[0])) {
            return item;
        }
    }
    return NULL;
}

static JsonNode *node_at(JsonObject *result, const char *path)
{
    g_auto(GStrv) names = g_strsplit(path, ".", -1);
    char **name = names;
    JsonNode *node = *name != NULL ? json_object_get_member(result, *name++) : NULL;

    for (; node != NULL && *name != NULL; name++) {
        if (JSON_NODE_HOLDS_OBJECT(node)) {
            node = json_object_get_member(json_node_get_object(node), *name);
        } else {
            node = JSON_NODE_HOLDS_ARRAY(node)
                       ? item_of(json_node_get_array(node), &name)
                       : NULL;
        }
    }
    return node;
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
