/* The words name=value that a user types after a script's name. Knows no Lua. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/script/parameter.h"

/* The parameter of that name in an array of WlParameter, or NULL. */
WlParameter *assignment_find(const GPtrArray *parameters, const char *name);

/* Applies one word. Fails with WL_ERROR_KEY and one line that says what is allowed:
 * not of the form name=value, an unknown name, a wrong value, a name set before. */
bool assignment_apply(const GPtrArray *parameters, const char *word, GError **error);
