/* Derives what limits a run from its result. */
#include "traces/result/limit.h"

#include <math.h>

#include "traces/file/json_member.h"
#include "traces/result/wait.h"

/* From here on something is full, or busy. */
#define HALF_PERCENT 50.0
#define PERCENT      100.0
#define FLOP_UNIT    "FLOP per second"
#define BYTE_UNIT    "bytes per second"

/* NaN where the member is no number. */
static double number_in(JsonObject *object, const char *name)
{
    return trace_json_number(object, name, NAN);
}

static void add_use(GArray *uses, JsonObject *roof)
{
    TraceRoofUse use = {.name = trace_json_string(roof, "name", NULL),
                        .percent = PERCENT * number_in(roof, "achieved") /
                                   number_in(roof, "value")};

    /* A unit that computed nothing is of no interest. */
    if (use.name != NULL && isfinite(use.percent) &&
        (use.percent > 0 ||
         g_strcmp0(trace_json_string(roof, "unit", NULL), FLOP_UNIT) != 0)) {
        g_array_append_val(uses, use);
    }
}

GArray *trace_limit_roofs(JsonObject *result)
{
    GArray *uses = g_array_new(FALSE, FALSE, sizeof(TraceRoofUse));
    JsonArray *roofs = trace_json_array(result, "roofs");

    for (guint i = 0; i < trace_json_count(roofs); i++) {
        JsonObject *roof = trace_json_item(roofs, i);

        if (roof != NULL) {
            add_use(uses, roof);
        }
    }
    return uses;
}

/* The member with the largest number; of members that are as large, the first. */
static const char *largest_in(JsonObject *object, double *largest)
{
    g_autoptr(GList) names = object != NULL ? json_object_get_members(object) : NULL;
    const char *found = NULL;

    *largest = 0;
    for (const GList *name = names; name != NULL; name = name->next) {
        const double value = number_in(object, name->data);

        if (value > *largest) {
            *largest = value;
            found = name->data;
        }
    }
    return found;
}

/* On a wafer, `busy` splits the time of its PEs; elsewhere it is a fraction for each
 * part. */
static const char *busiest_in(JsonObject *result, double *percent)
{
    JsonObject *busy = trace_json_object(result, "busy");
    const double of_pes = busy != NULL ? number_in(busy, "busy") : NAN;
    const char *name = "PEs";

    if (isfinite(of_pes)) {
        *percent = of_pes;
    } else {
        name = largest_in(busy, percent);
    }
    *percent *= PERCENT;
    return name;
}

/* The fullest of the roofs that rooflines draw. Figures of a script's own, in other
 * units, say how good its method is, not what the chip was short of. */
static TraceRoofUse fullest_in(JsonObject *result)
{
    JsonArray *roofs = trace_json_array(result, "roofs");
    TraceRoofUse fullest = {.percent = 0};

    for (guint i = 0; i < trace_json_count(roofs); i++) {
        JsonObject *roof = trace_json_item(roofs, i);
        const char *unit = trace_json_string(roof, "unit", "");
        const double percent =
            PERCENT * number_in(roof, "achieved") / number_in(roof, "value");

        if (percent > fullest.percent && isfinite(percent) &&
            (g_str_equal(unit, FLOP_UNIT) || g_str_equal(unit, BYTE_UNIT))) {
            fullest = (TraceRoofUse){trace_json_string(roof, "name", ""), percent};
        }
    }
    return fullest;
}

static char *limit_on_chip(JsonObject *result, TraceRoofUse fullest)
{
    double busy = 0;
    const char *busiest = busiest_in(result, &busy);

    if (fullest.percent >= HALF_PERCENT) {
        return g_strdup_printf("%s: %.0f %% of its roof", fullest.name,
                               fullest.percent);
    }
    if (busy >= HALF_PERCENT) {
        return g_strdup_printf("%s: busy %.0f %%", busiest, busy);
    }
    return fullest.name == NULL
               ? g_strdup("latency: no roof and no part is known above 50 %")
               : g_strdup_printf("latency: no roof and no part above 50 %%, the "
                                 "fullest is %s with %.2g %%",
                                 fullest.name, fullest.percent);
}

char *trace_limit_text(JsonObject *result, const TraceRoofUse *nearest)
{
    const TraceRoofUse fullest = nearest != NULL ? *nearest : fullest_in(result);
    JsonObject *metrics = trace_json_object(result, "metrics");
    const double launch = number_in(metrics, "launch_seconds");
    const double device = number_in(metrics, "device_seconds");
    g_autofree char *on_chip = limit_on_chip(result, fullest);

    /* A measured region may leave them out. */
    if (launch > device && number_in(result, "seconds") >= launch) {
        return g_strdup_printf("starting programs, %.0f %% of the time; then %s",
                               PERCENT * launch / (launch + device), on_chip);
    }
    return g_steal_pointer(&on_chip);
}

char *trace_limit_waits(JsonObject *result)
{
    JsonObject *stalls = trace_json_object(result, "stalls");
    double most = 0;
    double sum = 0;
    const char *reason = largest_in(stalls, &most);

    if (reason == NULL) {
        return NULL;
    }
    g_autoptr(GList) names = json_object_get_members(stalls);

    for (const GList *name = names; name != NULL; name = name->next) {
        const double cycles = number_in(stalls, name->data);

        sum += cycles > 0 ? cycles : 0;
    }
    const char *known = trace_wait_words(reason);
    g_autofree char *words = g_strdup(known != NULL ? known : reason);

    return g_strdup_printf("%s, %.0f %% of all waits", g_strdelimit(words, "_", ' '),
                           PERCENT * most / sum);
}
