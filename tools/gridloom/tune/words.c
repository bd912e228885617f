/* Reads goals, axes and windows. */
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

/* Which of them; as many as there are: none. */
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

const char *tune_goal_way(const WlTuneGoal *self)
{
    return self->is_maximum ? "most" : "least";
}

static const char axis_names[WL_TUNE_AXES + 1] = "xyz";

bool tune_axes_parse(const char *text, guint *mask, GError **error)
{
    static const char *const allowed = "axes of x, y, z, each once: x,y or x,y,z";
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);

    *mask = 0;
    for (char **part = parts; *part != NULL; part++) {
        const char *at = strlen(*part) == 1 ? strchr(axis_names, **part) : NULL;
        const guint bit = at != NULL ? 1U << (at - axis_names) : 0;

        if (bit == 0 || (*mask & bit) != 0) {
            return option_refuse("--window", text, allowed, error);
        }
        *mask |= bit;
    }
    return *mask != 0 || option_refuse("--window", text, allowed, error);
}

bool tune_window_parse(WlTuneWindow *self,
                       const WlTuneSpace *space,
                       const char *option,
                       const char *text,
                       GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, "x", -1);
    const guint count = g_strv_length(parts);
    const guint axis_count = wl_tune_space_axis_count(space);
    bool is_good = count == axis_count || count == WL_TUNE_AXES;

    *self = (WlTuneWindow){{0}};
    for (guint i = 0; is_good && i < count; i++) {
        const guint axis =
            count == WL_TUNE_AXES ? i : wl_tune_space_axis(space, i)->axis;
        guint64 size = 0;

        is_good = g_ascii_string_to_unsigned(parts[i], 10, 1, G_MAXINT32, &size, NULL);
        self->sizes[axis] = (guint) size;
    }
    if (!is_good) {
        static const char *const examples[WL_TUNE_AXES] = {"64", "64x2", "64x2x64"};
        g_autofree char *allowed = g_strdup_printf(
            "a size for each axis, as %s%s%s", examples[axis_count - 1],
            axis_count < WL_TUNE_AXES ? " or " : "",
            axis_count < WL_TUNE_AXES ? examples[WL_TUNE_AXES - 1] : "");

        return option_refuse(option, text, allowed, error);
    }
    return true;
}
