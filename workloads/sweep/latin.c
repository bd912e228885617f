/* Deals strata of a range to samples, then draws within them. */
#include "workloads/sweep/latin.h"

#include "sim/narrow.h"
#include "sim/random.h"

/* 0..count-1 in any order; the caller frees it. */
static guint *shuffled(guint count, uint64_t *random)
{
    guint *parts = g_new(guint, count);

    for (guint i = 0; i < count; i++) {
        parts[i] = i;
    }
    for (guint i = count; i > 1; i--) {
        const guint other = sim_u32(sim_random_share(random) * i);
        const guint part = parts[i - 1];

        parts[i - 1] = parts[other];
        parts[other] = part;
    }
    return parts;
}

double *wl_latin_shares(guint count, uint64_t *random)
{
    g_autofree guint *parts = shuffled(count, random);
    double *shares = g_new(double, count);

    for (guint i = 0; i < count; i++) {
        shares[i] = (parts[i] + sim_random_share(random)) / count;
    }
    return shares;
}
