/* The parts of a die as text, JSON, a table and bars. */
#include <math.h>
#include <stdio.h>

#include "tools/gridloom/grid.h"
#include "tools/gridloom/model/area/area.h"
#include "tools/gridloom/number_text.h"
#include "tools/gridloom/quantity.h"
#include "traces/picture/bars.h"

#define PERCENT 100.0

enum {
    KILOBYTE = 1024,
};

static const ModelAreaPart *part_at(const ModelArea *self, guint index)
{
    return &g_array_index(self->parts, ModelAreaPart, index);
}

/* Of an area of nothing everything is nothing. */
static double share_of(const ModelArea *self, double mm2)
{
    return self->mm2 > 0 ? PERCENT * mm2 / self->mm2 : 0;
}

JsonObject *model_area_parameters(gconstpointer study)
{
    const ModelArea *self = study;
    JsonObject *object = json_object_new();

    if (self->is_gpu) {
        json_object_set_int_member(object, "multiprocessors",
                                   self->design.multiprocessors);
        json_object_set_int_member(object, "vector_units", self->design.vector_units);
        json_object_set_double_member(object, "shared_kb",
                                      (double) self->design.shared_bytes / KILOBYTE);
        json_object_set_boolean_member(object, "caches", self->design.has_caches);
    }
    return object;
}

JsonObject *model_area_metrics(gconstpointer study)
{
    const ModelArea *self = study;
    JsonObject *object = json_object_new();
    JsonObject *parts = json_object_new();

    json_object_set_double_member(object, "mm2", self->mm2);
    for (guint i = 0; i < self->parts->len; i++) {
        json_object_set_double_member(parts, part_at(self, i)->name,
                                      part_at(self, i)->mm2);
    }
    json_object_set_object_member(object, "parts", parts);
    json_object_set_double_member(object, "die_mm2", self->die_mm2);
    json_object_set_double_member(object, "error_percent", model_area_error(self));
    if (self->is_gpu) {
        json_object_set_double_member(object, "mm2_rounded", self->rounded);
        json_object_set_double_member(object, "mm2_as_printed", self->as_printed);
    }
    if (self->core_count > 0) {
        json_object_set_int_member(object, "cores", (gint64) self->core_count);
        json_object_set_double_member(object, "core_mm2", self->core_mm2);
        json_object_set_double_member(object, "core_sram_mm2", self->core_sram_mm2);
    }
    return object;
}

char *model_area_csv(gconstpointer study)
{
    const ModelArea *self = study;
    GString *text = g_string_new("chip,part,mm2,percent\n");
    CmdNumberText mm2;
    CmdNumberText share;

    for (guint i = 0; i < self->parts->len; i++) {
        const ModelAreaPart *part = part_at(self, i);

        g_string_append_printf(
            text, "%s,%s,%s,%s\n", arch_params_name(self->chip), part->name,
            cmd_number_text(mm2, "%.6f", part->mm2),
            cmd_number_text(share, "%.4f", share_of(self, part->mm2)));
    }
    g_string_append_printf(text, "%s,all,%s,100.0000\n", arch_params_name(self->chip),
                           cmd_number_text(mm2, "%.6f", self->mm2));
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

static char *total_text(const ModelArea *self)
{
    CmdNumberText total;
    CmdNumberText die;
    CmdNumberText error;

    if (isnan(self->die_mm2)) {
        return g_strdup_printf("%s mm2", cmd_number_text(total, "%.2f", self->mm2));
    }
    return g_strdup_printf("%s mm2; the die has %s, %s %%",
                           cmd_number_text(total, "%.2f", self->mm2),
                           cmd_number_text(die, "%.6g", self->die_mm2),
                           cmd_number_text(error, "%+.2g", model_area_error(self)));
}

char *model_area_svg(gconstpointer study)
{
    const ModelArea *self = study;
    g_autofree char *title =
        g_strdup_printf("Area of %s%s", arch_params_name(self->chip),
                        self->is_changed ? ", changed" : "");
    g_autofree char *design =
        self->is_gpu ? design_text(self) : g_strdup("Parts, as its file assumes them");
    g_autofree char *total = total_text(self);
    g_autofree TraceBar *bars = g_new0(TraceBar, self->parts->len);
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < self->parts->len; i++) {
        const ModelAreaPart *part = part_at(self, i);
        CmdNumberText mm2;
        CmdNumberText share;

        g_ptr_array_add(
            texts,
            g_strdup_printf("%s mm2, %s %%", cmd_number_text(mm2, "%.2f", part->mm2),
                            cmd_number_text(share, "%.1f", share_of(self, part->mm2))));
        bars[i] = (TraceBar){.label = part->title,
                             .text = g_ptr_array_index(texts, i),
                             .value = part->mm2};
    }
    return trace_bars_to_svg(
        &(TraceBars){.title = title,
                     .panels = &(TraceBarPanel){.title = design,
                                                .note = total,
                                                .bars = bars,
                                                .bar_count = self->parts->len},
                     .panel_count = 1});
}

static void print_parts(const ModelArea *self)
{
    g_autoptr(Grid) grid = grid_new(3);
    CmdNumberText mm2;
    CmdNumberText share;

    grid_add(grid, (const char *[]){"PART", "MM2", "PERCENT"});
    for (guint i = 0; i < self->parts->len; i++) {
        const ModelAreaPart *part = part_at(self, i);

        grid_add(grid, (const char *[]){
                           part->title, cmd_number_text(mm2, "%.2f", part->mm2),
                           cmd_number_text(share, "%.1f", share_of(self, part->mm2))});
    }
    grid_add(grid,
             (const char *[]){"all", cmd_number_text(mm2, "%.2f", self->mm2), "100.0"});
    grid_print(grid, stdout, 2);
}

void model_area_print(gconstpointer study)
{
    const ModelArea *self = study;
    g_autofree char *total = total_text(self);
    CmdNumberText text;

    printf("model area of %s\n", arch_params_name(self->chip));
    if (self->is_gpu) {
        g_autofree char *design = design_text(self);

        printf("  design      %s\n", design);
    }
    printf("  area        %s\n", total);
    if (self->core_count > 0) {
        printf("  parts       assumed, with a rest that makes the sum the die's\n");
        g_autofree char *count = quantity_count(self->core_count);
        CmdNumberText sram;

        printf("  cores       %s of %s mm2 each, %s of it SRAM\n", count,
               cmd_number_text(text, "%.4g", self->core_mm2),
               cmd_number_text(sram, "%.4g", self->core_sram_mm2));
    }
    if (self->is_gpu) {
        printf("  as printed  %s mm2: (C.6) has the constant of L2 once a chip\n",
               cmd_number_text(text, "%.2f", self->as_printed));
    }
    if (!isnan(self->rounded)) {
        printf(
            "  rounded     %s mm2: (C.7), coefficients of a GTX 980 with few digits\n",
            cmd_number_text(text, "%.2f", self->rounded));
    }
    printf("\n");
    print_parts(self);
}
