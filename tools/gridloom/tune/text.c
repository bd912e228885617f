/* What a tuning was, in words. */
#include "tools/gridloom/tune/result.h"
#include "tools/gridloom/tune/search.h"

static char *axes_text(const TuneSpace *space)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < tune_space_axis_count(space); i++) {
        g_string_append_printf(text, "%s%c", i > 0 ? ", " : "",
                               (char) ('x' + tune_space_axis(space, i)->axis));
    }
    return g_string_free(text, FALSE);
}

static char *domain_text(const TuneSpace *space)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < tune_space_axis_count(space); i++) {
        g_string_append_printf(text, "%s%u", i > 0 ? " x " : "",
                               tune_space_axis(space, i)->domain);
    }
    return g_string_free(text, FALSE);
}

char *tune_title(const TuneStudy *self)
{
    const TuneOptions *options = self->plan->options;
    g_autofree char *axes = axes_text(self->plan->space);

    return g_strdup_printf("%s on %s: windows along %s; %s (%s) and %s (%s)",
                           options->name, self->plan->chip, axes,
                           options->goals[0].name, tune_goal_way(&options->goals[0]),
                           options->goals[1].name, tune_goal_way(&options->goals[1]));
}

char *tune_search_text(const TuneStudy *self)
{
    static const char *const kinds[] = {[TUNE_SIZES_POWERS] = "powers of two",
                                        [TUNE_SIZES_DIVISORS] = "divisors of the grid",
                                        [TUNE_SIZES_ALL] = "all sizes"};
    const TuneOptions *options = self->plan->options;
    g_autofree char *domain = domain_text(self->plan->space);
    const guint64 count = tune_space_count(self->plan->space);
    const char *each = self->plan->group_count > 1 ? ", for each " : "";
    const char *by = self->plan->group_count > 1 ? options->by : "";

    if (self->is_exhaustive) {
        return g_strdup_printf("exhaustive: all %" G_GUINT64_FORMAT
                               " windows with %s up to %s%s%s",
                               count, kinds[options->sizes], domain, each, by);
    }
    return g_strdup_printf("elitist search: %u of %" G_GUINT64_FORMAT
                           " windows with %s up to %s%s%s, seed %" G_GUINT64_FORMAT
                           "; %u at random, then generations of %d from the front "
                           "with another size along one axis",
                           self->budget, count, kinds[options->sizes], domain, each, by,
                           options->seed, self->first, TUNE_GENERATION);
}

char *tune_rule_text(const TuneStudy *self)
{
    const TuneOptions *options = self->plan->options;

    return g_strdup_printf("the %s %s within %g %% of the %s %s on the front",
                           tune_goal_way(&options->goals[1]), options->goals[1].name,
                           options->within_percent, tune_goal_way(&options->goals[0]),
                           options->goals[0].name);
}
