/* How long units of a Tensix core take for a tile, by the widths of their ways. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/params.h"

/* Cycles of the unpackers or packers for `bytes` of tiles. The key `cycles` says what
 * was measured at the way's own width (`measured_bytes_per_cycle`); a narrower or wider
 * way
 * (`l1_bytes_per_cycle`) takes longer or less by what its bytes do. */
guint tensix_unpack_cycles(const ArchParams *params, const char *cycles, guint bytes);
guint tensix_pack_cycles(const ArchParams *params, const char *cycles, guint bytes);

/* Cycles of the unpackers for a tile of 32-bit numbers that goes straight into Dst. */
guint tensix_unpack_dst_cycles(const ArchParams *params);

/* Vectors of the SFPU in a tile; and in one of the 32 numbers that kernels know.
 * Numbers of 32 bits in Dst may need more of them than those of 16. */
guint tensix_tile_vectors(const ArchParams *params, bool is_fp32);
guint tensix_vector_passes(const ArchParams *params, bool is_fp32);
