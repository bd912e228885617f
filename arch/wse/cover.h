/* Whether a slice of a layout has what the whole has, where streams are concerned. */
#pragma once

#include "arch/wse/layout.h"

enum {
    WSE_SHORT = 4, /* wavelets; a stream of no more is none, but single wavelets */
};

/* Colors on which some program sends a stream that is not short, as bits. */
uint32_t wse_stream_colors(const ArchWseLayout *layout);

/* Fails with ARCH_ERROR_UNMODELLED if a color or a phase of the whole's streams is not
 * among those of the slice's. */
bool wse_slice_covers(const ArchWseLayout *slice,
                      const ArchWseLayout *whole,
                      GError **error);
