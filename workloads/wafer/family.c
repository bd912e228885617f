/* The script API of wafers: layouts of programs for PEs. */
#include "workloads/host/family.h"

#include "workloads/wafer/wafer.h"

static const luaL_Reg functions[] = {{"wafer", wafer_new}, {NULL, NULL}};

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
};
