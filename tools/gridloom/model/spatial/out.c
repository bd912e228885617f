/* Designs of a codesign as text, JSON and a table. */
#include <stdio.h>
#include <string.h>

#include "tools/gridloom/model/spatial/study.h"
#include "traces/file/quantity.h"
#include "traces/table/grid.h"
#include "traces/table/number_text.h"
#include "traces/table/record.h"

#define PERCENT 100.0

enum {
    KILOBYTE = 1024,
};

char *spatial_sram_text(const ArchDesign *design)
{
    TraceNumberText kilobytes;

    return g_strdup_printf(
        "%s KiB",
        trace_number_text(kilobytes, "%.6g", (double) design->sram_bytes / KILOBYTE));
}

JsonObject *spatial_study_parameters(gconstpointer study)
{
    const SpatialStudy *self = study;
    g_autofree char *name = g_path_get_basename(self->file);

    return RECORD(VALUE("sweep", name), VALUE("script", wl_sweep_script(self->sweep)),
                  VALUE("area_mm2", self->budget.mm2[0]));
}

static JsonObject *view_json(const ArchDesign *design, ArchAreaView view)
{
    JsonObject *object =
        RECORD(VALUE("core_mm2", design->areas[view].core_mm2),
               VALUE("sram_mm2", design->areas[view].sram_mm2),
               VALUE("cores", design->cores[view]),
               VALUE("cells", arch_design_cells(design, view)),
               VALUE("cells_per_second", arch_design_rate(design, view)));

    if (design->across > 0) {
        RECORD_ADD(object, VALUE("across", design->all_across[view]),
                   VALUE("seconds", arch_design_seconds(design, view)));
    }
    RECORD_ADD(object, VALUE("is_front", design->is_front[view]));
    return object;
}

/* A RecordFunc. */
static JsonObject *design_json(gconstpointer item, gconstpointer context)
{
    const ArchDesign *design = item;
    JsonObject *object =
        RECORD(VALUE("sram_bytes", design->sram_bytes),
               VALUE("status", arch_design_status_name(design->status)));

    (void) context;
    if (design->why != NULL) {
        RECORD_ADD(object, VALUE("why", design->why));
    }
    RECORD_ADD(object, VALUE("is_shipped", design->is_shipped),
               VALUE("is_main", design->is_main));
    if (design->status == ARCH_DESIGN_RAN) {
        RECORD_ADD(object, VALUE("ran_cores", design->ran),
                   VALUE("cells_per_core", design->cells),
                   VALUE("seconds", design->seconds),
                   VALUE("patches", design->patch_count),
                   VALUE("spread_percent", design->spread_percent));
    }
    for (ArchAreaView view = 0; view < ARCH_AREA_VIEWS; view++) {
        json_object_set_object_member(object, arch_area_view_name(view),
                                      view_json(design, view));
    }
    return object;
}

JsonObject *spatial_study_metrics(gconstpointer study)
{
    const SpatialStudy *self = study;
    JsonObject *budgets = json_object_new();

    for (ArchAreaView view = 0; view < ARCH_AREA_VIEWS; view++) {
        json_object_set_double_member(budgets, arch_area_view_name(view),
                                      self->budget.mm2[view]);
    }
    return RECORD(VALUE("area_mm2", budgets), VALUE("is_patch", self->budget.is_patch),
                  VALUE("spread_percent", arch_designs_spread(self->designs)),
                  VALUE("designs", record_list(self->designs, design_json, NULL)));
}

char *spatial_study_csv(gconstpointer study)
{
    const SpatialStudy *self = study;
    GString *text = g_string_new(
        "view,sram_bytes,status,core_mm2,cores,ran_cores,cells_per_core,seconds,cells,"
        "cells_per_second,is_main,is_front,is_shipped\n");

    for (ArchAreaView view = 0; view < ARCH_AREA_VIEWS; view++) {
        for (guint i = 0; i < self->designs->len; i++) {
            const ArchDesign *design = arch_design_at(self->designs, i);

            trace_number_text_add(
                text, "-",
                "%s,%" G_GUINT64_FORMAT ",%s,%.9g,%.0f,%.0f,%.9g,%.9g,%.9g,%.9g,%d,%d,"
                "%d\n",
                arch_area_view_name(view), design->sram_bytes,
                arch_design_status_name(design->status), design->areas[view].core_mm2,
                design->cores[view], design->ran, design->cells,
                arch_design_seconds(design, view), arch_design_cells(design, view),
                arch_design_rate(design, view), design->is_main, design->is_front[view],
                design->is_shipped);
        }
    }
    return g_string_free(text, FALSE);
}

