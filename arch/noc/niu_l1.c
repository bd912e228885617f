/* Takes the words of packets to the banks of an L1, and from them. */
#include "arch/noc/niu_l1.h"

#include "sim/narrow.h"

SimTime noc_niu_l1_wait(const NocNiuNoc *noc,
                        uint32_t node,
                        const NocPacket *packet,
                        bool is_in,
                        SimTime now)
{
    const ArchWormholeNoc *self = noc->owner;
    NocNiuTransaction *transaction = packet->data;
    const ArchNocCommand *command = &transaction->command;
    const bool is_at_target = is_in != transaction->is_response;
    /* Those of a multicast arrive at all its tiles at about the same time. */
    const uint32_t flit = is_in
                              ? transaction->written_flits++ / MAX(packet->targets, 1U)
                              : transaction->read_flits++;
    const uint64_t offset = (uint64_t) flit * self->flit_bytes;
    uint64_t left = MIN(command->bytes - MIN(command->bytes, offset), self->flit_bytes);
    ArchL1Access access = {
        .op = is_in ? ARCH_L1_WRITE : ARCH_L1_READ,
        .port = self->l1_ports[noc->index][is_in ? 0 : 1],
        .address = (is_at_target ? command->to_address : command->from_address) +
                   sim_u32(offset),
    };
    SimTime done = now + 1;

    for (; left > 0; access.port++) {
        access.bytes = sim_u32(MIN(left, self->l1_word_bytes));
        SimTime served = arch_l1_banks_access(self->l1s[node], &access, now);

        done = MAX(done, served);
        access.address += access.bytes;
        left -= access.bytes;
    }
    return done - now - 1;
}

void noc_niu_change_word(const NocNiuNoc *noc,
                         uint32_t node,
                         const ArchNocCommand *command,
                         SimTime now)
{
    const ArchWormholeNoc *self = noc->owner;
    const ArchL1Access access = {
        .op = ARCH_L1_ATOMIC,
        .port = self->l1_ports[noc->index][0],
        .address = command->to_address,
        .bytes = 1,
    };

    if (self->l1s[node] != NULL) {
        (void) arch_l1_banks_access(self->l1s[node], &access, now);
    }
}
