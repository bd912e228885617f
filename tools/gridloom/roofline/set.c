/* Finds runs and machines of rooflines. */
#include "tools/gridloom/roofline/set.h"

#include "arch/gpu.h"
#include "arch/roof.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/run/input.h"
#include "traces/file/json_text.h"
#include "traces/roofline/figure.h"
#include "workloads/chip_file.h"
#include "workloads/process.h"
#include "workloads/search.h"

const char *const cmd_roofline_memories[] = {
    [TRACE_ROOFLINE_SRAM] = "sram",
    [TRACE_ROOFLINE_NOC] = "noc",
    [TRACE_ROOFLINE_RECEIVED] = "received",
    [TRACE_ROOFLINE_L2] = "l2",
    [TRACE_ROOFLINE_DRAM] = "dram",
    [TRACE_ROOFLINE_OTHER] = "all",
    NULL,
};

int cmd_roofline_options_level(const OptionTexts *texts)
{
    const guint chosen = option_choice(texts, "memory", TRACE_ROOFLINE_OTHER);

    return chosen == TRACE_ROOFLINE_OTHER ? TRACE_ROOFLINE_ALL_LEVELS : (int) chosen;
}

static ArchParams *load(const char *name, bool is_published)
{
    g_autoptr(ArchParams) params = wl_chip_load(name, NULL);

    if (params == NULL || !wl_chip_has_roofs_only(params) ||
        (gpu_is(params) && is_published && !gpu_use_published(params, NULL))) {
        return NULL;
    }
    return g_steal_pointer(&params);
}

/* Roofs of so many cores, each value times a factor. */
static TraceMachine *machine_of(const ArchParams *params, double cores, double factor)
{
    g_autoptr(GArray) roofs = arch_roofs(params, cores);
    TraceMachine *self = trace_machine_new(arch_params_name(params));

    self->board_watts = gpu_is(params) ? gpu_watts(params) : 0;
    for (guint i = 0; i < roofs->len; i++) {
        const ArchRoof *roof = &g_array_index(roofs, ArchRoof, i);
        const TraceMachineRoof item = {.name = roof->name,
                                       .source = roof->source,
                                       .counter = roof->counter,
                                       .is_peak =
                                           g_str_equal(roof->unit, ARCH_ROOF_FLOPS),
                                       .value = roof->value * factor};

        g_array_append_val(self->roofs, item);
    }
    return self;
}

static TraceMachine *find_machine(const char *name, bool is_published)
{
    g_autoptr(ArchParams) params = load(name, is_published);

    return params != NULL ? machine_of(params, 1, 1) : NULL;
}

void cmd_roofline_set_init(TraceRooflineSet *self)
{
    trace_roofline_set_init(self);
    self->find_machine = find_machine;
}

bool cmd_roofline_set_read(TraceRooflineSet *self,
                           const char *name,
                           const CmdRooflineParts *parts,
                           const TraceWatch *watch,
                           GError **error)
{
    g_autofree char *found = g_file_test(name, G_FILE_TEST_EXISTS)
                                 ? NULL
                                 : search_find(SEARCH_MEASURED, name);
    TraceRun *file = trace_run_read_watched(found != NULL ? found : name, watch, error);

    if (file == NULL) {
        return false;
    }
    const guint first = self->files->len;

    if (!cmd_roofline_parts_add(parts, self, file, error)) {
        return false;
    }
    cmd_run_input_warn(g_ptr_array_index(self->files, first));
    return true;
}

void cmd_roofline_set_warn(TraceRooflineSet *self)
{
    trace_roofline_set_warn_sizes(self);
    for (guint i = 0; i < self->warnings->len; i++) {
        (void) complain("%s", (const char *) g_ptr_array_index(self->warnings, i));
    }
}

static bool refuse(const char *name, bool is_gpu, GError **error)
{
    g_autofree char *known = is_gpu ? wl_chip_gpu_names() : wl_chip_roof_names();

    return option_fail(error, "--%s %s: no such GPU%s; known are %s",
                       is_gpu ? "gpu" : "beside", name, is_gpu ? "" : " or processor",
                       known);
}

bool cmd_roofline_set_add_machines(TraceRooflineSet *self,
                                   const char *names,
                                   bool is_gpu,
                                   GError **error)
{
    /* No name is one that is empty. */
    g_auto(GStrv) words = g_strsplit(*names != '\0' ? names : " ", ",", -1);
    g_autoptr(GPtrArray) measured = cmd_run_input_measured();
    const guint given = self->files->len;

    for (char **word = words; *word != NULL; word++) {
        const char *name = g_strstrip(*word);
        g_autoptr(ArchParams) params = load(name, self->is_published);

        if (params == NULL || (is_gpu && !gpu_is(params))) {
            return refuse(name, is_gpu, error);
        }
        g_autoptr(TraceMachine) machine = machine_of(params, 1, 1);

        trace_roofline_set_add_machine(self, machine, measured, given);
    }
    return true;
}

static TraceRun *run_figure(const char *line, GError **error)
{
    g_auto(GStrv) words = wl_words_of_line(line, 0, error);

    if (words == NULL) {
        return NULL;
    }
    g_auto(WlProcess) run = wl_process_do(words[0], (const char *const *) words + 1);

    if (run.result == NULL || run.why != NULL) {
        (void) option_fail(error, "gridloom run %s: %s", line,
                           run.why != NULL ? run.why : "no result");
        return NULL;
    }
    g_autofree char *text = trace_json_text(run.result, false);

    return trace_run_new(line, text, NULL, error);
}

static TraceRun *read_figure(const char *name, GError **error)
{
    g_autofree char *path = search_find_or_fail(SEARCH_MEASURED, "result", name, error);

    return path != NULL ? trace_run_read(path, error) : NULL;
}

static TraceMachine *find_figure(const char *chip,
                                 bool is_published,
                                 double cores,
                                 bool is_per_cycle,
                                 GError **error)
{
    g_autoptr(ArchParams) params = wl_chip_load(chip, error);

    if (params == NULL || (is_published && !gpu_use_published(params, error))) {
        return NULL;
    }
    return machine_of(
        params, cores,
        is_per_cycle ? 1 / (double) arch_params_uint(params, "chip.clock_hz") : 1);
}

bool cmd_roofline_set_read_figure(TraceRooflineSet *self,
                                  const char *name,
                                  char **words,
                                  GError **error)
{
    static const TraceFigureSources sources = {run_figure, read_figure, find_figure};
    g_autofree char *path = search_find_or_fail(SEARCH_ROOFLINE, "figure", name, error);

    return path != NULL && trace_figure_read(self, path, words, &sources, error);
}
