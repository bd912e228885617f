/* The fronts of a codesign as a picture. */
#include "tools/gridloom/model/spatial/study.h"
#include "traces/picture/choice_list.h"

#define PERCENT 100.0

/* Signs of the picture. */
enum {
    SIGN_NONE,
    SIGN_SHIPPED,
};

enum {
    REASONS_MOST = 3,
};

/* The unit of numbers. */
typedef struct {
    double one;
    const char *name;
} Unit;

static Unit unit_of(double largest)
{
    static const Unit units[] = {{1e15, "10^15"},    {1e12, "trillions"},
                                 {1e9, "billions"},  {1e6, "millions"},
                                 {1e3, "thousands"}, {1, "one by one"}};
    gsize i = 0;

    while (i + 1 < G_N_ELEMENTS(units) && largest < units[i].one) {
        i++;
    }
    return units[i];
}

static bool is_shown(const ArchDesign *design, ArchAreaView view)
{
    return design->is_main && design->status == ARCH_DESIGN_RAN &&
           design->cores[view] > 0;
}

/* The common unit of all panels, so that they can be compared. */
static Unit unit_for(const SpatialStudy *self,
                     double (*value)(const ArchDesign *, ArchAreaView))
{
    double largest = 0;

    for (guint i = 0; i < self->designs->len; i++) {
        for (guint view = 0; view < ARCH_AREA_VIEWS; view++) {
            const ArchDesign *design = arch_design_at(self->designs, i);

            if (is_shown(design, (ArchAreaView) view)) {
                largest = MAX(largest, value(design, (ArchAreaView) view));
            }
        }
    }
    return unit_of(largest);
}

/* How much of the chip's own core is SRAM. */
static double own_share(const SpatialStudy *self, ArchAreaView view)
{
    ArchArea area;

    return arch_area_of(self->chip, view, &area, NULL)
               ? PERCENT * area.sram_mm2 / area.core_mm2
               : 0;
}

typedef struct {
    TraceChoiceList *list;
    Unit cells;
    Unit rate;
} Picture;

static void add_panel(Picture *self, const SpatialStudy *study, ArchAreaView view)
{
    guint count = 0;

    trace_choice_list_panel(self->list, "%s: SRAM is %.0f %% of a core",
                            arch_area_view_title(view), own_share(study, view));
    for (guint i = 0; i < study->designs->len; i++) {
        const ArchDesign *design = arch_design_at(study->designs, i);
        g_autofree char *name = spatial_sram_text(design);

        if (is_shown(design, view)) {
            trace_choice_list_add(
                self->list,
                (TraceChoice){.x = arch_design_cells(design, view) / self->cells.one,
                              .y = arch_design_rate(design, view) / self->rate.one,
                              .name = name,
                              .is_front = design->is_front[view],
                              .sign = design->is_shipped ? SIGN_SHIPPED : SIGN_NONE});
            count++;
        }
    }
    trace_choice_list_caption(self->list, "%u designs, %u on the front", count,
                              arch_designs_front_count(study->designs, view));
}

static void add_notes(TraceChoiceList *list, const SpatialStudy *study)
{
    guint reasons = 0;

    trace_choice_list_note(list,
                           "Cores fill the %s at each SRAM: %.6g mm2 with areas as "
                           "assumed; others are at the ends of their ranges.",
                           study->budget.is_patch ? "wafer" : "die",
                           study->budget.mm2[ARCH_AREA_AS_FILED]);
    if (study->budget.is_patch) {
        trace_choice_list_note(
            list,
            "Times are of patches that ran%s; patches of one design differ by %.1f %% "
            "at most.",
            study->formulas[SPATIAL_ACROSS] != NULL
                ? ", with the way across all PEs added as the file has it"
                : "",
            arch_designs_spread(study->designs));
    }
    for (guint i = 0; i < study->designs->len && reasons < REASONS_MOST; i++) {
        const ArchDesign *design = arch_design_at(study->designs, i);

        if (design->is_main && design->why != NULL) {
            g_autofree char *sram = spatial_sram_text(design);

            trace_choice_list_note(list, "%s does not run and is not there.", sram);
            reasons++;
        }
    }
}

char *spatial_study_svg(gconstpointer study)
{
    static const char *const signs[] = {"the chip as it is", NULL};
    const SpatialStudy *self = study;
    g_autoptr(TraceChoiceList) list = trace_choice_list_new();
    Picture picture = {.list = list,
                       .cells = unit_for(self, arch_design_cells),
                       .rate = unit_for(self, arch_design_rate)};
    g_autofree char *title =
        g_strdup_printf("%s on %s: SRAM or cores in one area",
                        wl_sweep_script(self->sweep), arch_params_name(self->chip));
    g_autofree char *x =
        g_strdup_printf("cells that fit, %s; more is better", picture.cells.name);
    g_autofree char *y =
        g_strdup_printf("cells a second, %s; more is better", picture.rate.name);

    for (guint view = 0; view < ARCH_AREA_VIEWS; view++) {
        add_panel(&picture, self, (ArchAreaView) view);
    }
    add_notes(list, self);
    return trace_choice_list_to_svg(list, (TraceChoices){.title = title,
                                                         .x = x,
                                                         .y = y,
                                                         .is_x_maximum = true,
                                                         .signs = signs,
                                                         .point = "design"});
}
