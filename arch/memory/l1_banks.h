/* The L1 of a tile as banks, each of which serves one word a cycle, and ports,
 * through each of which one word a cycle passes. Networks, unpackers, packers and cores
 * have ports of their own; whoever has several spreads its words over them. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "sim/time.h"

typedef struct ArchL1Banks ArchL1Banks;

typedef enum {
    ARCH_L1_READ,
    ARCH_L1_WRITE,  /* of less than a word: read, changed and written back */
    ARCH_L1_ATOMIC, /* likewise, always */
} ArchL1Op;

typedef struct {
    ArchL1Op op;
    guint port;
    uint32_t address;
    uint32_t bytes; /* at least 1 */
} ArchL1Access;

/* Numbers from section [l1] of `params`. */
ArchL1Banks *arch_l1_banks_new(const ArchParams *params);
void arch_l1_banks_free(ArchL1Banks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchL1Banks, arch_l1_banks_free)

/* Asks for an access at `now`; returns when it is done: now + 1 for one word that meets
 * no other. Its words go one after another, each when its port and its bank are free;
 * of two accesses the one that is asked for first goes first. */
SimTime
arch_l1_banks_access(ArchL1Banks *self, const ArchL1Access *access, SimTime now);
