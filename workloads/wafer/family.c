/* The script API of wafers: layouts of programs for PEs. */
#include "workloads/host/family.h"

#include "workloads/wafer/wafer.h"

static const ApiCall functions[] = {
    {"wafer", wafer_new,
     "(options: { columns: integer, rows: integer, iterations?: integer, period?: "
     "integer[], slice?: integer[], slice_iterations?: integer, layout: fun(layout: "
     "gl.Layout) }): gl.Wafer"},
    {0},
};

static gpointer state_new(void)
{
    return g_new0(WaferState, 1);
}

static uint64_t pe_count(const Session *session)
{
    const ArchParams *params = arch_chip_params(session->chip);

    return arch_params_uint(params, "fabric.bare_column_count") *
           arch_params_uint(params, "fabric.bare_row_count");
}

static GPtrArray *races(const ArchChip *chip)
{
    return arch_wse_races(arch_wse_of(chip));
}

const HostFamily host_family_wse = {
    .name = "wse",
    .open = wafer_register,
    .functions = functions,
    .state_new = state_new,
    .state_free = g_free,
    .parts = "PEs",
    .part_count = pe_count,
    .joules = wafer_use_joules,
    .report = wafer_use_report,
    .race_scope = "vector operations on numbers that a microthread of the same PE is "
                  "still moving",
    .races = races,
};
