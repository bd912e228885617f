/* Reads the XML of a system description into a platform. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/platform/parts.h"

/* `text` ends with a zero byte. Fails with SIM_ERROR_PLATFORM; then `platform` holds
 * a part of the file and can only be freed. */
bool sim_platform_read(SimPlatform *platform, const char *text, GError **error);
