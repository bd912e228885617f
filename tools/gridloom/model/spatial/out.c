/* Designs of a codesign as text, JSON and a table. */
#include <stdio.h>
#include <string.h>

#include "tools/gridloom/grid.h"
#include "tools/gridloom/model/spatial/study.h"
#include "tools/gridloom/number_text.h"
#include "tools/gridloom/quantity.h"
#include "traces/file/json_member.h"

#define PERCENT 100.0

enum {
    KILOBYTE = 1024,
};

const char *spatial_view_title(ArchAreaView view)
{
    static const char *const titles[SPATIAL_VIEWS] = {
        "areas as assumed", "SRAM small, logic large", "SRAM large, logic small"};

    return titles[view];
}

const char *spatial_view_name(ArchAreaView view)
{
    static const char *const names[SPATIAL_VIEWS] = {"as_filed", "small_sram",
                                                     "large_sram"};

    return names[view];
}

char *spatial_sram_text(const SpatialDesign *design)
{
    CmdNumberText kilobytes;

    return g_strdup_printf(
        "%s KiB",
        cmd_number_text(kilobytes, "%.6g", (double) design->sram_bytes / KILOBYTE));
}

static const char *status_text(SpatialStatus status)
{
    switch (status) {
    case SPATIAL_TO_RUN:
        return "to run";
    case SPATIAL_RAN:
        return "ran";
    case SPATIAL_REFUSED:
        return "refused";
    case SPATIAL_FAILED:
        return "failed";
    case SPATIAL_TOO_LARGE:
        return "too large";
    case SPATIAL_LEAVES_ROOM:
        return "leaves room";
    }
    g_return_val_if_reached("");
}

JsonObject *spatial_study_parameters(gconstpointer study)
{
    const SpatialStudy *self = study;
    JsonObject *object = json_object_new();
    g_autofree char *name = g_path_get_basename(self->file);

    json_object_set_string_member(object, "sweep", name);
    json_object_set_string_member(object, "script", wl_sweep_script(self->sweep));
    json_object_set_double_member(object, "area_mm2", self->budgets[0]);
    return object;
}

static JsonObject *view_json(const SpatialDesign *design, ArchAreaView view)
{
    JsonObject *object = json_object_new();

    json_object_set_double_member(object, "core_mm2", design->areas[view].core_mm2);
    json_object_set_double_member(object, "sram_mm2", design->areas[view].sram_mm2);
    json_object_set_double_member(object, "cores", design->cores[view]);
    json_object_set_double_member(object, "cells", spatial_design_cells(design, view));
    json_object_set_double_member(object, "cells_per_second",
                                  spatial_design_rate(design, view));
    if (design->across > 0) {
        json_object_set_double_member(object, "across", design->all_across[view]);
        json_object_set_double_member(object, "seconds",
                                      spatial_design_seconds(design, view));
    }
    json_object_set_boolean_member(object, "is_front", design->is_front[view]);
    return object;
}

static JsonObject *design_json(const SpatialDesign *design)
{
    JsonObject *object = json_object_new();

    json_object_set_int_member(object, "sram_bytes", (gint64) design->sram_bytes);
    json_object_set_string_member(object, "status", status_text(design->status));
    if (design->why != NULL) {
        trace_json_set_text(object, "why", design->why);
    }
    json_object_set_boolean_member(object, "is_shipped", design->is_shipped);
    json_object_set_boolean_member(object, "is_main", design->is_main);
    if (design->status == SPATIAL_RAN) {
        json_object_set_double_member(object, "ran_cores", design->ran);
        json_object_set_double_member(object, "cells_per_core", design->cells);
        json_object_set_double_member(object, "seconds", design->seconds);
        json_object_set_int_member(object, "patches", design->patch_count);
        json_object_set_double_member(object, "spread_percent", design->spread_percent);
    }
    for (guint view = 0; view < SPATIAL_VIEWS; view++) {
        json_object_set_object_member(object, spatial_view_name((ArchAreaView) view),
                                      view_json(design, (ArchAreaView) view));
    }
    return object;
}

static double largest_spread(const SpatialStudy *self)
{
    double spread = 0;

    for (guint i = 0; i < self->designs->len; i++) {
        const SpatialDesign *design = spatial_design_at(self->designs, i);

        spread = design->status == SPATIAL_RAN ? MAX(spread, design->spread_percent)
                                               : spread;
    }
    return spread;
}

JsonObject *spatial_study_metrics(gconstpointer study)
{
    const SpatialStudy *self = study;
    JsonObject *object = json_object_new();
    JsonObject *budgets = json_object_new();
    JsonArray *designs = json_array_new();

    for (guint view = 0; view < SPATIAL_VIEWS; view++) {
        json_object_set_double_member(budgets, spatial_view_name((ArchAreaView) view),
                                      self->budgets[view]);
    }
    for (guint i = 0; i < self->designs->len; i++) {
        json_array_add_object_element(designs,
                                      design_json(spatial_design_at(self->designs, i)));
    }
    json_object_set_object_member(object, "area_mm2", budgets);
    json_object_set_boolean_member(object, "is_patch", self->is_patch);
    json_object_set_double_member(object, "spread_percent", largest_spread(self));
    json_object_set_array_member(object, "designs", designs);
    return object;
}

