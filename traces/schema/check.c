/* Checks values against a schema. */
#include <stdarg.h>
#include <string.h>

#include "traces/error.h"
#include "traces/file/json_text.h"
#include "traces/schema/keyword.h"
#include "traces/schema/pointer.h"
#include "traces/schema/schema_parts.h"

enum {
    VALUE_SHOWN = 40, /* bytes of a value in a message */
};

/* A mismatch. */
typedef struct {
    char *where; /* a JSON pointer; NULL: there is none */
    char *what;
} Mismatch;

typedef struct {
    const TraceSchema *schema;
    bool is_partial;
    GString *place;
    Mismatch found;
} Check;

static void mismatch_clear(Mismatch *self)
{
    g_clear_pointer(&self->where, g_free);
    g_clear_pointer(&self->what, g_free);
}

static bool check_value(Check *self, JsonNode *schema, JsonNode *value);

static bool G_GNUC_PRINTF(2, 3) fail(Check *self, const char *format, ...)
{
    va_list values;

    mismatch_clear(&self->found);
    self->found.where = g_strdup(self->place->str);
    va_start(values, format);
    self->found.what = g_strdup_vprintf(format, values);
    va_end(values);
    return false;
}

/* The start of a value's text; the caller frees it. */
static char *shown(JsonNode *value)
{
    if (JSON_NODE_HOLDS_OBJECT(value)) {
        return g_strdup("an object");
    }
    if (JSON_NODE_HOLDS_ARRAY(value)) {
        return g_strdup_printf("an array of %u",
                               json_array_get_length(json_node_get_array(value)));
    }
    char *text = json_to_string(value, FALSE);

    if (strlen(text) > VALUE_SHOWN) {
        char *end = g_utf8_find_prev_char(text, text + VALUE_SHOWN);

        memcpy(end != NULL ? end : text, "...", sizeof("..."));
    }
    return text;
}

static bool fail_value(Check *self, JsonNode *value, const char *allowed)
{
    g_autofree char *text = shown(value);

    return fail(self, "%s, allowed is %s", text, allowed);
}

/* "pass", "fail" or "skipped"; the caller frees it. */
static char *values_text(JsonArray *values)
{
    GString *text = g_string_new(NULL);
    const guint count = json_array_get_length(values);

    for (guint i = 0; i < count; i++) {
        g_autofree char *one = shown(json_array_get_element(values, i));

        g_string_append_printf(text, "%s%s",
                               i == 0           ? ""
                               : i + 1 == count ? " or "
                                                : ", ",
                               one);
    }
    return g_string_free(text, FALSE);
}

static bool check_values(Check *self, JsonNode *operand, JsonNode *value)
{
    JsonArray *values = json_node_get_array(operand);

    for (guint i = 0; i < json_array_get_length(values); i++) {
        if (json_node_equal(json_array_get_element(values, i), value)) {
            return true;
        }
    }
    g_autofree char *allowed = values_text(values);

    return fail_value(self, value, allowed);
}

static bool check_const(Check *self, JsonNode *operand, JsonNode *value)
{
    g_autofree char *allowed = shown(operand);

    return json_node_equal(operand, value) || fail_value(self, value, allowed);
}

static bool check_type(Check *self, JsonNode *operand, JsonNode *value)
{
    if (trace_keyword_is_of(operand, value)) {
        return true;
    }
    g_autofree char *allowed = trace_keyword_types_text(operand);

    return fail_value(self, value, allowed);
}

static bool check_required(Check *self, JsonNode *operand, JsonNode *value)
{
    JsonArray *names = json_node_get_array(operand);

    if (self->is_partial || !JSON_NODE_HOLDS_OBJECT(value)) {
        return true;
    }
    for (guint i = 0; i < json_array_get_length(names); i++) {
        const char *name = json_array_get_string_element(names, i);

        if (!json_object_has_member(json_node_get_object(value), name)) {
            return fail(self, "there is no \"%s\"", name);
        }
    }
    return true;
}

static bool
check_member(Check *self, JsonNode *schema, const char *name, JsonNode *value)
{
    const gsize before = trace_pointer_add(self->place, name);
    const bool fits = check_value(self, schema, value);

    g_string_truncate(self->place, before);
    return fits;
}

static bool check_properties(Check *self, JsonNode *operand, JsonNode *value)
{
    JsonObject *schemas = json_node_get_object(operand);
    JsonObjectIter each;
    const char *name;
    JsonNode *member;

    if (!JSON_NODE_HOLDS_OBJECT(value)) {
        return true;
    }
    json_object_iter_init_ordered(&each, json_node_get_object(value));
    while (json_object_iter_next_ordered(&each, &name, &member)) {
        JsonNode *schema = json_object_get_member(schemas, name);

        if (schema != NULL && !check_member(self, schema, name, member)) {
            return false;
        }
    }
    return true;
}

/* Members that `properties` beside it does not name. */
static bool
check_additional(Check *self, JsonObject *beside, JsonNode *operand, JsonNode *value)
{
    JsonNode *named = json_object_get_member(beside, "properties");
    JsonObjectIter each;
    const char *name;
    JsonNode *member;

    if (!JSON_NODE_HOLDS_OBJECT(value)) {
        return true;
    }
    json_object_iter_init_ordered(&each, json_node_get_object(value));
    while (json_object_iter_next_ordered(&each, &name, &member)) {
        const bool is_named =
            named != NULL && json_object_has_member(json_node_get_object(named), name);

        if (!is_named && !check_member(self, operand, name, member)) {
            return false;
        }
    }
    return true;
}

