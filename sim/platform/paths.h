/* Paths through a platform whose file names routes between neighbours only. */
#pragma once

#include <glib.h>

#include "sim/platform/parts.h"

/* Adds the routes that are missing: of those with the fewest links the one that is
 * found first in the order of the file. They lead over chips, never over a plain host,
 * and take no reserved link. Hosts between which there is none stay without. */
void sim_platform_complete(SimPlatform *platform);

/* The platform as SimGrid is to read it, all routes written out. The caller frees it.
 */
char *sim_platform_text(const SimPlatform *platform);
