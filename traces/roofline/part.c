/* Makes results of parts of runs. */
#include "traces/roofline/part.h"

#include <math.h>

#include "traces/error.h"
#include "traces/file/json_member.h"
#include "traces/roofline/work.h"

#define PERCENT 100.0
/* Sums of bytes may be rounded. */
#define ROUNDING 1e-6

/* A trace, and what is asked of it. */
typedef struct {
    const TraceWork *work;
    TraceWorkChoice choice;
    JsonObject *result; /* of the whole run */
    double clock_hz;
    bool is_all;
    bool is_all_time; /* all cycles of programs, but maybe not all cores */
} Query;

/* The row of `work` about a roof of the result; NULL: none. */
static JsonObject *row_of(const Query *self, const char *name)
{
    JsonArray *roofs = trace_json_array(self->work->timeline->work, "roofs");

    for (guint i = 0; i < trace_json_count(roofs); i++) {
        JsonObject *row = trace_json_item(roofs, i);

        if (g_str_equal(trace_json_string(row, "name", ""), name)) {
            return row;
        }
    }
    return NULL;
}

/* What the part did of a roof's counter each second; NaN: not known. */
static double achieved_of(const Query *self, const TraceWorkPart *part, JsonObject *row)
{
    const guint counter =
        trace_work_counter(self->work, trace_json_string(row, "counter", ""));

    return counter < self->work->counters->len && part->cycles > 0
               ? part->amounts[counter] * self->clock_hz / part->cycles
               : NAN;
}

/* The value for the part's cores, unless all cores share the roof. */
static double value_of(const TraceWorkPart *part, JsonObject *roof, JsonObject *row)
{
    const double cores = trace_json_number(row, "cores", 0);

    return trace_json_number(roof, "value", 0) *
           (cores > 0 && part->cores > 0 ? part->cores / cores : 1);
}

static void set_number(JsonObject *object, const char *name, double value)
{
    if (isfinite(value)) {
        json_object_set_double_member(object, name, value);
    } else {
        json_object_set_null_member(object, name);
    }
}

static JsonArray *roofs_of(const Query *self, const TraceWorkPart *part)
{
    JsonArray *given = trace_json_array(self->result, "roofs");
    JsonArray *roofs = json_array_new();

    for (guint i = 0; i < trace_json_count(given); i++) {
        JsonObject *roof = trace_json_item(given, i);
        JsonObject *row = row_of(self, trace_json_string(roof, "name", ""));
        JsonObject *own;

        /* Those of the host count no programs; a result has them, a part has not. */
        if (row == NULL && self->is_all && part->zone == NULL) {
            json_array_add_object_element(roofs, json_object_ref(roof));
        }
        if (row == NULL) {
            continue;
        }
        own = json_object_new();
        json_object_set_string_member(own, "name", trace_json_string(roof, "name", ""));
        json_object_set_string_member(own, "unit", trace_json_string(roof, "unit", ""));
        set_number(own, "value", value_of(part, roof, row));
        json_object_set_string_member(own, "source",
                                      trace_json_string(roof, "source", ""));
        set_number(own, "achieved", achieved_of(self, part, row));
        json_array_add_object_element(roofs, own);
    }
    return roofs;
}

static JsonObject *counters_of(const Query *self, const TraceWorkPart *part)
{
    JsonObject *counters = json_object_new();

    for (guint i = 0; i < self->work->counters->len; i++) {
        set_number(counters, g_ptr_array_index(self->work->counters, i),
                   part->amounts[i]);
    }
    return counters;
}

static JsonObject *busy_of(const Query *self, const TraceWorkPart *part)
{
    JsonObject *busy = json_object_new();

    for (guint i = 0; i < self->work->units->len; i++) {
        set_number(busy, g_ptr_array_index(self->work->units, i),
                   part->busy[i] / (part->cycles * part->cores));
    }
    return busy;
}

/* Of the run's operations, those in the part. */
static double share_of(const Query *self, const TraceWorkPart *part)
{
    return part->amounts[0] /
           trace_json_number(trace_json_object(self->result, "counters"), "flops", 0);
}

