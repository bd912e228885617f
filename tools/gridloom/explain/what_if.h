/* Runs a run again with a cost of the chip removed. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "tools/gridloom/explain/parts.h"
#include "tools/gridloom/progress.h"
#include "tools/gridloom/watchdog.h"

/* How a run is repeated. All is borrowed. */
typedef struct {
    JsonObject *result; /* of the run: workload, chip, given, overrides, seed, cycles */
    const char *script; /* NULL: the workload's name */
    const char *chip;   /* NULL: the chip's name */
    guint jobs;
    Watchdog *watchdog;
    Progress *progress;
} ExplainAgain;

/* What a run with some keys changed gave. */
typedef struct {
    char *keys;    /* noc.hop_cycles=1 niu.inject_cycles=0 */
    double cycles; /* NaN: it failed */
    char *failure; /* NULL: it did not */
} ExplainTrial;

/* An empty array of ExplainTrial that frees its elements. */
GArray *explain_trials_new(void);

/* The arrays that the run took from files, "--in rhs=b.npy --in start=s.npy", which it
 * cannot be repeated without; NULL: none. The caller frees it. */
char *explain_inputs(JsonObject *result);

/* Runs once for each part that has at least a hundredth of the cycles and keys that
 * remove it, and fills in their gains; and once for each text of `wishes` (NULL: none),
 * "key=value,...", which it adds to `trials`, and after those once for each further way
 * to remove something of a part. Fails with TRACE_ERROR_READ if the run gives other
 * cycles than it did, or cannot be repeated; as arch_params_override() if the chip does
 * not take a wish; and with SIM_ERROR_STOPPED. */
bool explain_again(const ExplainAgain *self,
                   ExplainParts *parts,
                   char *const *wishes,
                   GArray *trials,
                   GError **error);

/* The keys that remove a part, or some of it, on a chip of this family, at the least
 * value that the chip's file may have. `number` counts ways to do so from 0; NULL:
 * there are no more. */
const char *explain_keys(const char *family, ExplainKind kind, guint number);
