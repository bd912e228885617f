/* Reads goals. */
#include "tools/gridloom/tune/goal.h"

#include <string.h>

#include "tools/gridloom/option_value.h"
#include "traces/suite/formula.h"

#define OPTION "--objective"
#define ALLOWED                                                                        \
    "two of performance, resources, bram, uram, dsp, ff, lut, energy, seconds, or "    \
    "max:FORMULA, min:FORMULA of a result's numbers"

static const struct {
    const char *name;
    const char *formula;
    bool is_maximum;
} known[] = {
    {"performance", "metrics.gflops", true},
    {"resources", "metrics.resource_percent", false},
    {"bram", "metrics.resources.BRAM", false},
    {"uram", "metrics.resources.URAM", false},
    {"dsp", "metrics.resources.DSP", false},
    {"ff", "metrics.resources.FF", false},
    {"lut", "metrics.resources.LUT", false},
    {"energy", "metrics.gflops_per_watt", true},
    {"seconds", "seconds", false},
};

static bool parse_known(WlTuneGoal *self, const char *text)
{
    for (gsize i = 0; i < G_N_ELEMENTS(known); i++) {
        if (g_str_equal(known[i].name, text)) {
            *self = (WlTuneGoal){.name = g_strdup(text),
                                 .formula = g_strdup(known[i].formula),
                                 .is_maximum = known[i].is_maximum};
            return true;
        }
    }
    return false;
}

static bool parse_formula(WlTuneGoal *self, const char *text, GError **error)
{
    const bool is_maximum = g_str_has_prefix(text, "max:");
    const char *formula = text + strlen("max:");

    if (!is_maximum && !g_str_has_prefix(text, "min:")) {
        return option_refuse(OPTION, text, ALLOWED, error);
    }
    if (!trace_formula_check(formula, error)) {
        g_prefix_error(error, OPTION " %s: ", text);
        return false;
    }
    *self = (WlTuneGoal){.name = g_strdup(formula),
                         .formula = g_strdup(formula),
                         .is_maximum = is_maximum};
    return true;
}

bool tune_goals_parse(WlTuneGoal goals[2], const char *text, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);

    if (g_strv_length(parts) != 2) {
        return option_refuse(OPTION, text, ALLOWED, error);
    }
    for (guint i = 0; i < 2; i++) {
        if (!parse_known(&goals[i], parts[i]) &&
            !parse_formula(&goals[i], parts[i], error)) {
            return false;
        }
    }
    return !g_str_equal(goals[0].formula, goals[1].formula) ||
           option_refuse(OPTION, text, "two different numbers", error);
}

void tune_goals_clear(WlTuneGoal goals[2])
{
    for (guint i = 0; i < 2; i++) {
        g_clear_pointer(&goals[i].name, g_free);
        g_clear_pointer(&goals[i].formula, g_free);
    }
}

const char *tune_goal_way(const WlTuneGoal *self)
{
    return self->is_maximum ? "most" : "least";
}
