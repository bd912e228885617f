/* Writes and reads out.json, and the files beside it. */
#include "workloads/csl/runtime/artifact.h"

#include <errno.h>
#include <string.h>

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>

#include "workloads/error.h"
#include "workloads/host/member.h"

/* Lists of options, as out.json calls them. */
static const char *const list_names[] = {"parameters", "colors", "import_paths"};

static char *digest_of(const char *text, gsize length)
{
    return g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *) text,
                                       length);
}

static JsonArray *texts_array(const GPtrArray *texts, bool is_paths)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i + 1 < texts->len; i++) {
        const char *text = g_ptr_array_index(texts, i);
        g_autofree char *whole = is_paths ? g_canonicalize_filename(text, NULL) : NULL;

        json_array_add_string_element(array, is_paths ? whole : text);
    }
    return array;
}

/* Every file that was read, with its digest, by path. */
static JsonObject *files_object(const CslProgram *program)
{
    JsonObject *object = json_object_new();
    g_autoptr(GList) paths =
        g_list_sort(g_hash_table_get_keys(program->files), (GCompareFunc) strcmp);

    for (const GList *at = paths; at != NULL; at = at->next) {
        const char *path = at->data;
        const CslFile *file = g_hash_table_lookup(program->files, path);
        g_autofree char *whole = g_canonicalize_filename(path, NULL);
        g_autofree char *digest =
            digest_of(csl_source_text(file->source), csl_source_length(file->source));

        json_object_set_string_member(object, whole, digest);
    }
    return object;
}

static JsonObject *order_object(const CslBuild *build, const WlCslOrder *order)
{
    JsonObject *object = json_object_new();
    const GPtrArray *const lists[] = {build->parameters, build->colors, build->folders};
    g_autofree char *path = g_canonicalize_filename(order->path, NULL);

    json_object_set_string_member(object, "path", path);
    json_object_set_string_member(object, "arch", order->arch);
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) {
        json_object_set_array_member(object, list_names[i],
                                     texts_array(lists[i], lists[i] == build->folders));
    }
    json_object_set_string_member(object, "fabric",
                                  order->fabric == NULL ? "" : order->fabric);
    json_object_set_string_member(object, "offsets",
                                  order->offsets == NULL ? "" : order->offsets);
    json_object_set_int_member(object, "channels", MAX(order->channels, 1));
    json_object_set_int_member(object, "west_buffers", order->west_buffers);
    json_object_set_int_member(object, "east_buffers", order->east_buffers);
    json_object_set_boolean_member(object, "memcpy", order->has_memcpy);
    json_object_set_object_member(object, "files", files_object(build->program));
    return object;
}

/* { "width": "4" } of "width:4". */
static JsonObject *params_object(const GPtrArray *parameters)
{
    JsonObject *object = json_object_new();

    for (guint i = 0; i + 1 < parameters->len; i++) {
        g_auto(GStrv) parts = g_strsplit(g_ptr_array_index(parameters, i), ":", 2);

        json_object_set_string_member(object, parts[0], parts[1]);
    }
    return object;
}

JsonArray *csl_artifact_symbols(const CslImage *image)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < image->symbols->len; i++) {
        const CslSymbol *symbol = &g_array_index(image->symbols, CslSymbol, i);
        JsonObject *object = json_object_new();
        JsonArray *inputs = json_array_new();

        for (guint k = 0; k < symbol->argument_count; k++) {
            json_array_add_string_element(inputs, symbol->declared->parts[k]->name);
        }
        json_object_set_int_member(object, "id", i);
        json_object_set_string_member(object, "name", symbol->name);
        json_object_set_string_member(object, "kind",
                                      symbol->is_function ? "Func" : "Var");
        json_object_set_string_member(object, "type", symbol->declared->name);
        json_object_set_array_member(object, "inputs", inputs);
        json_object_set_boolean_member(object, "immutable", !symbol->is_mutable);
        json_array_add_object_element(array, object);
    }
    return array;
}

static char *to_text(JsonObject *object)
{
    g_autoptr(JsonNode) node = json_node_new(JSON_NODE_OBJECT);

    json_node_take_object(node, object);
    return json_to_string(node, TRUE);
}

