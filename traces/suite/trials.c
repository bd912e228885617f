/* Reads the same numbers from many results. */
#include "traces/suite/trials.h"

#include <math.h>

#include "traces/suite/member.h"

static void number_clear(gpointer data)
{
    TraceTrialNumber *self = data;

    g_free(self->name);
    g_free(self->trials);
}

/* NaN where it is none. */
static double number_of(JsonNode *node)
{
    const GType type = node != NULL && JSON_NODE_HOLDS_VALUE(node)
                           ? json_node_get_value_type(node)
                           : G_TYPE_INVALID;

    return type == G_TYPE_INT64 || type == G_TYPE_DOUBLE ? json_node_get_double(node)
                                                         : NAN;
}

/* The value of "seconds" or "metrics.seconds"; names of metrics may contain dots. */
static double member_of(JsonObject *result, const char *name)
{
    static const char prefix[] = "metrics.";
    JsonNode *metrics = json_object_get_member(result, "metrics");

    if (!g_str_has_prefix(name, prefix)) {
        return number_of(json_object_get_member(result, name));
    }
    return metrics != NULL && JSON_NODE_HOLDS_OBJECT(metrics)
               ? number_of(json_object_get_member(json_node_get_object(metrics),
                                                  name + sizeof prefix - 1))
               : NAN;
}

static double value_of(JsonObject *result, const TraceTrialNumber *number)
{
    double value = NAN;

    if (!number->is_formula) {
        return member_of(result, number->name);
    }
    return result_number(result, number->name, &value, NULL) ? value : NAN;
}

/* Takes `name`. What is no number is left alone, unless the user asks for it. */
static void
add_number(TraceTrials *self, JsonObject *result, char *name, bool is_formula)
{
    TraceTrialNumber number = {.name = name, .is_formula = is_formula};

    number.value = value_of(result, &number);
    if (!isfinite(number.value) && !is_formula) {
        g_free(name);
        return;
    }
    g_array_append_val(self->numbers, number);
    TraceTrialNumber *added =
        &g_array_index(self->numbers, TraceTrialNumber, self->numbers->len - 1);

    added->trials = g_new(double, self->failures->len);
    for (guint i = 0; i < self->failures->len; i++) {
        added->trials[i] = NAN;
    }
}

void trace_trials_init(TraceTrials *self,
                       JsonObject *result,
                       const char *const *formulas,
                       guint count)
{
    static const char *const always[] = {"seconds", "cycles", "seconds_per_iteration",
                                         "energy_joules"};
    JsonObject *metrics = json_object_get_object_member(result, "metrics");
    g_autoptr(GList) names = json_object_get_members(metrics);

    *self = (TraceTrials){
        .numbers = g_array_new(FALSE, FALSE, sizeof(TraceTrialNumber)),
        .failures = g_ptr_array_new_with_free_func(g_free),
        .left_out = g_ptr_array_new_with_free_func(g_free),
    };
    g_array_set_clear_func(self->numbers, number_clear);
    g_ptr_array_set_size(self->failures, (gint) count);
    for (gsize i = 0; i < G_N_ELEMENTS(always); i++) {
        add_number(self, result, g_strdup(always[i]), false);
    }
    for (GList *name = names; name != NULL; name = name->next) {
        add_number(self, result, g_strconcat("metrics.", name->data, NULL), false);
    }
    for (const char *const *formula = formulas; formula != NULL && *formula != NULL;
         formula++) {
        add_number(self, result, g_strdup(*formula), true);
    }
}

void trace_trials_clear(TraceTrials *self)
{
    g_array_unref(self->numbers);
    g_ptr_array_unref(self->failures);
    g_ptr_array_unref(self->left_out);
}

const TraceTrialNumber *trace_trials_number(const TraceTrials *self, guint index)
{
    g_return_val_if_fail(index < self->numbers->len, NULL);
    return &g_array_index(self->numbers, TraceTrialNumber, index);
}

static bool is_same(double x, double y)
{
    return x == y || (isnan(x) && isnan(y));
}

bool trace_trials_narrow(TraceTrials *self, JsonObject *result, JsonObject *other)
{
    static const char *const names[] = {"cycles", "seconds", "iterations",
                                        "energy_joules"};
    bool is_like = true;

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        is_like =
            is_like && is_same(member_of(result, names[i]), member_of(other, names[i]));
    }
    for (guint i = 0; i < self->numbers->len; i++) {
        const TraceTrialNumber *number = trace_trials_number(self, i);

        is_like = is_like && (!number->is_formula ||
                              is_same(number->value, value_of(other, number)));
    }
    for (guint i = is_like ? self->numbers->len : 0; i-- > 0;) {
        const TraceTrialNumber *number = trace_trials_number(self, i);

        if (!is_same(number->value, value_of(other, number))) {
            g_ptr_array_insert(self->left_out, 0, g_strdup(number->name));
            g_array_remove_index(self->numbers, i);
        }
    }
    return is_like;
}

void trace_trials_keep(TraceTrials *self, guint trial, JsonObject *result)
{
    for (guint i = 0; i < self->numbers->len; i++) {
        const TraceTrialNumber *number = trace_trials_number(self, i);

        number->trials[trial] = value_of(result, number);
    }
}

guint trace_trials_failed(const TraceTrials *self,
                          guint from,
                          guint to,
                          const char **why)
{
    guint count = 0;

    *why = NULL;
    for (guint i = from; i < to; i++) {
        const char *failure = g_ptr_array_index(self->failures, i);

        count += failure != NULL ? 1 : 0;
        *why = *why == NULL ? failure : *why;
    }
    return count;
}
