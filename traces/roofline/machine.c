/* Roofs of machines on their runs. */
#include "traces/roofline/machine.h"

#include <math.h>
#include <string.h>

#include "traces/file/json_member.h"

#define SAME 0.02

TraceMachine *trace_machine_new(const char *chip)
{
    TraceMachine *self = g_new0(TraceMachine, 1);

    self->chip = g_strdup(chip);
    self->roofs = g_array_new(FALSE, FALSE, sizeof(TraceMachineRoof));
    return self;
}

void trace_machine_free(TraceMachine *self)
{
    if (self != NULL) {
        g_free(self->chip);
        g_array_unref(self->roofs);
        g_free(self);
    }
}

bool trace_machine_is_same(double first, double second)
{
    return fabs(first / second - 1) < SAME;
}

static const TraceMachineRoof *roof_at(const TraceMachine *self, guint index)
{
    return &g_array_index(self->roofs, TraceMachineRoof, index);
}

static bool has_roof(const TraceRooflineRun *run, const TraceMachineRoof *roof)
{
    for (guint i = 0; i < run->roofs->len; i++) {
        const TraceRooflineRoof *own = trace_roofline_run_roof(run, i);

        if (g_str_equal(own->name, roof->name) &&
            trace_machine_is_same(own->value, roof->value)) {
            return true;
        }
    }
    return false;
}

/* A roof with the name of the machine's is the result's own: measured where its source
 * says so, else computed for the clock it ran at. */
static void rename_own(const TraceMachine *self, TraceRooflineRoof *own)
{
    for (guint i = 0; i < self->roofs->len; i++) {
        const TraceMachineRoof *roof = roof_at(self, i);

        if (g_str_equal(own->name, roof->name) &&
            !trace_machine_is_same(own->value, roof->value)) {
            g_autofree char *name = own->name;

            own->name =
                g_strconcat(name,
                            strstr(own->source, "measured") != NULL ? ", measured"
                                                                    : ", at its clock",
                            NULL);
            return;
        }
    }
}

void trace_machine_give(const TraceMachine *self,
                        TraceRooflineRun *run,
                        JsonObject *counters)
{
    for (guint i = 0; i < run->roofs->len; i++) {
        rename_own(self, &g_array_index(run->roofs, TraceRooflineRoof, i));
    }
    for (guint i = 0; i < self->roofs->len; i++) {
        const TraceMachineRoof *roof = roof_at(self, i);
        const TraceRooflineRoof added = {
            .name = (char *) roof->name,
            .source = (char *) roof->source,
            .is_peak = roof->is_peak,
            .value = roof->value,
            .achieved =
                run->rate > 0
                    ? trace_json_number(counters, roof->counter, NAN) / run->seconds
                    : NAN,
        };

        if (!has_roof(run, roof)) {
            trace_roofline_run_add(run, &added);
        }
    }
    if (self->board_watts > 0) {
        trace_roofline_run_set_board(run, self->board_watts,
                                     "power.board_watts, the board at most");
    }
}
