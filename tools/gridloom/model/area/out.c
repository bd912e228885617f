/* The parts of a die as text, JSON, a table and bars. */
#include <math.h>
#include <stdio.h>

#include "tools/gridloom/grid.h"
#include "tools/gridloom/model/area/area.h"
#include "tools/gridloom/number_text.h"
#include "tools/gridloom/record.h"
#include "traces/file/quantity.h"
#include "traces/picture/bar_list.h"

#define PERCENT 100.0

enum {
    KILOBYTE = 1024,
};

static const ArchAreaPart *part_at(const ModelArea *self, guint index)
{
    return &g_array_index(self->parts, ArchAreaPart, index);
}

/* Of an area of nothing everything is nothing. */
static double share_of(const ModelArea *self, double mm2)
{
    return self->mm2 > 0 ? PERCENT * mm2 / self->mm2 : 0;
}

JsonObject *model_area_parameters(gconstpointer study)
{
    const ModelArea *self = study;
    const GpuAreaDesign *design = &self->design;

    if (!self->is_gpu) {
        return json_object_new();
    }
    return RECORD(VALUE("multiprocessors", design->multiprocessors),
                  VALUE("vector_units", design->vector_units),
                  VALUE("shared_kb", (double) design->shared_bytes / KILOBYTE),
                  VALUE("caches", design->has_caches));
}

JsonObject *model_area_metrics(gconstpointer study)
{
    const ModelArea *self = study;
    JsonObject *parts = json_object_new();
    JsonObject *object;

    for (guint i = 0; i < self->parts->len; i++) {
        json_object_set_double_member(parts, part_at(self, i)->name,
                                      part_at(self, i)->mm2);
    }
    object = RECORD(VALUE("mm2", self->mm2), VALUE("parts", parts),
                    VALUE("die_mm2", self->die_mm2),
                    VALUE("error_percent", model_area_error(self)));
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

char *model_area_csv(gconstpointer study)
{
    const ModelArea *self = study;
    GString *text = g_string_new("chip,part,mm2,percent\n");

    for (guint i = 0; i < self->parts->len; i++) {
        const ArchAreaPart *part = part_at(self, i);

        cmd_number_text_add(text, "-", "%s,%s,%.6f,%.4f\n",
                            arch_params_name(self->chip), part->name, part->mm2,
                            share_of(self, part->mm2));
    }
    cmd_number_text_add(text, "-", "%s,all,%.6f,100.0000\n",
                        arch_params_name(self->chip), self->mm2);
    return g_string_free(text, FALSE);
}

/* "16 multiprocessors of 128 vector units and 96 kB, with caches" */
static char *design_text(const ModelArea *self)
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
static char *total_text(const ModelArea *self)
{
    return isnan(self->die_mm2)
               ? g_strdup_printf("%.2f mm2", self->mm2)
               : g_strdup_printf("%.2f mm2; the die has %.6g, %+.2g %%", self->mm2,
                                 self->die_mm2, model_area_error(self));
}

char *model_area_svg(gconstpointer study)
{
    const ModelArea *self = study;
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

static void print_head(const ModelArea *self)
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

void model_area_print(gconstpointer study)
{
    const ModelArea *self = study;
    g_autoptr(Grid) grid = grid_with("PART|MM2|PERCENT");

    print_head(self);
    for (guint i = 0; i < self->parts->len; i++) {
        const ArchAreaPart *part = part_at(self, i);

        grid_printf(grid, "%s|%.2f|%.1f", part->title, part->mm2,
                    share_of(self, part->mm2));
    }
    grid_printf(grid, "all|%.2f|100.0", self->mm2);
    grid_print(grid, stdout, 2);
}
