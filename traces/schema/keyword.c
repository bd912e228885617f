/* Tells keywords of schemas and types of values apart. */
#include "traces/schema/keyword.h"

#include <math.h>

static const struct {
    const char *name;
    TraceKeywordKind kind;
} keywords[] = {
    {"$schema", TRACE_KEYWORD_TEXT},
    {"$ref", TRACE_KEYWORD_REF},
    {"$defs", TRACE_KEYWORD_MEMBERS},
    {"title", TRACE_KEYWORD_TEXT},
    {"description", TRACE_KEYWORD_TEXT},
    {"type", TRACE_KEYWORD_TYPES},
    {"enum", TRACE_KEYWORD_VALUES},
    {"const", TRACE_KEYWORD_VALUE},
    {"properties", TRACE_KEYWORD_MEMBERS},
    {"required", TRACE_KEYWORD_NAMES},
    {"additionalProperties", TRACE_KEYWORD_SCHEMA},
    {"items", TRACE_KEYWORD_SCHEMA},
    {"minItems", TRACE_KEYWORD_COUNT},
    {"maxItems", TRACE_KEYWORD_COUNT},
    {"minimum", TRACE_KEYWORD_NUMBER},
    {"maximum", TRACE_KEYWORD_NUMBER},
    {"minLength", TRACE_KEYWORD_COUNT},
    {"allOf", TRACE_KEYWORD_LIST},
    {"anyOf", TRACE_KEYWORD_LIST},
};

static const struct {
    const char *name;
    const char *words;
} types[] = {
    {"object", "an object"},
    {"array", "an array"},
    {"string", "a text"},
    {"number", "a number"},
    {"integer", "a whole number"},
    {"boolean", "true or false"},
    {"null", "null"},
};

bool trace_keyword_find(const char *name, TraceKeywordKind *kind)
{
    for (gsize i = 0; i < G_N_ELEMENTS(keywords); i++) {
        if (g_str_equal(keywords[i].name, name)) {
            *kind = keywords[i].kind;
            return true;
        }
    }
    return false;
}

static GType value_type(JsonNode *value)
{
    return JSON_NODE_HOLDS_VALUE(value) ? json_node_get_value_type(value)
                                        : G_TYPE_INVALID;
}

static bool is_number(JsonNode *value)
{
    const GType type = value_type(value);

    return type == G_TYPE_INT64 || type == G_TYPE_DOUBLE;
}

static bool is_whole(JsonNode *value)
{
    return is_number(value) &&
           json_node_get_double(value) == trunc(json_node_get_double(value));
}

bool trace_keyword_is_type(const char *type, JsonNode *value)
{
    if (g_str_equal(type, "object")) {
        return JSON_NODE_HOLDS_OBJECT(value);
    }
    if (g_str_equal(type, "array")) {
        return JSON_NODE_HOLDS_ARRAY(value);
    }
    if (g_str_equal(type, "null")) {
        return JSON_NODE_HOLDS_NULL(value);
    }
    if (g_str_equal(type, "string")) {
        return value_type(value) == G_TYPE_STRING;
    }
    if (g_str_equal(type, "boolean")) {
        return value_type(value) == G_TYPE_BOOLEAN;
    }
    return g_str_equal(type, "number") ? is_number(value) : is_whole(value);
}

static bool is_type_name(JsonNode *node)
{
    for (gsize i = 0; value_type(node) == G_TYPE_STRING && i < G_N_ELEMENTS(types);
         i++) {
        if (g_str_equal(types[i].name, json_node_get_string(node))) {
            return true;
        }
    }
    return false;
}

/* Whether the operand is a list, not empty, whose items all pass. */
static bool is_list(JsonNode *operand, bool (*is_item)(JsonNode *item))
{
    if (!JSON_NODE_HOLDS_ARRAY(operand)) {
        return false;
    }
    JsonArray *items = json_node_get_array(operand);

    for (guint i = 0; i < json_array_get_length(items); i++) {
        if (!is_item(json_array_get_element(items, i))) {
            return false;
        }
    }
    return json_array_get_length(items) > 0;
}

static bool is_text(JsonNode *node)
{
    return value_type(node) == G_TYPE_STRING;
}

static bool is_anything(JsonNode *node G_GNUC_UNUSED)
{
    return true;
}

bool trace_keyword_takes(TraceKeywordKind kind, JsonNode *operand)
{
    switch (kind) {
    case TRACE_KEYWORD_TEXT:
        return is_text(operand);
    case TRACE_KEYWORD_NUMBER:
        return is_number(operand);
    case TRACE_KEYWORD_COUNT:
        return value_type(operand) == G_TYPE_INT64 && json_node_get_int(operand) >= 0;
    case TRACE_KEYWORD_VALUE:
        return true;
    case TRACE_KEYWORD_VALUES:
        return is_list(operand, is_anything);
    case TRACE_KEYWORD_NAMES:
        return is_list(operand, is_text);
    case TRACE_KEYWORD_TYPES:
        return is_type_name(operand) || is_list(operand, is_type_name);
    case TRACE_KEYWORD_REF:
        return trace_keyword_ref_name(operand) != NULL;
    case TRACE_KEYWORD_SCHEMA:
        return JSON_NODE_HOLDS_OBJECT(operand) || value_type(operand) == G_TYPE_BOOLEAN;
    case TRACE_KEYWORD_LIST:
        return is_list(operand, is_anything);
    case TRACE_KEYWORD_MEMBERS:
        return JSON_NODE_HOLDS_OBJECT(operand);
    }
    return false;
}

bool trace_keyword_is_of(JsonNode *list, JsonNode *value)
{
    if (!JSON_NODE_HOLDS_ARRAY(list)) {
        return trace_keyword_is_type(json_node_get_string(list), value);
    }
    JsonArray *names = json_node_get_array(list);

    for (guint i = 0; i < json_array_get_length(names); i++) {
        if (trace_keyword_is_type(json_array_get_string_element(names, i), value)) {
            return true;
        }
    }
    return false;
}

static void add_type(GString *text, const char *name, const char *before)
{
    for (gsize i = 0; i < G_N_ELEMENTS(types); i++) {
        if (g_str_equal(types[i].name, name)) {
            g_string_append_printf(text, "%s%s", before, types[i].words);
        }
    }
}

char *trace_keyword_types_text(JsonNode *list)
{
    GString *text = g_string_new(NULL);

    if (!JSON_NODE_HOLDS_ARRAY(list)) {
        add_type(text, json_node_get_string(list), "");
        return g_string_free(text, FALSE);
    }
    JsonArray *names = json_node_get_array(list);

    for (guint i = 0; i < json_array_get_length(names); i++) {
        add_type(text, json_array_get_string_element(names, i), i > 0 ? " or " : "");
    }
    return g_string_free(text, FALSE);
}

const char *trace_keyword_ref_name(JsonNode *operand)
{
    static const char prefix[] = "#/$defs/";
    const char *text = is_text(operand) ? json_node_get_string(operand) : "";

    return g_str_has_prefix(text, prefix) ? text + sizeof(prefix) - 1 : NULL;
}