static JsonObject *part_object(const Query *self, const TraceWorkPart *part)
{
    JsonObject *object = json_object_new();

    json_object_set_int_member(object, "from", (gint64) part->from);
    json_object_set_int_member(object, "to", (gint64) part->to);
    json_object_set_boolean_member(object, "is_all",
                                   self->is_all && part->zone == NULL);
    json_object_set_boolean_member(object, "is_all_time", self->is_all_time);
    set_number(object, "cores", part->cores);
    if (part->zone != NULL) {
        json_object_set_string_member(object, "zone",
                                      *part->zone != '\0' ? part->zone : "none");
    }
    set_number(object, "share", share_of(self, part));
    return object;
}

static void copy_members(JsonObject *to, JsonObject *from, const char *const *names)
{
    for (; *names != NULL; names++) {
        if (json_object_has_member(from, *names)) {
            json_object_set_member(to, *names, json_object_dup_member(from, *names));
        }
    }
}

/* A part knows the run's problem and chip; of the whole run, all but the numbers. */
static JsonObject *object_of(const Query *self, bool is_all)
{
    static const char *const kept[] = {
        "schema_version",  "gridloom",  "workload",   "chip",
        "parameters",      "given",     "overrides",  "seed",
        "chip_digest",     "chip_used", "iterations", "check",
        "chip_parameters", NULL};
    g_autoptr(GList) members = json_object_get_members(self->result);
    JsonObject *object = json_object_new();

    if (!is_all) {
        copy_members(object, self->result, kept);
        return object;
    }
    for (GList *member = members; member != NULL; member = member->next) {
        json_object_set_member(object, member->data,
                               json_object_dup_member(self->result, member->data));
    }
    return object;
}

/* The time of programs; the whole run's own numbers are those of its region. */
static void
set_time(const Query *self, const TraceWorkPart *part, JsonObject *object, bool is_all)
{
    const double seconds = part->cycles / self->clock_hz;

    if (is_all) {
        g_autoptr(JsonObject) metrics = json_object_new();
        JsonObject *given = trace_json_object(self->result, "metrics");
        g_autoptr(GList) members =
            given != NULL ? json_object_get_members(given) : NULL;

        for (GList *member = members; member != NULL; member = member->next) {
            json_object_set_member(metrics, member->data,
                                   json_object_dup_member(given, member->data));
        }
        json_object_set_double_member(metrics, "device_seconds", seconds);
        json_object_set_object_member(object, "metrics", g_steal_pointer(&metrics));
        return;
    }
    json_object_set_int_member(object, "cycles", (gint64) llround(part->cycles));
    json_object_set_double_member(object, "seconds", seconds);
    json_object_set_object_member(object, "busy", busy_of(self, part));
}

/* "4 of 56" becomes "2 of 56". */
static void set_used(const TraceWorkPart *part, JsonObject *object)
{
    JsonObject *given = trace_json_object(object, "chip_used");

    if (given != NULL && part->cores >= 1) {
        JsonObject *used = json_object_new();
        static const char *const kept[] = {"what", "of", NULL};

        copy_members(used, given, kept);
        json_object_set_int_member(used, "used", (gint64) llround(part->cores));
        json_object_set_object_member(object, "chip_used", used);
    }
}

static JsonObject *result_of(const Query *self, const TraceWorkPart *part)
{
    const bool is_all = self->is_all && part->zone == NULL;
    JsonObject *object = object_of(self, is_all);

    json_object_set_object_member(object, "counters", counters_of(self, part));
    json_object_set_array_member(object, "roofs", roofs_of(self, part));
    json_object_set_object_member(object, "part", part_object(self, part));
    set_time(self, part, object, is_all);
    if (!is_all) {
        set_used(part, object);
    }
    return object;
}

static void add_run(GPtrArray *runs, const char *name, JsonObject *result)
{
    TraceRun *run = g_new0(TraceRun, 1);

    run->name = g_strdup(name);
    run->result = result;
    run->is_whole = true;
    g_ptr_array_add(runs, run);
}

/* A path has many numbers: as many digits as anybody reads. */
static void set_short(JsonObject *object, const char *name, double value)
{
    if (isfinite(value)) {
        char text[G_ASCII_DTOSTR_BUF_SIZE];

        (void) g_ascii_formatd(text, sizeof(text), "%.6g", value);
        json_object_set_double_member(object, name, g_ascii_strtod(text, NULL));
    }
}

