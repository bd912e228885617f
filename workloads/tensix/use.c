/* Uses of cores: lanes by reason, zones, links. */
#include "workloads/tensix/use.h"

#include "sim/counter.h"
#include "sim/narrow.h"
#include "workloads/host/report.h"
#include "workloads/host/usage.h"

CoreState *core_state_new(void)
{
    CoreState *self = g_new0(CoreState, 1);

    self->kernels = g_ptr_array_new_with_free_func((GDestroyNotify) kernel_state_free);
    self->ended = g_array_new(FALSE, TRUE, sizeof(CoreActivity));
    g_array_set_size(self->ended, 1); /* nothing was done when nothing had run */
    return self;
}

void core_state_free(CoreState *self)
{
    g_ptr_array_unref(self->kernels);
    g_array_unref(self->ended);
    g_free(self);
}

CoreState *core_state(const Session *session)
{
    return session->state;
}

KernelState *
core_kernels(const Session *session, KernelKind kind, guint region, GError **error)
{
    GPtrArray *states = core_state(session)->kernels;
    guint index = kind == KERNEL_MOVER ? 0 : 1 + region;

    if (states->len <= index) {
        g_ptr_array_set_size(states, sim_i32(index) + 1);
    }
    if (g_ptr_array_index(states, index) == NULL) {
        g_ptr_array_index(states, index) =
            kernel_state_new(session->sandbox, kind, error);
    }
    return g_ptr_array_index(states, index);
}

static const CoreActivity *ended_at(const GArray *ended, guint index)
{
    return &g_array_index(ended, CoreActivity, index);
}

/* A program is simulated when it starts, and counts for the host's time when it ends.
 */
static void add_activity(const Session *session,
                         const ArchTensix *tensix,
                         const GArray *uses,
                         ArchTensixSpan span)
{
    GArray *ended = core_state(session)->ended;
    CoreActivity now = {.end = span.end,
                        .activity = ended_at(ended, ended->len - 1)->activity};

    arch_tensix_activity_add(&now.activity, uses, span);
    arch_tensix_activity_count(&now.activity, tensix);
    now.activity.done[ARCH_TENSIX_DRAM] -= (double) session->host_dram_bytes;
    while (ended->len > 1 && ended_at(ended, 1)->end <= session_cycle(session)) {
        g_array_remove_index(ended, 0);
    }
    g_array_append_val(ended, now);
}

/* That of the programs that have ended by then. */
static ArchTensixActivity activity_until(const Session *session, double seconds)
{
    const GArray *ended = core_state(session)->ended;
    const SimTime cycle = session_cycle_at(session, seconds);
    guint last = 0;

    for (guint i = 1; i < ended->len && ended_at(ended, i)->end <= cycle; i++) {
        last = i;
    }
    ArchTensixActivity activity = ended_at(ended, last)->activity;

    activity.done[ARCH_TENSIX_IDLE] = seconds;
    activity.done[ARCH_TENSIX_DRAM] += (double) session->host_dram_bytes;
    return activity;
}

void core_use_add(Session *session, const ArchTensix *tensix)
{
    g_autoptr(GArray) uses = arch_tensix_uses(tensix, NULL);
    g_autoptr(GArray) zones = arch_tensix_zones(tensix);
    double clock_hz = arch_chip_clock_hz(session->chip);
    ArchTensixSpan span = arch_tensix_span(tensix);

    add_activity(session, tensix, uses, span);
    session_work_add(&session->work,
                     &(WorkSpan){.begin = span.end - span.cycles,
                                 .end = span.end,
                                 .cycles = span.cycles,
                                 .parts = span.core_count},
                     1);
    session->work.link_bytes =
        arch_params_real(arch_chip_params(session->chip), "noc.link_bytes_per_cycle");
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

void core_use_energy(const Session *session, double seconds, HostEnergy *energy)
{
    const ArchParams *params = arch_chip_params(session->chip);
    const ArchTensixActivity activity = activity_until(session, seconds);

    if (!arch_params_has(params, "power.idle_watts")) {
        return;
    }
    energy->most_watts += arch_params_real(params, "chip.tdp_watts") /
                          arch_params_real(params, "chip.asic_count");
    for (guint i = 0; i < ARCH_TENSIX_PARTS; i++) {
        const ArchTensixPart part = (ArchTensixPart) i;
        const ArchEnergy used = arch_tensix_part_energy(params, part, activity.done[i]);

        host_energy_add(energy, (HostEnergyPart){.name = arch_tensix_part_name(part),
                                                 .unit = arch_tensix_part_unit(part),
                                                 .done = activity.done[i],
                                                 .joules = used.joules,
                                                 .low = used.low,
                                                 .high = used.high});
    }
}
