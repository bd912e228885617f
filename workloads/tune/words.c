/* Reads axes and windows, and tells what is searched. */
#include <string.h>

#include "sim/narrow.h"
#include "workloads/tune_words.h"

static const char axis_names[WL_TUNE_AXES + 1] = "xyz";

bool wl_tune_axes_parse(const char *text, guint *mask)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);

    *mask = 0;
    for (char **part = parts; *part != NULL; part++) {
        const char *at = strlen(*part) == 1 ? strchr(axis_names, **part) : NULL;
        const guint bit = at != NULL ? 1U << (at - axis_names) : 0;

        if (bit == 0 || (*mask & bit) != 0) {
            return false;
        }
        *mask |= bit;
    }
    return *mask != 0;
}

bool wl_tune_window_parse(WlTuneWindow *self,
                          const WlTuneSpace *space,
                          const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, "x", -1);
    const guint count = g_strv_length(parts);
    bool is_good = count == wl_tune_space_axis_count(space) || count == WL_TUNE_AXES;

    *self = (WlTuneWindow){{0}};
    for (guint i = 0; is_good && i < count; i++) {
        const guint axis =
            count == WL_TUNE_AXES ? i : wl_tune_space_axis(space, i)->axis;
        guint64 size = 0;

        is_good = g_ascii_string_to_unsigned(parts[i], 10, 1, G_MAXINT32, &size, NULL);
        self->sizes[axis] = sim_u32(size);
    }
    return is_good;
}

char *wl_tune_window_allowed(const WlTuneSpace *space)
{
    static const char *const examples[WL_TUNE_AXES] = {"64", "64x2", "64x2x64"};
    const guint count = wl_tune_space_axis_count(space);
    const bool is_all = count == WL_TUNE_AXES;

    return g_strdup_printf("a size for each axis, as %s%s%s", examples[count - 1],
                           is_all ? "" : " or ",
                           is_all ? "" : examples[WL_TUNE_AXES - 1]);
}

char *wl_tune_axes_text(const WlTuneSpace *space)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < wl_tune_space_axis_count(space); i++) {
        g_string_append_printf(text, "%s%c", i > 0 ? ", " : "",
                               axis_names[wl_tune_space_axis(space, i)->axis]);
    }
    return g_string_free(text, FALSE);
}

char *wl_tune_search_text(const WlTuneTask *task, WlTuneSizes sizes, const char *by)
{
    static const char *const kinds[] = {[WL_TUNE_POWERS] = "powers of two",
                                        [WL_TUNE_DIVISORS] = "divisors of the grid",
                                        [WL_TUNE_ALL] = "all sizes"};
    const uint64_t count = wl_tune_space_count(task->space);
    g_autoptr(GString) windows = g_string_new(NULL);
    guint first = 0;
    const guint budget = wl_tune_budget(task, &first);

    g_string_append_printf(windows, "%" G_GUINT64_FORMAT " windows with %s up to ",
                           count, kinds[sizes]);
    for (guint i = 0; i < wl_tune_space_axis_count(task->space); i++) {
        g_string_append_printf(windows, "%s%u", i > 0 ? " x " : "",
                               wl_tune_space_axis(task->space, i)->domain);
    }
    if (by != NULL) {
        g_string_append_printf(windows, ", for each %s", by);
    }
    if (budget == count) {
        return g_strdup_printf("exhaustive: all %s", windows->str);
    }
    return g_strdup_printf("elitist search: %u of %s, seed %" G_GUINT64_FORMAT
                           "; %u at random, then generations of %d from the front "
                           "with another size along one axis",
                           budget, windows->str, task->seed, first, WL_TUNE_GENERATION);
}

const char *wl_tune_goal_way(const WlTuneGoal *self)
{
    return self->is_maximum ? "most" : "least";
}

char *wl_tune_rule_text(const WlTuneTask *task)
{
    const WlTuneGoal *goals = task->goals;

    return g_strdup_printf("the %s %s within %g %% of the %s %s on the front",
                           wl_tune_goal_way(&goals[1]), goals[1].name,
                           task->within_percent, wl_tune_goal_way(&goals[0]),
                           goals[0].name);
}
