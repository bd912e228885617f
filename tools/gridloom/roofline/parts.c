/* Takes parts of traces into rooflines. */
#include "tools/gridloom/roofline/parts.h"

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/option_value.h"
#include "traces/error.h"
#include "traces/file/json_member.h"
#include "traces/file/quantity.h"
#include "traces/reading/timeline_items.h"
#include "traces/writing/squares.h"

typedef CmdRooflineParts Options;

static const char *const ways[] = {
    [TRACE_PART_WHOLE] = "whole",
    [TRACE_PART_ZONE] = "zone",
    [TRACE_PART_ITERATION] = "iteration",
    NULL,
};

const Option cmd_roofline_part_rows[] = {
    {"window", "FROM:TO", "of traces, only these cycles; either may be left out",
     OPTION_TEXT(window)},
    {"cores", "SPEC",
     "of traces, only these cores or PEs: 3,4 or 0:3,0:6, several with ;",
     OPTION_OTHER(TEXT)},
    {"by", "whole|zone|iteration",
     "a point for each zone of a trace, or the path of its iterations (default: whole)",
     OPTION_CHOICE(ways)},
    {0},
};

bool cmd_roofline_parts_check(CmdRooflineParts *self,
                              const OptionTexts *texts,
                              GError **error)
{
    self->query.to = SIM_TIME_NEVER;
    if (!option_window(self->window, "--window", &self->query.from, &self->query.to,
                       error) ||
        !option_squares(option_text(texts, "cores"), "--cores", &self->cores, error)) {
        return false;
    }
    self->query.has_core = self->cores != NULL ? trace_squares_have : NULL;
    self->query.data = self->cores;
    self->query.by = (TracePartBy) option_choice(texts, "by", TRACE_PART_WHOLE);
    self->is_asked = self->window != NULL || self->cores != NULL ||
                     self->query.by != TRACE_PART_WHOLE;
    return true;
}

void cmd_roofline_parts_clear(CmdRooflineParts *self)
{
    g_clear_pointer(&self->cores, g_array_unref);
}

/* The line that says which part of a run a point is of. */
static void tell_part(TraceRooflineSet *set, guint index)
{
    const TraceRun *run = g_ptr_array_index(set->files, index);
    JsonObject *part = trace_json_object(run->result, "part");
    g_autofree char *letter = trace_roofline_set_letter(set, index);
    g_autofree char *percent =
        quantity_percent(100 * trace_json_number(part, "share", 0));

    if (part != NULL && !trace_json_bool(part, "is_all")) {
        const char *zone = trace_json_string(part, "zone", NULL);

        g_ptr_array_add(
            set->notes,
            g_strdup_printf("%s: %s%scycles %.0f:%.0f, cores %.4g, %s of the run's "
                            "operations",
                            letter, zone != NULL ? zone : "", zone != NULL ? ", " : "",
                            trace_json_number(part, "from", 0),
                            trace_json_number(part, "to", 0),
                            trace_json_number(part, "cores", 0), percent));
    }
}

/* The line that names the zones without points. */
static void tell_idle(TraceRooflineSet *set, guint index)
{
    const TraceRun *run = g_ptr_array_index(set->files, index);
    JsonArray *zones =
        trace_json_array(trace_json_object(run->result, "part"), "idle_zones");
    g_autofree char *letter = trace_roofline_set_letter(set, index);
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < trace_json_count(zones); i++) {
        JsonObject *zone = trace_json_item(zones, i);
        g_autofree char *percent =
            quantity_percent(100 * trace_json_number(zone, "time", 0));

        g_string_append_printf(text, "%s%s %s", i > 0 ? ", " : "",
                               trace_json_string(zone, "zone", ""), percent);
    }
    if (text->len > 0) {
        g_ptr_array_add(set->notes,
                        g_strdup_printf("%s: zones without operations, with their "
                                        "share of the time of cores: %s",
                                        letter, text->str));
    }
}

