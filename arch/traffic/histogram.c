/* Counts small numbers in bins of their own, and keeps the few large ones as they are.
 */
#include "arch/traffic/histogram.h"

#include <math.h>

#include "sim/compare.h"
#include "sim/narrow.h"

enum {
    BINS_MAXIMUM = 1 << 20,
};

void noc_histogram_init(NocHistogram *self)
{
    *self = (NocHistogram){0};
    self->bins = g_array_new(FALSE, TRUE, sizeof(uint64_t));
    self->large = g_array_new(FALSE, FALSE, sizeof(uint64_t));
}

void noc_histogram_clear(NocHistogram *self)
{
    g_clear_pointer(&self->bins, g_array_unref);
    g_clear_pointer(&self->large, g_array_unref);
}

void noc_histogram_reset(NocHistogram *self)
{
    g_array_set_size(self->bins, 0);
    g_array_set_size(self->large, 0);
    self->count = 0;
    self->sum = 0;
    self->maximum = 0;
}

void noc_histogram_add(NocHistogram *self, uint64_t value)
{
    self->count++;
    self->sum += value;
    self->maximum = MAX(self->maximum, value);
    if (value >= BINS_MAXIMUM) {
        g_array_append_val(self->large, value);
        return;
    }
    if (value >= self->bins->len) {
        g_array_set_size(self->bins, sim_u32(value) + 1);
    }
    g_array_index(self->bins, uint64_t, value)++;
}

double noc_histogram_mean(const NocHistogram *self)
{
    return self->count > 0 ? (double) self->sum / (double) self->count : NAN;
}

uint64_t noc_histogram_percentile(NocHistogram *self, guint percent)
{
    const uint64_t rank =
        self->count / 100 * percent + (self->count % 100 * percent + 99) / 100;
    uint64_t passed = 0;

    for (guint value = 0; value < self->bins->len; value++) {
        passed += g_array_index(self->bins, uint64_t, value);
        if (passed >= rank) {
            return value;
        }
    }
    if (self->large->len == 0) {
        return 0;
    }
    g_array_sort(self->large, sim_compare_times);
    return g_array_index(self->large, uint64_t, MAX(rank - passed, 1) - 1);
}
