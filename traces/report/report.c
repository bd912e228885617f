/* Makes the data of a report's page. */
#include "traces/report/report.h"

#include <string.h>

#include "traces/file/json_member.h"
#include "traces/file/json_text.h"
#include "traces/reading/timeline_items.h"
#include "traces/report/page/cut.h"
#include "traces/report/page/events.h"
#include "traces/report/page/heat.h"
#include "traces/report/page/table.h"
#include "traces/result/limit.h"
#include "traces/result/wait.h"

static JsonArray *places_array(const TraceTimeline *timeline, TraceReportTable *strings)
{
    JsonArray *places = json_array_new();

    for (guint i = 0; i < timeline->places->len; i++) {
        const TracePlace *place = trace_place_at(timeline, i);
        JsonArray *row = json_array_new();

        json_array_add_int_element(row, trace_report_table_text(strings, place->name));
        json_array_add_int_element(row, trace_report_table_text(strings, place->kind));
        if (place->has_place) {
            json_array_add_int_element(row, place->x);
            json_array_add_int_element(row, place->y);
            json_array_add_int_element(row, place->x_end);
            json_array_add_int_element(row, place->y_end);
        }
        json_array_add_array_element(places, row);
    }
    return places;
}

static JsonArray *lanes_array(const TraceTimeline *timeline, TraceReportTable *strings)
{
    JsonArray *lanes = json_array_new();

    for (guint i = 0; i < timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(timeline, i);
        JsonArray *row = json_array_new();

        json_array_add_int_element(row, trace_report_table_text(strings, lane->unit));
        json_array_add_int_element(row, lane->place);
        json_array_add_array_element(lanes, row);
    }
    return lanes;
}

/* The counters, except counters of use. */
static JsonArray *counters_array(const TraceTimeline *timeline,
                                 TraceReportTable *strings)
{
    JsonArray *counters = json_array_new();

    for (guint i = 0; i < timeline->counters->len; i++) {
        const TraceCounter *counter = trace_counter_at(timeline, i);

        if (!trace_report_cut_is_use(counter)) {
            JsonArray *row = json_array_new();

            json_array_add_int_element(row,
                                       trace_report_table_text(strings, counter->name));
            json_array_add_int_element(row,
                                       trace_report_table_text(strings, counter->unit));
            json_array_add_int_element(row, counter->lane);
            json_array_add_array_element(counters, row);
        }
    }
    return counters;
}

static JsonObject *shown_object(const TraceTimeline *timeline,
                                const TraceReportCut *cut)
{
    JsonObject *shown = json_object_new();

    if (cut->time != SIM_TIME_NEVER) {
        json_object_set_int_member(shown, "to", (gint64) cut->time);
    }
    if (cut->edge != G_MAXUINT) {
        json_object_set_int_member(shown, "edge", cut->edge);
    }
    json_object_set_int_member(shown, "slices", timeline->slices->len);
    json_object_set_int_member(shown, "marks", timeline->marks->len);
    return shown;
}

static void take_text(JsonObject *object, const char *name, char *text)
{
    json_object_set_string_member(object, name, text);
    g_free(text);
}

static JsonObject *timeline_object(const TraceTimeline *timeline, guint limit)
{
    const TraceReportCut cut = trace_report_cut_find(timeline, limit);
    JsonObject *object = json_object_new();
    g_auto(TraceReportTable) strings = {0};
    g_auto(TraceReportTable) shapes = {0};
    g_auto(TraceReportEvents) events = {0};

    trace_report_table_init(&strings);
    trace_report_table_init(&shapes);
    trace_report_events_init(&events, timeline, &cut, &strings, &shapes);
    json_object_set_int_member(object, "begin", (gint64) timeline->begin);
    json_object_set_int_member(object, "end", (gint64) timeline->end);
    json_object_set_double_member(object, "clock_hz", timeline->clock_hz);
    if (timeline->warning != NULL) {
        take_text(object, "warning", g_utf8_make_valid(timeline->warning, -1));
    }
    json_object_set_object_member(object, "shown", shown_object(timeline, &cut));
    json_object_set_array_member(object, "places", places_array(timeline, &strings));
    json_object_set_array_member(object, "lanes", lanes_array(timeline, &strings));
    json_object_set_array_member(object, "counters",
                                 counters_array(timeline, &strings));
    take_text(object, "slices", trace_report_events_slices(&events));
    take_text(object, "marks", trace_report_events_marks(&events));
    take_text(object, "samples", trace_report_events_samples(&events));
    take_text(object, "flows", trace_report_events_flows(&events));
    json_object_set_object_member(object, "heat", trace_report_heat_new(timeline));
    json_object_set_array_member(object, "shapes", json_array_ref(shapes.rows));
    json_object_set_array_member(object, "strings", json_array_ref(strings.rows));
    return object;
}

