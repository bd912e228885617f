/* Whether the routes of all PEs and their programs fit together. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/wse/layout.h"

/* Of a layout whose routers are known. Fails with ARCH_ERROR_INVALID and one line on
 * the first PE, row by row, and the lowest color there that something is wrong with. */
bool wse_route_check(const ArchWseLayout *layout, GError **error);
