/* Charges flits for sharing an L1; two accesses at most a cycle apart count as
 * simultaneous. */
#include "arch/noc/l1_share.h"

#include "arch/noc/cost.h"

NocL1Costs noc_l1_costs_read(const ArchParams *params, bool has_conflicts)
{
    NocL1Costs self = {
        .read = noc_cost_of(params, "niu.l1_read_cycles_per_flit"),
        .write = noc_cost_of(params, "niu.l1_write_cycles_per_flit"),
    };

    if (has_conflicts) {
        self.both_read = noc_cost_of(params, "niu.both_read_cycles_per_flit");
        self.both_write = noc_cost_of(params, "niu.both_write_cycles_per_flit");
        self.read_write = noc_cost_of(params, "niu.read_write_cycles_per_flit");
        self.same_noc = noc_cost_of(params, "niu.same_noc_cycles_per_flit");
    }
    return self;
}

static bool is_recent(SimTime access, SimTime now)
{
    return access + 1 > now && access != 0;
}

uint32_t noc_l1_share_access(
    NocL1Share *self, const NocL1Costs *costs, guint noc, bool is_write, SimTime now)
{
    const guint other = 1 - noc;
    uint32_t cost = is_write ? costs->write : costs->read;

    if (is_write) {
        self->written[noc] = now + 1;
        cost += is_recent(self->written[other], now) ? costs->both_write : 0;
        cost += is_recent(self->read[other], now) ? costs->read_write : 0;
        cost += is_recent(self->read[noc], now) ? costs->same_noc : 0;
    } else {
        self->read[noc] = now + 1;
        cost += is_recent(self->read[other], now) ? costs->both_read : 0;
        cost += is_recent(self->written[other], now) ? costs->read_write : 0;
        cost += is_recent(self->written[noc], now) ? costs->same_noc : 0;
    }
    return cost;
}
