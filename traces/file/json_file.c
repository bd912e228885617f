/* Reads JSON files. */
#include "traces/file/json_file.h"

#include <errno.h>

#include <glib/gstdio.h>

#include "traces/error.h"
#include "traces/file/json_text.h"

/* A result is a few kilobytes; with the links of a large network some megabytes. */
#define BYTES_MAXIMUM (256 << 20)

static gpointer refuse(const char *name, const char *why, GError **error)
{
    trace_refuse(error, "%s: %s", name, why);
    return NULL;
}

JsonNode *trace_json_parse(const char *name, const char *text, GError **error)
{
    g_autoptr(JsonParser) parser = json_parser_new();
    g_autoptr(GError) cause = NULL;
    JsonNode *root;

    if (!trace_json_is_shallow(text)) {
        return refuse(name, "no result of gridloom, its objects lie too deep", error);
    }
    if (!json_parser_load_from_data(parser, text, -1, &cause)) {
        /* It quotes the text, which may have several lines. */
        return refuse(name, g_strdelimit(cause->message, "\r\n", ' '), error);
    }
    root = json_parser_steal_root(parser);
    return root != NULL ? root : refuse(name, "nothing is in it", error);
}

JsonNode *trace_json_file_read(const char *path, GError **error)
{
    g_autoptr(GError) cause = NULL;
    g_autofree char *text = NULL;
    GStatBuf status;

    if (g_stat(path, &status) != 0) {
        return refuse(path, g_strerror(errno), error);
    }
    if (status.st_size > BYTES_MAXIMUM) {
        return refuse(path, "too large for a result, at most 256 MB", error);
    }
    if (!g_file_get_contents(path, &text, NULL, &cause)) {
        return refuse(path, cause->message, error);
    }
    return trace_json_parse(path, text, error);
}
