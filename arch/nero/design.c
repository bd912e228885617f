/* Assembles a design: its plan, the resources it takes, and whether the device has
 * them. */
#include "arch/nero/design.h"

#include "arch/error.h"

typedef struct {
    const char *name;
    const char *device; /* key of what there is */
    const char *shell;  /* key of what is taken before the first PE */
    const char *watts;  /* key of one of it */
} Resource;

static const Resource resources[] = {
    [ARCH_NERO_BRAM] = {"BRAM", "device.bram_count", "shell.bram_count",
                        "power.bram_watts"},
    [ARCH_NERO_URAM] = {"URAM", "device.uram_count", "shell.uram_count",
                        "power.uram_watts"},
    [ARCH_NERO_DSP] = {"DSP", "device.dsp_count", "shell.dsp_count", "power.dsp_watts"},
    [ARCH_NERO_FF] = {"FF", "device.ff_count", "shell.ff_count", "power.ff_watts"},
    [ARCH_NERO_LUT] = {"LUT", "device.lut_count", "shell.lut_count", "power.lut_watts"},
};

const char *arch_nero_resource_name(ArchNeroResource resource)
{
    return resources[resource].name;
}

guint nero_design_bits(const ArchNeroDesign *self)
{
    return 8 * arch_nero_format_bytes(self->plan.format);
}

static double fill(const ArchNeroDesign *self)
{
    return (double) arch_params_uint(self->params, "device.fill_percent") / 100;
}

double nero_design_room(const ArchNeroDesign *self, ArchNeroResource resource)
{
    return (fill(self) * self->device[resource] - self->shell[resource]) /
           self->plan.pes;
}

/* A PE takes in a cycle what a word has of all fields, a power of two of points. */
static guint default_lanes(const ArchParams *params, const ArchNeroPlan *plan)
{
    const uint64_t bits = 8 * (uint64_t) arch_nero_format_bytes(plan->format);
    const uint64_t numbers = arch_params_uint(params, "pe.word_bits") / bits;
    guint lanes = 1;

    while (2 * (uint64_t) lanes * MAX(plan->fields, 1) <= numbers) {
        lanes *= 2;
    }
    return lanes;
}

static ArchNeroReach reach_of_all(const ArchNeroPlan *plan)
{
    ArchNeroReach all = arch_nero_datapath_reach(plan->sweeps[0]);

    for (guint sweep = 1; sweep < plan->sweep_count; sweep++) {
        const ArchNeroReach one = arch_nero_datapath_reach(plan->sweeps[sweep]);

        all.x_before = MAX(all.x_before, one.x_before);
        all.x_after = MAX(all.x_after, one.x_after);
        all.y_before = MAX(all.y_before, one.y_before);
        all.y_after = MAX(all.y_after, one.y_after);
        all.z_before = MAX(all.z_before, one.z_before);
        all.z_after = MAX(all.z_after, one.z_after);
    }
    return all;
}

/* Cycles from a window that a reader asks for to the next one: its way to the host and
 * back, and its beats. */
static uint64_t reading_cycles(const ArchNeroDesign *self)
{
    const ArchParams *params = self->params;
    const ArchNeroPlan *plan = &self->plan;
    const ArchNeroReach reach = reach_of_all(plan);
    const uint64_t points =
        ((uint64_t) plan->window_x + reach.x_before + reach.x_after) *
        (plan->window_y + reach.y_before + reach.y_after) * plan->window_z;
    const uint64_t bits = points * plan->fields * nero_design_bits(self);

    return bits / arch_params_uint(params, "memory.port_bits") +
           2 * arch_params_uint(params, "link.latency_cycles") +
           arch_params_uint(params, "control.host_cycles") +
           arch_params_uint(params, "control.register_cycles") *
               arch_params_uint(params, "control.job_registers");
}

static uint64_t
sweeping_cycles(const ArchNeroDesign *self, const ArchNeroDatapath *path, guint lanes)
{
    const ArchNeroPlan *plan = &self->plan;
    const ArchNeroReach margin = arch_nero_datapath_margin(path);
    const uint64_t points =
        ((uint64_t) plan->window_x + margin.x_before + margin.x_after) *
        (plan->window_y + margin.y_before + margin.y_after);

    return (points + lanes - 1) / lanes * plan->window_z +
           arch_nero_datapath_depth(path, self->params, plan->format) +
           arch_params_uint(self->params, "pe.flush_cycles");
}

/* Points share operators as far as no sweep takes longer than reading its windows. */
static guint shared_lanes(const ArchNeroDesign *self)
{
    const uint64_t reading = reading_cycles(self);
    guint lanes = self->plan.lanes;

    while (lanes > 1) {
        for (guint i = 0; i < self->plan.sweep_count; i++) {
            if (sweeping_cycles(self, self->plan.sweeps[i], lanes / 2) > reading) {
                return lanes;
            }
        }
        lanes /= 2;
    }
    return lanes;
}

