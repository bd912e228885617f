/* How messages leave and enter a chip: through the tiles of its ports, over the chip's
 * own network at both ends. The links between chips belong to the system. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "sim/engine.h"

typedef struct ArchFabric ArchFabric;

typedef enum {
    ARCH_PORT_ETHERNET, /* `channel` is the number of an Ethernet tile */
    ARCH_PORT_PCIE,     /* the PCIe tile; `channel` is 0 */
} ArchPortKind;

typedef struct {
    ArchPortKind kind;
    guint channel;
} ArchPort;

/* A route to another chip, as the system defines it. */
typedef struct {
    guint chip;   /* its number in the system */
    ArchPort out; /* where messages to it leave this chip */
    ArchPort in;  /* where they enter the other chip */
} ArchFabricRoute;

/* Data for a core of another chip, and an increment that follows it. Data larger than a
 * slot of the port is sent as several messages, in order; the last one carries the
 * increment. */
typedef struct {
    guint from_chip;
    guint to_chip;
    ArchPort out; /* where it leaves */
    ArchPort in;  /* where it enters the receiver */
    SimTime sent; /* when its last byte is ready to leave the port */
    guint x;      /* the core, logical */
    guint y;
    uint32_t address;    /* in its L1 */
    uint64_t bytes;      /* 0: the increment only */
    uint64_t wire_bytes; /* with headers, of all its packets */
    gpointer data;       /* NULL if `bytes` is 0 or data is not simulated */
    uint32_t semaphore;  /* address of the word to increment */
    uint32_t increment;  /* 0: none */
} ArchMessage;

void arch_message_free(ArchMessage *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchMessage, arch_message_free)

/* Takes the message. Called in an event of region 0. The message holds a slot of its
 * port until arch_fabric_left(). */
typedef void (*ArchFabricSendFunc)(gpointer data, ArchMessage *message);

/* Sets this chip's number in the system and its routes to the others. Call it once,
 * before the first program. `routes` is copied. Fails with ARCH_ERROR_INVALID if an
 * `out` is not on the chip, or if two routes lead to the same chip. */
bool arch_fabric_connect(ArchFabric *self,
                         guint chip,
                         const ArchFabricRoute *routes,
                         guint route_count,
                         GError **error);
void arch_fabric_set_send(ArchFabric *self, ArchFabricSendFunc func, gpointer data);
/* Sets the system's name and size for messages about unreachable chips. `name` is
 * copied. */
void arch_fabric_set_system(ArchFabric *self, const char *name, guint chip_count);
/* Fails with ARCH_ERROR_INVALID if the chip has no such port. Checks the `in` of other
 * chips' routes. */
bool arch_fabric_check_port(const ArchFabric *self, ArchPort port, GError **error);

/* The number of this chip in the system; 0 if it is not connected. */
guint arch_fabric_chip(const ArchFabric *self);

/* Chips of the system; 0 if unknown. */
guint arch_fabric_chip_count(const ArchFabric *self);

/* Fails with ARCH_ERROR_INVALID if no route leads to that chip. */
bool arch_fabric_check_route(const ArchFabric *self, guint chip, GError **error);

/* Whether arch_fabric_connect() was called: a connected chip may receive messages. */
bool arch_fabric_is_connected(const ArchFabric *self);

/* Reports that the last byte of a message has left: its slot is free from `when` on.
 * Messages leave a port in the order they were handed over. Call it between runs of the
 * engine or in an event of region 0. `when` must not be in the past. */
void arch_fabric_left(ArchFabric *self, ArchPort out, SimTime when);

/* Delivers a message from another chip at `when`, and takes it. Call it between runs of
 * the engine. `when` must not be in the past. */
void arch_fabric_deliver(ArchFabric *self, ArchMessage *message, SimTime when);
