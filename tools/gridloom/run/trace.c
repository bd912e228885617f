/* Writes the trace of a run. */
#include "tools/gridloom/run/trace.h"

#include <math.h>
#include <unistd.h>

#include "sim/error.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/envelope.h"
#include "tools/gridloom/option_value.h"
#include "traces/file/draft.h"
#include "traces/file/output.h"
#include "traces/table/record.h"
#include "traces/writing/pftrace.h"

#define LIMIT_OF_TRACE UINT64_C(1000000000)
#define LIMIT_OF_OUT   UINT64_C(64000000)

/* Records the activity of a system's hosts and links. */
typedef struct {
    TracePftrace *trace;
    const SimPlatform *platform;
    double clock_hz;
} SystemTracks;

struct CmdRunTrace {
    char *path;
    bool is_of_out; /* in the folder of --out, which is whole or not there */
    int passing;    /* a file for the report or heat map only, without a name; or -1 */
    TracePftrace *writer;
    SystemTracks system;
};

void cmd_run_trace_free(CmdRunTrace *self)
{
    if (self != NULL) {
        trace_pftrace_free(self->writer);
        if (self->passing >= 0) {
            (void) close(self->passing);
        }
        g_free(self->path);
        g_free(self);
    }
}

static JsonObject *details(const WlScript *script, const ArchChip *chip, uint64_t seed)
{
    const ArchParams *params = arch_chip_params(chip);
    g_autofree char *digest = arch_params_digest(params);

    return RECORD(VALUE("gridloom", GRIDLOOM_VERSION),
                  VALUE("workload", wl_script_name(script)),
                  VALUE("chip", arch_params_name(params)), VALUE("chip_digest", digest),
                  VALUE("clock_hz", arch_chip_clock_hz(chip)), VALUE("seed", seed),
                  VALUE("parameters", wl_script_values(script)),
                  VALUE("given", wl_script_given(script)),
                  VALUE("overrides", envelope_overrides(params)));
}

static bool open_file(CmdRunTrace *self, const CmdRunOptions *options, GError **error)
{
    const CmdTraceOptions *trace = &options->trace;
    /* A heat map shows how much, not what. */
    const bool is_for_map =
        trace->path == NULL && options->out == NULL && options->report == NULL;
    const TracePftraceConfig config = {
        .level = is_for_map && trace->level == TRACE_LEVEL_AUTO ? TRACE_LEVEL_BLOCKS
                                                                : trace->level,
        .cores = trace->cores == NULL ? NULL : (TraceSquare *) trace->cores->data,
        .core_count = trace->cores == NULL ? 0 : trace->cores->len,
        .from = trace->from,
        .to = trace->to,
        .limit_bytes = trace->limit_bytes > 0 ? trace->limit_bytes
                       : trace->path != NULL  ? LIMIT_OF_TRACE
                                              : LIMIT_OF_OUT,
    };

    if (trace->path != NULL) {
        self->path = g_strdup(trace->path);
    } else if (options->out != NULL) {
        self->path = g_build_filename(options->out, "trace.pftrace", NULL);
    } else {
        self->passing = trace_draft_nameless(error);
        self->path = g_strdup_printf("/proc/self/fd/%d", self->passing);
        if (self->passing < 0) {
            return false;
        }
    }
    self->is_of_out = trace->path == NULL;
    self->writer = trace_pftrace_new(self->path, &config, error);
    return self->writer != NULL;
}

/* Are the chosen cores on the chip? How large a part of a wafer a script takes is known
 * later. */
static bool
check_cores(const CmdTraceOptions *options, const ArchChip *chip, GError **error)
{
    ArchGrid grid = {0};

    if (options->cores == NULL || !arch_chip_grid(chip, &grid)) {
        return true;
    }
    for (guint i = 0; i < options->cores->len; i++) {
        const TraceSquare *square = &g_array_index(options->cores, TraceSquare, i);

        if (square->x_end >= grid.columns || square->y_end >= grid.rows) {
            g_autofree char *allowed = g_strdup_printf("cores in 0..%u,0..%u",
                                                       grid.columns - 1, grid.rows - 1);

            return option_refuse("--trace-cores", options->cores_text, allowed, error);
        }
    }
    return true;
}

