/* Puts scripts, styles and data into the page. */
#include "tools/gridloom/report/page.h"

#include <gio/gio.h>
#include <stdbool.h>
#include <string.h>

#include "tools/gridloom/roofline/set.h"
#include "traces/report/report.h"

/* What the page of tools/report/ asks for, and what stands around it here. */
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

/* Made by glib-compile-resources of tools/report/report.gresource.xml. */
GResource *gridloom_report_get_resource(void);

/* A file of the page; it is a bug if it is not there. */
static GBytes *read_file(const char *name)
{
    g_autofree char *path = g_strconcat("/gridloom/report/", name, NULL);
    g_autoptr(GError) error = NULL;
    GBytes *bytes = g_resource_lookup_data(gridloom_report_get_resource(), path,
                                           G_RESOURCE_LOOKUP_FLAGS_NONE, &error);

    if (bytes == NULL) {
        g_error("report.gresource.xml: %s", error->message);
    }
    return bytes;
}

static void append_file(GString *page, const char *name)
{
    g_autoptr(GBytes) bytes = read_file(name);
    gsize size;
    const char *text = g_bytes_get_data(bytes, &size);

    g_string_append_len(page, text, (gssize) size);
}

/* Puts a file in the place of the tag that `line` is; false if it is none. */
static bool append_tag(GString *page, const char *line)
{
    for (gsize i = 0; i < G_N_ELEMENTS(tags); i++) {
        if (g_str_has_prefix(line, tags[i].begin) &&
            g_str_has_suffix(line, tags[i].end)) {
            const char *name = line + strlen(tags[i].begin);
            g_autofree char *file = g_strndup(name, strlen(name) - strlen(tags[i].end));

            g_string_append(page, tags[i].open);
            append_file(page, file);
            g_string_append(page, tags[i].close);
            return true;
        }
    }
    return false;
}

static char *make_page(const char *data)
{
    g_autoptr(GBytes) html = read_file("page.html");
    g_auto(GStrv) lines =
        g_strsplit((const char *) g_bytes_get_data(html, NULL), "\n", -1);
    GString *page = g_string_sized_new(strlen(data) + (1 << 19));

    for (char **line = lines; *line != NULL; line++) {
        if (g_str_has_prefix(*line, data_tag)) {
            g_string_append(page, data_tag);
            g_string_append(page, data);
            g_string_append(page, *line + strlen(data_tag));
        } else if (!append_tag(page, *line)) {
            g_string_append(page, *line);
        }
        if (line[1] != NULL) {
            g_string_append_c(page, '\n');
        }
    }
    return g_string_free(page, FALSE);
}

static TraceRun *copy_of(const TraceRun *run)
{
    TraceRun *copy = g_new0(TraceRun, 1);

    copy->name = g_strdup(run->name);
    copy->result = json_object_ref(run->result);
    return copy;
}

/* The rooflines of those runs that have one, with their numbers among all. */
static JsonObject *roofline_of(TraceRun *const *runs, guint count)
{
    g_auto(TraceRooflineSet) set = {0};
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(guint));
    JsonObject *object;
    JsonArray *machines;

    cmd_roofline_set_init(&set);
    for (guint i = 0; i < count; i++) {
        if (trace_roofline_set_add(&set, copy_of(runs[i]), NULL)) {
            g_array_append_val(numbers, i);
        }
    }
    object = cmd_roofline_text_to_json(&set);
    machines = json_object_get_array_member(object, "machines");
    for (guint i = 0; i < numbers->len; i++) {
        json_object_set_int_member(json_array_get_object_element(machines, i), "run",
                                   g_array_index(numbers, guint, i));
    }
    return object;
}

char *cmd_report_page_new(TraceRun *const *runs, guint count)
{
    g_autoptr(JsonObject) roofline = roofline_of(runs, count);
    g_autofree char *data = trace_report_data(runs, count, roofline);

    return make_page(data);
}

char *cmd_report_page_of_roofline(const TraceRooflineSet *set)
{
    g_autoptr(JsonObject) roofline = cmd_roofline_text_to_json(set);

    json_object_set_boolean_member(roofline, "is_first", true);
    g_autofree char *data = trace_report_data((TraceRun *const *) set->files->pdata,
                                              set->files->len, roofline);

    return make_page(data);
}

char *cmd_report_page_of_sweep(JsonObject *sweep)
{
    g_autofree char *data = trace_report_data_of_sweep(sweep);

    return make_page(data);
}
