/* Checks that a schema says only what is known here. */
#include "traces/error.h"
#include "traces/schema/keyword.h"
#include "traces/schema/pointer.h"
#include "traces/schema/schema_parts.h"

/* A walk through a schema. */
typedef struct {
    JsonObject *definitions; /* NULL: none */
    GHashTable *open;        /* names of definitions that the walk is in */
    GHashTable *done;        /* and of those that it has left */
    GString *place;
    GError **error;
} Walk;

static bool walk_schema(Walk *self, JsonNode *schema);

static bool refuse(const Walk *self, const char *why)
{
    return trace_refuse(self->error, "%s: %s", self->place->str, why);
}

/* Every definition is walked once. One that leads back to itself would make the check
 * of a value endless. */
static bool walk_definition(Walk *self, const char *name)
{
    if (g_hash_table_contains(self->done, name)) {
        return true;
    }
    if (self->definitions == NULL || !json_object_has_member(self->definitions, name)) {
        return refuse(self, "there is no such definition");
    }
    if (!g_hash_table_add(self->open, (gpointer) name)) {
        return refuse(self, "a definition that leads back to itself");
    }
    const gsize before = self->place->len;
    g_autofree char *from = g_strdup(self->place->str);

    g_string_assign(self->place, "/$defs");
    trace_pointer_add(self->place, name);
    if (!walk_schema(self, json_object_get_member(self->definitions, name))) {
        return false;
    }
    g_string_assign(self->place, from);
    g_string_truncate(self->place, before);
    g_hash_table_remove(self->open, name);
    g_hash_table_add(self->done, (gpointer) name);
    return true;
}

static bool walk_members(Walk *self, JsonObject *members)
{
    JsonObjectIter each;
    const char *name;
    JsonNode *schema;

    json_object_iter_init_ordered(&each, members);
    while (json_object_iter_next_ordered(&each, &name, &schema)) {
        const gsize before = trace_pointer_add(self->place, name);

        if (!walk_schema(self, schema)) {
            return false;
        }
        g_string_truncate(self->place, before);
    }
    return true;
}

static bool walk_list(Walk *self, JsonArray *list)
{
    for (guint i = 0; i < json_array_get_length(list); i++) {
        const gsize before = trace_pointer_add_index(self->place, i);

        if (!walk_schema(self, json_array_get_element(list, i))) {
            return false;
        }
        g_string_truncate(self->place, before);
    }
    return true;
}

static bool walk_keyword(Walk *self, const char *name, JsonNode *operand)
{
    TraceKeywordKind kind;

    if (!trace_keyword_find(name, &kind)) {
        return refuse(self, "a keyword that is not known here");
    }
    if (!trace_keyword_takes(kind, operand)) {
        return refuse(self, "not what this keyword takes");
    }
    switch (kind) {
    case TRACE_KEYWORD_REF:
        return walk_definition(self, trace_keyword_ref_name(operand));
    case TRACE_KEYWORD_SCHEMA:
        return walk_schema(self, operand);
    case TRACE_KEYWORD_LIST:
        return walk_list(self, json_node_get_array(operand));
    case TRACE_KEYWORD_MEMBERS:
        return g_str_equal(name, "$defs") ||
               walk_members(self, json_node_get_object(operand));
    case TRACE_KEYWORD_TEXT:
    case TRACE_KEYWORD_NUMBER:
    case TRACE_KEYWORD_COUNT:
    case TRACE_KEYWORD_VALUE:
    case TRACE_KEYWORD_VALUES:
    case TRACE_KEYWORD_NAMES:
    case TRACE_KEYWORD_TYPES:
        return true;
    }
    return true;
}

static bool walk_schema(Walk *self, JsonNode *schema)
{
    JsonObjectIter each;
    const char *name;
    JsonNode *operand;

    if (!trace_keyword_takes(TRACE_KEYWORD_SCHEMA, schema)) {
        return refuse(self, "a schema is an object, true or false");
    }
    if (!JSON_NODE_HOLDS_OBJECT(schema)) {
        return true;
    }
    json_object_iter_init_ordered(&each, json_node_get_object(schema));
    while (json_object_iter_next_ordered(&each, &name, &operand)) {
        const gsize before = trace_pointer_add(self->place, name);

        if (!walk_keyword(self, name, operand)) {
            return false;
        }
        g_string_truncate(self->place, before);
    }
    return true;
}

/* Also those definitions that nothing refers to. */
static bool walk_definitions(Walk *self)
{
    g_autoptr(GList) names =
        self->definitions != NULL ? json_object_get_members(self->definitions) : NULL;

    for (const GList *name = names; name != NULL; name = name->next) {
        if (!walk_definition(self, name->data)) {
            return false;
        }
    }
    return true;
}

TraceSchema *trace_schema_new(JsonNode *root, GError **error)
{
    JsonObject *object =
        JSON_NODE_HOLDS_OBJECT(root) ? json_node_get_object(root) : NULL;
    JsonNode *definitions =
        object != NULL ? json_object_get_member(object, "$defs") : NULL;
    g_autoptr(GHashTable) open = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) done = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GString) place = g_string_new(NULL);
    Walk walk = {.open = open, .done = done, .place = place, .error = error};

    if (definitions != NULL && JSON_NODE_HOLDS_OBJECT(definitions)) {
        walk.definitions = json_node_get_object(definitions);
    }
    if (!walk_schema(&walk, root) || !walk_definitions(&walk)) {
        return NULL;
    }
    TraceSchema *self = g_new0(TraceSchema, 1);

    self->root = json_node_ref(root);
    self->definitions = walk.definitions;
    return self;
}

void trace_schema_free(TraceSchema *self)
{
    if (self != NULL) {
        json_node_unref(self->root);
        g_free(self);
    }
}
