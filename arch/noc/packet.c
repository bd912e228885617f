/* Keeps the table of packets under way. */
#include "arch/noc/packet.h"

void noc_packets_init(NocPackets *self)
{
    *self = (NocPackets){.first_free = NOC_PACKET_NONE};
}

void noc_packets_clear(NocPackets *self)
{
    g_free(self->packets);
    noc_packets_init(self);
}

uint32_t noc_packets_add(NocPackets *self, const NocPacket *packet)
{
    uint32_t index = self->first_free;

    if (index != NOC_PACKET_NONE) {
        self->first_free = self->packets[index].next_free;
    } else {
        if (self->count == self->capacity) {
            self->capacity = self->capacity == 0 ? 256 : self->capacity * 2;
            self->packets = g_renew(NocPacket, self->packets, self->capacity);
        }
        index = self->count++;
    }
    self->packets[index] = *packet;
    return index;
}

void noc_packets_remove(NocPackets *self, uint32_t index)
{
    self->packets[index].next_free = self->first_free;
    self->first_free = index;
}
