/* gridloom model area: what takes how much of a die. */
#include "arch/model/area/area.h"

#include <math.h>
#include <stdio.h>

#include "arch/gpu.h"
#include "arch/model/area/gpu_area.h"
#include "tools/gridloom/commands.h"
#include "tools/gridloom/model/output.h"
#include "tools/gridloom/option_value.h"
#include "traces/file/quantity.h"
#include "traces/picture/bar_list.h"
#include "traces/table/record.h"
#include "traces/table/rows.h"
#include "workloads/chip_file.h"

#define PERCENT 100.0

enum {
    KILOBYTE = 1024,
    MOST_PARTS = 100000, /* as chip files have it */
    MOST_KILOBYTES = 1000000,
};

typedef struct {
    ModelOutput output;
    ArchParams *chip;
    GArray *parts; /* of ArchAreaPart */
    double mm2;
    double die_mm2; /* NaN: not known, or the design was never built */

    /* For GPUs only. */
    bool is_gpu;
    bool is_changed;     /* another design than that of the chip file */
    GpuAreaDesign asked; /* of its parts, 0: as in the file */
    GpuAreaDesign design;
    double rounded;    /* (C.7); NaN without caches */
    double as_printed; /* (C.6) to the letter */

    /* For Tensix chips and wafers only: a tile or PE, including those switched off. */
    uint64_t core_count; /* 0: none of these */
    double core_mm2;
    double core_sram_mm2;
} Options;

/* The error of the die's area in percent; NaN if it is not known. */
static double error_of(const Options *self)
{
    return PERCENT * (self->mm2 - self->die_mm2) / self->die_mm2;
}

static void add_part(Options *self, const char *name, const char *title, double mm2)
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

