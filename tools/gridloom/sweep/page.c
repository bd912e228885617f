/* Makes the data of the page of a sweep. */
#include "tools/gridloom/sweep/page.h"

#include "tools/gridloom/report/page.h"
#include "tools/gridloom/sweep/goal.h"
#include "traces/file/json_member.h"
#include "traces/table/table_json.h"

static JsonArray *fixed_array(const WlSweep *sweep)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < wl_sweep_fixed_count(sweep); i++) {
        const WlSweepFixed *fixed = wl_sweep_fixed(sweep, i);
        JsonObject *object = json_object_new();

        trace_json_set_text(object, "name", fixed->name);
        trace_json_set_text(object, "value", fixed->value);
        json_array_add_object_element(array, object);
    }
    return array;
}

static JsonArray *plots_array(const WlSweep *sweep)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < wl_sweep_plot_count(sweep); i++) {
        const WlSweepPlot *plot = wl_sweep_plot(sweep, i);
        JsonObject *object = json_object_new();

        trace_json_set_text(object, "title", plot->title);
        trace_json_set_text(object, "x", plot->x);
        trace_json_set_text(object, "y", plot->y);
        trace_json_set_text(object, "by", plot->by);
        json_object_set_boolean_member(object, "is_log_x", plot->is_log_x);
        json_object_set_boolean_member(object, "is_log_y", plot->is_log_y);
        json_array_add_object_element(array, object);
    }
    return array;
}

/* What the file asks for, if that can be. */
static JsonArray *goals_array(const WlSweep *sweep, const TraceTable *table)
{
    JsonArray *array = json_array_new();
    const char *columns[2];

    for (guint i = 0; wl_sweep_pareto(sweep, columns) && i < 2; i++) {
        TraceGoal goal;

        if (cmd_sweep_goal_parse(columns[i], table, &goal, NULL)) {
            JsonObject *object = json_object_new();

            trace_json_set_text(object, "name",
                                trace_table_column(table, goal.column)->name);
            json_object_set_boolean_member(object, "is_maximum", goal.is_maximum);
            json_array_add_object_element(array, object);
        }
    }
    return array;
}

char *cmd_sweep_page_new(const WlSweep *sweep, const TraceTable *table)
{
    g_autoptr(JsonObject) object = trace_table_to_json(table);

    trace_json_set_text(object, "gridloom", GRIDLOOM_VERSION);
    trace_json_set_text(object, "script", wl_sweep_script(sweep));
    json_object_set_array_member(object, "fixed", fixed_array(sweep));
    json_object_set_array_member(object, "plots", plots_array(sweep));
    json_object_set_array_member(object, "goals", goals_array(sweep, table));
    return cmd_report_page_of_sweep(object);
}