static JsonObject *step_of(const Query *self, const TraceWorkPart *part)
{
    JsonArray *roofs = trace_json_array(self->result, "roofs");
    JsonObject *achieved = json_object_new();
    JsonObject *step = json_object_new();

    json_object_set_int_member(step, "from", (gint64) part->from);
    json_object_set_int_member(step, "to", (gint64) part->to);
    set_short(step, "rate", part->amounts[0] * self->clock_hz / part->cycles);
    for (guint i = 0; i < trace_json_count(roofs); i++) {
        const char *name = trace_json_string(trace_json_item(roofs, i), "name", "");
        JsonObject *row = row_of(self, name);
        const double rate = row != NULL ? achieved_of(self, part, row) : NAN;

        if (rate > 0) {
            set_short(achieved, name, rate);
        }
    }
    json_object_set_object_member(step, "achieved", achieved);
    return step;
}

/* Bounds of steps: so many iterations each that there are not too many. */
static guint join(GArray *bounds)
{
    const guint count = bounds->len - 1;
    const guint each = (count + TRACE_PART_STEPS - 1) / TRACE_PART_STEPS;
    SimTime *times = (SimTime *) (void *) bounds->data;
    guint kept = 0;

    for (guint i = 0; i <= count; i++) {
        if (i % each == 0 || i == count) {
            times[kept++] = times[i];
        }
    }
    g_array_set_size(bounds, kept);
    return each;
}

static JsonArray *path_of(const Query *self, GError **error)
{
    g_autoptr(GArray) bounds = trace_work_iterations(self->work, &self->choice, error);

    if (bounds == NULL) {
        return NULL;
    }
    if (bounds->len < 2) {
        (void) trace_refuse(
            error, "%s: no iteration lies in this part of it from its begin to its end",
            self->work->name);
        return NULL;
    }
    const guint count = bounds->len - 1;
    const guint each = join(bounds);
    g_autoptr(GArray) parts = trace_work_split(
        self->work, &self->choice, (const SimTime *) (const void *) bounds->data,
        bounds->len - 1);
    JsonArray *path = json_array_new();

    for (guint i = 0; i < parts->len; i++) {
        const TraceWorkPart *part = &g_array_index(parts, TraceWorkPart, i);
        JsonObject *step = step_of(self, part);

        json_object_set_int_member(step, "iteration", (gint64) i * each + 1);
        json_object_set_int_member(step, "last", MIN((i + 1) * each, count));
        json_array_add_object_element(path, step);
    }
    return path;
}

static double core_cycles_of(const TraceWorkPart *part)
{
    return part->cycles * part->cores;
}

/* Names zones that have no point, with their shares of the time of cores. */
static void set_idle(JsonObject *about, const GArray *parts)
{
    JsonArray *idle = json_array_new();
    double sum = 0;

    for (guint i = 0; i < parts->len; i++) {
        sum += core_cycles_of(&g_array_index(parts, TraceWorkPart, i));
    }
    for (guint i = 0; i < parts->len; i++) {
        const TraceWorkPart *part = &g_array_index(parts, TraceWorkPart, i);

        if (!(part->amounts[0] > 0) && part->cycles > 0) {
            JsonObject *zone = json_object_new();

            json_object_set_string_member(zone, "zone",
                                          *part->zone != '\0' ? part->zone : "none");
            json_object_set_double_member(zone, "time", core_cycles_of(part) / sum);
            json_array_add_object_element(idle, zone);
        }
    }
    json_object_set_array_member(about, "idle_zones", idle);
}

static bool add_zones(const Query *self, GPtrArray *runs, GError **error)
{
    const TraceRun *whole = g_ptr_array_index(runs, 0);
    g_autoptr(GArray) parts = trace_work_zones(self->work, &self->choice, error);

    if (parts == NULL) {
        return false;
    }
    if (parts->len > TRACE_PART_ZONES) {
        return trace_refuse(error, "%s: %u zones, at most %d are told apart",
                            self->work->name, parts->len, TRACE_PART_ZONES);
    }
    set_idle(trace_json_object(whole->result, "part"), parts);
    for (guint i = 0; i < parts->len; i++) {
        const TraceWorkPart *part = &g_array_index(parts, TraceWorkPart, i);

        /* A zone that computes nothing has no point. */
        if (part->amounts[0] > 0 && part->cycles > 0) {
            add_run(runs, self->work->name, result_of(self, part));
        }
    }
    return true;
}

