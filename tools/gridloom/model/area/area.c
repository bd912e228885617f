/* Reads which chip is asked for, and adds its parts up. */
#include "tools/gridloom/model/area/area.h"

#include <math.h>

#include "arch/gpu.h"
#include "tools/gridloom/chip_numbers.h"
#include "tools/gridloom/option_value.h"

#define PERCENT 100.0

enum {
    KILOBYTE = 1024,
    MOST_PARTS = 100000, /* as chip files have it */
    MOST_KILOBYTES = 1000000,
};

static const char *const usual_chip = "gtx980";

static const char *const description =
    "GPUs: appendix C of \"Analytical Cost Metrics: Days of Future Past\", the sum of\n"
    "vector units, registers, shared memory, caches and overhead, with coefficients "
    "that\n"
    "were fitted to the die of a GTX 980 (28 nm). Beside it (C.6) to the letter, which "
    "has\n"
    "the constant of L2 once instead of once a multiprocessor, and (C.7), rounded.\n\n"
    "Tensix chips and wafers: the parts that section [area] of their files assumes, "
    "with\n"
    "a rest that makes the sum the die's.\n\n"
    "  gridloom model area --chip titanx\n"
    "  gridloom model area --chip wse2 --set memory.capacity_bytes=98304\n"
    "  gridloom model area --multiprocessors 32 --vector-units 128 --shared-kb 24 "
    "--no-caches\n";

/* What is read as text first. */
typedef struct {
    char *chip;
    char *multiprocessors;
    char *vector_units;
    char *shared;
    gboolean has_no_caches;
    char **overrides;
    char **words;
} Texts;

static void texts_clear(Texts *self)
{
    g_free(self->chip);
    g_free(self->multiprocessors);
    g_free(self->vector_units);
    g_free(self->shared);
    g_strfreev(self->overrides);
    g_strfreev(self->words);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Texts, texts_clear)

void model_area_clear(ModelArea *self)
{
    model_output_clear(&self->output);
    g_clear_pointer(&self->chip, arch_params_free);
    g_clear_pointer(&self->parts, g_array_unref);
}

double model_area_error(const ModelArea *self)
{
    return PERCENT * (self->mm2 - self->die_mm2) / self->die_mm2;
}

static void add_part(ModelArea *self, const char *name, const char *title, double mm2)
{
    const ArchAreaPart part = {.name = name, .title = title, .mm2 = mm2};

    g_array_append_val(self->parts, part);
}

static bool read_design(GpuAreaDesign *design, const Texts *texts, GError **error)
{
    uint64_t kilobytes = design->shared_bytes / KILOBYTE;

    if (!option_small(texts->multiprocessors, "--multiprocessors", 1, MOST_PARTS,
                      &design->multiprocessors, error) ||
        !option_small(texts->vector_units, "--vector-units", 1, MOST_PARTS,
                      &design->vector_units, error) ||
        !option_count(texts->shared, "--shared-kb", 1, MOST_KILOBYTES, &kilobytes,
                      error)) {
        return false;
    }
    if (texts->shared != NULL) {
        design->shared_bytes = kilobytes * KILOBYTE;
    }
    design->has_caches = !texts->has_no_caches;
    return true;
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

static bool add_gpu(ModelArea *self, const Texts *texts, GError **error)
{
    GpuAreaDesign built; /* as the file has it */
    GpuAreaCosts costs;
    GpuArea area;
    GpuArea printed;

    if (!gpu_area_read(self->chip, &costs, &built, error) ||
        !chip_numbers_override(self->chip, texts->overrides, error) ||
        !gpu_area_read(self->chip, &costs, &self->design, error) ||
        !read_design(&self->design, texts, error)) {
        return false;
    }
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

static bool refuse_changes(const Texts *texts, GError **error)
{
    const struct {
        const char *option;
        bool is_given;
    } options[] = {{"--multiprocessors", texts->multiprocessors != NULL},
                   {"--vector-units", texts->vector_units != NULL},
                   {"--shared-kb", texts->shared != NULL},
                   {"--no-caches", texts->has_no_caches}};

    for (gsize i = 0; i < G_N_ELEMENTS(options); i++) {
        if (options[i].is_given) {
            return option_fail(error, "%s: only GPUs have these; use --set",
                               options[i].option);
        }
    }
    return true;
}

static bool add_spatial(ModelArea *self, const Texts *texts, GError **error)
{
    ArchArea area;

    if (!refuse_changes(texts, error) ||
        !chip_numbers_override(self->chip, texts->overrides, error) ||
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
    if (texts->overrides == NULL) {
        self->die_mm2 = area.die_mm2;
    }
    return true;
}

static bool take(ModelArea *self, const Texts *texts, GError **error)
{
    if (!option_no_words(texts->words, "model area", error) ||
        !model_output_check(&self->output, error)) {
        return false;
    }
    self->chip =
        chip_numbers_load(texts->chip != NULL ? texts->chip : usual_chip, error);
    if (self->chip == NULL) {
        return false;
    }
    return gpu_is(self->chip) ? add_gpu(self, texts, error)
                              : add_spatial(self, texts, error);
}

bool model_area_init(ModelArea *self, int argc, char **argv, GError **error)
{
    g_auto(Texts) texts = {0};
    const GOptionEntry entries[] = {
        {"chip", 0, 0, G_OPTION_ARG_FILENAME, &texts.chip,
         "chip whose parts are added up (default: gtx980)", "NAME|FILE"},
        {"multiprocessors", 0, 0, G_OPTION_ARG_FILENAME, &texts.multiprocessors,
         "of another design of a GPU, n_SM (default: the chip's)", "N"},
        {"vector-units", 0, 0, G_OPTION_ARG_FILENAME, &texts.vector_units,
         "of each multiprocessor, n_V", "N"},
        {"shared-kb", 0, 0, G_OPTION_ARG_FILENAME, &texts.shared,
         "shared memory of each multiprocessor, M_SM", "N"},
        {"no-caches", 0, 0, G_OPTION_ARG_NONE, &texts.has_no_caches,
         "leave L1 and L2 out", NULL},
        {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &texts.overrides,
         "change a number of the chip; may be repeated", "SECTION.KEY=VALUE"},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &texts.words, NULL,
         NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autoptr(GOptionContext) context =
        g_option_context_new("- what takes how much of a die?");

    *self = (ModelArea){.parts = g_array_new(FALSE, FALSE, sizeof(ArchAreaPart)),
                        .die_mm2 = NAN,
                        .rounded = NAN,
                        .as_printed = NAN};
    g_set_prgname("gridloom model area");
    g_option_context_set_description(context, description);
    g_option_context_add_main_entries(context, entries, NULL);
    model_output_add_options(&self->output, context);
    return g_option_context_parse(context, &argc, &argv, error) &&
           take(self, &texts, error);
}
