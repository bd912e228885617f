/* The PCIe tile: carries out reads and writes of host memory that cores ask for, one
 * command after another. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "sim/engine.h"
#include "sim/process.h"

typedef struct ArchPcie ArchPcie;

typedef enum {
    ARCH_PCIE_READ,  /* the chip reads host memory */
    ARCH_PCIE_WRITE, /* the chip writes host memory */
} ArchPcieDirection;

/* Called in the tile's region when the command's data has arrived. */
typedef void (*ArchPcieDoneFunc)(gpointer data);

typedef struct {
    ArchPcieDirection direction;
    uint64_t bytes;
    ArchPcieDoneFunc done; /* may be NULL */
    gpointer data;
} ArchPcieCommand;

/* Numbers from section [pcie] of `params`. */
ArchPcie *arch_pcie_new(SimRegion *region, SimKey key, const ArchParams *params);
void arch_pcie_free(ArchPcie *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchPcie, arch_pcie_free)

/* Fails with ARCH_ERROR_INVALID if host memory cannot be accessed at `offset`. */
bool arch_pcie_check(const ArchPcie *self,
                     ArchPcieDirection direction,
                     uint64_t offset,
                     GError **error);

/* Cycles a core spends on issuing one command. */
SimTime arch_pcie_issue_cycles(const ArchPcie *self, ArchPcieDirection direction);

/* Cycles in which a command was being carried out. */
uint64_t arch_pcie_busy_cycles(const ArchPcie *self);

/* Queues the command. Returns false if the queue is full; `process` is then woken when
 * there is space. */
bool arch_pcie_issue(ArchPcie *self,
                     const ArchPcieCommand *command,
                     SimProcess *process);
