/* Chooses what a page shows. */
#include "tools/gridloom/report/page.h"

#include <gio/gio.h>

#include "tools/gridloom/roofline/parts.h"
#include "tools/gridloom/roofline/set.h"
#include "traces/report/report.h"

/* Made by glib-compile-resources of tools/report/report.gresource.xml. */
GResource *gridloom_report_get_resource(void);

static char *make_page(const char *data)
{
    return trace_report_page(gridloom_report_get_resource(), data);
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
        TraceRun *copy = copy_of(runs[i]);
        JsonObject *found = cmd_roofline_parts_path(runs[i]);

        if (found != NULL) {
            json_object_unref(copy->result);
            copy->result = found;
        }
        if (trace_roofline_set_add(&set, copy, NULL)) {
            g_array_append_val(numbers, i);
        }
    }
    cmd_roofline_set_warn(&set);
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
