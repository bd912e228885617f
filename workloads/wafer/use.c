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

WaferMark wafer_mark(const ArchWse *wse)
{
    const ArchWseProfile profile = arch_wse_profile(wse);

    return (WaferMark){
        .profile = profile,
        .flops = arch_wse_flops(wse),
        .idle_joules = arch_wse_idle_joules(wse, profile.cycles),
        .busy_joules = arch_wse_busy_joules(wse, profile.busy),
        .zones = arch_wse_zones(wse, NULL),
    };
}

void wafer_mark_clear(WaferMark *self)
{
    g_clear_pointer(&self->zones, g_array_unref);
}

/* Cycles of a zone at the mark. */
static double zone_of(const WaferMark *mark, const char *name)
{
    for (guint i = 0; mark->zones != NULL && i < mark->zones->len; i++) {
        const ArchWseZone *zone = &g_array_index(mark->zones, ArchWseZone, i);

        if (g_str_equal(zone->name, name)) {
            return zone->cycles;
        }
    }
    return 0;
}

static void report_zones(Session *session,
                         const WaferMark *now,
                         const WaferMark *since,
                         double factor)
{
    const double clock_hz = arch_chip_clock_hz(session->chip);

    for (guint i = 0; i < now->zones->len; i++) {
        const ArchWseZone *zone = &g_array_index(now->zones, ArchWseZone, i);
        const double cycles = zone->cycles - zone_of(since, zone->name);

        report_zone(session->zones, zone->name, cycles * factor / clock_hz);
    }
}

/* What has happened between two marks. */
static ArchWseProfile between(const ArchWseProfile *now, const ArchWseProfile *since)
{
    ArchWseProfile profile = *now;

    profile.cycles -= since->cycles;
    profile.busy -= since->busy;
    profile.memory_idle -= since->memory_idle;
    profile.memory_bytes -= since->memory_bytes;
    profile.ramp_wavelets -= since->ramp_wavelets;
    profile.link_wavelets -= since->link_wavelets;
    profile.flops -= since->flops;
    return profile;
}

static void add_time(Session *session, const ArchWseProfile *profile, WaferWhole whole)
{
    const ArchParams *params = arch_chip_params(session->chip);
    WaferUse *use = &wafer_state(session)->use;

    use->pe_cycles +=
        (double) profile->pe_count * (double) profile->cycles * whole.cycles;
    session_work_add(&session->work,
                     &(WorkSpan){.begin = whole.begin,
                                 .end = whole.begin + profile->cycles + whole.idle,
                                 .cycles = profile->cycles,
                                 .parts = profile->pe_count},
                     whole.cycles);
    session->work.link_bytes =
        arch_params_real(params, "fabric.wavelet_bytes") /
        arch_params_real(params, "fabric.link_cycles_per_wavelet");
    use->busy += (double) profile->busy * whole.cycles;
    use->memory_idle += (double) profile->memory_idle * whole.cycles;
}

static void
add(Session *session, const WaferMark *now, const WaferMark *since, WaferWhole whole)
{
    const uint64_t wavelet_bytes =
        arch_params_uint(arch_chip_params(session->chip), "fabric.wavelet_bytes");
    const double iterations = whole.iterations;
    ArchWseProfile profile = between(&now->profile, &since->profile);

    profile.cycles -= MIN(whole.idle, profile.cycles);
    add_time(session, &profile, whole);
    wafer_state(session)->use.joules +=
        (now->idle_joules - since->idle_joules) * whole.cycles +
        (now->busy_joules - since->busy_joules) * iterations;
    report_zones(session, now, since, whole.cycles);
    count(session, "flops", (double) profile.flops * iterations);
    count(session, "f32_flops",
          (double) (now->flops.f32 - since->flops.f32) * iterations);
    count(session, "f16_flops",
          (double) (now->flops.f16 - since->flops.f16) * iterations);
    count(session, "mixed_flops",
          (double) (now->flops.mixed - since->flops.mixed) * iterations);
    count(session, "received_bytes",
          (double) (profile.ramp_wavelets * wavelet_bytes) * iterations);
    count(session, "sram_bytes", (double) profile.memory_bytes * iterations);
    count(session, "noc_bytes",
          (double) (profile.link_wavelets * wavelet_bytes) * iterations);
}

void wafer_use_add(Session *session, const ArchWse *wse, WaferWhole whole)
{
    const WaferMark start = {0};
    WaferMark now = wafer_mark(wse);

    add(session, &now, &start, whole);
    wafer_mark_clear(&now);
}

void wafer_use_add_since(Session *session,
                         const ArchWse *wse,
                         const WaferMark *since,
                         SimTime begin,
                         uint64_t cycles)
{
    WaferMark now = wafer_mark(wse);
    const uint64_t all = now.profile.cycles - since->profile.cycles;

    add(session, &now, since,
        (WaferWhole){.cycles = 1,
                     .iterations = 1,
                     .idle = all - MIN(cycles, all),
                     .begin = begin});
    wafer_mark_clear(&now);
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
