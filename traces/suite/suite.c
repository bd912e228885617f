/* Loads suites, and the measurements that some are made of. */
#include "traces/suite/suite.h"

#include <string.h>

#include "sim/compare.h"
#include "traces/error.h"
#include "traces/suite/measured.h"

static const char *const no_data =
    "no measurements: give their folder by --data DIR or GRIDLOOM_DATA";

void trace_suite_free(TraceSuite *self)
{
    if (self != NULL) {
        g_free(self->name);
        trace_reference_free(self->rows);
        g_ptr_array_unref(self->left);
        g_free(self);
    }
}

/* Names in a folder, sorted; NULL where it is none. */
static GPtrArray *names_in(const char *folder, GError **error)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, error);
    GPtrArray *names;
    const char *name;

    if (dir == NULL) {
        return NULL;
    }
    names = g_ptr_array_new_with_free_func(g_free);
    while ((name = g_dir_read_name(dir)) != NULL) {
        g_ptr_array_add(names, g_strdup(name));
    }
    g_ptr_array_sort(names, sim_compare_texts);
    return names;
}

/* CSV and JSON of one folder in `data`. */
static bool add_folder(TraceMeasured *measured,
                       const char *data,
                       const char *folder,
                       GError **error)
{
    g_autofree char *path = g_build_filename(data, folder, NULL);
    g_autoptr(GPtrArray) files = names_in(path, NULL);

    for (guint i = 0; files != NULL && i < files->len; i++) {
        const char *name = g_ptr_array_index(files, i);
        g_autofree char *file = g_build_filename(folder, name, NULL);

        if ((g_str_has_suffix(name, ".csv") || g_str_has_suffix(name, ".json")) &&
            !trace_measured_add(measured, data, file, error)) {
            return false;
        }
    }
    return true;
}

static bool add_data(TraceMeasured *measured, const char *data, GError **error)
{
    g_autoptr(GPtrArray) folders = names_in(data, error);

    for (guint i = 0; folders != NULL && i < folders->len; i++) {
        if (!add_folder(measured, data, g_ptr_array_index(folders, i), error)) {
            return false;
        }
    }
    return folders != NULL;
}

/* The text of the suite that rules make of the data. */
static char *
make_suite(TraceSuite *self, TraceMeasured *measured, const char *data, GError **error)
{
    self->is_measured = true;
    self->lacks_data = data == NULL;
    if (data == NULL) {
        return trace_measured_nothing(measured, no_data);
    }
    if (!add_data(measured, data, error)) {
        return NULL;
    }
    for (guint i = 0; i < trace_measured_left_count(measured); i++) {
        g_ptr_array_add(self->left, g_strdup(trace_measured_left(measured, i)));
    }
    return trace_measured_suite(measured);
}

static TraceReference *load_measured(TraceSuite *self,
                                     const char *path,
                                     const char *text,
                                     const char *data,
                                     GError **error)
{
    g_autoptr(TraceMeasured) measured =
        trace_measured_parse(path, text, strlen(text), error);
    g_autofree char *made =
        measured != NULL ? make_suite(self, measured, data, error) : NULL;
    g_autoptr(TraceReference) rows =
        made != NULL ? trace_reference_parse(path, made, strlen(made), error) : NULL;

    if (rows != NULL && trace_reference_row_count(rows) == 0) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ,
                    "%s: no file that suite %s has rules for", data, self->name);
        return NULL;
    }
    return g_steal_pointer(&rows);
}

TraceSuite *
trace_suite_load(const char *name, const char *path, const char *data, GError **error)
{
    g_autoptr(TraceSuite) self = NULL;
    g_autofree char *text = NULL;
    gsize length;

    if (!g_file_get_contents(path, &text, &length, error)) {
        return NULL;
    }
    self = g_new0(TraceSuite, 1);
    self->name = g_utf8_make_valid(name, -1);
    self->left = g_ptr_array_new_with_free_func(g_free);
    self->rows = trace_measured_is_rules(text)
                     ? load_measured(self, path, text, data, error)
                     : trace_reference_parse(path, text, length, error);
    return self->rows != NULL ? g_steal_pointer(&self) : NULL;
}
