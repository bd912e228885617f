/* Compares designs. */
#include "tools/gridloom/model/spatial/design.h"

#define PERCENT 100.0

void spatial_design_clear(gpointer data)
{
    SpatialDesign *self = data;

    g_clear_pointer(&self->why, g_free);
}

double spatial_design_seconds(const SpatialDesign *self, ArchAreaView view)
{
    const double more = self->all_across[view] - self->across;

    /* A wafer that is smaller than the patch is not faster than it. */
    return self->seconds + (more > 0 ? more * self->across_seconds : 0);
}

double spatial_design_cells(const SpatialDesign *self, ArchAreaView view)
{
    return self->status == SPATIAL_RAN ? self->cores[view] * self->cells : 0;
}

double spatial_design_rate(const SpatialDesign *self, ArchAreaView view)
{
    return self->status == SPATIAL_RAN
               ? spatial_design_cells(self, view) / spatial_design_seconds(self, view)
               : 0;
}

const SpatialDesign *spatial_design_at(const GArray *designs, guint index)
{
    return &g_array_index(designs, SpatialDesign, index);
}

static SpatialDesign *at(GArray *designs, guint index)
{
    return &g_array_index(designs, SpatialDesign, index);
}

void spatial_designs_fill(GArray *designs, ArchAreaView view)
{
    /* Those that fit are compared before any of them is out. */
    g_autofree bool *is_less = g_new0(bool, designs->len + 1);

    for (guint i = 0; i < designs->len; i++) {
        for (guint k = 0; k < designs->len; k++) {
            const SpatialDesign *one = at(designs, i);
            const SpatialDesign *other = at(designs, k);

            is_less[i] = is_less[i] ||
                         (other->is_in[view] && other->sram_bytes == one->sram_bytes &&
                          other->areas[view].core_count > one->areas[view].core_count);
        }
    }
    for (guint i = 0; i < designs->len; i++) {
        at(designs, i)->is_in[view] = at(designs, i)->is_in[view] && !is_less[i];
    }
}

static bool has_same_area(const SpatialDesign *one, const SpatialDesign *other)
{
    const ArchArea *area = &one->areas[ARCH_AREA_AS_FILED];
    const ArchArea *others = &other->areas[ARCH_AREA_AS_FILED];

    return area->core_mm2 == others->core_mm2 &&
           area->outside_mm2 == others->outside_mm2;
}

/* The same design, of which a patch of another size ran: two of one size differ in
 * something else. Or one that did not run for the same reason. */
static bool is_same(const SpatialDesign *one, const SpatialDesign *other, bool is_patch)
{
    if (one == other) {
        return true;
    }
    if (one->status != other->status || one->sram_bytes != other->sram_bytes) {
        return false;
    }
    if (one->status != SPATIAL_RAN) {
        return g_strcmp0(one->why, other->why) == 0;
    }
    return is_patch && one->cells == other->cells && one->ran != other->ran &&
           has_same_area(one, other);
}

static void merge(GArray *designs, guint index, bool is_patch)
{
    SpatialDesign *self = at(designs, index);
    double least = G_MAXDOUBLE;
    double most = 0;

    self->is_main = true;
    self->patch_count = 0;
    for (guint i = 0; i < designs->len; i++) {
        const SpatialDesign *other = at(designs, i);
        const double seconds = spatial_design_seconds(other, ARCH_AREA_AS_FILED);

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

static bool is_candidate(const SpatialDesign *self, ArchAreaView view)
{
    return self->is_main && self->status == SPATIAL_RAN && self->cores[view] > 0;
}

static bool
beats(const SpatialDesign *one, const SpatialDesign *other, ArchAreaView view)
{
    const double cells =
        spatial_design_cells(one, view) - spatial_design_cells(other, view);
    const double rate =
        spatial_design_rate(one, view) - spatial_design_rate(other, view);

    return cells >= 0 && rate >= 0 && (cells > 0 || rate > 0);
}

static void mark_front(GArray *designs, guint index, ArchAreaView view)
{
    SpatialDesign *self = at(designs, index);

    self->is_front[view] = is_candidate(self, view);
    for (guint i = 0; i < designs->len; i++) {
        const SpatialDesign *other = at(designs, i);

        if (is_candidate(other, view) && beats(other, self, view)) {
            self->is_front[view] = false;
        }
    }
}

void spatial_designs_compare(GArray *designs, bool is_patch)
{
    for (guint i = 0; i < designs->len; i++) {
        merge(designs, i, is_patch);
    }
    for (guint view = 0; view < SPATIAL_VIEWS; view++) {
        for (guint i = 0; i < designs->len; i++) {
            mark_front(designs, i, (ArchAreaView) view);
        }
    }
}

guint spatial_designs_count(const GArray *designs, SpatialStatus status)
{
    guint count = 0;

    for (guint i = 0; i < designs->len; i++) {
        count += spatial_design_at(designs, i)->status == status ? 1 : 0;
    }
    return count;
}

guint spatial_designs_front_count(const GArray *designs, ArchAreaView view)
{
    guint count = 0;

    for (guint i = 0; i < designs->len; i++) {
        count += spatial_design_at(designs, i)->is_front[view] ? 1 : 0;
    }
    return count;
}
