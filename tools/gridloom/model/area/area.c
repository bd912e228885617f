/* Reads which chip is asked for, and adds its parts up. */
#include "tools/gridloom/model/area/area.h"

#include <math.h>

#include "arch/gpu.h"
#include "tools/gridloom/chip_numbers.h"
#include "tools/gridloom/commands.h"
#include "tools/gridloom/option_value.h"

typedef ModelArea Options;

#define PERCENT 100.0

enum {
    KILOBYTE = 1024,
    MOST_PARTS = 100000, /* as chip files have it */
    MOST_KILOBYTES = 1000000,
};

static const char *const usual_chip = "gtx980";

double model_area_error(const ModelArea *self)
{
    return PERCENT * (self->mm2 - self->die_mm2) / self->die_mm2;
}

static void add_part(ModelArea *self, const char *name, const char *title, double mm2)
{
    const ArchAreaPart part = {.name = name, .title = title, .mm2 = mm2};

    g_array_append_val(self->parts, part);
}

/* The design of the chip, but for what the line says. */
static void change_design(GpuAreaDesign *design, const GpuAreaDesign *asked)
{
    design->has_caches = asked->has_caches;
    if (asked->multiprocessors > 0) {
        design->multiprocessors = asked->multiprocessors;
    }
    if (asked->vector_units > 0) {
        design->vector_units = asked->vector_units;
    }
    if (asked->shared_bytes > 0) {
        design->shared_bytes = asked->shared_bytes;
    }
}

/* The design is another one: its die was never measured. */
static bool is_other(const GpuAreaDesign *design, const GpuAreaDesign *built)
{
    return design->multiprocessors != built->multiprocessors ||
           design->vector_units != built->vector_units ||
           design->register_bytes != built->register_bytes ||
           design->shared_bytes != built->shared_bytes ||
           design->l1_pair_bytes != built->l1_pair_bytes ||
           design->l2_bytes != built->l2_bytes || !design->has_caches;
}

static bool add_gpu(ModelArea *self, const OptionTexts *texts, GError **error)
{
    GpuAreaDesign built; /* as the file has it */
    GpuAreaCosts costs;
    GpuArea area;
    GpuArea printed;

    if (!gpu_area_read(self->chip, &costs, &built, error) ||
        !chip_numbers_override(self->chip, option_list(texts, "set"), error) ||
        !gpu_area_read(self->chip, &costs, &self->design, error)) {
        return false;
    }
    change_design(&self->design, &self->asked);
    self->is_gpu = true;
    gpu_area(&costs, &self->design, GPU_AREA_WORKING, &area);
    gpu_area(&costs, &self->design, GPU_AREA_AS_PRINTED, &printed);
    self->is_changed = is_other(&self->design, &built);
    self->mm2 = area.total;
    self->as_printed = printed.total;
    self->rounded = self->design.has_caches ? gpu_area_rounded(&self->design) : NAN;
    add_part(self, "vector_units", "vector units", area.vector_units);
    add_part(self, "registers", "registers", area.registers);
    add_part(self, "shared", "shared memory", area.shared);
    add_part(self, "l1", "L1", area.l1);
    add_part(self, "l2", "L2", area.l2);
    add_part(self, "overhead", "overhead", area.overhead);
    if (!self->is_changed && arch_params_real(self->chip, "area.die_mm2") > 0) {
        self->die_mm2 = arch_params_real(self->chip, "area.die_mm2");
    }
    return true;
}

static bool refuse_changes(const OptionTexts *texts, GError **error)
{
    static const char *const options[] = {"multiprocessors", "vector-units",
                                          "shared-kb", "no-caches"};

    for (gsize i = 0; i < G_N_ELEMENTS(options); i++) {
        if (option_is_given(texts, options[i])) {
            return option_fail(error, "--%s: only GPUs have these; use --set",
                               options[i]);
        }
    }
    return true;
}

static bool add_spatial(ModelArea *self, const OptionTexts *texts, GError **error)
{
    ArchArea area;

    if (!refuse_changes(texts, error) ||
        !chip_numbers_override(self->chip, option_list(texts, "set"), error) ||
        !arch_area_of(self->chip, ARCH_AREA_AS_FILED, &area, error)) {
        return false;
    }
    for (guint i = 0; i < area.part_count; i++) {
        add_part(self, area.parts[i].name, area.parts[i].title, area.parts[i].mm2);
    }
    self->mm2 = area.mm2;
    self->core_count = area.core_count;
    self->core_mm2 = area.core_mm2;
    self->core_sram_mm2 = area.sram_mm2;
    if (!option_is_given(texts, "set")) {
        self->die_mm2 = area.die_mm2;
    }
    return true;
}

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;

    self->parts = g_array_new(FALSE, FALSE, sizeof(ArchAreaPart));
    self->asked.shared_bytes *= KILOBYTE;
    self->asked.has_caches = !option_is_given(texts, "no-caches");
    if (!model_output_check(&self->output, error)) {
        return false;
    }
    self->chip = chip_numbers_load(option_text_or(texts, "chip", usual_chip), error);
    return self->chip != NULL && (gpu_is(self->chip) ? add_gpu(self, texts, error)
                                                     : add_spatial(self, texts, error));
}

static void clear(gpointer options)
{
    Options *self = options;

    g_clear_pointer(&self->chip, arch_params_free);
    g_clear_pointer(&self->parts, g_array_unref);
}

static const Option rows[] = {
    {"chip", "NAME|FILE", "chip whose parts are added up (default: gtx980)",
     OPTION_OTHER(TEXT), .names = OPTION_NAMES_CHIPS},
    {"multiprocessors", "N", "of another design of a GPU, n_SM (default: the chip's)",
     OPTION_SMALL(asked.multiprocessors, 1, MOST_PARTS)},
    {"vector-units", "N", "of each multiprocessor, n_V",
     OPTION_SMALL(asked.vector_units, 1, MOST_PARTS)},
    {"shared-kb", "N", "shared memory of each multiprocessor, M_SM",
     OPTION_COUNT(asked.shared_bytes, 1, MOST_KILOBYTES)},
    {"no-caches", NULL, "leave L1 and L2 out", OPTION_OTHER(FLAG)},
    {"set", "SECTION.KEY=VALUE", "change a number of the chip; may be repeated",
     OPTION_OTHER(TEXTS)},
    {0},
};

const Command cmd_model_area = {
    .name = "model area",
    .purpose = "what takes how much of a die?",
    .help = "model-area",
    .tables = {{rows, 0}, {model_output_rows, offsetof(Options, output)}},
    COMMAND_OPTIONS(Options, .die_mm2 = NAN, .rounded = NAN, .as_printed = NAN),
    .check = check,
    .clear = clear,
    .run = model_area_run,
};
