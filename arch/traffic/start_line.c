/* Holds the cores of a kernel until all of them have come. */
#include "arch/traffic/start_line.h"

enum {
    START_VC = 1, /* tt-metal's choice */
    WORD_BYTES = 4,
};

typedef enum {
    PLACE_ARRIVE,
    PLACE_ARRIVED,
    PLACE_READ,
    PLACE_WAIT,
    PLACE_LOOK,
} Place;

void arch_start_line_init(ArchStartLine *self,
                          const ArchTransferConfig *config,
                          const ArchParams *params,
                          const ArchWormholeNoc *noc)
{
    *self = (ArchStartLine){
        .config = config,
        .atomic_cost = arch_params_ratio(params, "issue.atomic_cycles"),
        .read_cost = arch_params_ratio(params, "issue.read_old_api_cycles"),
        .hop_cycles = arch_params_uint(params, "noc.hop_cycles"),
        .end_cycles = arch_params_uint(params, "niu.inject_cycles") +
                      arch_params_uint(params, "niu.eject_cycles"),
        .poll_cycles = arch_params_uint(params, "issue.barrier_poll_cycles"),
        .width = arch_wormhole_noc_width(noc),
        .height = arch_wormhole_noc_height(noc),
    };
}

void arch_start_line_arrive(ArchStartLine *self, SimTime now)
{
    self->arrival_count++;
    self->last_arrival = now;
}

/* From the first core to this one: NoC 1 goes the other way around. */
static SimTime answer_cycles(const ArchStartPlace *self)
{
    const ArchStartLine *line = self->line;
    const ArchTile first = line->config->agents[0].core;
    const ArchTile from = line->config->noc == 0 ? first : self->core;
    const ArchTile to = line->config->noc == 0 ? self->core : first;
    const guint hops = (to.x + line->width - from.x) % line->width +
                       (to.y + line->height - from.y) % line->height;

    return line->end_cycles + hops * line->hop_cycles;
}

/* Had all cores arrived when the answer left the first one? */
static bool is_open(const ArchStartPlace *self, SimTime now)
{
    const ArchStartLine *line = self->line;

    return line->arrival_count == line->config->agent_count &&
           line->last_arrival + answer_cycles(self) + line->poll_cycles <= now;
}

static ArchAction issue(const ArchStartPlace *self, bool is_arrival)
{
    const ArchStartLine *line = self->line;

    return (ArchAction){
        .kind = ARCH_ACTION_ISSUE,
        .command = {.op = is_arrival ? ARCH_NOC_ATOMIC : ARCH_NOC_READ,
                    .noc = line->config->noc,
                    .vc = START_VC,
                    .from = self->core,
                    .to = line->config->agents[0].core,
                    .bytes = WORD_BYTES},
        .is_signal = is_arrival,
        .cost = is_arrival ? line->atomic_cost : line->read_cost,
    };
}

ArchAction arch_start_place_next(ArchStartPlace *self, SimTime now)
{
    if (self->step == PLACE_LOOK) {
        if (is_open(self, now)) {
            return (ArchAction){.kind = ARCH_ACTION_END};
        }
        self->step = PLACE_READ;
    }
    switch (self->step++) {
    case PLACE_ARRIVE:
        return issue(self, true);
    case PLACE_READ:
        return issue(self, false);
    default:
        return (ArchAction){.kind = ARCH_ACTION_BARRIER};
    }
}