static void add_row(GString *text, const SpatialDesign *design, ArchAreaView view)
{
    CmdNumberText core;
    CmdNumberText cores;
    CmdNumberText ran;
    CmdNumberText cells;
    CmdNumberText seconds;
    CmdNumberText all;
    CmdNumberText rate;

    g_string_append_printf(
        text, "%s,%" G_GUINT64_FORMAT ",%s,%s,%s,%s,%s,%s,%s,%s,%d,%d,%d\n",
        spatial_view_name(view), design->sram_bytes, status_text(design->status),
        cmd_number_text(core, "%.9g", design->areas[view].core_mm2),
        cmd_number_text(cores, "%.0f", design->cores[view]),
        cmd_number_text(ran, "%.0f", design->ran),
        cmd_number_text(cells, "%.9g", design->cells),
        cmd_number_text(seconds, "%.9g", spatial_design_seconds(design, view)),
        cmd_number_text(all, "%.9g", spatial_design_cells(design, view)),
        cmd_number_text(rate, "%.9g", spatial_design_rate(design, view)),
        design->is_main, design->is_front[view], design->is_shipped);
}

char *spatial_study_csv(gconstpointer study)
{
    const SpatialStudy *self = study;
    GString *text = g_string_new(
        "view,sram_bytes,status,core_mm2,cores,ran_cores,cells_per_core,seconds,cells,"
        "cells_per_second,is_main,is_front,is_shipped\n");

    for (guint view = 0; view < SPATIAL_VIEWS; view++) {
        for (guint i = 0; i < self->designs->len; i++) {
            add_row(text, spatial_design_at(self->designs, i), (ArchAreaView) view);
        }
    }
    return g_string_free(text, FALSE);
}

static void add_line(Grid *grid, const SpatialDesign *design)
{
    const ArchArea *area = &design->areas[ARCH_AREA_AS_FILED];
    g_autofree char *sram = spatial_sram_text(design);
    g_autofree char *cores =
        quantity_count((uint64_t) design->cores[ARCH_AREA_AS_FILED]);
    g_autofree char *held = quantity_count((uint64_t) design->cells);
    g_autofree char *seconds =
        quantity_seconds(spatial_design_seconds(design, ARCH_AREA_AS_FILED));
    g_autofree char *cells =
        quantity_scaled(spatial_design_cells(design, ARCH_AREA_AS_FILED));
    g_autofree char *rate =
        quantity_scaled(spatial_design_rate(design, ARCH_AREA_AS_FILED));
    g_autofree char *marks =
        g_strconcat(design->is_front[ARCH_AREA_AS_FILED] ? "*" : "-",
                    design->is_shipped ? " the chip" : "", NULL);
    CmdNumberText core;
    CmdNumberText share;

    grid_add(grid, (const char *[]){
                       sram, cmd_number_text(core, "%.4g", area->core_mm2),
                       cmd_number_text(share, "%.0f",
                                       PERCENT * area->sram_mm2 / area->core_mm2),
                       cores, held, seconds, cells, rate, marks});
}

/* What a script says, without where it says it. */
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
        const SpatialDesign *design = spatial_design_at(self->designs, i);

        if (design->is_main && design->why != NULL) {
            g_autofree char *sram = spatial_sram_text(design);

            printf("  %-8s %s: %s\n", status_text(design->status), sram,
                   reason_of(design->why));
        }
    }
    const guint large = spatial_designs_count(self->designs, SPATIAL_TOO_LARGE);
    const guint small = spatial_designs_count(self->designs, SPATIAL_LEAVES_ROOM);

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
        const SpatialDesign *design = spatial_design_at(self->designs, i);

        if (design->is_front[view]) {
            g_autofree char *sram = spatial_sram_text(design);

            g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "", sram);
        }
    }
    printf("  front with %s: %s\n", spatial_view_title(view),
           text->len > 0 ? text->str : "no design fits");
}

static void print_head(const SpatialStudy *self)
{
    CmdNumberText text;

    printf("codesign of %s on %s: SRAM or cores in %s mm2\n",
           wl_sweep_script(self->sweep), arch_params_name(self->chip),
           cmd_number_text(text, "%.6g", self->budgets[ARCH_AREA_AS_FILED]));
    if (self->is_patch) {
        CmdNumberText spread;

        printf("  cores    those that programs get, %s %% of the PEs that fit; a patch "
               "ran, and\n"
               "           patches of one design differ by %s %% at most\n",
               cmd_number_text(text, "%.1f", PERCENT * self->usable),
               cmd_number_text(spread, "%.2f", largest_spread(self)));
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
    g_autoptr(Grid) grid = grid_new(9);

    print_head(self);
    grid_add(grid,
             (const char *[]){"SRAM", "MM2 A CORE", "SRAM %", "CORES", "CELLS A CORE",
                              "TIME", "CELLS", "CELLS/S", "FRONT"});
    for (guint i = 0; i < self->designs->len; i++) {
        const SpatialDesign *design = spatial_design_at(self->designs, i);

        if (design->is_main && design->status == SPATIAL_RAN &&
            design->cores[ARCH_AREA_AS_FILED] > 0) {
            add_line(grid, design);
        }
    }
    grid_print(grid, stdout, 2);
    printf("\n");
    print_front(self, ARCH_AREA_SMALL_SRAM);
    print_front(self, ARCH_AREA_LARGE_SRAM);
}
