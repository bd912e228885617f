/* Floating-point operations of a wafer's program, by the numbers they are on. */
#pragma once

#include <stdint.h>

#include "arch/wse.h"

/* Of vector operations since the start. */
typedef struct {
    uint64_t f32;
    uint64_t f16;
    uint64_t mixed; /* halves into singles */
} ArchWseFlops;
ArchWseFlops arch_wse_flops(const ArchWse *self);
