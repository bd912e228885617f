/* Reads goals. */
#include <string.h>

#include "tools/gridloom/option_value.h"
#include "tools/gridloom/tune/options.h"
#include "traces/suite/formula.h"

#define OPTION "--objective"
#define ALLOWED                                                                        \
    "two of performance, resources, bram, uram, dsp, ff, lut, energy, seconds, or "    \
    "max:FORMULA, min:FORMULA of a result's numbers"

static const struct {
    const char *name;
    const char *formula;
    const char *words; /* with the unit */
    bool is_maximum;
} known[] = {
    {"performance", "metrics.gflops", "performance, GFLOP/s", true},
    {"resources", "metrics.resource_percent",
     "resources, % of the chip, mean of all kinds", false},
    {"bram", "metrics.resources.BRAM", "BRAM, % of the chip", false},
    {"uram", "metrics.resources.URAM", "URAM, % of the chip", false},
    {"dsp", "metrics.resources.DSP", "DSP, % of the chip", false},
    {"ff", "metrics.resources.FF", "flip-flops, % of the chip", false},
    {"lut", "metrics.resources.LUT", "LUT, % of the chip", false},
    {"energy", "metrics.gflops_per_watt", "energy efficiency, GFLOP/s/W", true},
    {"seconds", "seconds", "time, s", false},
};

/* The index of a known name; their number if it is unknown. */
static gsize find_known(const char *name)
{
    gsize i = 0;

    while (i < G_N_ELEMENTS(known) && !g_str_equal(known[i].name, name)) {
        i++;
    }
    return i;
}

const char *tune_goal_words(const WlTuneGoal *self)
{
    const gsize i = find_known(self->name);

    return i < G_N_ELEMENTS(known) ? known[i].words : self->name;
}

static bool parse_known(WlTuneGoal *self, const char *text)
{
    const gsize i = find_known(text);

    if (i == G_N_ELEMENTS(known)) {
        return false;
    }
    *self = (WlTuneGoal){.name = g_strdup(text),
                         .formula = g_strdup(known[i].formula),
                         .is_maximum = known[i].is_maximum};
    return true;
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
