/* The two weather kernels as datapaths, for tests of what FPGA boards are built of. */
#pragma once

#include <stdbool.h>

#include "arch/nero_datapath.h"

enum {
    VADVC_FIELDS = 5, /* wcon, ustage, upos, utens, utensstage */
    VADVC_BETWEEN = 2 /* ccol, dcol */
};

/* Laplacians and fluxes are stages. The caller frees it, here and below. */
ArchNeroDatapath *hdiff_datapath(bool has_limiter);
/* Thomas: upwards to ccol and dcol, downwards from them to the result. */
ArchNeroDatapath *vadvc_forward(void);
ArchNeroDatapath *vadvc_backward(void);