static bool fill(GPtrArray *runs, const Query *self, TracePartBy by, GError **error)
{
    const SimTime bounds[] = {self->choice.from, self->choice.to};
    g_autoptr(GArray) whole = trace_work_split(self->work, &self->choice, bounds, 1);
    const TraceWorkPart *part = &g_array_index(whole, TraceWorkPart, 0);
    JsonObject *result;

    if (!(part->amounts[0] > 0)) {
        return trace_refuse(error,
                            "%s: nothing was computed from cycle %" G_GUINT64_FORMAT
                            " to %" G_GUINT64_FORMAT,
                            self->work->name, part->from, part->to);
    }
    result = result_of(self, part);
    add_run(runs, self->work->name, result);
    if (by == TRACE_PART_ITERATION) {
        JsonArray *path = path_of(self, error);

        if (path == NULL) {
            return false;
        }
        json_object_set_array_member(result, "path", path);
    }
    return by != TRACE_PART_ZONE || add_zones(self, runs, error);
}

GPtrArray *trace_part_runs(TraceRun *run, const TracePartQuery *query, GError **error)
{
    g_autoptr(TraceWork) work = trace_work_new(run->name, run->timeline, error);
    g_autoptr(GPtrArray) runs = trace_runs_new();

    if (work == NULL) {
        return NULL;
    }
    Query self = {.work = work,
                  .choice = {.from = query->from,
                             .to = query->to,
                             .has_core = query->has_core,
                             .data = query->data},
                  .result = run->result,
                  .clock_hz = run->timeline->clock_hz};

    if (!trace_work_narrow(work, &self.choice, error)) {
        return NULL;
    }
    self.is_all_time = trace_work_is_all_time(work, &self.choice);
    self.is_all = self.is_all_time && trace_work_has_all_cores(work, &self.choice);
    if (!fill(runs, &self, query->by, error)) {
        return NULL;
    }
    ((TraceRun *) g_ptr_array_index(runs, 0))->timeline =
        g_steal_pointer(&run->timeline);
    return g_steal_pointer(&runs);
}

char *trace_part_difference(const TraceRun *whole, const TraceRun *part)
{
    JsonObject *about = trace_json_object(part->result, "part");
    JsonArray *given = trace_json_array(whole->result, "roofs");
    JsonArray *found = trace_json_array(part->result, "roofs");

    if (!trace_json_bool(about, "is_all")) {
        return NULL;
    }
    for (guint i = 0; i < trace_json_count(found); i++) {
        JsonObject *roof = trace_json_item(found, i);

        for (guint k = 0; k < trace_json_count(given); k++) {
            JsonObject *other = trace_json_item(given, k);
            const char *name = trace_json_string(roof, "name", "");
            const double own = trace_json_number(roof, "achieved", 0);
            const double told = trace_json_number(other, "achieved", 0);

            if (g_str_equal(name, trace_json_string(other, "name", "")) &&
                fabs(own - told) > ROUNDING * fmax(own, told)) {
                return g_strdup_printf(
                    "%s: by its slices %s was used at %.6g a second, by its result at "
                    "%.6g",
                    part->name, name, own, told);
            }
        }
    }
    return NULL;
}

char *trace_part_suffix(JsonObject *result)
{
    JsonObject *part = trace_json_object(result, "part");
    const char *zone = trace_json_string(part, "zone", NULL);
    GString *text = g_string_new(NULL);

    if (part == NULL || trace_json_bool(part, "is_all")) {
        return g_string_free(text, FALSE);
    }
    if (zone != NULL) {
        g_string_append_printf(text, ", zone %s", zone);
    }
    if (!trace_json_bool(part, "is_all_time")) {
        g_string_append_printf(text, ", cycles %.0f:%.0f",
                               trace_json_number(part, "from", 0),
                               trace_json_number(part, "to", 0));
    }
    return g_string_free(text, FALSE);
}
