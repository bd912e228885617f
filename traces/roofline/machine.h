/* Machines of which rates alone are known, GPUs and processors, as rooflines show them.
 */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

#include "traces/roofline/roofline.h"

/* Texts are borrowed. */
typedef struct {
    const char *name;
    const char *source;
    const char *counter; /* of a result: what goes against the roof */
    bool is_peak;
    double value;
} TraceMachineRoof;

typedef struct {
    char *chip;
    GArray *roofs;      /* of TraceMachineRoof */
    double board_watts; /* 0: not known */
} TraceMachine;

TraceMachine *trace_machine_new(const char *chip);
void trace_machine_free(TraceMachine *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceMachine, trace_machine_free)

/* Are the values of two roofs of one name so close that they are one roof? */
bool trace_machine_is_same(double first, double second);

/* Gives a run the roofs of the machine beside its own, how much of each its `counters`
 * say it used (NULL: nothing), and the power of the board where that is known. */
void trace_machine_give(const TraceMachine *self,
                        TraceRooflineRun *run,
                        JsonObject *counters);
