/* Chooses the rates of traffic. */
#include "arch/traffic/rates.h"

#include <math.h>

#define DIGITS 1e12 /* to which rates are rounded */
#define SLACK  1e-9 /* of a gap, which is no number of binary digits */

static double rounded(double rate)
{
    return round(rate * DIGITS) / DIGITS;
}

double arch_noc_rates_at(const ArchNocRates *self, guint index)
{
    const double rate = self->first + index * self->step;

    return self->count > 1 ? rounded(rate) : rate;
}

guint arch_noc_rates_most(const ArchNocRates *self)
{
    const double gap = fmax(self->first, self->step);
    guint halvings = 0;

    if (self->resolution == 0) {
        return self->count;
    }
    while (gap / (double) (UINT64_C(1) << halvings) > self->resolution) {
        halvings++;
    }
    return self->count + 1 + halvings;
}

/* The middle of a gap, on a multiple of the resolution if one lies inside. */
static double middle(const ArchNocRates *self, double low, double high)
{
    const double half = (low + high) / 2;
    const double near = rounded(round(half / self->resolution) * self->resolution);

    return near > low && near < high ? near : rounded(half);
}

bool arch_noc_rates_next(const ArchNocRates *self,
                         const ArchNocTrafficPoints *points,
                         double *rate)
{
    const double high = points->saturation;
    const double low = arch_noc_traffic_points_lower(points);
    const double top = arch_noc_rates_at(self, self->count - 1);
    const guint done = points->list->len;

    if (self->resolution == 0 || isnan(high)) {
        *rate = arch_noc_rates_at(self, done);
        return done < self->count;
    }
    if (arch_noc_traffic_points_last(points)->rate < top) {
        *rate = top;
        return true;
    }
    *rate = middle(self, low, high);
    return high - low > self->resolution * (1 + SLACK) && *rate > low && *rate < high;
}
