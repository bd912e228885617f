/* Lists the on-chip arrays of a PE: windows, values between sweeps, waiting results,
 * lines of planes, carried values, FIFOs. */
#include "arch/nero/datapath.h"
#include "arch/nero/design.h"
#include "sim/narrow.h"

static guint lanes(const ArchNeroDesign *self)
{
    return self->plan.lanes;
}

static uint64_t points(const ArchNeroPlan *plan, const ArchNeroReach *reach)
{
    return ((uint64_t) plan->window_x + reach->x_before + reach->x_after) *
           ((uint64_t) plan->window_y + reach->y_before + reach->y_after);
}

static guint planes(const ArchNeroReach *reach)
{
    return 1 + reach->z_before + reach->z_after;
}

/* With those that are reached, where the grid has them. */
static uint64_t stored_planes(const ArchNeroDesign *self, const ArchNeroReach *reach)
{
    const uint64_t wanted =
        (uint64_t) self->plan.window_z + reach->z_before + reach->z_after;

    return MIN(wanted, MAX(self->plan.window_z, self->grid_depth));
}

/* A window of each field in as many copies as are asked for. While the sweep takes
 * numbers of all planes it reaches, as many come in as it uses up. */
static void add_windows(const ArchNeroDesign *self, GArray *arrays)
{
    const ArchNeroPlan *plan = &self->plan;

    for (guint f = 0; f < plan->fields; f++) {
        const ArchNeroReach reach = arch_nero_datapath_field_reach(plan->sweeps[0], f);
        const NeroArray array = {
            .name = "window",
            .count = plan->windows_ahead,
            .numbers = points(plan, &reach) * stored_planes(self, &reach),
            .demand = {(uint64_t) lanes(self) * (planes(&reach) + 1)},
        };

        g_array_append_val(arrays, array);
    }
}

/* What the second sweep takes: results of the first, and fields, which it copies so
 * that their windows are free again. One copy is filled while the other is read. */
static void add_between(const ArchNeroDesign *self, GArray *arrays)
{
    const ArchNeroPlan *plan = &self->plan;
    const ArchNeroDatapath *second = plan->sweeps[1];

    for (guint f = 0; f < arch_nero_datapath_field_count(second); f++) {
        const ArchNeroReach reach = arch_nero_datapath_field_reach(second, f);
        const NeroArray array = {
            .name = "between",
            .count = 2,
            .numbers = points(plan, &reach) * plan->window_z,
            .demand = {lanes(self), (uint64_t) lanes(self) * planes(&reach)},
        };

        if (arch_nero_datapath_taps(second, f) > 0) {
            g_array_append_val(arrays, array);
        }
    }
}

/* Planes leave while the next ones are computed. */
static void add_output(const ArchNeroDesign *self, GArray *arrays)
{
    const ArchNeroPlan *plan = &self->plan;
    const guint last = plan->sweep_count - 1;
    NeroArray array = {
        .name = "output",
        .count = 2 * arch_nero_datapath_result_count(plan->sweeps[last]),
        .numbers = (uint64_t) plan->window_x * plan->window_y,
    };

    array.demand[last] = lanes(self);
    g_array_append_val(arrays, array);
}

/* A line is written where it was read: a word of all lanes of each in a cycle. */
static void add_lines(const ArchNeroDesign *self,
                      guint sweep,
                      const NeroLines *line,
                      GArray *arrays)
{
    NeroArray array = {
        .name = "line",
        .count = line->rows,
        .numbers = (uint64_t) self->plan.window_x + line->columns,
        .side = lanes(self),
    };

    array.demand[sweep] = 2 * (uint64_t) lanes(self);
    if (array.count > 0) {
        g_array_append_val(arrays, array);
    }
}

static void add_sweep(const ArchNeroDesign *self, guint sweep, GArray *arrays)
{
    const ArchNeroDatapath *path = self->plan.sweeps[sweep];
    const ArchNeroReach margin = arch_nero_datapath_margin(path);
    const guint carries = arch_nero_datapath_work(path).carries;
    g_autoptr(GArray) lines = nero_datapath_lines(path);
    NeroArray array = {
        .name = "carry",
        .count = carries,
        .numbers = points(&self->plan, &margin),
    };

    for (guint i = 0; i < lines->len; i++) {
        add_lines(self, sweep, &g_array_index(lines, NeroLines, i), arrays);
    }
    array.demand[sweep] = 2 * (uint64_t) lanes(self);
    if (carries > 0) {
        g_array_append_val(arrays, array);
    }
}

GArray *nero_design_arrays(const ArchNeroDesign *self)
{
    const uint64_t word = arch_params_uint(self->params, "stream.word_bits");
    const NeroArray streams = {
        .name = "stream",
        .count = sim_u32(arch_params_uint(self->params, "stream.common_count")) +
                 self->plan.fields,
        .numbers = arch_params_uint(self->params, "stream.fifo_words") * word /
                   nero_design_bits(self),
        .side = sim_u32(word / nero_design_bits(self)),
        .is_stream = true,
    };
    GArray *arrays = g_array_new(FALSE, FALSE, sizeof(NeroArray));

    g_array_append_val(arrays, streams);
    add_windows(self, arrays);
    if (self->plan.sweep_count == 2) {
        add_between(self, arrays);
    }
    add_output(self, arrays);
    for (guint sweep = 0; sweep < self->plan.sweep_count; sweep++) {
        add_sweep(self, sweep, arrays);
    }
    return arrays;
}
