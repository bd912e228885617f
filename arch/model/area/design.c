/* Compares designs. */
#include "arch/model/area/design.h"

#include <math.h>

#include "arch/error.h"

#define PERCENT 100.0

/* A design that takes an area to the last digit fits into it. */
#define ROUNDING 1e-9

bool arch_design_budget_init(ArchDesignBudget *self,
                             const ArchParams *chip,
                             double mm2,
                             GError **error)
{
    ArchArea area = {0};

    *self = (ArchDesignBudget){.is_patch =
                                   arch_params_has(chip, "fabric.bare_column_count"),
                               .sram_key = arch_area_sram_key(chip)};
    for (guint view = 0; view < ARCH_AREA_VIEWS; view++) {
        if (!arch_area_of(chip, (ArchAreaView) view, &area, error)) {
            return false;
        }
        if (!(area.core_mm2 > 0)) {
            return arch_refuse(error, "%s: its cores take no area, any number fits",
                               arch_params_name(chip));
        }
        self->mm2[view] = mm2 > 0 ? mm2 : area.mm2;
    }
    self->core_count = area.core_count;
    self->sram_bytes = arch_params_uint(chip, self->sram_key);
    if (self->is_patch) {
        self->columns = arch_params_real(chip, "fabric.bare_column_count");
        self->rows = arch_params_real(chip, "fabric.bare_row_count");
        self->usable = self->columns * self->rows /
                       arch_params_real(chip, "chip.advertised_pe_count");
    }
    return true;
}

/* Columns and rows of so many PEs, in a rectangle like that of the chip. */
static double across_of(const ArchDesignBudget *budget, double cores)
{
    return (budget->columns + budget->rows) *
           sqrt(cores / (budget->columns * budget->rows));
}

static void place(ArchDesign *self, const ArchDesignBudget *budget, guint view)
{
    const ArchArea *area = &self->areas[view];
    const uint64_t fitting = arch_area_cores_in(area, budget->mm2[view]);

    if (budget->is_patch) {
        self->cores[view] = floor((double) fitting * budget->usable * (1 + ROUNDING));
        self->is_in[view] = self->cores[view] > 0;
        self->all_across[view] = across_of(budget, self->cores[view]);
    } else {
        self->is_in[view] = area->mm2 <= budget->mm2[view] * (1 + ROUNDING);
    }
}

bool arch_design_init(ArchDesign *self,
                      const ArchDesignBudget *budget,
                      const ArchParams *chip,
                      GError **error)
{
    *self = (ArchDesign){.sram_bytes = arch_params_uint(chip, budget->sram_key)};
    for (guint view = 0; view < ARCH_AREA_VIEWS; view++) {
        if (!arch_area_of(chip, (ArchAreaView) view, &self->areas[view], error)) {
            return false;
        }
        place(self, budget, view);
    }
    self->is_shipped = self->sram_bytes == budget->sram_bytes &&
                       self->areas[ARCH_AREA_AS_FILED].core_count == budget->core_count;
    return true;
}

/* In any view. */
static bool fits(const ArchDesign *self)
{
    return self->is_in[ARCH_AREA_AS_FILED] || self->is_in[ARCH_AREA_SMALL_SRAM] ||
           self->is_in[ARCH_AREA_LARGE_SRAM];
}

bool arch_designs_choose(GArray *designs, const ArchDesignBudget *budget)
{
    bool is_any = false;

    for (guint i = 0; i < designs->len; i++) {
        ArchDesign *design = &g_array_index(designs, ArchDesign, i);

        design->status = fits(design) ? ARCH_DESIGN_LEAVES_ROOM : ARCH_DESIGN_TOO_LARGE;
    }
    for (guint view = 0; view < ARCH_AREA_VIEWS && !budget->is_patch; view++) {
        arch_designs_fill(designs, (ArchAreaView) view);
    }
    for (guint i = 0; i < designs->len; i++) {
        ArchDesign *design = &g_array_index(designs, ArchDesign, i);

        if (fits(design)) {
            design->status = ARCH_DESIGN_TO_RUN;
            is_any = true;
        }
    }
    return is_any;
}

double arch_designs_smallest(const GArray *designs, const ArchDesignBudget *budget)
{
    double least = G_MAXDOUBLE;

    for (guint i = 0; i < designs->len; i++) {
        const ArchArea *area = &arch_design_at(designs, i)->areas[ARCH_AREA_AS_FILED];

        /* So many PEs that programs get one of them. */
        least = MIN(least,
                    budget->is_patch
                        ? area->outside_mm2 + ceil(1 / budget->usable) * area->core_mm2
                        : area->mm2);
    }
    return least;
}

double arch_designs_spread(const GArray *designs)
{
    double spread = 0;

    for (guint i = 0; i < designs->len; i++) {
        const ArchDesign *design = arch_design_at(designs, i);

        spread = design->status == ARCH_DESIGN_RAN ? MAX(spread, design->spread_percent)
                                                   : spread;
    }
    return spread;
}

void arch_design_clear(gpointer data)
{
    ArchDesign *self = data;

    g_clear_pointer(&self->why, g_free);
}

double arch_design_seconds(const ArchDesign *self, ArchAreaView view)
{
    const double more = self->all_across[view] - self->across;

    /* A wafer that is smaller than the patch is not faster than it. */
    return self->seconds + (more > 0 ? more * self->across_seconds : 0);
}

