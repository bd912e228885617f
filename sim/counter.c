/* Counters: one array per region, so that counting needs no lock. */
#include "sim/counter.h"

#include "sim/parallel/engine_state.h"

SimCounter sim_engine_counter(SimEngine *self, const char *name)
{
    guint index;

    for (index = 0; index < self->counters->len; index++) {
        if (g_str_equal(g_ptr_array_index(self->counters, index), name)) {
            return index;
        }
    }
    g_ptr_array_add(self->counters, g_strdup(name));
    for (guint i = 0; i < self->config.region_count; i++) {
        g_array_set_size(self->regions[i].counters, index + 1);
    }
    return index;
}

guint sim_engine_counter_count(const SimEngine *self)
{
    return self->counters->len;
}

const char *sim_engine_counter_name(const SimEngine *self, SimCounter counter)
{
    g_return_val_if_fail(counter < self->counters->len, NULL);

    return g_ptr_array_index(self->counters, counter);
}

uint64_t sim_engine_counter_total(const SimEngine *self, SimCounter counter)
{
    uint64_t total = 0;

    g_return_val_if_fail(counter < self->counters->len, 0);
    for (guint i = 0; i < self->config.region_count; i++) {
        total += g_array_index(self->regions[i].counters, uint64_t, counter);
    }
    return total;
}

void sim_region_count(SimRegion *self, SimCounter counter, uint64_t amount)
{
    g_return_if_fail(counter < self->counters->len);

    g_array_index(self->counters, uint64_t, counter) += amount;
}