static bool is_wanted(const CmdRunOptions *options)
{
    return options->trace.path != NULL ||
           (!options->trace.is_off && SIM_PROBES &&
            (options->out != NULL || options->report != NULL ||
             options->heatmap != NULL));
}

/* A chip alone needs no name. */
static void
watch(TracePftrace *writer, const WlChips *chips, const TracePftraceStart *start)
{
    const guint count = wl_chips_count(chips);

    for (guint i = 0; i < count && i < TRACE_PFTRACE_ENGINES; i++) {
        const WlChip *chip = &wl_chips_list(chips)[i];
        SimEngine *engine = arch_chip_engine(chip->chip);
        g_autofree char *prefix =
            count == 1 ? NULL : g_strconcat(chip->host, ".", NULL);

        if (i == 0) {
            TracePftraceStart first = *start;

            first.prefix = prefix;
            trace_pftrace_begin(writer, engine, &first);
        } else {
            trace_pftrace_join(writer, engine, prefix);
        }
    }
}

bool cmd_run_trace_begin(CmdRunTrace **trace,
                         const CmdRunOptions *options,
                         const WlScript *script,
                         const WlChips *chips,
                         GError **error)
{
    ArchChip *chip = wl_chips_first(chips);
    g_autoptr(CmdRunTrace) self = NULL;
    g_autoptr(JsonObject) object = NULL;

    *trace = NULL;
    if (!is_wanted(options)) {
        return true;
    }
    if (!SIM_PROBES) {
        return option_fail(error, "--trace: this program was built without probes "
                                  "(GRIDLOOM_PROBES=OFF)");
    }
    if (!check_cores(&options->trace, chip, error)) {
        return false;
    }
    self = g_new0(CmdRunTrace, 1);
    self->passing = -1;
    if (!open_file(self, options, error)) {
        return false;
    }
    object = details(script, chip, options->seed);
    watch(self->writer, chips,
          &(TracePftraceStart){.workload = wl_script_name(script),
                               .chip = arch_params_name(arch_chip_params(chip)),
                               .clock_hz = arch_chip_clock_hz(chip),
                               .details = object});
    *trace = g_steal_pointer(&self);
    return true;
}

static SimTime cycle_at(const SystemTracks *self, double seconds)
{
    return (SimTime) llround(MAX(seconds, 0) * self->clock_hz);
}

/* A lane of the link for each program that uses it, and on a lane of its own how many
 * transfers are under way. */
static void trace_link(gpointer data, const SimLinkDeed *deed)
{
    const SystemTracks *self = data;
    const char *link = sim_platform_link(self->platform, deed->link)->name;
    const SimTime now = cycle_at(self, deed->now);

    trace_pftrace_count(self->trace,
                        &(TracePftraceDeed){.place = link,
                                            .lane = "all",
                                            .name = "under way",
                                            .unit = "transfers",
                                            .begin = now,
                                            .end = now},
                        deed->under_way);
    if (deed->is_over) {
        g_autofree char *name = g_strconcat(deed->from, " to ", deed->to, NULL);

        trace_pftrace_add(self->trace,
                          &(TracePftraceDeed){.place = link,
                                              .lane = deed->program,
                                              .name = name,
                                              .begin = cycle_at(self, deed->begin),
                                              .end = now,
                                              .bytes = (int64_t) deed->bytes});
    }
}

/* A lane of the host for each of its threads. */
static void trace_host(gpointer data, const WlDeed *deed)
{
    const SystemTracks *self = data;
    g_autofree char *name = g_strconcat(deed->what, " ", deed->chip, NULL);

    trace_pftrace_add(self->trace,
                      &(TracePftraceDeed){
                          .place = sim_platform_main_host(self->platform)->name,
                          .lane = deed->thread,
                          .name = name,
                          .begin = cycle_at(self, deed->begin),
                          .end = cycle_at(self, deed->end),
                          .bytes = deed->bytes == 0 ? -1 : (int64_t) deed->bytes,
                      });
}

