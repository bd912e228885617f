/* Records links: consecutive flits make one slice. */
#include "arch/noc/network.h"
#include "arch/noc/set.h"

/* Flits of one link, one in each cycle. */
typedef struct {
    SimTime begin;
    SimTime end; /* `begin`: none */
} Run;

struct NocLinkProbe {
    SimRegion *region;
    SimLane first;
    guint unit_count; /* of a node: its directions */
    Run *runs;        /* by node and direction */
    NocSet kept;      /* runs that are not handed over */
};

NocLinkProbe *noc_link_probe_new(SimRegion *region, SimLane first, const NocGrid *grid)
{
    NocLinkProbe *self = g_new0(NocLinkProbe, 1);
    const gsize links = (gsize) grid->node_count * grid->local;

    self->region = region;
    self->first = first;
    self->unit_count = grid->local;
    self->runs = g_new0(Run, links);
    noc_set_init(&self->kept, links);
    return self;
}

void noc_link_probe_free(NocLinkProbe *self)
{
    if (self != NULL) {
        noc_set_clear(&self->kept);
        g_free(self->runs);
        g_free(self);
    }
}

static void hand_over(const NocLinkProbe *self, uint32_t link)
{
    const Run *run = &self->runs[link];

    if (run->end > run->begin) {
        sim_region_slice(self->region, self->first + link, "flits", run->begin,
                         run->end, NULL);
    }
}

void noc_link_probe_flit(NocLinkProbe *self, uint32_t node, guint port, SimTime now)
{
    if (port == self->unit_count) {
        return;
    }
    const uint32_t link = node * self->unit_count + port;
    Run *run = &self->runs[link];

    if (run->end != now) {
        hand_over(self, link);
        run->begin = now;
        noc_set_add(&self->kept, link);
    }
    run->end = now + 1;
}

void noc_link_probe_flush(NocLinkProbe *self)
{
    for (guint word = 0; word < self->kept.word_count; word++) {
        for (uint64_t bits = self->kept.words[word]; bits != 0; bits &= bits - 1) {
            const uint32_t link = word * NOC_WORD + (uint32_t) __builtin_ctzll(bits);

            hand_over(self, link);
            self->runs[link].begin = self->runs[link].end;
        }
        self->kept.words[word] = 0;
    }
}
