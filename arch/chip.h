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

/* The numbers that the chip file gives for a link of the system. */
typedef struct {
    double latency_seconds;
    double bytes_per_second;
    const char *source; /* of the bandwidth; borrowed from the params */
} ArchLink;

/* Takes `params`. Fails with ARCH_ERROR_INVALID if its numbers contradict each other.
 */
ArchChip *arch_chip_new(ArchParams *params, guint thread_count, GError **error);
void arch_chip_free(ArchChip *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchChip, arch_chip_free)

const ArchParams *arch_chip_params(const ArchChip *self);
SimEngine *arch_chip_engine(const ArchChip *self);
double arch_chip_clock_hz(const ArchChip *self);

/* Seconds that the host needs to start a program. */
double arch_chip_launch_seconds(const ArchChip *self);

/* The numbers of links of a kind (see sim/platform.h). Fails with
 * ARCH_ERROR_UNDOCUMENTED if the chip has no such link. */
bool arch_chip_link(const ArchChip *self,
                    const char *kind,
                    ArchLink *link,
                    GError **error);

/* NULL if the chip has none. */
ArchDram *arch_chip_dram(const ArchChip *self);
ArchPcie *arch_chip_pcie(const ArchChip *self);
ArchFabric *arch_chip_fabric(const ArchChip *self);

/* The progress of its programs, see ArchFamily, and of transfers with the host. Returns
 * false if they cannot poll. Call it between windows of the engine. */
bool arch_chip_progress(const ArchChip *self, SimTime now, uint64_t *progress);

/* The part that the family made for this chip; NULL if the chip belongs to another
 * family. */
gpointer arch_chip_part(const ArchChip *self, const ArchFamily *family);

/* The grid of cores that programs can address. Returns false if it is known only once a
 * program is loaded. */
bool arch_chip_grid(const ArchChip *self, ArchGrid *grid);