double arch_design_cells(const ArchDesign *self, ArchAreaView view)
{
    return self->status == ARCH_DESIGN_RAN ? self->cores[view] * self->cells : 0;
}

double arch_design_rate(const ArchDesign *self, ArchAreaView view)
{
    return self->status == ARCH_DESIGN_RAN
               ? arch_design_cells(self, view) / arch_design_seconds(self, view)
               : 0;
}

const ArchDesign *arch_design_at(const GArray *designs, guint index)
{
    return &g_array_index(designs, ArchDesign, index);
}

static ArchDesign *at(GArray *designs, guint index)
{
    return &g_array_index(designs, ArchDesign, index);
}

void arch_designs_fill(GArray *designs, ArchAreaView view)
{
    /* Those that fit are compared before any of them is out. */
    g_autofree bool *is_less = g_new0(bool, designs->len + 1);

    for (guint i = 0; i < designs->len; i++) {
        for (guint k = 0; k < designs->len; k++) {
            const ArchDesign *one = at(designs, i);
            const ArchDesign *other = at(designs, k);

            is_less[i] = is_less[i] ||
                         (other->is_in[view] && other->sram_bytes == one->sram_bytes &&
                          other->areas[view].core_count > one->areas[view].core_count);
        }
    }
    for (guint i = 0; i < designs->len; i++) {
        at(designs, i)->is_in[view] = at(designs, i)->is_in[view] && !is_less[i];
    }
}

static bool has_same_area(const ArchDesign *one, const ArchDesign *other)
{
    const ArchArea *area = &one->areas[ARCH_AREA_AS_FILED];
    const ArchArea *others = &other->areas[ARCH_AREA_AS_FILED];

    return area->core_mm2 == others->core_mm2 &&
           area->outside_mm2 == others->outside_mm2;
}

/* The same design, of which a patch of another size ran: two of one size differ in
 * something else. Or one that did not run for the same reason. */
static bool is_same(const ArchDesign *one, const ArchDesign *other, bool is_patch)
{
    if (one == other) {
        return true;
    }
    if (one->status != other->status || one->sram_bytes != other->sram_bytes) {
        return false;
    }
    if (one->status != ARCH_DESIGN_RAN) {
        return g_strcmp0(one->why, other->why) == 0;
    }
    return is_patch && one->cells == other->cells && one->ran != other->ran &&
           has_same_area(one, other);
}

static void merge(GArray *designs, guint index, bool is_patch)
{
    ArchDesign *self = at(designs, index);
    double least = G_MAXDOUBLE;
    double most = 0;

    self->is_main = true;
    self->patch_count = 0;
    for (guint i = 0; i < designs->len; i++) {
        const ArchDesign *other = at(designs, i);
        const double seconds = arch_design_seconds(other, ARCH_AREA_AS_FILED);

        if (!is_same(self, other, is_patch)) {
            continue;
        }
        self->patch_count++;
        least = MIN(least, seconds);
        most = MAX(most, seconds);
        if (other->ran > self->ran || (other->ran == self->ran && i < index)) {
            self->is_main = false;
        }
    }
    self->spread_percent = least > 0 ? PERCENT * (most / least - 1) : 0;
}

static bool is_candidate(const ArchDesign *self, ArchAreaView view)
{
    return self->is_main && self->status == ARCH_DESIGN_RAN && self->cores[view] > 0;
}

static bool beats(const ArchDesign *one, const ArchDesign *other, ArchAreaView view)
{
    const double cells = arch_design_cells(one, view) - arch_design_cells(other, view);
    const double rate = arch_design_rate(one, view) - arch_design_rate(other, view);

    return cells >= 0 && rate >= 0 && (cells > 0 || rate > 0);
}

static void mark_front(GArray *designs, guint index, ArchAreaView view)
{
    ArchDesign *self = at(designs, index);

    self->is_front[view] = is_candidate(self, view);
    for (guint i = 0; i < designs->len; i++) {
        const ArchDesign *other = at(designs, i);

        if (is_candidate(other, view) && beats(other, self, view)) {
            self->is_front[view] = false;
        }
    }
}

void arch_designs_compare(GArray *designs, bool is_patch)
{
    for (guint i = 0; i < designs->len; i++) {
        merge(designs, i, is_patch);
    }
    for (guint view = 0; view < ARCH_AREA_VIEWS; view++) {
        for (guint i = 0; i < designs->len; i++) {
            mark_front(designs, i, (ArchAreaView) view);
        }
    }
}

guint arch_designs_count(const GArray *designs, ArchDesignStatus status)
{
    guint count = 0;

    for (guint i = 0; i < designs->len; i++) {
        count += arch_design_at(designs, i)->status == status ? 1 : 0;
    }
    return count;
}

guint arch_designs_front_count(const GArray *designs, ArchAreaView view)
{
    guint count = 0;

    for (guint i = 0; i < designs->len; i++) {
        count += arch_design_at(designs, i)->is_front[view] ? 1 : 0;
    }
    return count;
}

const char *arch_design_status_name(ArchDesignStatus status)
{
    static const char *const names[] = {
        [ARCH_DESIGN_TO_RUN] = "to run",
        [ARCH_DESIGN_RAN] = "ran",
        [ARCH_DESIGN_REFUSED] = "refused",
        [ARCH_DESIGN_FAILED] = "failed",
        [ARCH_DESIGN_TOO_LARGE] = "too large",
        [ARCH_DESIGN_LEAVES_ROOM] = "leaves room",
    };

    return names[status];
}
