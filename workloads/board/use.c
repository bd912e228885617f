/* Sums the cycles of PE parts by reason, and their energy. */
#include "workloads/board/use.h"

#include "workloads/board/board.h"
#include "workloads/host/usage.h"

double board_use_joules(const Session *session)
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

void board_use_report(SessionRun *run)
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