/* As the roofline of the page says it, if the run is in it. */
static char *limit_of(const TraceRun *run, guint index, JsonObject *roofline)
{
    JsonArray *machines = trace_json_array(roofline, "machines");

    for (guint i = 0; i < trace_json_count(machines); i++) {
        JsonObject *machine = trace_json_item(machines, i);
        const char *limit = trace_json_string(machine, "limit", NULL);

        if (limit != NULL && trace_json_number(machine, "run", -1) == index) {
            return g_strdup(limit);
        }
    }
    return trace_limit_text(run->result, NULL);
}

static void explain(JsonObject *meanings, JsonObject *reasons)
{
    g_autoptr(GList) names = reasons != NULL ? json_object_get_members(reasons) : NULL;

    for (const GList *name = names; name != NULL; name = name->next) {
        const char *meaning = trace_wait_meaning(name->data);

        if (meaning != NULL) {
            json_object_set_string_member(meanings, name->data, meaning);
        }
    }
}

/* A line for each reason for which a run waited. */
static JsonObject *meanings_object(JsonObject *result)
{
    JsonObject *units =
        trace_json_object(trace_json_object(result, "metrics"), "units");
    g_autoptr(GList) names = units != NULL ? json_object_get_members(units) : NULL;
    JsonObject *meanings = json_object_new();

    explain(meanings, trace_json_object(result, "stalls"));
    for (const GList *name = names; name != NULL; name = name->next) {
        explain(meanings, trace_json_object(units, name->data));
    }
    return meanings;
}

static JsonObject *run_object(const TraceRun *run, guint limit)
{
    JsonObject *object = json_object_new();

    take_text(object, "name", g_utf8_make_valid(run->name, -1));
    json_object_set_boolean_member(object, "is_whole", run->is_whole);
    json_object_set_object_member(object, "result", json_object_ref(run->result));
    if (run->is_whole) {
        json_object_set_object_member(object, "meanings", meanings_object(run->result));
    }
    if (run->timeline != NULL) {
        json_object_set_object_member(object, "timeline",
                                      timeline_object(run->timeline, limit));
    }
    return object;
}

/* In JSON these stand in strings only. */
static char *escape(const char *text)
{
    GString *escaped = g_string_sized_new(strlen(text));

    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '<' || *c == '>' || *c == '&') {
            g_string_append_printf(escaped, "\\u%04x", (guint) *c);
        } else {
            g_string_append_c(escaped, *c);
        }
    }
    return g_string_free(escaped, FALSE);
}

char *trace_report_data(TraceRun *const *runs, guint count, JsonObject *roofline)
{
    g_autoptr(JsonObject) object = json_object_new();
    JsonArray *array = json_array_new();

    for (guint i = 0; i < count; i++) {
        JsonObject *run = run_object(runs[i], TRACE_REPORT_ITEMS / count);

        if (runs[i]->is_whole) {
            take_text(run, "limit", limit_of(runs[i], i, roofline));
        }
        json_array_add_object_element(array, run);
    }
    json_object_set_array_member(object, "runs", array);
    if (roofline != NULL) {
        json_object_set_object_member(object, "roofline", json_object_ref(roofline));
    }
    g_autofree char *text = trace_json_object_text(object, false);

    return escape(text);
}

char *trace_report_data_of_sweep(JsonObject *sweep)
{
    g_autoptr(JsonObject) object = json_object_new();

    json_object_set_array_member(object, "runs", json_array_new());
    json_object_set_object_member(object, "sweep", json_object_ref(sweep));
    g_autofree char *text = trace_json_object_text(object, false);

    return escape(text);
}
