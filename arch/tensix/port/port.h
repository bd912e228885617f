/* A port of the chip: slots for messages that leave, and who works on messages, one
 * after another: the RISC-V of an Ethernet tile, or the two sides of the PCIe tile. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/border/fabric.h"
#include "arch/tensix_mover.h"
#include "sim/process.h"

typedef struct Port Port;

/* A message in a slot, from its kernel until it has left. */
typedef struct {
    Port *port;
    ArchMessage *message; /* NULL once it is handed over */
    ArchMover *mover;     /* whose it is; NULL: that is gone */
    uint64_t bytes_left;  /* that are yet to come to the port */
    GList link;           /* in its mover's packets */
} PortPacket;

/* Fails with ARCH_ERROR_INVALID where the chip has no such port. */
bool port_check(const ArchParams *params, ArchPort which, GError **error);

/* As port_check() allows. Before or between runs. */
Port *port_new(ArchTensix *tensix, ArchPort which);
void port_free(Port *self); /* accepts NULL */

const char *port_name(const Port *self); /* ethernet port 3 */
ArchTile port_tile(const Port *self);
uint64_t port_slot_bytes(const Port *self);
/* What goes over the wire for so many bytes. */
uint64_t port_wire_bytes(const Port *self, uint64_t bytes);

/* A slot. False when there is none: then `process` is woken when its turn comes. */
bool port_take_slot(Port *self, SimProcess *process);

/* What is in a slot that was taken; takes `message`. */
PortPacket *port_packet_new(Port *self, ArchMessage *message, ArchMover *mover);

/* So many bytes of it have come to the port, where `data` may be NULL; after the last
 * of them it is worked on. */
void port_packet_arrive(PortPacket *packet,
                        uint64_t offset,
                        const guint8 *data,
                        uint64_t bytes);

/* The message that left first has done so at `when`; one comes in then, taken. */
void port_left(Port *self, SimTime when);
void port_deliver(Port *self, ArchMessage *message, SimTime when);