/* What the program of a class holds, for people. */
static char *describe_class(const CslPeClass *class)
{
    GString *text = g_string_new("A program of PEs of a simulated wafer.\n");

    g_string_append_printf(text, "file %s\npes %" G_GUINT64_FORMAT "\n",
                           class->root->file->path, class->pe_count);
    for (guint i = 0; i < class->tasks->len; i++) {
        const CslTaskBinding *task = &g_array_index(class->tasks, CslTaskBinding, i);

        g_string_append_printf(text, "task %u %s %s\n", task->id, task->kind->name,
                               csl_global_name(task->task));
    }
    for (guint i = 0; i < class->modules->len; i++) {
        const CslModule *module = g_ptr_array_index(class->modules, i);

        for (uint32_t k = 0; k < module->file->tree->global_count; k++) {
            const CslGlobal *global = &module->globals[k];

            if (global->node->kind == CSL_VARIABLE && global->type_state == CSL_KNOWN) {
                g_string_append_printf(text, "var %s %s %" G_GUINT64_FORMAT " bytes\n",
                                       csl_global_name(global), global->type->name,
                                       csl_type_bytes(global->type));
            }
        }
    }
    return g_string_free(text, FALSE);
}

static bool make_folder(const char *path, GError **error)
{
    return g_mkdir_with_parents(path, 0777) == 0 ||
           wl_refuse(error, "%s: cannot be made: %s", path, g_strerror(errno));
}

/* Files that an earlier program with more classes has left. */
static void remove_old(const char *bin, guint count)
{
    for (guint i = count;; i++) {
        g_autofree char *name = g_strdup_printf("out_%u.elf", i);
        g_autofree char *path = g_build_filename(bin, name, NULL);

        if (g_remove(path) != 0) {
            return;
        }
    }
}

static bool write_classes(const CslProgram *program, const char *bin, GError **error)
{
    for (guint i = 0; i < program->classes->len; i++) {
        g_autofree char *name = g_strdup_printf("out_%u.elf", i);
        g_autofree char *path = g_build_filename(bin, name, NULL);
        g_autofree char *text = describe_class(g_ptr_array_index(program->classes, i));

        if (!g_file_set_contents(path, text, -1, error)) {
            return false;
        }
    }
    remove_old(bin, program->classes->len);
    return true;
}

bool csl_artifact_write(const CslBuild *build,
                        const WlCslOrder *order,
                        const char *folder,
                        GError **error)
{
    g_autofree char *bin = g_build_filename(folder, "bin", NULL);
    g_autofree char *west = g_build_filename(folder, "west", NULL);
    g_autofree char *east = g_build_filename(folder, "east", NULL);
    g_autofree char *path = g_build_filename(folder, "out.json", NULL);
    JsonObject *object = json_object_new();

    json_object_set_object_member(object, "params", params_object(build->parameters));
    json_object_set_object_member(object, "colors", params_object(build->colors));
    json_object_set_array_member(object, "rpc_symbols",
                                 csl_artifact_symbols(build->image));
    json_object_set_object_member(object, "gridloom", order_object(build, order));
    g_autofree char *text = to_text(object);

    return make_folder(bin, error) && make_folder(west, error) &&
           make_folder(east, error) && write_classes(build->program, bin, error) &&
           g_file_set_contents(path, text, -1, error);
}

static bool check_digests(JsonObject *files, GError **error)
{
    g_autoptr(GList) paths = json_object_get_members(files);

    for (const GList *at = paths; at != NULL; at = at->next) {
        const char *path = at->data;
        const char *expected = NULL;
        g_autofree char *text = NULL;
        gsize length = 0;

        if (!host_member_text(files, path, &expected, error)) {
            return false;
        }
        g_autofree char *digest = g_file_get_contents(path, &text, &length, NULL)
                                      ? digest_of(text, length)
                                      : g_strdup("");

        if (!g_str_equal(digest, expected)) {
            return wl_refuse(
                error, "%s: has changed since cslc compiled it; run cslc again", path);
        }
    }
    return true;
}

