/* Machines known only by their rates (GPUs, processors), for rooflines. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

#include "traces/roofline/roofline.h"

/* Texts are borrowed. */
typedef struct {
    const char *name;
    const char *source;
    const char *counter; /* the result's counter that is compared with this roof */
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

/* Are the values of two roofs with the same name close enough to be one roof? */
bool trace_machine_is_same(double first, double second);

/* Adds the machine's roofs to a run beside its own, with the use of each according to
 * `counters` (NULL: unknown), and the power of the board if it is known. */
void trace_machine_give(const TraceMachine *self,
                        TraceRooflineRun *run,
                        JsonObject *counters);
