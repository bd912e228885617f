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

/* `all` is of all lanes and branches. */
static void
add_operators(ArchNeroDesign *self, const char *which, double all, bool has_dsps)
{

    self->of_pe[ARCH_NERO_DSP] += has_dsps ? all * cost(self, which, "dsps") : 0;
    self->of_pe[ARCH_NERO_LUT] += all * cost(self, which, "luts");
    self->of_pe[ARCH_NERO_FF] += all * cost(self, which, "ffs");
}

static void add_datapath(ArchNeroDesign *self, guint sweep)
{
    const ArchNeroWork work = arch_nero_datapath_work(self->plan.sweeps[sweep]);
    const double times = (double) self->plan.lanes * self->plan.branches[sweep];
    const guint *count = work.operators;

    add_operators(self, "add", times * (count[ARCH_NERO_ADD] + count[ARCH_NERO_SUB]),
                  true);
    add_operators(self, "mul", times * (count[ARCH_NERO_MUL] - work.shifts), true);
    add_operators(self, "shift", times * work.shifts, true);
    add_operators(self, "div", times * count[ARCH_NERO_DIV], true);
    add_operators(self, "select", times * count[ARCH_NERO_SELECT], false);
}

/* Numbers that wait for others in the pipeline: a register each, and shift registers of
 * LUTs, which are 32 deep. */
static void add_waits(ArchNeroDesign *self, guint sweep)
{
    enum {
        SHIFT_DEPTH = 32
    };
    const double bits =
        (double) nero_design_bits(self) * self->plan.lanes * self->plan.branches[sweep];
    g_autoptr(GArray) waits =
        nero_datapath_waits(self->plan.sweeps[sweep], self->params, self->plan.format);

    for (guint i = 0; i < waits->len; i++) {
        const guint cycles = g_array_index(waits, guint, i);
        const guint shifts = (cycles - 1 + SHIFT_DEPTH - 1) / SHIFT_DEPTH;

        self->of_pe[ARCH_NERO_FF] += bits;
        self->of_pe[ARCH_NERO_LUT] += bits * shifts;
    }
}

/* A FIFO of the tool has two registers of its word behind its memory, and a multiplexer
 * between them; converters, splitter, gridding of each field and degridding hold a word
 * each. */
static void add_streams(ArchNeroDesign *self)
{
    enum {
        FIFO_REGISTERS = 2,
        CONVERTERS = 2,
        SPLITTER = 1,
        DEGRIDDING = 1
    };
    const double word = (double) arch_params_uint(self->params, "stream.word_bits");
    const guint fields = self->plan.fields;
    const double fifos =
        (double) arch_params_uint(self->params, "stream.common_count") + fields;

    self->of_pe[ARCH_NERO_FF] +=
        word * (FIFO_REGISTERS * fifos + fields + CONVERTERS + SPLITTER + DEGRIDDING);
    self->of_pe[ARCH_NERO_LUT] += word * fifos;
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
        add_datapath(self, sweep);
        add_registers(self, self->plan.sweeps[sweep]);
        add_waits(self, sweep);
    }
    add_streams(self);
    self->of_pe[ARCH_NERO_FF] +=
        (double) arch_params_uint(self->params, "shell.pe_ff_count");
    self->of_pe[ARCH_NERO_LUT] +=
        (double) arch_params_uint(self->params, "shell.pe_lut_count");
}
