/* Quantities derived from a traffic configuration. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/traffic/traffic.h"

#define NOC_TRAFFIC_WINDOW_MAXIMUM 0x1p50 /* cycles */

/* Fails with ARCH_ERROR_INVALID. The network checks its own settings. */
bool noc_traffic_config_check(const ArchNocTrafficConfig *config, GError **error);

/* Cycles over which means are taken; the first of a batch. Longer than any packet takes
 * through an empty network. */
SimTime noc_traffic_config_window(const ArchNocTrafficConfig *config);