static bool add_runs(TraceRooflineSet *set, GPtrArray *runs, GError **error)
{
    while (runs->len > 0) {
        if (!trace_roofline_set_add(set, g_ptr_array_steal_index(runs, 0), error)) {
            return false;
        }
        tell_part(set, set->files->len - 1);
        tell_idle(set, set->files->len - 1);
    }
    return true;
}

/* The cores or PEs that have lanes: x << 32 | y. */
static GHashTable *cores_of(const TraceTimeline *timeline)
{
    GHashTable *cores =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);

    for (guint32 i = 0; i < timeline->lanes->len; i++) {
        const TracePlace *place =
            trace_place_at(timeline, trace_lane_at(timeline, i)->place);

        if (place->has_place &&
            (g_str_equal(place->kind, "core") || g_str_equal(place->kind, "pe"))) {
            guint64 *key = g_new(guint64, 1);

            *key = (guint64) place->x << 32 | place->y;
            (void) g_hash_table_add(cores, key);
        }
    }
    return cores;
}

/* Refuses the first chosen core that is not in the trace. */
static bool check_cores(const GArray *squares, const TraceRun *run, GError **error)
{
    g_autoptr(GHashTable) cores = cores_of(run->timeline);

    for (guint i = 0; i < squares->len; i++) {
        const TraceSquare *square = &g_array_index(squares, TraceSquare, i);

        for (guint y = square->y; y <= square->y_end; y++) {
            for (guint x = square->x; x <= square->x_end; x++) {
                const guint64 key = (guint64) x << 32 | y;

                if (!g_hash_table_contains(cores, &key)) {
                    return trace_refuse(error, "%s: --cores: %u,%u is not in it",
                                        run->name, x, y);
                }
            }
        }
    }
    return true;
}

bool cmd_roofline_parts_add(const CmdRooflineParts *self,
                            TraceRooflineSet *set,
                            TraceRun *file,
                            GError **error)
{
    g_autoptr(TraceRun) taken = file;
    g_autoptr(GError) why = NULL;
    g_autoptr(GPtrArray) runs = NULL;

    if (file->timeline == NULL && self->is_asked) {
        return option_fail(error,
                           "%s: a result without a trace has no parts; --window, "
                           "--cores and --by are for traces",
                           file->name);
    }
    runs = file->timeline != NULL ? trace_part_runs(file, &self->query, &why) : NULL;
    if (runs != NULL) {
        g_autofree char *difference =
            trace_part_difference(file, g_ptr_array_index(runs, 0));

        if (difference != NULL) {
            g_ptr_array_add(set->notes, g_strdup(difference));
            (void) complain("%s", difference);
        }
        return (self->cores == NULL ||
                check_cores(self->cores, g_ptr_array_index(runs, 0), error)) &&
               add_runs(set, runs, error);
    }
    if (self->is_asked ||
        (!file->is_whole && g_error_matches(why, TRACE_ERROR, TRACE_ERROR_READ))) {
        g_propagate_error(error, g_steal_pointer(&why));
        return false;
    }
    if (why != NULL && file->is_whole) {
        g_ptr_array_add(set->notes,
                        g_strdup_printf("the whole run, as its result says: "
                                        "%s",
                                        why->message));
    }
    return trace_roofline_set_add(set, g_steal_pointer(&taken), error);
}

JsonObject *cmd_roofline_parts_path(TraceRun *run)
{
    TracePartQuery query = {.to = SIM_TIME_NEVER, .by = TRACE_PART_ITERATION};
    g_autoptr(GPtrArray) runs = NULL;

    if (run->timeline == NULL) {
        return NULL;
    }
    runs = trace_part_runs(run, &query, NULL);
    if (runs == NULL) {
        query.by = TRACE_PART_WHOLE;
        runs = trace_part_runs(run, &query, NULL);
    }
    if (runs == NULL) {
        return NULL;
    }
    TraceRun *first = g_ptr_array_index(runs, 0);

    run->timeline = g_steal_pointer(&first->timeline);
    return json_object_ref(first->result);
}
