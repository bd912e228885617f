/* Puts scripts, styles and data into the page. */
#include <stdbool.h>
#include <string.h>

#include "traces/report/report.h"

/* The references in the page of tools/report/, and the tags that replace them here. */
static const struct {
    const char *begin;
    const char *end;
    const char *open;
    const char *close;
} tags[] = {
    {"<script src=\"", "\"></script>", "<script>\n", "</script>"},
    {"<link rel=\"stylesheet\" href=\"", "\">", "<style>\n", "</style>"},
};

static const char data_tag[] = "<script type=\"application/json\" id=\"data\">";

/* A file of the page; it is a bug if it is not there. */
static GBytes *read_file(GResource *files, const char *name)
{
    g_autofree char *path = g_strconcat("/gridloom/report/", name, NULL);
    g_autoptr(GError) error = NULL;
    GBytes *bytes =
        g_resource_lookup_data(files, path, G_RESOURCE_LOOKUP_FLAGS_NONE, &error);

    if (bytes == NULL) {
        g_error("report.gresource.xml: %s", error->message);
    }
    return bytes;
}

static void append_file(GString *page, GResource *files, const char *name)
{
    g_autoptr(GBytes) bytes = read_file(files, name);
    gsize size;
    const char *text = g_bytes_get_data(bytes, &size);

    g_string_append_len(page, text, (gssize) size);
}

/* Puts a file in the place of the tag that `line` is; false if it is none. */
static bool append_tag(GString *page, GResource *files, const char *line)
{
    for (gsize i = 0; i < G_N_ELEMENTS(tags); i++) {
        if (g_str_has_prefix(line, tags[i].begin) &&
            g_str_has_suffix(line, tags[i].end)) {
            const char *name = line + strlen(tags[i].begin);
            g_autofree char *file = g_strndup(name, strlen(name) - strlen(tags[i].end));

            g_string_append(page, tags[i].open);
            append_file(page, files, file);
            g_string_append(page, tags[i].close);
            return true;
        }
    }
    return false;
}

char *trace_report_page(GResource *files, const char *data)
{
    g_autoptr(GBytes) html = read_file(files, "page.html");
    g_auto(GStrv) lines =
        g_strsplit((const char *) g_bytes_get_data(html, NULL), "\n", -1);
    GString *page = g_string_sized_new(strlen(data) + (1 << 19));

    for (char **line = lines; *line != NULL; line++) {
        if (g_str_has_prefix(*line, data_tag)) {
            g_string_append(page, data_tag);
            g_string_append(page, data);
            g_string_append(page, *line + strlen(data_tag));
        } else if (!append_tag(page, files, *line)) {
            g_string_append(page, *line);
        }
        if (line[1] != NULL) {
            g_string_append_c(page, '\n');
        }
    }
    return g_string_free(page, FALSE);
}