void cmd_run_trace_watch(CmdRunTrace *self, WlMachine *machine)
{
    if (machine->chip_count > 1) {
        self->system = (SystemTracks){
            .trace = self->writer,
            .platform = sim_system_platform(machine->system),
            .clock_hz = arch_chip_clock_hz(machine->chips[0].chip),
        };
        sim_system_watch_links(machine->system, trace_link, &self->system);
        machine->see = trace_host;
        machine->see_data = &self->system;
    }
}

const char *cmd_run_trace_path(const CmdRunTrace *self)
{
    return self->path;
}

bool cmd_run_trace_is_kept(const CmdRunTrace *self)
{
    return self->passing < 0;
}

static void say_what_is_missing(const CmdRunTrace *self)
{
    const SimTime cut = trace_pftrace_cut(self->writer);
    const char *name = self->passing >= 0 ? "trace of --report" : self->path;

    if (cut != SIM_TIME_NEVER) {
        (void) complain(
            "%s: its limit is reached, slices that end from cycle "
            "%" G_GUINT64_FORMAT " on%s are missing; --trace-window, "
            "--trace-cores and --trace-level make it smaller, "
            "--trace-limit lets it grow",
            name, cut, trace_pftrace_lacks_use(self->writer) ? " and use by time" : "");
    }
    if (cut == SIM_TIME_NEVER && trace_pftrace_lacks_use(self->writer)) {
        (void) complain("%s: its limit is reached, use by time is missing; "
                        "--trace-limit lets it grow",
                        name);
    }
    if (trace_pftrace_is_too_late(self->writer)) {
        (void) complain("%s: the run ended at cycle %" G_GUINT64_FORMAT
                        ", before --trace-window begins",
                        name, trace_pftrace_now(self->writer));
    }
    if (trace_pftrace_is_off_target(self->writer)) {
        (void) complain("%s: the run had none of the cores of --trace-cores", name);
    }
}

bool cmd_run_trace_finish(CmdRunTrace *self,
                          const char *result,
                          const WlOutcome *outcome,
                          GError **error)
{
    g_autoptr(JsonNode) node = json_from_string(result, error);
    JsonObject *object;

    if (node == NULL) {
        return false;
    }
    object = json_node_get_object(node);
    if (self->is_of_out) {
        g_autofree char *folder = g_path_get_dirname(self->path);

        if (!trace_output_make_folder(folder, error)) {
            return false;
        }
    }
    if (!trace_pftrace_finish(
            self->writer,
            &(TracePftraceEnd){
                .cycles = (SimTime) json_object_get_int_member(object, "cycles"),
                .measured_end = outcome->measured_end,
                .counters = json_object_get_object_member(object, "counters"),
                .result = object,
                .work = outcome->work},
            error)) {
        if (self->passing >= 0) {
            g_prefix_error(error, "trace of --report: ");
        }
        return false;
    }
    say_what_is_missing(self);
    return true;
}

bool cmd_run_trace_keep(CmdRunTrace *self, const GError *why)
{
    const TracePftraceEnd end = {.cycles = trace_pftrace_now(self->writer),
                                 .failure = why->message};

    return !self->is_of_out &&
           (g_error_matches(why, SIM_ERROR, SIM_ERROR_DEADLOCK) ||
            g_error_matches(why, SIM_ERROR, SIM_ERROR_LIVELOCK) ||
            g_error_matches(why, SIM_ERROR, SIM_ERROR_TIME_LIMIT) ||
            g_error_matches(why, SIM_ERROR, SIM_ERROR_STOPPED)) &&
           trace_pftrace_finish(self->writer, &end, NULL);
}
