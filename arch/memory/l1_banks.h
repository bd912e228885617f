/* The L1 of a tile as banks and ports. Each bank serves one word a cycle, and each port
 * passes one word a cycle. Networks, unpackers, packers and cores have their own ports;
 * a user with several ports spreads its words over them. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "sim/time.h"

typedef struct ArchL1Banks ArchL1Banks;

typedef enum {
    ARCH_L1_READ,
    ARCH_L1_WRITE,  /* less than a word is read, changed and written back */
    ARCH_L1_ATOMIC, /* always read, changed and written back */
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

/* Requests an access at `now` and returns when it is done: now + 1 for one word without
 * a conflict. Words go one after another, each when its port and its bank are free. The
 * access requested first goes first. */
SimTime
arch_l1_banks_access(ArchL1Banks *self, const ArchL1Access *access, SimTime now);