static bool keep_text(JsonObject *from, const char *name, char **kept, GError **error)
{
    const char *text = NULL;
    const bool is_read = host_member_text(from, name, &text, error);

    *kept = *text == '\0' ? NULL : g_strdup(text);
    return is_read;
}

static bool read_small(JsonObject *from, const char *name, guint *value, GError **error)
{
    return host_member_u32(from, name, value, error);
}

static bool read_order(CslArtifact *self, JsonObject *from, GError **error)
{
    WlCslOrder *order = &self->order;

    for (guint i = 0; i < G_N_ELEMENTS(list_names); i++) {
        if (!host_member_texts(from, list_names[i], &self->lists[i], error)) {
            return false;
        }
        g_ptr_array_add(self->lists[i], NULL);
    }
    if (!keep_text(from, "path", &self->path, error) ||
        !keep_text(from, "arch", &self->arch, error) ||
        !keep_text(from, "fabric", &self->fabric, error) ||
        !keep_text(from, "offsets", &self->offsets, error) ||
        !read_small(from, "channels", &order->channels, error) ||
        !read_small(from, "west_buffers", &order->west_buffers, error) ||
        !read_small(from, "east_buffers", &order->east_buffers, error) ||
        !host_member_flag(from, "memcpy", &order->has_memcpy, error)) {
        return false;
    }
    order->path = self->path;
    order->arch = self->arch;
    order->fabric = self->fabric;
    order->offsets = self->offsets;
    order->parameters = (const char *const *) self->lists[0]->pdata;
    order->colors = (const char *const *) self->lists[1]->pdata;
    order->import_paths = (const char *const *) self->lists[2]->pdata;
    return (order->path != NULL && order->arch != NULL) ||
           wl_refuse(error, "no path of a program");
}

/* The object of that name, or an error. */
static JsonObject *member_object(JsonObject *from, const char *name, GError **error)
{
    JsonNode *node = from == NULL ? NULL : json_object_get_member(from, name);

    if (node == NULL || !JSON_NODE_HOLDS_OBJECT(node)) {
        wl_refuse(error, "no member '%s': cslc of Gridloom has not written it", name);
        return NULL;
    }
    return json_node_get_object(node);
}

char *csl_artifact_arch(const char *folder)
{
    g_autofree char *path = g_build_filename(folder, "out.json", NULL);
    g_autofree char *text = NULL;

    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        return NULL;
    }
    g_autoptr(JsonNode) node = json_from_string(text, NULL);
    JsonObject *object = node != NULL && JSON_NODE_HOLDS_OBJECT(node)
                             ? json_node_get_object(node)
                             : NULL;
    JsonObject *from = member_object(object, "gridloom", NULL);
    const char *arch = NULL;

    return from != NULL && host_member_text(from, "arch", &arch, NULL) ? g_strdup(arch)
                                                                       : NULL;
}

CslArtifact *csl_artifact_read(const char *folder, GError **error)
{
    g_autofree char *path = g_build_filename(folder, "out.json", NULL);
    g_autofree char *text = NULL;
    g_autoptr(CslArtifact) self = g_new0(CslArtifact, 1);

    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        wl_refuse(error, "%s: no such file; compile the program with cslc -o %s", path,
                  folder);
        return NULL;
    }
    g_autoptr(JsonNode) node = json_from_string(text, NULL);
    JsonObject *object = node != NULL && JSON_NODE_HOLDS_OBJECT(node)
                             ? json_node_get_object(node)
                             : NULL;
    JsonObject *from = member_object(object, "gridloom", error);
    JsonObject *files = from == NULL ? NULL : member_object(from, "files", error);

    if (files == NULL || !read_order(self, from, error)) {
        g_prefix_error(error, "%s: ", path);
        return NULL;
    }
    return check_digests(files, error) ? g_steal_pointer(&self) : NULL;
}

void csl_artifact_free(CslArtifact *self)
{
    if (self != NULL) {
        g_free(self->path);
        g_free(self->arch);
        g_free(self->fabric);
        g_free(self->offsets);
        for (guint i = 0; i < G_N_ELEMENTS(self->lists); i++) {
            g_clear_pointer(&self->lists[i], g_ptr_array_unref);
        }
        g_free(self);
    }
}
