/* Settings, parameters, options and arrays: words of the command's line. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <glib/gstdio.h>

#include "tools/library/state.h"
#include "workloads/npy/npy.h"

_Static_assert((int) GRIDLOOM_FLOAT16 == (int) NPY_FLOAT16 &&
                   (int) GRIDLOOM_FLOAT64 == (int) NPY_FLOAT64 &&
                   (int) GRIDLOOM_INT64 == (int) NPY_INT64 &&
                   (int) GRIDLOOM_UINT32 == (int) NPY_UINT32,
               "types of arrays are those of files");

/* The place of the word of that name, or the length of the list. */
static guint find(const GPtrArray *words, const char *name)
{
    const gsize length = strlen(name);

    for (guint i = 0; i < words->len; i++) {
        const char *word = g_ptr_array_index(words, i);

        if (strncmp(word, name, length) == 0 &&
            (word[length] == '=' || word[length] == '\0')) {
            return i;
        }
    }
    return words->len;
}

/* Puts a word, which it takes, into the list instead of an earlier one of that name;
 * NULL: only takes that out. */
static void put(GPtrArray *words, const char *name, char *word)
{
    const guint place = find(words, name);

    if (place < words->len) {
        (void) g_ptr_array_remove_index(words, place);
    }
    if (word != NULL) {
        g_ptr_array_add(words, word);
    }
}

/* "name=value"; NULL without a value. The caller frees it. */
static char *assign(const char *name, const char *value)
{
    return value != NULL ? g_strconcat(name, "=", value, NULL) : NULL;
}

/* Is it a name of letters, digits and these? */
static bool is_name(const char *name, const char *others)
{
    for (const char *at = name; at != NULL && *at != '\0'; at++) {
        if (!g_ascii_isalnum(*at) && strchr(others, *at) == NULL) {
            return false;
        }
    }
    return name != NULL && *name != '\0';
}

static int refuse_name(Gridloom *self, const char *what, const char *name)
{
    return library_fail(self, GRIDLOOM_INPUT, "'%s' is no name of %s",
                        name != NULL ? name : "", what);
}

int gridloom_set(Gridloom *self, const char *key, const char *value)
{
    if (!is_name(key, "._")) {
        return refuse_name(self, "a number of a chip, such as noc.hop_cycles", key);
    }
    put(self->settings, key, assign(key, value));
    return library_done(self);
}

int gridloom_param(Gridloom *self, const char *name, const char *value)
{
    if (!is_name(name, "_")) {
        return refuse_name(self, "a parameter", name);
    }
    put(self->params, name, assign(name, value));
    return library_done(self);
}

int gridloom_option(Gridloom *self, const char *name, const char *value)
{
    static const char *const ours[][2] = {
        {"chip", "gridloom_open()"},     {"set", "gridloom_set()"},
        {"in", "gridloom_input()"},      {"save", "gridloom_output()"},
        {"json", "gridloom_result()"},   {"progress", "gridloom_run()"},
        {"dry-run", "gridloom_check()"}, {"quiet", "the library"},
        {"help", "gridloom run --help"}};

    if (!is_name(name, "-") || *name == '-') {
        return refuse_name(self, "an option", name);
    }
    for (guint i = 0; i < G_N_ELEMENTS(ours); i++) {
        if (g_str_equal(name, ours[i][0])) {
            return library_fail(self, GRIDLOOM_INPUT, "option %s: it is for %s", name,
                                ours[i][1]);
        }
    }
    put(self->options, name,
        g_strcmp0(value, "") == 0 ? g_strdup(name) : assign(name, value));
    return library_done(self);
}

int gridloom_argument(Gridloom *self, const char *word)
{
    if (word == NULL) {
        g_ptr_array_set_size(self->arguments, 0);
    } else {
        g_ptr_array_add(self->arguments, g_strdup(word));
    }
    return library_done(self);
}

/* The array as files have it. Fails with the user's mistake. */
static int read_array(Gridloom *self, const GridloomArray *array, NpyArray *npy)
{
    if (array->type < GRIDLOOM_FLOAT16 || array->type > GRIDLOOM_UINT32) {
        return library_fail(self, GRIDLOOM_INPUT,
                            "array of type %d, allowed is a GridloomType, %d to %d",
                            array->type, GRIDLOOM_FLOAT16, GRIDLOOM_UINT32);
    }
    if (array->dimension_count < 0 || array->dimension_count > NPY_DIMENSIONS ||
        (array->dimension_count > 0 && array->shape == NULL)) {
        return library_fail(self, GRIDLOOM_INPUT,
                            "array of %d dimensions, allowed are 0 to %d with a shape",
                            array->dimension_count, NPY_DIMENSIONS);
    }
    *npy = (NpyArray){.type = (NpyType) array->type,
                      .dimension_count = (guint) array->dimension_count,
                      .count = 1};
    for (guint i = 0; i < npy->dimension_count; i++) {
        const uint64_t length = array->shape[i];

        if (length > 0 &&
            npy->count > G_MAXINT64 / npy_type_bytes(npy->type) / length) {
            return library_fail(self, GRIDLOOM_INPUT,
                                "array with a shape of more numbers than memory has");
        }
        npy->shape[i] = length;
        npy->count *= length;
    }
    return array->data != NULL || npy->count == 0
               ? GRIDLOOM_DONE
               : library_fail(self, GRIDLOOM_INPUT, "array without data");
}

static bool write_array(const char *path, const NpyArray *npy, const void *data)
{
    g_autoptr(GByteArray) header = g_byte_array_new();
    const gsize bytes = (gsize) npy->count * npy_type_bytes(npy->type);
    FILE *file = g_fopen(path, "wbe");
    bool is_written;

    npy_write(npy, header);
    if (file == NULL) {
        return false;
    }
    is_written = fwrite(header->data, 1, header->len, file) == header->len &&
                 (bytes == 0 || fwrite(data, 1, bytes, file) == bytes);
    return fclose(file) == 0 && is_written;
}

int gridloom_input(Gridloom *self, const char *name, const GridloomArray *array)
{
    NpyArray npy = {0};
    int code;

    if (!is_name(name, "_")) {
        return refuse_name(self, "an array", name);
    }
    if (self->folder == NULL) {
        return library_fail(self, GRIDLOOM_INPUT, "nothing is open");
    }
    g_autofree char *path = library_array_file(self, "in", name);

    put(self->inputs, name, NULL);
    if (array == NULL) {
        (void) g_unlink(path);
        return library_done(self);
    }
    code = read_array(self, array, &npy);
    if (code != GRIDLOOM_DONE) {
        return code;
    }
    if (!write_array(path, &npy, array->data)) {
        return library_fail(self, GRIDLOOM_INPUT, "%s: cannot be written, %s", path,
                            g_strerror(errno));
    }
    put(self->inputs, name, assign(name, path));
    return library_done(self);
}

int gridloom_output(Gridloom *self, const char *name)
{
    if (!is_name(name, "_")) {
        return refuse_name(self, "an array", name);
    }
    if (self->folder == NULL) {
        return library_fail(self, GRIDLOOM_INPUT, "nothing is open");
    }
    g_autofree char *path = library_array_file(self, "out", name);

    put(self->outputs, name, assign(name, path));
    return library_done(self);
}
