/* Asks the networks to call back before the first cycle beyond a window. */
#include "arch/noc/recorder.h"

#include "arch/noc/niu.h"

enum {
    WINDOW_CYCLES = 32, /* at first */
    WINDOWS_MAXIMUM = 16,
};

struct NocRecorder {
    ArchWormholeNoc *noc;
    NocWindows windows;
    SimTime width; /* of a window */
};

/* Where the window under way ends. */
static SimTime next_bound(const NocRecorder *self)
{
    return noc_windows_bound(&self->windows, noc_windows_count(&self->windows)) +
           self->width;
}

static void add_bound(NocRecorder *self, SimTime bound)
{
    uint64_t *flits = noc_windows_add(&self->windows, bound);

    for (guint i = 0; i < NOC_NIU_NOCS; i++) {
        const NocNiuNoc *noc = &self->noc->nocs[i];

        for (guint link = 0; link < noc_grid_link_count(noc->grid); link++) {
            *flits++ = noc_network_flits(
                noc->network, noc->grid->links[link] / noc->grid->port_count,
                noc->grid->links[link] % noc->grid->port_count);
        }
    }
}

static void watch(NocRecorder *self);

/* Nothing has moved since the end of the window: else this had been called then. */
static void record(gpointer data, SimTime now)
{
    NocRecorder *self = data;

    while (next_bound(self) <= now) {
        add_bound(self, next_bound(self));
        if (noc_windows_count(&self->windows) == WINDOWS_MAXIMUM) {
            noc_windows_merge(&self->windows);
            self->width *= 2;
        }
    }
    watch(self);
}

static void watch(NocRecorder *self)
{
    for (guint i = 0; i < NOC_NIU_NOCS; i++) {
        noc_network_watch(self->noc->nocs[i].network, next_bound(self), record, self);
    }
}

NocRecorder *noc_recorder_new(ArchWormholeNoc *noc)
{
    NocRecorder *self = g_new0(NocRecorder, 1);
    guint links = 0;

    self->noc = noc;
    self->width = WINDOW_CYCLES;
    for (guint i = 0; i < NOC_NIU_NOCS; i++) {
        links += noc_grid_link_count(noc->nocs[i].grid);
    }
    noc_windows_init(&self->windows, links);
    add_bound(self, 0);
    watch(self);
    return self;
}

void noc_recorder_free(NocRecorder *self)
{
    if (self != NULL) {
        for (guint i = 0; i < NOC_NIU_NOCS; i++) {
            noc_network_watch(self->noc->nocs[i].network, SIM_TIME_NEVER, NULL, NULL);
        }
        noc_windows_clear(&self->windows);
        g_free(self);
    }
}

/* The cycle after the last in which a network did anything. */
static SimTime quiet_since(const NocRecorder *self)
{
    SimTime quiet = 0;

    for (guint i = 0; i < NOC_NIU_NOCS; i++) {
        quiet = MAX(quiet, noc_network_quiet_since(self->noc->nocs[i].network));
    }
    return quiet;
}

ArchNocWindows noc_recorder_finish(NocRecorder *self, SimTime end)
{
    end = MAX(end, quiet_since(self));
    record(self, end);
    if (noc_windows_bound(&self->windows, noc_windows_count(&self->windows)) < end) {
        add_bound(self, end);
    }
    return noc_windows_report(&self->windows);
}
