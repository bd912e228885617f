/* The arithmetic of rooflines. */
#include "traces/roofline.h"

#include <math.h>

#include <json-glib/json-glib.h>

#include "traces/error.h"

double trace_roofline_attainable(const TraceRoofline *self, double intensity)
{
    g_return_val_if_fail(self->peak > 0 && self->bandwidth > 0, NAN);
    g_return_val_if_fail(intensity >= 0, NAN);
    return fmin(self->peak, intensity * self->bandwidth);
}

double trace_roofline_ridge(const TraceRoofline *self)
{
    g_return_val_if_fail(self->peak > 0 && self->bandwidth > 0, NAN);
    return self->peak / self->bandwidth;
}

static bool refuse(const char *name, const char *what, GError **error)
{
    g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ, "%s: %s", name, what);
    return false;
}

/* A member that is a number and at least `least`. */
static bool read_number(
    JsonObject *object, const char *member, double least, double *value, GError **error)
{
    JsonNode *node = object != NULL ? json_object_get_member(object, member) : NULL;

    *value =
        node != NULL && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_double(node) : NAN;
    if (!(*value >= least)) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ,
                    "%s is missing or below %g: no point of a roofline", member, least);
        return false;
    }
    return true;
}

bool trace_roofline_run_read(TraceRooflineRun *run,
                             const char *name,
                             const char *text,
                             const char *counter,
                             GError **error)
{
    g_autoptr(JsonParser) parser = json_parser_new();
    TraceRooflineRun read = {0};
    JsonNode *root;
    JsonNode *node;
    JsonObject *object;
    JsonObject *counters;

    if (!json_parser_load_from_data(parser, text, -1, NULL)) {
        return refuse(name, "no JSON", error);
    }
    root = json_parser_get_root(parser);
    if (root == NULL || !JSON_NODE_HOLDS_OBJECT(root)) {
        return refuse(name, "no result object", error);
    }
    object = json_node_get_object(root);
    node = json_object_get_member(object, "counters");
    counters = node != NULL && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node)
                                                            : NULL;
    if (!read_number(counters, "flops", 0, &read.flops, error) ||
        !read_number(counters, counter, 1, &read.bytes, error) ||
        !read_number(object, "cycles", 1, &read.cycles, error) ||
        !read_number(object, "seconds", 0, &read.seconds, error)) {
        g_prefix_error(error, "%s: ", name);
        return false;
    }
    *run = read;
    return true;
}

double trace_roofline_run_intensity(const TraceRooflineRun *run)
{
    return run->flops / run->bytes;
}

double trace_roofline_run_rate(const TraceRooflineRun *run)
{
    return run->flops / run->cycles;
}
