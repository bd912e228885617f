/* The engine's self-checks: time never goes back, and what the parts of a chip check.
 */
#include "sim/error.h"
#include "sim/parallel/engine_state.h"

static void check_times(SimEngine *self, GPtrArray *lines)
{
    for (guint i = 0; i < self->config.region_count; i++) {
        SimRegion *region = &self->regions[i];

        if (region->now < region->checked) {
            g_ptr_array_add(lines, g_strdup_printf("region %u: time goes back from "
                                                   "cycle %" G_GUINT64_FORMAT,
                                                   i, region->checked));
        }
        region->checked = region->now;
    }
}

bool engine_check(SimEngine *self, GError **error)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

    if (!self->is_checking) {
        return true;
    }
    check_times(self, lines);
    for (guint i = 0; i < self->checks->len; i++) {
        const Audit *check = &g_array_index(self->checks, Audit, i);

        check->func(check->data, lines);
    }
    if (lines->len == 0) {
        return true;
    }
    g_ptr_array_add(lines, NULL);
    g_autofree char *list = g_strjoinv("\n  ", (char **) lines->pdata);

    g_set_error(error, SIM_ERROR, SIM_ERROR_INVARIANT,
                "self-check at cycle %" G_GUINT64_FORMAT ":\n  %s",
                sim_engine_now(self), list);
    return false;
}
