/* Sums what launches of wafers took over a run. */
#include <math.h>

#include "arch/wse_profile.h"
#include "sim/counter.h"
#include "workloads/host/report.h"
#include "workloads/wafer/wafer.h"

static void count(const Session *session, const char *name, double amount)
{
    SimEngine *engine = arch_chip_engine(session->chip);

    sim_region_count(sim_engine_region(engine, 0), sim_engine_counter(engine, name),
                     (uint64_t) llround(amount));
}

static void report_zones(Session *session, const ArchWse *wse, double factor)
{
    const double clock_hz = arch_chip_clock_hz(session->chip);
    g_autoptr(GArray) zones = arch_wse_zones(wse);

    for (guint i = 0; i < zones->len; i++) {
        const ArchWseZone *zone = &g_array_index(zones, ArchWseZone, i);

        report_zone(session->zones, zone->name, zone->cycles * factor / clock_hz);
    }
}

void wafer_use_add(Session *session, const ArchWse *wse, WaferWhole whole)
{
    const uint64_t wavelet_bytes =
        arch_params_uint(arch_chip_params(session->chip), "fabric.wavelet_bytes");
    ArchWseProfile profile = arch_wse_profile(wse);
    ArchWseFlops flops = arch_wse_flops(wse);
    WaferUse *use = &wafer_state(session)->use;

    profile.cycles -= MIN(whole.idle, profile.cycles);
    use->pe_cycles +=
        (double) profile.pe_count * (double) profile.cycles * whole.cycles;
    session->work.cycles += (double) profile.cycles * whole.cycles;
    session->work.core_cycles +=
        (double) profile.pe_count * (double) profile.cycles * whole.cycles;
    session->work.parts = MAX(session->work.parts, profile.pe_count);
    use->busy += (double) profile.busy * whole.cycles;
    use->memory_idle += (double) profile.memory_idle * whole.cycles;
    use->joules += arch_wse_idle_joules(wse) * whole.cycles +
                   arch_wse_busy_joules(wse) * whole.iterations;
    report_zones(session, wse, whole.cycles);
    count(session, "flops", (double) profile.flops * whole.iterations);
    count(session, "f32_flops", (double) flops.f32 * whole.iterations);
    count(session, "f16_flops", (double) flops.f16 * whole.iterations);
    count(session, "mixed_flops", (double) flops.mixed * whole.iterations);
    count(session, "received_bytes",
          (double) (profile.ramp_wavelets * wavelet_bytes) * whole.iterations);
    count(session, "sram_bytes", (double) profile.memory_bytes * whole.iterations);
    count(session, "noc_bytes",
          (double) (profile.link_wavelets * wavelet_bytes) * whole.iterations);
}

static void set_fraction(JsonObject *busy, const char *name, double part, double whole)
{
    json_object_set_double_member(busy, name, part / whole);
}

static WaferUse use_of_all(const SessionRun *run)
{
    WaferUse all = wafer_state(&run->sessions[0])->use;

    for (guint i = 1; i < run->session_count; i++) {
        const WaferUse *use = &wafer_state(&run->sessions[i])->use;

        all.pe_cycles += use->pe_cycles;
        all.busy += use->busy;
        all.memory_idle += use->memory_idle;
        all.joules += use->joules;
    }
    return all;
}

double wafer_use_joules(const Session *session)
{
    return wafer_state(session)->use.joules;
}

void wafer_use_report(SessionRun *run)
{
    WlOutcome *outcome = run->sessions[0].outcome;
    const WaferUse use = use_of_all(run);
    double other_idle = use.pe_cycles - use.busy - use.memory_idle;

    if (use.pe_cycles <= 0) {
        return;
    }
    set_fraction(outcome->busy, "busy", use.busy, use.pe_cycles);
    set_fraction(outcome->busy, "memory_idle", use.memory_idle, use.pe_cycles);
    set_fraction(outcome->busy, "other_idle", other_idle, use.pe_cycles);
    json_object_set_int_member(outcome->stalls, "memory_idle",
                               (gint64) llround(use.memory_idle));
    json_object_set_int_member(outcome->stalls, "other_idle",
                               (gint64) llround(other_idle));
    if (!run->is_measured) {
        outcome->energy_joules = use.joules;
    }
}
