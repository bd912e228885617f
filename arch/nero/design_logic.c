/* Counts the operators and registers of a PE. */
#include "arch/nero/datapath.h"
#include "arch/nero/design.h"

/* "operator.<which>_<what>" for the design's format. */
static double cost(const ArchNeroDesign *self, const char *which, const char *what)
{
    g_autofree char *path = g_strdup_printf("operator.%s_%s", which, what);
    gsize count = 0;
    const uint64_t *numbers = arch_params_list(self->params, path, &count);

    g_assert(count == 2);
    return (double) numbers[self->plan.format];
}

/* Of all lanes. */
static void
add_operators(ArchNeroDesign *self, const char *which, guint count, bool has_dsps)
{
    const double all = (double) count * self->plan.lanes;

    self->of_pe[ARCH_NERO_DSP] += has_dsps ? all * cost(self, which, "dsps") : 0;
    self->of_pe[ARCH_NERO_LUT] += all * cost(self, which, "luts");
    self->of_pe[ARCH_NERO_FF] += all * cost(self, which, "ffs");
}

static void add_datapath(ArchNeroDesign *self, const ArchNeroDatapath *path)
{
    const ArchNeroWork work = arch_nero_datapath_work(path);
    const guint adders = work.operators[ARCH_NERO_ADD] + work.operators[ARCH_NERO_SUB];

    add_operators(self, "add", adders, true);
    add_operators(self, "mul", work.operators[ARCH_NERO_MUL] - work.shifts, true);
    add_operators(self, "shift", work.shifts, false);
    add_operators(self, "div", work.operators[ARCH_NERO_DIV], true);
    add_operators(self, "select", work.operators[ARCH_NERO_SELECT], false);
}

/* Numbers that are at hand together: of every row of its lines all lanes and what lies
 * beside them. */
static void add_registers(ArchNeroDesign *self, const ArchNeroDatapath *path)
{
    g_autoptr(GArray) lines = nero_datapath_lines(path);

    for (guint i = 0; i < lines->len; i++) {
        const NeroLines *line = &g_array_index(lines, NeroLines, i);

        self->of_pe[ARCH_NERO_FF] += (double) (line->rows + 1) *
                                     (self->plan.lanes + line->columns) *
                                     nero_design_bits(self);
    }
}

void nero_design_add_logic(ArchNeroDesign *self)
{
    for (guint sweep = 0; sweep < self->plan.sweep_count; sweep++) {
        add_datapath(self, self->plan.sweeps[sweep]);
        add_registers(self, self->plan.sweeps[sweep]);
    }
    self->of_pe[ARCH_NERO_FF] +=
        (double) arch_params_uint(self->params, "shell.pe_ff_count");
    self->of_pe[ARCH_NERO_LUT] +=
        (double) arch_params_uint(self->params, "shell.pe_lut_count");
}
