/* Writes JSON and repairs json-glib's mistakes. */
#include "traces/file/json_text.h"

#include <math.h>

enum {
    DEPTH_MAXIMUM = 100,
};

/* Puts null in the place of numbers that JSON cannot hold, at any depth. */
static void make_finite(JsonNode *node)
{
    if (JSON_NODE_HOLDS_OBJECT(node)) {
        g_autoptr(GList) nodes = json_object_get_values(json_node_get_object(node));

        for (const GList *member = nodes; member != NULL; member = member->next) {
            make_finite(member->data);
        }
    } else if (JSON_NODE_HOLDS_ARRAY(node)) {
        g_autoptr(GList) nodes = json_array_get_elements(json_node_get_array(node));

        for (const GList *member = nodes; member != NULL; member = member->next) {
            make_finite(member->data);
        }
    } else if (JSON_NODE_HOLDS_VALUE(node) &&
               json_node_get_value_type(node) == G_TYPE_DOUBLE &&
               !isfinite(json_node_get_double(node))) {
        json_node_init_null(node);
    }
}

/* json-glib 1.6 writes 1e-8 as 1e-08.0, which is not JSON: removes the .0 again. */
static char *mend_exponents(const char *text)
{
    GString *mended = g_string_new(NULL);
    bool is_in_string = false;
    bool is_in_exponent = false;

    for (const char *c = text; *c != '\0'; c++) {
        if (is_in_string && *c == '\\') {
            g_string_append_c(mended, *c++);
        } else if (*c == '"') {
            is_in_string = !is_in_string;
        } else if (!is_in_string && *c == 'e' && c > text && g_ascii_isdigit(c[-1])) {
            is_in_exponent = true;
        } else if (is_in_exponent && *c == '.') {
            c++; /* and the 0 behind it */
            continue;
        } else if (!g_ascii_isdigit(*c) && *c != '-' && *c != '+') {
            is_in_exponent = false;
        }
        g_string_append_c(mended, *c);
    }
    return g_string_free(mended, FALSE);
}

char *trace_json_text(JsonNode *node, bool is_indented)
{
    g_autoptr(JsonGenerator) generator = json_generator_new();
    g_autofree char *text = NULL;

    make_finite(node);
    json_generator_set_root(generator, node);
    json_generator_set_pretty(generator, is_indented);
    json_generator_set_indent(generator, 2);
    text = json_generator_to_data(generator, NULL);
    return mend_exponents(text);
}

char *trace_json_object_text(JsonObject *object, bool is_indented)
{
    g_autoptr(JsonNode) node = json_node_new(JSON_NODE_OBJECT);

    json_node_set_object(node, object);
    return trace_json_text(node, is_indented);
}

bool trace_json_is_shallow(const char *text)
{
    bool is_in_string = false;
    guint depth = 0;

    for (const char *c = text; *c != '\0' && depth <= DEPTH_MAXIMUM; c++) {
        if (is_in_string && *c == '\\' && c[1] != '\0') {
            c++;
        } else if (*c == '"') {
            is_in_string = !is_in_string;
        } else if (!is_in_string && (*c == '{' || *c == '[')) {
            depth++;
        } else if (!is_in_string && (*c == '}' || *c == ']') && depth > 0) {
            depth--;
        }
    }
    return depth <= DEPTH_MAXIMUM;
}
