/* A port of the chip: slots for outgoing messages, and workers that handle messages one
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
    ArchMover *mover;     /* its owner; NULL if that is gone */
    uint64_t bytes_left;  /* that have not reached the port yet */
    GList link;           /* in its mover's packets */
} TensixPortPacket;

/* Fails with ARCH_ERROR_INVALID if the chip has no such port. */
bool tensix_port_check(const ArchParams *params, ArchPort which, GError **error);

/* `which` must pass tensix_port_check(). Call it before or between runs. */
TensixPort *tensix_port_new(ArchTensix *tensix, ArchPort which);
void tensix_port_free(TensixPort *self); /* accepts NULL */

const char *tensix_port_name(const TensixPort *self); /* ethernet port 3 */
ArchTile tensix_port_tile(const TensixPort *self);
uint64_t tensix_port_slot_bytes(const TensixPort *self);
/* Bytes on the wire for a message of `bytes`. */
uint64_t tensix_port_wire_bytes(const TensixPort *self, uint64_t bytes);

/* Takes a slot. Returns false if there is none; `process` is then woken when its turn
 * comes. */
bool tensix_port_take_slot(TensixPort *self, SimProcess *process);

/* Puts a message into a slot that was taken. Takes `message`. */
TensixPortPacket *
tensix_port_packet_new(TensixPort *self, ArchMessage *message, ArchMover *mover);

/* Records that bytes of the packet have reached the port; `data` may be NULL. Work on
 * it begins after the last byte. */
void tensix_port_packet_arrive(TensixPortPacket *packet,
                               uint64_t offset,
                               const guint8 *data,
                               uint64_t bytes);

/* The oldest outgoing message leaves at `when`; an incoming one arrives at `when`. The
 * second takes `message`. */
void tensix_port_left(TensixPort *self, SimTime when);
void tensix_port_deliver(TensixPort *self, ArchMessage *message, SimTime when);
