/* Detects the contents of a run's file or folder, and reads them. */
#include "traces/reading/run_file.h"

#include <errno.h>
#include <stdio.h>

#include <glib/gstdio.h>

#include "traces/error.h"
#include "traces/file/json_file.h"
#include "traces/file/json_member.h"
#include "traces/reading/used.h"
#include "traces/result/result.h"
#include "traces/schema/catalog.h"

static gpointer refuse(const char *path, const char *why, GError **error)
{
    g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ, "%s: %s", path, why);
    return NULL;
}

/* Results of older versions have fewer members; the others must be what they should. */
static JsonObject *check_result(const char *path, JsonNode *root, GError **error)
{
    JsonObject *object =
        JSON_NODE_HOLDS_OBJECT(root) ? json_node_get_object(root) : NULL;
    JsonNode *version =
        object != NULL ? json_object_get_member(object, "schema_version") : NULL;

    if (version == NULL || !JSON_NODE_HOLDS_VALUE(version) ||
        json_node_get_value_type(version) != G_TYPE_INT64) {
        return refuse(path, "no result of gridloom, it has no schema_version", error);
    }
    if (json_node_get_int(version) > TRACE_RESULT_SCHEMA_VERSION) {
        return refuse(path, "a result of a newer gridloom than this one", error);
    }
    if (json_node_get_int(version) < 1) {
        return refuse(path, "its schema_version is none of gridloom's, 1 is the first",
                      error);
    }
    if (!trace_catalog_check(root, TRACE_SCHEMA_PARTIAL, error)) {
        g_prefix_error(error, "%s: ", path);
        return NULL;
    }
    return json_object_ref(object);
}

/* Takes the trace. */
static TraceRun *
run_of_node(const char *name, JsonNode *root, TraceTimeline *timeline, GError **error)
{
    g_autoptr(TraceTimeline) taken = timeline;
    JsonObject *result = root != NULL ? check_result(name, root, error) : NULL;
    TraceRun *self;

    if (result == NULL) {
        return NULL;
    }
    self = g_new(TraceRun, 1);
    *self = (TraceRun){.name = g_utf8_make_valid(name, -1),
                       .result = result,
                       .is_whole = true,
                       .timeline = g_steal_pointer(&taken)};
    return self;
}

TraceRun *trace_run_new(const char *name,
                        const char *text,
                        TraceTimeline *timeline,
                        GError **error)
{
    g_autoptr(JsonNode) root = trace_json_parse(name, text, error);

    return run_of_node(name, root, timeline, error);
}

/* A run from a trace alone, with the trace's own result. */
static TraceRun *run_of_trace(const char *path, const TraceWatch *watch, GError **error)
{
    g_autoptr(TraceTimeline) timeline = trace_timeline_read(path, watch, error);
    TraceRun *self;

    if (timeline == NULL) {
        return NULL;
    }
    self = g_new(TraceRun, 1);
    *self = (TraceRun){.name = g_utf8_make_valid(path, -1),
                       .is_whole = timeline->result != NULL};
    if (timeline->result != NULL) {
        self->result = json_object_ref(timeline->result);
    } else if (timeline->start != NULL) {
        self->result = json_object_ref(timeline->start);
    } else {
        self->result = json_object_new();
    }
    self->timeline = g_steal_pointer(&timeline);
    return self;
}

static TraceRun *run_of_result(const char *path,
                               const char *trace,
                               const TraceWatch *watch,
                               GError **error)
{
    g_autoptr(JsonNode) root = trace_json_file_read(path, error);
    TraceTimeline *timeline = NULL;

    if (root == NULL) {
        return NULL;
    }
    if (trace != NULL) {
        timeline = trace_timeline_read(trace, watch, error);
        if (timeline == NULL) {
            return NULL;
        }
    }
    return run_of_node(path, root, timeline, error);
}

