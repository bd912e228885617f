/* Members of messages: looked up and checked. */
#include "workloads/host/member.h"

#include "sim/narrow.h"
#include "workloads/error.h"

static bool refuse(GError **error, const char *name, const char *expected)
{
    return wl_refuse(error, "the host program sent no %s for '%s'", expected, name);
}

static bool is_integer(JsonNode *node)
{
    return node != NULL && JSON_NODE_HOLDS_VALUE(node) &&
           json_node_get_value_type(node) == G_TYPE_INT64;
}

static bool is_text(JsonNode *node)
{
    return JSON_NODE_HOLDS_VALUE(node) &&
           json_node_get_value_type(node) == G_TYPE_STRING;
}

static bool take_count(JsonNode *node, uint64_t most, uint64_t *value)
{
    const gint64 number = is_integer(node) ? json_node_get_int(node) : -1;

    *value = (uint64_t) number;
    return number >= 0 && *value <= most;
}

bool host_member_count(
    JsonObject *words, const char *name, uint64_t most, uint64_t *value, GError **error)
{
    return take_count(json_object_get_member(words, name), most, value) ||
           wl_refuse(error,
                     "the host program sent no integer of 0 to %" G_GUINT64_FORMAT
                     " for '%s'",
                     most, name);
}

bool host_member_u32(JsonObject *words,
                     const char *name,
                     uint32_t *value,
                     GError **error)
{
    uint64_t wide = 0;

    if (!host_member_count(words, name, G_MAXUINT32, &wide, error)) {
        return false;
    }
    *value = sim_u32(wide);
    return true;
}

bool host_member_text(JsonObject *words,
                      const char *name,
                      const char **value,
                      GError **error)
{
    JsonNode *node = json_object_get_member(words, name);

    *value = "";
    if (node == NULL) {
        return true;
    }
    if (!is_text(node)) {
        return refuse(error, name, "text");
    }
    *value = json_node_get_string(node);
    return true;
}

bool host_member_flag(JsonObject *words, const char *name, bool *value, GError **error)
{
    JsonNode *node = json_object_get_member(words, name);

    *value = false;
    if (node == NULL) {
        return true;
    }
    if (!JSON_NODE_HOLDS_VALUE(node) ||
        json_node_get_value_type(node) != G_TYPE_BOOLEAN) {
        return refuse(error, name, "true or false");
    }
    *value = json_node_get_boolean(node);
    return true;
}

bool host_member_array(JsonObject *words,
                       const char *name,
                       JsonArray **value,
                       GError **error)
{
    JsonNode *node = json_object_get_member(words, name);

    *value = NULL;
    if (node == NULL) {
        return true;
    }
    if (!JSON_NODE_HOLDS_ARRAY(node)) {
        return refuse(error, name, "array");
    }
    *value = json_node_get_array(node);
    return true;
}

bool host_member_words(JsonObject *words,
                       const char *name,
                       GArray **value,
                       GError **error)
{
    JsonArray *array;

    *value = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    if (!host_member_array(words, name, &array, error)) {
        return false;
    }
    for (guint i = 0; array != NULL && i < json_array_get_length(array); i++) {
        uint64_t wide = 0;
        uint32_t word;

        if (!host_item_count(array, i, G_MAXUINT32, &wide, error)) {
            g_prefix_error(error, "%s: ", name);
            return false;
        }
        word = sim_u32(wide);
        g_array_append_val(*value, word);
    }
    return true;
}

bool host_member_texts(JsonObject *words,
                       const char *name,
                       GPtrArray **value,
                       GError **error)
{
    JsonArray *array;

    *value = g_ptr_array_new_with_free_func(g_free);
    if (!host_member_array(words, name, &array, error)) {
        return false;
    }
    for (guint i = 0; array != NULL && i < json_array_get_length(array); i++) {
        JsonNode *node = json_array_get_element(array, i);

        if (!is_text(node)) {
            return refuse(error, name, "list of texts");
        }
        g_ptr_array_add(*value, g_strdup(json_node_get_string(node)));
    }
    return true;
}

bool host_item_count(
    JsonArray *array, guint index, uint64_t most, uint64_t *value, GError **error)
{
    return (index < json_array_get_length(array) &&
            take_count(json_array_get_element(array, index), most, value)) ||
           wl_refuse(error,
                     "the host program sent no integer of 0 to %" G_GUINT64_FORMAT
                     " as item %u of a list",
                     most, index);
}

JsonObject *
host_item_object(JsonArray *array, guint index, const char *name, GError **error)
{
    JsonNode *node = json_array_get_element(array, index);

    if (!JSON_NODE_HOLDS_OBJECT(node)) {
        (void) refuse(error, name, "list of objects");
        return NULL;
    }
    return json_node_get_object(node);
}
