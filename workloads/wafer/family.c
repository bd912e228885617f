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

const HostFamily host_family_wse = {
    .name = "wse",
    .open = wafer_register,
    .functions = functions,
    .state_new = state_new,
    .state_free = g_free,
    .joules = wafer_use_joules,
    .report = wafer_use_report,
    .race_scope = "nothing, because no PE reaches the memory of another",
};
