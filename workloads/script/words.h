/* The parameters that every script accepts besides its own. */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* Appends grain, arithmetic, extrapolate and unattributed to an array of WlParameter,
 * except those that the script declared itself. Fails with WL_ERROR_SYNTAX if it
 * declared one with another type or with choices of its own. */
bool words_append(GPtrArray *parameters, GError **error);
