/* Puts a schema together from the files of this folder. */
#include "traces/schema/bundle.h"

#include <gio/gio.h>
#include <string.h>

#include "traces/error.h"
#include "traces/file/json_member.h"

/* Made by glib-compile-resources of the files here. */
GResource *gridloom_schema_get_resource(void);

#define FOLDER      "/schema"
#define ENDING      ".json"
#define DEFINITIONS "#/$defs/"

typedef struct {
    GHashTable *files;       /* JsonNode by name, without definitions */
    GHashTable *definitions; /* of the files: JsonObject by name; missing: none */
    GHashTable *sources;     /* of each definition gathered: the name of its file */
    JsonObject *gathered;
    const char *file; /* whose text is being walked */
    GError **error;
} Bundle;

static bool gather(Bundle *self, JsonNode *node);

static int compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *) a, *(char *const *) b);
}

char **trace_bundle_names(void)
{
    char **names = g_resource_enumerate_children(gridloom_schema_get_resource(), FOLDER,
                                                 G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
    const guint count = g_strv_length(names);

    for (guint i = 0; i < count; i++) {
        names[i][strlen(names[i]) - strlen(ENDING)] = '\0';
    }
    qsort(names, count, sizeof(*names), compare_names);
    return names;
}

bool trace_bundle_has(const char *name)
{
    g_auto(GStrv) names = trace_bundle_names();

    return g_strv_contains((const char *const *) names, name);
}

/* The root of a file, borrowed; read once. */
static JsonNode *root_of(Bundle *self, const char *name)
{
    JsonNode *root = g_hash_table_lookup(self->files, name);
    g_autofree char *path = g_strdup_printf(FOLDER "/%s" ENDING, name);
    g_autoptr(JsonParser) parser = json_parser_new();

    if (root != NULL) {
        return root;
    }
    g_autoptr(GBytes) bytes =
        g_resource_lookup_data(gridloom_schema_get_resource(), path,
                               G_RESOURCE_LOOKUP_FLAGS_NONE, self->error);
    gsize size = 0;
    const char *text = bytes != NULL ? g_bytes_get_data(bytes, &size) : NULL;

    if (text == NULL ||
        !json_parser_load_from_data(parser, text, (gssize) size, self->error)) {
        g_prefix_error(self->error, "schema %s: ", name);
        return NULL;
    }
    root = json_parser_steal_root(parser);
    JsonObject *object = json_node_get_object(root);
    JsonObject *definitions = trace_json_object(object, "$defs");

    g_hash_table_insert(self->files, g_strdup(name), root);
    if (definitions != NULL) {
        g_hash_table_insert(self->definitions, g_strdup(name),
                            json_object_ref(definitions));
        json_object_remove_member(object, "$defs");
    }
    return root;
}

/* Adds a definition of a file, and what it refers to. */
static bool
add_definition(Bundle *self, const char *file, const char *name, JsonNode *node)
{
    const char *before = self->file;
    const char *source = g_hash_table_lookup(self->sources, name);
    bool is_done;

    if (source != NULL) {
        return g_str_equal(source, file) ||
               trace_refuse(self->error, "%s and %s both define %s", source, file,
                            name);
    }
    if (node == NULL) {
        return trace_refuse(self->error, "%s does not define %s", file, name);
    }
    g_hash_table_insert(self->sources, g_strdup(name), g_strdup(file));
    json_object_set_member(self->gathered, name, json_node_copy(node));
    self->file = file;
    is_done = gather(self, node);
    self->file = before;
    return is_done;
}

static JsonNode *definition_of(const Bundle *self, const char *file, const char *name)
{
    JsonObject *all = g_hash_table_lookup(self->definitions, file);

    return all != NULL ? json_object_get_member(all, name) : NULL;
}

/* A file as a definition says no draft of its own. */
static JsonNode *body_of(JsonNode *root)
{
    json_object_remove_member(json_node_get_object(root), "$schema");
    return root;
}

/* Adds what a $ref names; returns the same place in the bundle, or NULL. */
static char *follow(Bundle *self, const char *reference)
{
    const char *fragment = strstr(reference, DEFINITIONS);
    const gsize length =
        fragment != NULL ? (gsize) (fragment - reference) : strlen(reference);
    g_autofree char *path = g_strndup(reference, length);
    g_autofree char *file = g_str_has_suffix(path, ENDING)
                                ? g_strndup(path, length - strlen(ENDING))
                                : g_strdup(self->file);
    JsonNode *root = root_of(self, file);
    const char *name = fragment != NULL ? fragment + strlen(DEFINITIONS) : file;
    const char *kept = root != NULL ? g_intern_string(file) : NULL;

    if (root == NULL ||
        !add_definition(self, kept, name,
                        fragment != NULL ? definition_of(self, file, name)
                                         : body_of(root))) {
        return NULL;
    }
    return g_strconcat(DEFINITIONS, name, NULL);
}

static bool gather_members(Bundle *self, JsonObject *object)
{
    const char *reference = trace_json_string(object, "$ref", NULL);

    if (reference != NULL) {
        g_autofree char *place = follow(self, reference);

        if (place == NULL) {
            return false;
        }
        json_object_set_string_member(object, "$ref", place);
    }
    g_autoptr(GList) names = json_object_get_members(object);

    for (const GList *name = names; name != NULL; name = name->next) {
        if (!gather(self, json_object_get_member(object, name->data))) {
            return false;
        }
    }
    return true;
}

static bool gather(Bundle *self, JsonNode *node)
{
    if (JSON_NODE_HOLDS_OBJECT(node)) {
        return gather_members(self, json_node_get_object(node));
    }
    if (JSON_NODE_HOLDS_ARRAY(node)) {
        JsonArray *items = json_node_get_array(node);

        for (guint i = 0; i < json_array_get_length(items); i++) {
            if (!gather(self, json_array_get_element(items, i))) {
                return false;
            }
        }
    }
    return true;
}

static void unref_node(gpointer node)
{
    json_node_unref(node);
}

static void unref_object(gpointer object)
{
    json_object_unref(object);
}

JsonNode *trace_bundle_new(const char *name, GError **error)
{
    g_autoptr(GHashTable) files =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, unref_node);
    g_autoptr(GHashTable) definitions =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, unref_object);
    g_autoptr(GHashTable) sources =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autoptr(JsonObject) gathered = json_object_new();
    Bundle self = {.files = files,
                   .definitions = definitions,
                   .sources = sources,
                   .gathered = gathered,
                   .file = name,
                   .error = error};
    JsonNode *root = root_of(&self, name);

    if (root == NULL || !gather(&self, root)) {
        return NULL;
    }
    if (json_object_get_size(gathered) > 0) {
        json_object_set_object_member(json_node_get_object(root), "$defs",
                                      json_object_ref(gathered));
    }
    return json_node_ref(root);
}
