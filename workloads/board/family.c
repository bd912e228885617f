/* What scripts can do on FPGA boards: designs of sweeps over windows. */
#include "workloads/host/family.h"

#include "workloads/board/board.h"
#include "workloads/board/use.h"

static const luaL_Reg functions[] = {
    {"board", board_new},
    {"try_board", board_try},
    {NULL, NULL},
};

static gpointer state_new(void)
{
    BoardState *self = g_new0(BoardState, 1);

    self->sweeps =
        g_ptr_array_new_with_free_func((GDestroyNotify) arch_nero_datapath_free);
    return self;
}

static void state_free(gpointer state)
{
    BoardState *self = state;

    g_ptr_array_unref(self->sweeps);
    g_free(self);
}

const HostFamily host_family_nero = {
    .name = "nero",
    .open = board_register,
    .functions = functions,
    .state_new = state_new,
    .state_free = state_free,
    .joules = board_use_joules,
    .report = board_use_report,
};
