/* Hands commands over: a slot in the queue first, then the time from the core to the
 * network. */
#include "arch/noc/handover.h"

static void hand_over(SimRegion *region, gpointer data)
{
    const NocHandover *self = data;

    (void) region;
    arch_wormhole_noc_issue(self->noc, &self->command);
}

bool noc_handover_issue(NocHandover *self, SimTime command_cycles, SimProcess *process)
{
    SimRegion *region = sim_process_region(process);

    if (!arch_wormhole_noc_reserve(self->noc, &self->command, process)) {
        return false;
    }
    sim_region_at(region, sim_region_now(region) + command_cycles,
                  sim_process_key(process), hand_over, self);
    return true;
}
