/* What a label says of a run besides its name: the share of the chip that it used, and
 * whether its time contains the unattributed constant. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

/* "cores 4 of 56", or "PEs 14" if the chip has as many as a design says; NULL if the
 * result does not say. The caller frees it. */
char *trace_used_text(JsonObject *result);

/* "incl. unattributed constant", or NULL if the time has none. */
const char *trace_used_mark(JsonObject *result);

/* Both behind a name: ", cores 4 of 56, incl. unattributed constant", or "". The caller
 * frees it. */
char *trace_used_suffix(JsonObject *result);
