/* The script API of FPGA boards: designs of sweeps over windows. */
#include "workloads/host/family.h"

#include "workloads/board/board.h"
#include "workloads/host/session.h"
#include "workloads/host/usage.h"

/* HostFamily.joules, HostFamily.report: cycles of PEs' parts as units, energy. */
static double board_use_joules(const Session *session)
{
    return arch_nero_use(board_nero(session)).joules;
}

static void add_parts(SessionRun *run, const ArchNero *nero)
{
    g_autoptr(GArray) parts = arch_nero_parts(nero);

    for (guint i = 0; i < parts->len; i++) {
        const ArchNeroPart *part = &g_array_index(parts, ArchNeroPart, i);

        usage_add_cycles(run, part->part, part->reason, part->cycles);
    }
}

static void board_use_report(SessionRun *run)
{
    double joules = 0;

    for (guint i = 0; i < run->session_count; i++) {
        add_parts(run, board_nero(&run->sessions[i]));
        joules += board_use_joules(&run->sessions[i]);
    }
    if (!run->is_measured) {
        run->sessions[0].outcome->energy_joules = joules;
    }
}

static const ApiCall functions[] = {
    {"board", board_new,
     "(options: { name: string, pes: integer, window: integer[], depth: integer, "
     "format: \"fp32\"|\"fp16\", fields: string[], sweeps: gl.BoardSweep[], lanes?: "
     "integer, partition?: integer, buffers?: integer }): gl.Board"},
    {"try_board", board_try,
     "(options: { name: string, pes: integer, window: integer[], depth: integer, "
     "format: \"fp32\"|\"fp16\", fields: string[], sweeps: gl.BoardSweep[], lanes?: "
     "integer, partition?: integer, buffers?: integer }): gl.Board?, string?"},
    {0},
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
    .parts = "PEs",
    .joules = board_use_joules,
    .report = board_use_report,
    .race_scope = "nothing, because no PE reaches the memory of another",
};
