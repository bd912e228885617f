/* Costs of flits at endpoints, as the chip file gives them. */
#pragma once

#include <stdint.h>

#include "arch/chipfile/params.h"
#include "arch/noc/network.h"
#include "sim/narrow.h"

/* The ratio "section.key" in NOC_CYCLE parts. */
static inline uint32_t noc_cost_of(const ArchParams *params, const char *path)
{
    SimRatio ratio = arch_params_ratio(params, path);

    return sim_u32(ratio.num * NOC_CYCLE / ratio.den);
}
