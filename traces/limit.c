/* Reads results for what limits them. */
#include "traces/limit.h"

#include <math.h>
#include <stdbool.h>

/* From here on something is full, or busy. */
#define HALF_PERCENT 50.0
#define PERCENT      100.0

static JsonObject *object_in(JsonObject *object, const char *name)
{
    JsonNode *node = json_object_get_member(object, name);

    return node != NULL && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node)
                                                        : NULL;
}

/* NaN where the member is no number. */
static double number_in(JsonObject *object, const char *name)
{
    JsonNode *node = object != NULL ? json_object_get_member(object, name) : NULL;
    GType type = node != NULL && JSON_NODE_HOLDS_VALUE(node)
                     ? json_node_get_value_type(node)
                     : G_TYPE_INVALID;

    return type == G_TYPE_INT64 || type == G_TYPE_DOUBLE ? json_node_get_double(node)
                                                         : NAN;
}

static const char *text_in(JsonObject *object, const char *name)
{
    JsonNode *node = json_object_get_member(object, name);

    return node != NULL && JSON_NODE_HOLDS_VALUE(node) &&
                   json_node_get_value_type(node) == G_TYPE_STRING
               ? json_node_get_string(node)
               : NULL;
}

static void add_use(GArray *uses, JsonObject *roof)
{
    TraceRoofUse use = {.name = text_in(roof, "name"),
                        .percent = PERCENT * number_in(roof, "achieved") /
                                   number_in(roof, "value")};

    /* A unit that computed nothing is of no interest. */
    if (use.name != NULL && isfinite(use.percent) &&
        (use.percent > 0 || g_strcmp0(text_in(roof, "unit"), "FLOP per second") != 0)) {
        g_array_append_val(uses, use);
    }
}

GArray *trace_limit_roofs(JsonObject *result)
{
    GArray *uses = g_array_new(FALSE, FALSE, sizeof(TraceRoofUse));
    JsonNode *node = json_object_get_member(result, "roofs");
    JsonArray *roofs =
        node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;

    for (guint i = 0; roofs != NULL && i < json_array_get_length(roofs); i++) {
        JsonNode *roof = json_array_get_element(roofs, i);

        if (JSON_NODE_HOLDS_OBJECT(roof)) {
            add_use(uses, json_node_get_object(roof));
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

/* Of a wafer `busy` splits the time of its PEs; else it is a fraction a part. */
static const char *busiest_in(JsonObject *result, double *percent)
{
    JsonObject *busy = object_in(result, "busy");
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

static char *limit_on_chip(JsonObject *result)
{
    g_autoptr(GArray) uses = trace_limit_roofs(result);
    TraceRoofUse fullest = {.percent = 0};
    double busy = 0;
    const char *busiest = busiest_in(result, &busy);

    for (guint i = 0; i < uses->len; i++) {
        const TraceRoofUse *use = &g_array_index(uses, TraceRoofUse, i);

        fullest = use->percent > fullest.percent ? *use : fullest;
    }
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

char *trace_limit_text(JsonObject *result)
{
    JsonObject *metrics = object_in(result, "metrics");
    const double launch = number_in(metrics, "launch_seconds");
    const double device = number_in(metrics, "device_seconds");
    g_autofree char *on_chip = limit_on_chip(result);

    /* A measured region may leave them out. */
    if (launch > device && number_in(result, "seconds") >= launch) {
        return g_strdup_printf("starting programs, %.0f %% of the time; then %s",
                               PERCENT * launch / (launch + device), on_chip);
    }
    return g_steal_pointer(&on_chip);
}

/* Words for a reason, as far as its name needs any. The caller frees them. */
static char *words_for(const char *reason)
{
    static const struct {
        const char *reason;
        const char *words;
    } table[] = {
        {"circular_buffer", "circular buffers"},
        {"unit", "units to end what they do"},
        {"src", "Src registers"},
        {"dst", "Dst registers"},
        {"issue", "instructions"},
        {"semaphore", "semaphores"},
        {"noc", "the NoC"},
        {"bank_conflict", "banks of L1"},
        {"unattributed", "unattributed time"},
        {"memory_idle", "banks of memory"},
        {"other_idle", "data and tasks"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {
        if (g_str_equal(reason, table[i].reason)) {
            return g_strdup(table[i].words);
        }
    }
    return g_strdelimit(g_strdup(reason), "_", ' ');
}

char *trace_limit_waits(JsonObject *result)
{
    JsonObject *stalls = object_in(result, "stalls");
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
    g_autofree char *words = words_for(reason);

    return g_strdup_printf("%s, %.0f %% of all waits", words, PERCENT * most / sum);
}
