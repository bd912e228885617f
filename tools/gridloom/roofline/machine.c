/* Roofs of chip files on the runs of their machines. */
#include "tools/gridloom/roofline/machine.h"

#include <math.h>
#include <string.h>

#include "arch/gpu.h"
#include "arch/roof.h"
#include "tools/gridloom/chip_numbers.h"
#include "tools/gridloom/roofline/set.h"
#include "traces/file/json_member.h"

ArchParams *cmd_roofline_machine_load(const char *name, bool is_published)
{
    g_autoptr(ArchParams) params = chip_numbers_load(name, NULL);

    if (params == NULL || !chip_numbers_have_roofs_only(params) ||
        (gpu_is(params) && is_published && !gpu_use_published(params, NULL))) {
        return NULL;
    }
    return g_steal_pointer(&params);
}

static bool has_roof(const TraceRooflineRun *run, const ArchRoof *roof)
{
    for (guint i = 0; i < run->roofs->len; i++) {
        const TraceRooflineRoof *own = trace_roofline_run_roof(run, i);

        if (g_str_equal(own->name, roof->name) &&
            cmd_roofline_set_is_same(own->value, roof->value)) {
            return true;
        }
    }
    return false;
}

/* A roof with the name of the chip's is the result's own: measured where its source
 * says so, else computed for the clock it ran at. */
static char *own_name(const TraceRooflineRoof *own)
{
    return g_strdup_printf("%s, %s", own->name,
                           strstr(own->source, "measured") != NULL ? "measured"
                                                                   : "at its clock");
}

static void rename_own(TraceRooflineRun *run, const GArray *roofs)
{
    for (guint i = 0; i < run->roofs->len; i++) {
        TraceRooflineRoof *own = &g_array_index(run->roofs, TraceRooflineRoof, i);

        for (guint k = 0; k < roofs->len; k++) {
            const ArchRoof *roof = &g_array_index(roofs, ArchRoof, k);

            if (g_str_equal(own->name, roof->name) &&
                !cmd_roofline_set_is_same(own->value, roof->value)) {
                char *name = own_name(own);

                g_free(own->name);
                own->name = name;
                break;
            }
        }
    }
}

static void
add_roofs(const ArchParams *params, TraceRooflineRun *run, JsonObject *counters)
{
    g_autoptr(GArray) roofs = arch_roofs(params, 1);

    rename_own(run, roofs);
    for (guint i = 0; i < roofs->len; i++) {
        const ArchRoof *roof = &g_array_index(roofs, ArchRoof, i);
        const TraceRooflineRoof added = {
            .name = (char *) roof->name,
            .source = (char *) roof->source,
            .is_peak = g_str_equal(roof->unit, "FLOP per second"),
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
}

void cmd_roofline_machine_give(const ArchParams *params,
                               TraceRooflineRun *run,
                               JsonObject *counters)
{
    add_roofs(params, run, counters);
    if (gpu_is(params) && gpu_watts(params) > 0) {
        trace_roofline_run_set_board(run, gpu_watts(params),
                                     "power.board_watts, the board at most");
    }
}
