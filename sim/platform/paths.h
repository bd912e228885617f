/* Paths through a platform whose file names routes between neighbours only. */
#pragma once

#include <glib.h>

#include "sim/platform/parts.h"

/* Adds the missing routes. Each has the fewest links possible; ties go to the first in
 * file order. Routes pass through chips, never through a plain host, and use no
 * reserved link. Hosts that cannot be connected this way get no route. */
void sim_platform_complete(SimPlatform *platform);

/* The platform XML for SimGrid, with all routes written out. The caller frees it. */
char *sim_platform_text(const SimPlatform *platform);
