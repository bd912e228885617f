/* A simulated chip: its numbers, its engine and the parts a host can reach. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/border/fabric.h"
#include "arch/border/pcie.h"
#include "arch/chipfile/params.h"
#include "arch/family.h"
#include "arch/memory/dram.h"
#include "sim/engine.h"

typedef struct ArchChip ArchChip;

/* What the chip file says of a link of the system. */
typedef struct {
    double latency_seconds;
    double bytes_per_second;
    const char *source; /* of the bandwidth; borrowed from the params */
} ArchLink;

/* Takes `params`. Fails with ARCH_ERROR_INVALID where its numbers do not go together.
 */
ArchChip *arch_chip_new(ArchParams *params, guint thread_count, GError **error);
void arch_chip_free(ArchChip *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchChip, arch_chip_free)

const ArchParams *arch_chip_params(const ArchChip *self);
SimEngine *arch_chip_engine(const ArchChip *self);
double arch_chip_clock_hz(const ArchChip *self);

/* What the host spends on starting a program. */
double arch_chip_launch_seconds(const ArchChip *self);

/* The numbers of links of a kind (see sim/platform.h). Fails with
 * ARCH_ERROR_UNDOCUMENTED where the chip has no such link. */
bool arch_chip_link(const ArchChip *self,
                    const char *kind,
                    ArchLink *link,
                    GError **error);

/* NULL where the chip has none. */
ArchDram *arch_chip_dram(const ArchChip *self);
ArchPcie *arch_chip_pcie(const ArchChip *self);
ArchFabric *arch_chip_fabric(const ArchChip *self);

/* What the family has made of the chip; NULL where the chip is of another family. */
gpointer arch_chip_part(const ArchChip *self, const ArchFamily *family);

/* Cores that programs can name, where that is known before them; else false. */
bool arch_chip_grid(const ArchChip *self, ArchGrid *grid);
