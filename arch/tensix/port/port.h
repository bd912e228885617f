/* A port of the chip: slots for messages that leave, and who works on messages, one
 * after another: the RISC-V of an Ethernet tile, or the two sides of the PCIe tile. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/border/fabric.h"
#include "arch/tensix_mover.h"
#include "sim/process.h"

typedef struct TensixPort TensixPort;

/* A message in a slot, from its kernel until it has left. */
typedef struct {
    TensixPort *port;
    ArchMessage *message; /* NULL once it is handed over */
    ArchMover *mover;     /* whose it is; NULL: that is gone */
    uint64_t bytes_left;  /* that are yet to come to the port */
    GList link;           /* in its mover's packets */
} TensixPortPacket;

/* Fails with ARCH_ERROR_INVALID where the chip has no such port. */
bool tensix_port_check(const ArchParams *params, ArchPort which, GError **error);

/* As tensix_port_check() allows. Before or between runs. */
TensixPort *tensix_port_new(ArchTensix *tensix, ArchPort which);
void tensix_port_free(TensixPort *self); /* accepts NULL */

const char *tensix_port_name(const TensixPort *self); /* ethernet port 3 */
ArchTile tensix_port_tile(const TensixPort *self);
uint64_t tensix_port_slot_bytes(const TensixPort *self);
/* What goes over the wire for so many bytes. */
uint64_t tensix_port_wire_bytes(const TensixPort *self, uint64_t bytes);

/* A slot. False when there is none: then `process` is woken when its turn comes. */
bool tensix_port_take_slot(TensixPort *self, SimProcess *process);

/* What is in a slot that was taken; takes `message`. */
TensixPortPacket *
tensix_port_packet_new(TensixPort *self, ArchMessage *message, ArchMover *mover);

/* So many bytes of it have come to the port, where `data` may be NULL; after the last
 * of them it is worked on. */
void tensix_port_packet_arrive(TensixPortPacket *packet,
                               uint64_t offset,
                               const guint8 *data,
                               uint64_t bytes);

/* The message that left first has done so at `when`; one comes in then, taken. */
void tensix_port_left(TensixPort *self, SimTime when);
void tensix_port_deliver(TensixPort *self, ArchMessage *message, SimTime when);
