/* Members of a result, and the arrays of a run. */
#include <stdlib.h>
#include <string.h>

#include <json-glib/json-glib.h>

#include "tools/library/state.h"
#include "workloads/npy/npy.h"

struct LibraryArray {
    char *name;
    GMappedFile *file;
    NpyArray npy;
    uint64_t offset; /* of the first number */
};

const char *gridloom_result(const Gridloom *self)
{
    return self->answer.result;
}

const char *gridloom_printed(const Gridloom *self)
{
    return self->answer.printed != NULL ? self->answer.printed : "";
}

/* A step of a pointer: ~1 is a slash, ~0 a tilde. */
static void unescape(char *step)
{
    char *to = step;

    for (const char *at = step; *at != '\0'; at++) {
        char plain = *at;

        if (at[0] == '~' && at[1] == '1') {
            plain = '/';
        }
        if (at[0] == '~' && (at[1] == '0' || at[1] == '1')) {
            at++;
        }
        *to++ = plain;
    }
    *to = '\0';
}

/* The member or element of that name, or NULL. */
static JsonNode *step_into(JsonNode *node, const char *name)
{
    char *end = NULL;

    if (JSON_NODE_HOLDS_OBJECT(node)) {
        return json_object_get_member(json_node_get_object(node), name);
    }
    if (JSON_NODE_HOLDS_ARRAY(node) && g_ascii_isdigit(*name)) {
        const guint64 index = g_ascii_strtoull(name, &end, 10);
        JsonArray *array = json_node_get_array(node);

        return *end == '\0' && index < json_array_get_length(array)
                   ? json_array_get_element(array, (guint) index)
                   : NULL;
    }
    return NULL;
}

/* What a pointer leads to, or NULL with the error set. */
static JsonNode *find(Gridloom *self, const char *pointer)
{
    JsonNode *node = self->answer.result != NULL ? self->answer.process.result : NULL;

    if (node == NULL) {
        (void) library_fail(self, GRIDLOOM_INPUT, "there is no result");
        return NULL;
    }
    if (pointer == NULL || (*pointer != '/' && *pointer != '\0')) {
        (void) library_fail(self, GRIDLOOM_INPUT,
                            "'%s' is no JSON pointer, expected /NAME/NAME...",
                            pointer != NULL ? pointer : "");
        return NULL;
    }
    g_auto(GStrv) steps = g_strsplit(pointer, "/", -1);

    for (guint i = *pointer != '\0' ? 1 : 0; node != NULL && steps[i] != NULL; i++) {
        unescape(steps[i]);
        node = step_into(node, steps[i]);
    }
    if (node == NULL) {
        (void) library_fail(self, GRIDLOOM_INPUT, "the result has no %s", pointer);
    }
    return node;
}

int gridloom_number(Gridloom *self, const char *pointer, double *value)
{
    JsonNode *node = find(self, pointer);
    const GType type = node != NULL ? json_node_get_value_type(node) : G_TYPE_INVALID;

    if (node == NULL) {
        return GRIDLOOM_INPUT;
    }
    if (type != G_TYPE_INT64 && type != G_TYPE_DOUBLE) {
        return library_fail(self, GRIDLOOM_INPUT, "%s of the result is no number",
                            pointer);
    }
    *value = json_node_get_double(node);
    return library_done(self);
}

int gridloom_text(Gridloom *self, const char *pointer, const char **text)
{
    JsonNode *node = find(self, pointer);

    if (node == NULL) {
        return GRIDLOOM_INPUT;
    }
    if (json_node_get_value_type(node) == G_TYPE_STRING) {
        *text = json_node_get_string(node);
    } else {
        char *json = json_to_string(node, FALSE);

        g_ptr_array_add(self->texts, json);
        *text = json;
    }
    return library_done(self);
}

void library_array_free(gpointer self)
{
    LibraryArray *array = self;

    g_free(array->name);
    g_mapped_file_unref(array->file);
    g_free(array);
}

/* An output of the last run, or NULL with the error set. */
static LibraryArray *open_array(Gridloom *self, const char *name)
{
    g_autofree char *path = library_array_file(self, "out", name);
    GMappedFile *file = g_mapped_file_new(path, FALSE, NULL);
    g_autoptr(GError) error = NULL;
    LibraryArray *array;

    if (file == NULL) {
        (void) library_fail(
            self, GRIDLOOM_INPUT,
            "no output %s of the last run; gridloom_output() asks for it "
            "before",
            name);
        return NULL;
    }
    array = g_new0(LibraryArray, 1);
    array->name = g_strdup(name);
    array->file = file;
    const gsize bytes = g_mapped_file_get_length(file);

    if (!npy_read(&array->npy, (const guint8 *) g_mapped_file_get_contents(file),
                  MIN(bytes, (gsize) NPY_HEADER_BYTES), bytes, &array->offset,
                  &error)) {
        (void) library_fail(self, GRIDLOOM_STOPPED, "output %s: %s", name,
                            error->message);
        library_array_free(array);
        return NULL;
    }
    g_ptr_array_add(self->arrays, array);
    return array;
}

int gridloom_array(Gridloom *self, const char *name, GridloomArray *array)
{
    const LibraryArray *found = NULL;

    if (self->answer.result == NULL || name == NULL) {
        return library_fail(self, GRIDLOOM_INPUT, "there is no %s",
                            name == NULL ? "name" : "result");
    }
    for (guint i = 0; found == NULL && i < self->arrays->len; i++) {
        const LibraryArray *known = g_ptr_array_index(self->arrays, i);

        found = g_str_equal(known->name, name) ? known : NULL;
    }
    found = found != NULL ? found : open_array(self, name);
    if (found == NULL) {
        return GRIDLOOM_INPUT;
    }
    *array = (GridloomArray){
        .type = (int) found->npy.type,
        .dimension_count = (int) found->npy.dimension_count,
        .shape = found->npy.shape,
        .data = g_mapped_file_get_contents(found->file) + found->offset,
    };
    return library_done(self);
}
