/* What a run achieved, from its counters. */
#include "workloads/script/roofs.h"

#include "arch/roof.h"
#include "sim/counter.h"

/* What programs, not the host, did. */
static uint64_t counted(const Session *session, const char *counter)
{
    SimEngine *engine = arch_chip_engine(session->machine->chip);
    uint64_t total =
        sim_engine_counter_total(engine, sim_engine_counter(engine, counter));

    return g_str_equal(counter, "dram_bytes") ? total - session->host_dram_bytes
                                              : total;
}

void roofs_report(Session *session)
{
    const ArchChip *chip = session->machine->chip;
    const SessionWork *work = &session->work;

    if (work->core_cycles <= 0) {
        return;
    }
    g_autoptr(GArray) roofs =
        arch_roofs(arch_chip_params(chip), work->core_cycles / work->cycles);

    for (guint i = 0; i < roofs->len; i++) {
        const ArchRoof *roof = &g_array_index(roofs, ArchRoof, i);
        const uint64_t total = counted(session, roof->counter);
        const WlRoof own = {
            .name = (char *) roof->name,
            .unit = (char *) roof->unit,
            .value = roof->value,
            .achieved = (double) total * arch_chip_clock_hz(chip) / work->cycles,
            .source = (char *) roof->source,
        };

        wl_outcome_add_roof(session->outcome, &own);
    }
}