static void build(ArchNeroDesign *self)
{
    g_autoptr(GArray) arrays = NULL;

    for (guint i = 0; i < ARCH_NERO_RESOURCES; i++) {
        self->device[i] = (double) arch_params_uint(self->params, resources[i].device);
        self->shell[i] = (double) arch_params_uint(self->params, resources[i].shell);
    }
    self->reach = reach_of_all(&self->plan);
    for (guint sweep = 0; sweep < self->plan.sweep_count; sweep++) {
        const ArchNeroDatapath *path = self->plan.sweeps[sweep];

        self->interval[sweep] = 1;
        self->depth[sweep] =
            arch_nero_datapath_depth(path, self->params, self->plan.format);
        self->recurrence[sweep] =
            arch_nero_datapath_recurrence(path, self->params, self->plan.format);
    }
    arrays = nero_design_arrays(self);
    nero_design_place(self, arrays);
    nero_design_add_logic(self);
}

/* Builds it again with arrays that are reshaped. */
static void reshape(ArchNeroDesign *self)
{
    for (guint i = 0; i < ARCH_NERO_RESOURCES; i++) {
        self->of_pe[i] = 0;
    }
    g_array_set_size(self->buffers, 0);
    self->is_reshaped = true;
    build(self);
}

static bool check_fit(const ArchNeroDesign *self, GError **error)
{
    const ArchNeroPlan *plan = &self->plan;

    for (guint i = 0; i < ARCH_NERO_RESOURCES; i++) {
        const double taken = self->of_pe[i] * plan->pes + self->shell[i];
        const double most = fill(self) * self->device[i];

        if (taken > most) {
            return arch_refuse(
                error,
                "design %s: %s overflows: %u PE%s with windows of %ux%ux%u in "
                "%s take %.0f, %.0f of %.0f can be used",
                plan->name, resources[i].name, plan->pes, plan->pes == 1 ? "" : "s",
                plan->window_x, plan->window_y, plan->window_z,
                plan->format == ARCH_NERO_FP32 ? "FP32" : "FP16", taken, most,
                self->device[i]);
        }
    }
    return true;
}

ArchNeroDesign *arch_nero_design_new(const ArchParams *params,
                                     const ArchNeroPlan *plan,
                                     guint depth,
                                     GError **error)
{
    g_autoptr(ArchNeroDesign) self = g_new0(ArchNeroDesign, 1);

    self->params = params;
    self->plan = *plan;
    self->name = g_strdup(plan->name);
    self->plan.name = self->name;
    self->grid_depth = depth;
    self->buffers = g_array_new(FALSE, FALSE, sizeof(ArchNeroBuffer));
    if (plan->lanes == 0) {
        self->plan.lanes = default_lanes(params, plan);
    }
    for (guint i = 0; i < ARCH_NERO_SWEEPS; i++) {
        self->plan.branches[i] = MAX(plan->branches[i], 1);
    }
    if (plan->windows_ahead == 0) {
        self->plan.windows_ahead = 2;
    }
    if (!nero_design_check(params, &self->plan, depth, error)) {
        return NULL;
    }
    if (plan->lanes == 0) {
        self->plan.lanes = shared_lanes(self);
    }
    build(self);
    if (!check_fit(self, NULL)) {
        reshape(self);
    }
    if (self->plan.partition == 0) {
        self->plan.partition = self->widest;
    }
    return check_fit(self, error) ? g_steal_pointer(&self) : NULL;
}

void arch_nero_design_free(ArchNeroDesign *self)
{
    if (self != NULL) {
        g_array_unref(self->buffers);
        g_free(self->name);
        g_free(self);
    }
}

const ArchNeroPlan *arch_nero_design_plan(const ArchNeroDesign *self)
{
    return &self->plan;
}

ArchNeroReach arch_nero_design_reach(const ArchNeroDesign *self)
{
    return self->reach;
}

guint arch_nero_design_interval(const ArchNeroDesign *self, guint sweep)
{
    g_assert(sweep < self->plan.sweep_count);
    return self->interval[sweep];
}

guint arch_nero_design_depth(const ArchNeroDesign *self, guint sweep)
{
    g_assert(sweep < self->plan.sweep_count);
    return self->depth[sweep];
}

guint arch_nero_design_recurrence(const ArchNeroDesign *self, guint sweep)
{
    g_assert(sweep < self->plan.sweep_count);
    return self->recurrence[sweep];
}

double arch_nero_design_of_pe(const ArchNeroDesign *self, ArchNeroResource resource)
{
    return self->of_pe[resource];
}

double arch_nero_design_shell(const ArchNeroDesign *self, ArchNeroResource resource)
{
    return self->shell[resource];
}

double arch_nero_design_percent(const ArchNeroDesign *self, ArchNeroResource resource)
{
    const double taken = self->of_pe[resource] * self->plan.pes + self->shell[resource];

    return self->device[resource] > 0 ? 100 * taken / self->device[resource] : 0;
}

guint arch_nero_design_buffer_count(const ArchNeroDesign *self)
{
    return self->buffers->len;
}

const ArchNeroBuffer *arch_nero_design_buffer(const ArchNeroDesign *self, guint index)
{
    return &g_array_index(self->buffers, ArchNeroBuffer, index);
}

double arch_nero_design_watts(const ArchNeroDesign *self, double share)
{
    double watts = arch_params_real(self->params, "power.board_watts") +
                   arch_params_real(self->params, "power.port_watts") * self->plan.pes;

    for (guint i = 0; i < ARCH_NERO_RESOURCES; i++) {
        watts += arch_params_real(self->params, resources[i].watts) * self->of_pe[i] *
                 self->plan.pes * share;
    }
    return watts;
}
