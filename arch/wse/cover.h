/* Whether a slice of a layout has what the whole has, where streams are concerned. */
#pragma once

#include "arch/wse/layout.h"

enum {
    WSE_SHORT = 4, /* wavelets; a stream of no more is none, but single wavelets, unless
                    * others of its color are longer */
};

/* Colors on which some program sends a stream that is not short, as bits. */
uint32_t wse_stream_colors(const ArchWseLayout *layout);

/* Fails with ARCH_ERROR_UNMODELLED if the slice lacks a color or a phase of the whole's
 * streams, or a program with the same operations on such colors as one of the whole's.
 * Other colors do not matter: their wavelets are exact in both grains. */
bool wse_slice_covers(const ArchWseLayout *slice,
                      const ArchWseLayout *whole,
                      GError **error);
