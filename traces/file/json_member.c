/* Checks the kind of a JSON member before reading its value. */
#include "traces/file/json_member.h"

static JsonNode *member_of(JsonObject *object, const char *member)
{
    return object != NULL ? json_object_get_member(object, member) : NULL;
}

const char *
trace_json_string(JsonObject *object, const char *member, const char *otherwise)
{
    JsonNode *node = member_of(object, member);

    return node != NULL && JSON_NODE_HOLDS_VALUE(node) &&
                   json_node_get_value_type(node) == G_TYPE_STRING
               ? json_node_get_string(node)
               : otherwise;
}

double trace_json_number(JsonObject *object, const char *member, double otherwise)
{
    JsonNode *node = member_of(object, member);
    GType type = node != NULL && JSON_NODE_HOLDS_VALUE(node)
                     ? json_node_get_value_type(node)
                     : G_TYPE_INVALID;

    return type == G_TYPE_INT64 || type == G_TYPE_DOUBLE ? json_node_get_double(node)
                                                         : otherwise;
}

bool trace_json_bool(JsonObject *object, const char *member)
{
    JsonNode *node = member_of(object, member);

    return node != NULL && JSON_NODE_HOLDS_VALUE(node) &&
           json_node_get_value_type(node) == G_TYPE_BOOLEAN &&
           json_node_get_boolean(node);
}

JsonObject *trace_json_object(JsonObject *object, const char *member)
{
    JsonNode *node = member_of(object, member);

    return node != NULL && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node)
                                                        : NULL;
}

JsonArray *trace_json_array(JsonObject *object, const char *member)
{
    JsonNode *node = member_of(object, member);

    return node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node)
                                                       : NULL;
}

guint trace_json_count(JsonArray *array)
{
    return array != NULL ? json_array_get_length(array) : 0;
}

JsonObject *trace_json_item(JsonArray *array, guint index)
{
    JsonNode *node = json_array_get_element(array, index);

    return JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

const char *
trace_json_chip_number(JsonArray *numbers, const char *section, const char *key)
{
    for (guint i = 0; i < trace_json_count(numbers); i++) {
        JsonObject *row = trace_json_item(numbers, i);

        if (g_str_equal(trace_json_string(row, "section", ""), section) &&
            g_str_equal(trace_json_string(row, "key", ""), key)) {
            return trace_json_string(row, "value", NULL);
        }
    }
    return NULL;
}

void trace_json_set_text(JsonObject *object, const char *member, const char *text)
{
    g_autofree char *valid = text != NULL ? g_utf8_make_valid(text, -1) : NULL;

    json_object_set_string_member(object, member, valid);
}
