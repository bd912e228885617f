/* Uses of cores: lanes by reason, zones, links. */
#include "workloads/tensix/use.h"

#include "sim/counter.h"
#include "workloads/host/report.h"
#include "workloads/host/usage.h"

void core_use_add(Session *session, const ArchTensix *tensix)
{
    g_autoptr(GArray) uses = arch_tensix_uses(tensix, NULL);
    g_autoptr(GArray) zones = arch_tensix_zones(tensix);
    double clock_hz = arch_chip_clock_hz(session->chip);
    ArchTensixSpan span = arch_tensix_span(tensix);

    session->work.cycles += (double) span.cycles;
    session->work.core_cycles += (double) span.cycles * span.core_count;
    session->work.parts = MAX(session->work.parts, span.core_count);
    for (guint i = 0; i < uses->len; i++) {
        const ArchTensixUse *use = &g_array_index(uses, ArchTensixUse, i);

        usage_add_cycles(session->run, use->name, use->reason, use->cycles);
    }
    for (guint i = 0; i < zones->len; i++) {
        const ArchTensixZone *zone = &g_array_index(zones, ArchTensixZone, i);

        report_zone(session->zones, zone->name, (double) zone->cycles / clock_hz);
    }
}

/* Bytes over links between routers, as on a wafer. */
static void count_links(const Session *session, const ArchTensix *tensix)
{
    const ArchChip *chip = session->chip;
    SimEngine *engine = arch_chip_engine(chip);

    sim_region_count(sim_engine_region(engine, 0),
                     sim_engine_counter(engine, "noc_bytes"),
                     arch_wormhole_noc_flit_hops(arch_tensix_noc(tensix)) *
                         arch_params_uint(arch_chip_params(chip), "noc.flit_bytes"));
}

void core_use_report(SessionRun *run)
{
    for (guint i = 0; i < run->session_count; i++) {
        count_links(&run->sessions[i], arch_tensix_of(run->sessions[i].chip));
    }
}