static bool check_items(Check *self, JsonNode *operand, JsonNode *value)
{
    if (!JSON_NODE_HOLDS_ARRAY(value)) {
        return true;
    }
    JsonArray *items = json_node_get_array(value);

    for (guint i = 0; i < json_array_get_length(items); i++) {
        const gsize before = trace_pointer_add_index(self->place, i);
        const bool fits = check_value(self, operand, json_array_get_element(items, i));

        g_string_truncate(self->place, before);
        if (!fits) {
            return false;
        }
    }
    return true;
}

/* Sizes of numbers, arrays and texts. */
static bool
check_limit(Check *self, const char *name, JsonNode *operand, JsonNode *value)
{
    const double limit = json_node_get_double(operand);
    const bool is_least = g_str_has_prefix(name, "min");
    double size = 0;
    const char *unit = "";

    if (g_str_has_suffix(name, "imum") && trace_keyword_is_type("number", value)) {
        size = json_node_get_double(value);
    } else if (g_str_has_suffix(name, "Items") && JSON_NODE_HOLDS_ARRAY(value)) {
        size = json_array_get_length(json_node_get_array(value));
        unit = " items";
    } else if (g_str_has_suffix(name, "Length") &&
               trace_keyword_is_type("string", value)) {
        size = (double) g_utf8_strlen(json_node_get_string(value), -1);
        unit = " characters";
    } else {
        return true;
    }
    if (is_least ? size >= limit : size <= limit) {
        return true;
    }
    g_autofree char *allowed =
        g_strdup_printf("at %s %.15g%s", is_least ? "least" : "most", limit, unit);

    return fail_value(self, value, allowed);
}

static bool check_all(Check *self, JsonNode *operand, JsonNode *value)
{
    JsonArray *schemas = json_node_get_array(operand);

    for (guint i = 0; i < json_array_get_length(schemas); i++) {
        if (!check_value(self, json_array_get_element(schemas, i), value)) {
            return false;
        }
    }
    return true;
}

/* Tells the mismatch that lies deepest: of the form that was probably meant. */
static bool check_any(Check *self, JsonNode *operand, JsonNode *value)
{
    JsonArray *schemas = json_node_get_array(operand);
    Mismatch deepest = {0};

    for (guint i = 0; i < json_array_get_length(schemas); i++) {
        if (check_value(self, json_array_get_element(schemas, i), value)) {
            mismatch_clear(&deepest);
            return true;
        }
        if (deepest.where == NULL ||
            strlen(self->found.where) > strlen(deepest.where)) {
            mismatch_clear(&deepest);
            deepest = self->found;
            self->found = (Mismatch){0};
        }
    }
    mismatch_clear(&self->found);
    self->found = deepest;
    return false;
}

/* A schema was checked when it was made: only keywords that are known come here. */
static bool
check_keyword(Check *self, const char *name, JsonNode *operand, JsonNode *value)
{
    static const struct {
        const char *name;
        bool (*check)(Check *self, JsonNode *operand, JsonNode *value);
    } checks[] = {
        {"type", check_type},   {"enum", check_values},
        {"const", check_const}, {"required", check_required},
        {"items", check_items}, {"properties", check_properties},
        {"allOf", check_all},   {"anyOf", check_any},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(checks); i++) {
        if (g_str_equal(checks[i].name, name)) {
            return checks[i].check(self, operand, value);
        }
    }
    if (g_str_equal(name, "$ref")) {
        return check_value(self,
                           json_object_get_member(self->schema->definitions,
                                                  trace_keyword_ref_name(operand)),
                           value);
    }
    if (g_str_has_prefix(name, "min") || g_str_has_prefix(name, "max")) {
        return check_limit(self, name, operand, value);
    }
    return true; /* words for people */
}

static bool check_value(Check *self, JsonNode *schema, JsonNode *value)
{
    JsonObjectIter each;
    const char *name;
    JsonNode *operand;

    if (!JSON_NODE_HOLDS_OBJECT(schema)) {
        return json_node_get_boolean(schema) || fail(self, "nothing is allowed here");
    }
    JsonObject *keywords = json_node_get_object(schema);

    json_object_iter_init_ordered(&each, keywords);
    while (json_object_iter_next_ordered(&each, &name, &operand)) {
        const bool fits = g_str_equal(name, "additionalProperties")
                              ? check_additional(self, keywords, operand, value)
                              : check_keyword(self, name, operand, value);

        if (!fits) {
            return false;
        }
    }
    return true;
}

bool trace_schema_check(const TraceSchema *self,
                        JsonNode *value,
                        TraceSchemaStrictness strictness,
                        GError **error)
{
    g_autoptr(GString) place = g_string_new(NULL);
    Check check = {.schema = self,
                   .is_partial = strictness == TRACE_SCHEMA_PARTIAL,
                   .place = place};

    if (check_value(&check, self->root, value)) {
        mismatch_clear(&check.found);
        return true;
    }
    trace_refuse(error, "%s%s%s", check.found.where,
                 *check.found.where != '\0' ? ": " : "", check.found.what);
    mismatch_clear(&check.found);
    return false;
}
