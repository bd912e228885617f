/* Checks of a plan before anything is built. */
#pragma once

#include <stdbool.h>

#include "arch/nero_design.h"

/* With what was 0 filled in but for the partition; fails with ARCH_ERROR_INVALID.
 * `depth` is that of the grid. */
bool nero_design_check(const ArchParams *params,
                       const ArchNeroPlan *plan,
                       guint depth,
                       GError **error);