static bool add_gpu(Options *self, const OptionTexts *texts, GError **error)
{
    GpuAreaDesign built; /* as the file has it */
    GpuAreaCosts costs;
    GpuArea area;
    GpuArea printed;

    if (!gpu_area_read(self->chip, &costs, &built, error) ||
        !wl_chip_override(self->chip, option_list(texts, "set"), error) ||
        !gpu_area_read(self->chip, &costs, &self->design, error)) {
        return false;
    }
    change_design(&self->design, &self->asked);
    self->is_gpu = true;
    gpu_area(&costs, &self->design, GPU_AREA_WORKING, &area);
    gpu_area(&costs, &self->design, GPU_AREA_AS_PRINTED, &printed);
    self->is_changed = !gpu_area_design_is_same(&self->design, &built);
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

static bool add_spatial(Options *self, const OptionTexts *texts, GError **error)
{
    ArchArea area;

    if (!refuse_changes(texts, error) ||
        !wl_chip_override(self->chip, option_list(texts, "set"), error) ||
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
    self->chip = wl_chip_load(option_text_or(texts, "chip", "gtx980"), error);
    return self->chip != NULL && (gpu_is(self->chip) ? add_gpu(self, texts, error)
                                                     : add_spatial(self, texts, error));
}

static void clear(gpointer options)
{
    Options *self = options;

    g_clear_pointer(&self->chip, arch_params_free);
    g_clear_pointer(&self->parts, g_array_unref);
}

static const ArchAreaPart *part_at(const Options *self, guint index)
{
    return &g_array_index(self->parts, ArchAreaPart, index);
}

/* Shares of an empty area are 0. */
static double share_of(const Options *self, double mm2)
{
    return self->mm2 > 0 ? PERCENT * mm2 / self->mm2 : 0;
}

static JsonObject *parameters(gconstpointer study)
{
    const Options *self = study;
    const GpuAreaDesign *design = &self->design;

    if (!self->is_gpu) {
        return json_object_new();
    }
    return RECORD(VALUE("multiprocessors", design->multiprocessors),
                  VALUE("vector_units", design->vector_units),
                  VALUE("shared_kb", (double) design->shared_bytes / KILOBYTE),
                  VALUE("caches", design->has_caches));
}

static JsonObject *metrics(gconstpointer study)
{
    const Options *self = study;
    JsonObject *parts = json_object_new();
    JsonObject *object;

    for (guint i = 0; i < self->parts->len; i++) {
        json_object_set_double_member(parts, part_at(self, i)->name,
                                      part_at(self, i)->mm2);
    }
    object =
        RECORD(VALUE("mm2", self->mm2), VALUE("parts", parts),
               VALUE("die_mm2", self->die_mm2), VALUE("error_percent", error_of(self)));
    if (self->is_gpu) {
        RECORD_ADD(object, VALUE("mm2_rounded", self->rounded),
                   VALUE("mm2_as_printed", self->as_printed));
    }
    if (self->core_count > 0) {
        RECORD_ADD(object, VALUE("cores", self->core_count),
                   VALUE("core_mm2", self->core_mm2),
                   VALUE("core_sram_mm2", self->core_sram_mm2));
    }
    return object;
}

static void add_row(JsonArray *table,
                    const Options *self,
                    const char *name,
                    const char *title,
                    double mm2)
{
    json_array_add_object_element(
        table, RECORD(VALUE("chip", arch_params_name(self->chip)), VALUE("part", name),
                      VALUE("title", title), VALUE("mm2", mm2),
                      VALUE("percent", share_of(self, mm2))));
}

/* The parts, then all of them. */
static JsonArray *rows_json(const Options *self)
{
    JsonArray *table = json_array_new();

    for (guint i = 0; i < self->parts->len; i++) {
        const ArchAreaPart *part = part_at(self, i);

        add_row(table, self, part->name, part->title, part->mm2);
    }
    add_row(table, self, "all", "all", self->mm2);
    return table;
}

static char *csv(gconstpointer study)
{
    return trace_rows_csv(rows_json(study), "chip,part,mm2:%.6f,percent:%.4f", "-");
}

/* "16 multiprocessors of 128 vector units and 96 kB, with caches" */
static char *design_text(const Options *self)
{
    const GpuAreaDesign *design = &self->design;

    return g_strdup_printf("%u multiprocessor%s of %u vector unit%s and %.6g kB, %s",
                           design->multiprocessors,
                           design->multiprocessors == 1 ? "" : "s",
                           design->vector_units, design->vector_units == 1 ? "" : "s",
                           (double) design->shared_bytes / KILOBYTE,
                           design->has_caches ? "with caches" : "without caches");
}

/* The caller frees it. */
static char *total_text(const Options *self)
{
    return isnan(self->die_mm2)
               ? g_strdup_printf("%.2f mm2", self->mm2)
               : g_strdup_printf("%.2f mm2; the die has %.6g, %+.2g %%", self->mm2,
                                 self->die_mm2, error_of(self));
}

static char *svg(gconstpointer study)
{
    const Options *self = study;
    g_autofree char *design =
        self->is_gpu ? design_text(self) : g_strdup("Parts, as its file assumes them");
    g_autofree char *total = total_text(self);
    g_autoptr(TraceBarList) bars =
        trace_bar_list_new("Area of %s%s", arch_params_name(self->chip),
                           self->is_changed ? ", changed" : "");

    trace_bar_list_panel(bars, "%s", design);
    for (guint i = 0; i < self->parts->len; i++) {
        const ArchAreaPart *part = part_at(self, i);

        trace_bar_list_add(bars, part->title, part->mm2, 0, "%.2f mm2, %.1f %%",
                           part->mm2, share_of(self, part->mm2));
    }
    trace_bar_list_note(bars, "%s", total);
    return trace_bar_list_to_svg(bars);
}

static void print_head(const Options *self)
{
    g_autofree char *total = total_text(self);

    printf("model area of %s\n", arch_params_name(self->chip));
    if (self->is_gpu) {
        g_autofree char *design = design_text(self);

        printf("  design      %s\n", design);
    }
    printf("  area        %s\n", total);
    if (self->core_count > 0) {
        g_autofree char *count = quantity_count(self->core_count);

        printf("  parts       assumed, with a rest that makes the sum the die's\n"
               "  cores       %s of %.4g mm2 each, %.4g of it SRAM\n",
               count, self->core_mm2, self->core_sram_mm2);
    }
    if (self->is_gpu) {
        printf("  as printed  %.2f mm2: (C.6) has the constant of L2 once a chip\n",
               self->as_printed);
    }
    if (!isnan(self->rounded)) {
        printf("  rounded     %.2f mm2: (C.7), coefficients of a GTX 980 with few "
               "digits\n",
               self->rounded);
    }
    printf("\n");
}

static void print(gconstpointer study)
{
    print_head(study);
    trace_rows_print(rows_json(study), "PART=title|MM2=mm2:%.2f|PERCENT=percent:%.1f");
}

static int run(gpointer data)
{
    const gint64 start = g_get_monotonic_time();
    const Options *self = data;

    return model_output_write(&self->output,
                              &MODEL_PAGE("model area", self->chip, self), start);
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
    .run = run,
};