static bool is_equal(JsonObject *first, JsonObject *second)
{
    return first == NULL || second == NULL ? first == second
                                           : json_object_equal(first, second);
}

/* A later run without a trace leaves that of the one before in the folder. */
static bool is_of_one_run(const TraceRun *self)
{
    JsonObject *told = self->timeline == NULL           ? NULL
                       : self->timeline->result != NULL ? self->timeline->result
                                                        : self->timeline->start;

    return told == NULL ||
           (g_str_equal(trace_json_string(told, "workload", ""),
                        trace_json_string(self->result, "workload", "")) &&
            g_str_equal(trace_json_string(told, "chip_digest", ""),
                        trace_json_string(self->result, "chip_digest", "")) &&
            is_equal(trace_json_object(told, "parameters"),
                     trace_json_object(self->result, "parameters")) &&
            trace_json_number(told, "seed", 0) ==
                trace_json_number(self->result, "seed", 0));
}

static TraceRun *
run_of_folder(const char *path, const TraceWatch *watch, GError **error)
{
    g_autofree char *result = g_build_filename(path, "result.json", NULL);
    g_autofree char *trace = g_build_filename(path, "trace.pftrace", NULL);
    const bool has_trace = g_file_test(trace, G_FILE_TEST_EXISTS);
    TraceRun *self;

    if (g_file_test(result, G_FILE_TEST_EXISTS)) {
        self = run_of_result(result, has_trace ? trace : NULL, watch, error);
    } else if (has_trace) {
        self = run_of_trace(trace, watch, error);
    } else {
        return refuse(path, "a folder with neither result.json nor trace.pftrace",
                      error);
    }
    if (self == NULL) {
        return NULL;
    }
    if (!is_of_one_run(self)) {
        trace_run_free(self);
        return refuse(path,
                      "its result.json and trace.pftrace are of two runs, give "
                      "one of the files",
                      error);
    }
    g_free(self->name);
    self->name = g_utf8_make_valid(path, -1);
    return self;
}

/* JSON begins with a brace, which no trace begins with: 0x7b would be field 15. */
static bool is_json(const char *path, bool *is_it, GError **error)
{
    FILE *file = fopen(path, "rb");
    int first;

    if (file == NULL) {
        (void) refuse(path, g_strerror(errno), error);
        return false;
    }
    do {
        first = fgetc(file);
    } while (first == ' ' || first == '\n' || first == '\r' || first == '\t');
    *is_it = first == '{' || first == '[';
    (void) fclose(file);
    return true;
}

TraceRun *trace_run_read(const char *path, GError **error)
{
    return trace_run_read_watched(path, NULL, error);
}

TraceRun *
trace_run_read_watched(const char *path, const TraceWatch *watch, GError **error)
{
    bool is_result;

    if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
        return run_of_folder(path, watch, error);
    }
    if (!is_json(path, &is_result, error)) {
        return NULL;
    }
    return is_result ? run_of_result(path, NULL, NULL, error)
                     : run_of_trace(path, watch, error);
}

void trace_run_free(TraceRun *self)
{
    if (self != NULL) {
        g_free(self->name);
        json_object_unref(self->result);
        trace_timeline_free(self->timeline);
        g_free(self);
    }
}

static void free_run(gpointer run)
{
    trace_run_free(run);
}

GPtrArray *trace_runs_new(void)
{
    return g_ptr_array_new_with_free_func(free_run);
}

char *trace_run_short_name(const char *path)
{
    char *name = g_path_get_basename(path);
    char *end = strrchr(name, '.');

    if (end != NULL && end != name) {
        *end = '\0';
    }
    return name;
}

char *trace_run_title(const TraceRun *self)
{
    g_autofree char *suffix = trace_used_suffix(self->result);

    return g_strdup_printf(
        "%s on %s%s", trace_json_string(self->result, "workload", self->name),
        trace_json_string(self->result, "chip", "an unknown chip"), suffix);
}
