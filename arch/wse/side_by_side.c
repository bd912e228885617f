/* Lets each thread do what it can of any band: those that nobody else is at, rather the
 * one it was at before. A thread that does not run keeps the others waiting only for
 * the band that it is at. */
#include "arch/wse/side_by_side.h"

#include <stdatomic.h>

#include "arch/wse/region.h"
#include "sim/crew.h"

enum {
    APART = 128, /* bytes: no two bands share lines of the host's cache */
};

typedef struct {
    _Alignas(APART) atomic_uint done; /* parts */
    atomic_flag is_claimed;           /* a thread is at it */
} Band;

typedef struct {
    WseFabric *fabric;
    uint32_t first;
    atomic_uint parts; /* that each band is to do */
    Band bands[WSE_MOST_BANDS];
} Run;

/* Parts that a band has done; one beside the wafer keeps nobody waiting. */
static guint done_by(Run *self, guint band)
{
    return band < self->fabric->bands.band_count
               ? atomic_load_explicit(&self->bands[band].done, memory_order_acquire)
               : G_MAXUINT;
}

static bool may_begin(Run *self, guint band, guint done)
{
    return done < atomic_load_explicit(&self->parts, memory_order_relaxed) &&
           wse_bands_may_begin(band, done, done_by(self, band - 1),
                               done_by(self, band + 1));
}

static void visit(WseRegion *region, guint first, guint end, uint32_t now)
{
    for (guint strip = first; strip < end; strip++) {
        wse_region_visit(region, strip, now);
    }
}

/* No band does more than the cycle of which this was a part. */
static void end_with(Run *self, guint part)
{
    const guint parts = part - part % WSE_BAND_PARTS + WSE_BAND_PARTS;
    guint before = atomic_load(&self->parts);

    while (parts < before &&
           !atomic_compare_exchange_weak(&self->parts, &before, parts)) {
    }
}

static void do_part(Run *self, guint band, guint part)
{
    const WseStrips all = wse_bands_all(&self->fabric->bands, band);
    const WseStrips middle = wse_bands_middle(&self->fabric->bands, band);
    WseRegion *region = &self->fabric->regions[band];
    const uint32_t now = self->first + part / WSE_BAND_PARTS;

    if (wse_bands_is_at_border(band, part)) {
        visit(region, all.first, middle.first, now);
        visit(region, middle.end, all.end, now);
    } else {
        visit(region, middle.first, middle.end, now);
    }
    if (region->failure != NULL) {
        end_with(self, part);
    }
}

/* Does what can be done of a band. False if that is nothing, or somebody is at it. */
static bool go_on(Run *self, guint number)
{
    Band *band = &self->bands[number];

    if (!may_begin(self, number, done_by(self, number)) ||
        atomic_flag_test_and_set_explicit(&band->is_claimed, memory_order_acquire)) {
        return false;
    }
    const guint before = done_by(self, number);
    guint done = before;

    while (may_begin(self, number, done)) {
        do_part(self, number, done);
        done++;
        atomic_store_explicit(&band->done, done, memory_order_release);
    }
    atomic_flag_clear_explicit(&band->is_claimed, memory_order_release);
    return done > before;
}

static bool is_over(Run *self)
{
    const guint parts = atomic_load(&self->parts);
    bool is_over = true;

    for (guint band = 0; band < self->fabric->bands.band_count; band++) {
        is_over = is_over && done_by(self, band) >= parts;
    }
    return is_over;
}

/* What a thread does. */
static void take_part(gpointer data, guint job)
{
    Run *self = data;
    const guint count = self->fabric->bands.band_count;
    guint band = job;
    guint missed = 0;

    while (!is_over(self)) {
        if (go_on(self, band)) {
            missed = 0;
            continue;
        }
        band = band + 1 == count ? 0 : band + 1;
        if (++missed % count == 0) {
            sim_crew_pause(missed / count);
        }
    }
}

void wse_side_by_side_run(WseFabric *fabric, uint32_t first, uint32_t end)
{
    SimCrew *crew = sim_engine_crew(fabric->engine);
    const guint count = fabric->bands.band_count;
    Run run;

    run.fabric = fabric;
    run.first = first;
    atomic_init(&run.parts, WSE_BAND_PARTS * (end - first));
    for (guint i = 0; i < count; i++) {
        atomic_init(&run.bands[i].done, 0);
        atomic_flag_clear(&run.bands[i].is_claimed);
    }
    sim_crew_run(crew, MIN(count, sim_crew_threads(crew)), take_part, &run);
}
