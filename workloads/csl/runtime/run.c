/* Compiles a program again, loads it onto the wafer, and lets its time pass. */
#include "workloads/csl/runtime/run.h"

#include <stdio.h>

#include "arch/wse_profile.h"
#include "workloads/error.h"
#include "workloads/host/transfer.h"
#include "workloads/wafer/stream.h"
#include "workloads/wafer/wafer.h"

void csl_run_free(CslRun *self)
{
    if (self != NULL) {
        csl_build_free(self->build);
        csl_artifact_free(self->artifact);
        g_free(self);
    }
}

/* Chips of users may have any name. */
static bool
check_chip(const CslArtifact *artifact, const ArchParams *params, GError **error)
{
    static const char *const known[] = {"wse1", "wse2", "wse3", NULL};
    const char *chip = arch_params_name(params);
    const char *arch = artifact->order.arch;

    return !g_strv_contains(known, chip) || g_str_equal(chip, arch) ||
           wl_refuse(error,
                     "cslc compiled the program for %s, and this is %s: run it "
                     "with --chip %s",
                     arch, chip, arch);
}

CslRun *csl_run_new(const char *folder, const Session *session, GError **error)
{
    CslArtifact *artifact = csl_artifact_read(folder, error);
    CslRun *self;

    if (artifact == NULL) {
        return NULL;
    }
    if (!check_chip(artifact, arch_chip_params(session->chip), error)) {
        csl_artifact_free(artifact);
        return NULL;
    }
    self = g_new0(CslRun, 1);
    self->artifact = artifact;
    self->build = csl_build_new(&artifact->order);
    if (csl_build_has_failed(self->build) ||
        !csl_build_generate(self->build, arch_chip_params(session->chip))) {
        wl_refuse(error, "%s", csl_diagnostics_text(self->build->to));
        csl_run_free(self);
        return NULL;
    }
    return self;
}

bool csl_run_load(CslCall *call, GError **error)
{
    CslRun *self = call->run;
    const WlMachine *machine = call->session->machine;
    const ArchWseOptions options = {
        .is_functional = !machine->is_timing_only,
        .grain = ARCH_WSE_GRAIN_WAVELET,
        .has_race_check = machine->is_race_checked,
        .has_lines = machine->has_lines,
        .is_driven = true,
    };
    ArchWseLayout *layout = g_steal_pointer(&self->build->image->layout);

    if (layout == NULL) {
        return wl_refuse(error, "load: the program has been loaded already");
    }
    if (!arch_wse_load(wafer_wse(call->session), layout, &options, error)) {
        return false;
    }
    self->stage = CSL_RUN_LOADED;
    return true;
}

/* What PEs have printed goes to sim.log, as the vendor's simulator has it. */
static void keep_prints(ArchWse *wse, bool *is_begun)
{
    g_autoptr(GArray) prints = arch_wse_take_prints(wse);
    FILE *log = prints->len > 0 ? fopen("sim.log", *is_begun ? "a" : "w") : NULL;

    for (guint i = 0; log != NULL && i < prints->len; i++) {
        const ArchWsePrint *print = &g_array_index(prints, ArchWsePrint, i);
        g_autofree char *text = arch_wse_print_text(print);

        (void) fprintf(log, "@%" G_GUINT64_FORMAT " %s\n", print->when, text);
        *is_begun = true;
    }
    if (log != NULL) {
        (void) fclose(log);
    }
}

/* The host waits until the chip is where its engine has come to. */
static void catch_up(CslCall *call, HostWait wait)
{
    const ArchChip *chip = call->session->chip;
    const double end =
        (double) sim_engine_now(arch_chip_engine(chip)) / arch_chip_clock_hz(chip);
    const double now = sim_system_now(call->session->machine->system);

    if (end > now) {
        host_pass(call->lua, call->session, wait, end - now);
    } else {
        host_go_on(call->lua, call->session);
    }
}

bool csl_run_settle(CslCall *call, HostWait wait, GError **error)
{
    ArchWse *wse = wafer_wse(call->session);
    const SimTime now = sim_engine_now(arch_chip_engine(call->session->chip));

    if (now - call->run->start > G_MAXUINT32 / 2) {
        call->is_broken = true;
        g_set_error(error, WL_ERROR, WL_ERROR_LIMIT,
                    "%" G_GUINT64_FORMAT " cycles since the program's start, at most "
                    "%u can be counted: let fewer commands block the host, each takes "
                    "the time of a transaction",
                    now - call->run->start, G_MAXUINT32 / 2);
        return false;
    }
    call->is_broken = !session_run_chip(call->session, error);
    call->run->active += sim_engine_now(arch_chip_engine(call->session->chip)) - now;
    keep_prints(wse, &call->has_printed);
    if (call->is_broken) {
        arch_wse_finish_watch(wse);
        return false;
    }
    catch_up(call, wait);
    return true;
}

bool csl_run_begin(CslCall *call, GError **error)
{
    call->run->start = session_begin_launch(call->session).cycle;
    arch_wse_start(wafer_wse(call->session));
    call->run->stage = CSL_RUN_RUNNING;
    return csl_run_settle(call, HOST_DEVICE, error);
}

void csl_run_stop(CslRun *self, Session *session, CslLines *lines)
{
    const ArchWse *wse = wafer_wse(session);

    if (self->stage == CSL_RUN_RUNNING) {
        arch_wse_finish_watch(wafer_wse(session));
        wafer_print_loss(session, wse);
        const uint64_t cycles = arch_wse_profile(wse).cycles;

        csl_lines_add(lines, wse, self->active);
        wafer_use_add(
            session, wse,
            (WaferWhole){1, 1, cycles - MIN(self->active, cycles), self->start});
    }
    self->stage = CSL_RUN_STOPPED;
}

SimRatio csl_run_rate(const CslCall *call, bool is_write)
{
    return wafer_stream_rate(arch_chip_params(call->session->chip), is_write,
                             call->run->artifact->order.channels);
}

void csl_run_pass(CslCall *call, bool is_write, uint64_t wavelets)
{
    SimEngine *engine = arch_chip_engine(call->session->chip);
    const SimTime cycles = sim_ratio_charge(csl_run_rate(call, is_write), wavelets,
                                            &call->run->remainder[is_write]);

    sim_engine_idle_until(engine, sim_engine_now(engine) + cycles);
    catch_up(call, HOST_TRANSFER);
}
