/* What scripts can do on Tensix chips: programs of kernels on their cores. */
#include "workloads/host/family.h"

#include "workloads/tensix/device.h"
#include "workloads/tensix/host_cores.h"
#include "workloads/tensix/kernel_api.h"
#include "workloads/tensix/kernel_state.h"
#include "workloads/tensix/program.h"
#include "workloads/tensix/use.h"

static void open_cores(lua_State *L)
{
    kernel_api_open_host(L);
    program_register(L);
}

/* Of KernelState, or NULL: the movers', then by region. */
static gpointer state_new(void)
{
    return g_ptr_array_new_with_free_func((GDestroyNotify) kernel_state_free);
}

static void state_free(gpointer state)
{
    g_ptr_array_unref(state);
}

const HostFamily host_family_tensix = {
    .name = "tensix",
    .open = open_cores,
    .functions = host_core_functions,
    .program = &device_program,
    .state_new = state_new,
    .state_free = state_free,
    .report = core_use_report,
};
