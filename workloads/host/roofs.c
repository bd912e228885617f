/* Computes the rates that a run achieved from its counters. */
#include "workloads/host/roofs.h"

#include "arch/roof.h"
#include "sim/counter.h"

/* A roof of all chips, and what they counted against it. */
typedef struct {
    ArchRoof roof;
    uint64_t counted;
} Total;

/* What programs, not the host, did. */
static uint64_t counted(const Session *session, const char *counter)
{
    SimEngine *engine = arch_chip_engine(session->chip);
    uint64_t total =
        sim_engine_counter_total(engine, sim_engine_counter(engine, counter));

    return g_str_equal(counter, "dram_bytes") ? total - session->host_dram_bytes
                                              : total;
}

/* Adds the roofs of a chip to those of the same name, in the order of arch_roofs(). */
static void add_chip(const Session *session, GArray *all)
{
    const SessionWork *work = &session->work;
    g_autoptr(GArray) roofs =
        arch_roofs(arch_chip_params(session->chip), work->core_cycles / work->cycles);

    for (guint i = 0; i < roofs->len; i++) {
        const ArchRoof *roof = &g_array_index(roofs, ArchRoof, i);
        Total *total = NULL;

        for (guint k = 0; k < all->len && total == NULL; k++) {
            Total *other = &g_array_index(all, Total, k);

            total = g_str_equal(other->roof.name, roof->name) ? other : NULL;
        }
        if (total == NULL) {
            const Total first = {.roof = *roof};

            g_array_append_val(all, first);
            total = &g_array_index(all, Total, all->len - 1);
        } else {
            total->roof.value += roof->value;
        }
        total->counted += counted(session, roof->counter);
    }
}

void roofs_report(const SessionRun *run)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(Total));
    double cycles = 0;
    double clock_hz = 1;

    for (guint i = 0; i < run->session_count; i++) {
        const Session *session = &run->sessions[i];
        const double own_hz = arch_chip_clock_hz(session->chip);

        if (session->work.core_cycles > 0) {
            add_chip(session, all);
        }
        if (session->work.cycles * clock_hz > cycles * own_hz) {
            cycles = session->work.cycles;
            clock_hz = own_hz;
        }
    }
    for (guint i = 0; i < all->len; i++) {
        const Total *total = &g_array_index(all, Total, i);
        const WlRoof own = {
            .name = (char *) total->roof.name,
            .unit = (char *) total->roof.unit,
            .value = total->roof.value,
            .achieved = (double) total->counted * clock_hz / cycles,
            .source = (char *) total->roof.source,
        };

        wl_outcome_add_roof(run->sessions[0].outcome, &own);
    }
}
