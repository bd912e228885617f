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
    ARCH_PORT_ETHERNET, /* `channel` is that of an Ethernet tile */
    ARCH_PORT_PCIE,     /* the PCIe tile; `channel` is 0 */
} ArchPortKind;

typedef struct {
    ArchPortKind kind;
    guint channel;
} ArchPort;

/* The way to another chip, as the system has it. */
typedef struct {
    guint chip;   /* as the system counts */
    ArchPort out; /* where messages to it leave this chip */
    ArchPort in;  /* where they come in, over there */
} ArchFabricRoute;

/* Data for a core of another chip, and an increment that follows it. What is larger
 * than a slot of the port goes as several of them, in order: the last has the
 * increment. */
typedef struct {
    guint from_chip;
    guint to_chip;
    ArchPort out; /* where it leaves */
    ArchPort in;  /* at the receiver */
    SimTime sent; /* when its last byte is ready to leave the port */
    guint x;      /* the core, logical */
    guint y;
    uint32_t address;    /* in its L1 */
    uint64_t bytes;      /* may be 0: only the increment */
    uint64_t wire_bytes; /* with headers, of all its packets */
    gpointer data;       /* NULL without bytes, or without data */
    uint32_t semaphore;  /* address, of the increment */
    uint32_t increment;  /* 0: none */
} ArchMessage;

void arch_message_free(ArchMessage *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchMessage, arch_message_free)

/* Takes the message. In an event of region 0. Until arch_fabric_left() it holds a slot
 * of its port. */
typedef void (*ArchFabricSendFunc)(gpointer data, ArchMessage *message);

/* This chip's place in the system, and its ways to the others; before the first
 * program, once. `routes` is copied. Fails with ARCH_ERROR_INVALID where an `out` is
 * not on the chip, or two ways lead to one. */
bool arch_fabric_connect(ArchFabric *self,
                         guint chip,
                         const ArchFabricRoute *routes,
                         guint route_count,
                         GError **error);
void arch_fabric_set_send(ArchFabric *self, ArchFabricSendFunc func, gpointer data);
/* For what kernels are told of chips that they cannot reach; `name` is copied. */
void arch_fabric_set_system(ArchFabric *self, const char *name, guint chip_count);
/* Fails with ARCH_ERROR_INVALID where the chip has no such port: for the `in`s of other
 * chips' routes. */
bool arch_fabric_check_port(const ArchFabric *self, ArchPort port, GError **error);

/* As the system counts; 0 where nobody has connected it. */
guint arch_fabric_chip(const ArchFabric *self);

/* Of the system; 0 where nobody has told. */
guint arch_fabric_chip_count(const ArchFabric *self);

/* Fails with ARCH_ERROR_INVALID where no messages can go to that chip. */
bool arch_fabric_check_route(const ArchFabric *self, guint chip, GError **error);

/* A chip that is connected has messages to wait for. */
bool arch_fabric_is_connected(const ArchFabric *self);

/* The last byte of a message has left: its slot is free from `when` on. Those of a port
 * leave in the order in which they were handed over. Between runs of the engine, or in
 * an event of region 0; `when` is not in its past. */
void arch_fabric_left(ArchFabric *self, ArchPort out, SimTime when);

/* A message of another chip has come in at `when`. Takes it; between runs of the
 * engine; `when` is not in its past. */
void arch_fabric_deliver(ArchFabric *self, ArchMessage *message, SimTime when);