static void add_line(Grid *grid, const ArchDesign *design)
{
    const ArchArea *area = &design->areas[ARCH_AREA_AS_FILED];
    g_autofree char *sram = spatial_sram_text(design);
    g_autofree char *cores =
        quantity_count((uint64_t) design->cores[ARCH_AREA_AS_FILED]);
    g_autofree char *held = quantity_count((uint64_t) design->cells);
    g_autofree char *seconds =
        quantity_seconds(arch_design_seconds(design, ARCH_AREA_AS_FILED));
    g_autofree char *cells =
        quantity_scaled(arch_design_cells(design, ARCH_AREA_AS_FILED));
    g_autofree char *rate =
        quantity_scaled(arch_design_rate(design, ARCH_AREA_AS_FILED));

    grid_printf(grid, "%s|%.4g|%.0f|%s|%s|%s|%s|%s|%s%s", sram, area->core_mm2,
                PERCENT * area->sram_mm2 / area->core_mm2, cores, held, seconds, cells,
                rate, design->is_front[ARCH_AREA_AS_FILED] ? "*" : "-",
                design->is_shipped ? " the chip" : "");
}

/* A script's message, without its location. */
static const char *reason_of(const char *why)
{
    const char *at = strstr(why, ".lua:");

    if (at != NULL) {
        at += strlen(".lua:");
        at += strspn(at, "0123456789");
    }
    return at != NULL && g_str_has_prefix(at, ": ") ? at + strlen(": ") : why;
}

/* Designs that did not run, and why; once for each reason. */
static void print_others(const SpatialStudy *self)
{
    for (guint i = 0; i < self->designs->len; i++) {
        const ArchDesign *design = arch_design_at(self->designs, i);

        if (design->is_main && design->why != NULL) {
            g_autofree char *sram = spatial_sram_text(design);

            printf("  %-8s %s: %s\n", arch_design_status_name(design->status), sram,
                   reason_of(design->why));
        }
    }
    const guint large = arch_designs_count(self->designs, ARCH_DESIGN_TOO_LARGE);
    const guint small = arch_designs_count(self->designs, ARCH_DESIGN_LEAVES_ROOM);

    if (large + small > 0) {
        printf("  not run  %u too large for the area, %u leave room for more cores\n",
               large, small);
    }
}

/* The fronts where areas are not as assumed: "24, 32, 48 KiB". */
static void print_front(const SpatialStudy *self, ArchAreaView view)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < self->designs->len; i++) {
        const ArchDesign *design = arch_design_at(self->designs, i);

        if (design->is_front[view]) {
            g_autofree char *sram = spatial_sram_text(design);

            g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "", sram);
        }
    }
    printf("  front with %s: %s\n", arch_area_view_title(view),
           text->len > 0 ? text->str : "no design fits");
}

static void print_head(const SpatialStudy *self)
{
    trace_number_text_print("codesign of %s on %s: SRAM or cores in %.6g mm2\n",
                            wl_sweep_script(self->sweep), arch_params_name(self->chip),
                            self->budget.mm2[ARCH_AREA_AS_FILED]);
    if (self->budget.is_patch) {
        trace_number_text_print(
            "  cores    those that programs get, %.1f %% of the PEs that fit; a patch "
            "ran, and\n"
            "           patches of one design differ by %.2f %% at most\n",
            PERCENT * self->budget.usable, arch_designs_spread(self->designs));
        if (self->formulas[SPATIAL_ACROSS] != NULL) {
            printf(
                "  times    of the patch, and for the columns and rows that all cores "
                "have more\n");
        }
    }
    print_others(self);
    printf("\n");
}

void spatial_study_print(gconstpointer study)
{
    const SpatialStudy *self = study;
    g_autoptr(Grid) grid =
        grid_with("SRAM|MM2 A CORE|SRAM %|CORES|CELLS A CORE|TIME|CELLS|CELLS/S|FRONT");

    print_head(self);
    for (guint i = 0; i < self->designs->len; i++) {
        const ArchDesign *design = arch_design_at(self->designs, i);

        if (design->is_main && design->status == ARCH_DESIGN_RAN &&
            design->cores[ARCH_AREA_AS_FILED] > 0) {
            add_line(grid, design);
        }
    }
    grid_print(grid, stdout, 2);
    printf("\n");
    print_front(self, ARCH_AREA_SMALL_SRAM);
    print_front(self, ARCH_AREA_LARGE_SRAM);
}
