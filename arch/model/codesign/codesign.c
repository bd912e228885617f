/* Sweeps all designs: one search for the tiles of each number of multiprocessors and
 * of vector units, each code and each size, which answers for all shared memories. */
#include "arch/model/codesign/codesign.h"

#include <math.h>

#include "arch/model/codesign/table.h"

enum {
    KILOBYTE = 1024,
};

/* Designs that differ in shared memory only. */
typedef struct {
    guint multiprocessors;
    guint vector_units;
    guint designs[GPU_LADDER_STEPS]; /* of each step of the ladder */
    guint from;
    guint to;
} Family;

struct GpuCodesign {
    GpuCodesignPlan plan;
    GArray *designs;
    GpuCodesignCode *codes;
    GpuFound *found; /* of designs, in them codes, in them sizes */
};

typedef struct {
    GpuCodesign *codesign;
    GArray *families; /* by vector units, then multiprocessors */
    GpuLadder ladder;
    GpuFound *starts; /* of each family and code, where the next search begins */
    GpuCodesignStep step;
    gpointer data;
    guint done;
} Sweep;

static int compare_guint(gconstpointer a, gconstpointer b)
{
    const guint one = *(const guint *) a;
    const guint two = *(const guint *) b;

    return (one > two) - (one < two);
}

/* All shared memories that designs have. */
static void ladder_init(GpuLadder *self, const GpuCodesignPlan *plan)
{
    g_autoptr(GArray) sizes = g_array_new(FALSE, FALSE, sizeof(guint));

    *self = (GpuLadder){.blocks = plan->rules.gpu.blocks};
    for (guint i = 0; i < plan->designs->len; i++) {
        const GpuDesign *design = &g_array_index(plan->designs, GpuDesign, i);

        g_array_append_val(sizes, design->shared_kilobytes);
    }
    g_array_sort(sizes, compare_guint);
    for (guint i = 0; i < sizes->len; i++) {
        const guint kilobytes = g_array_index(sizes, guint, i);
        const GpuDesign design = {
            .multiprocessors = 1, .vector_units = 1, .shared_kilobytes = kilobytes};
        GpuTilingMachine machine;

        if (i > 0 && kilobytes == g_array_index(sizes, guint, i - 1)) {
            continue;
        }
        g_assert(self->count < GPU_LADDER_STEPS);
        gpu_design_machine(&design, &plan->rules, &machine);
        self->shared_bytes[self->count] = machine.shared_bytes;
        self->block_bytes[self->count++] = machine.block_shared_bytes;
    }
}

static int compare_families(gconstpointer a, gconstpointer b)
{
    const Family *one = a;
    const Family *two = b;

    return one->vector_units != two->vector_units
               ? compare_guint(&one->vector_units, &two->vector_units)
               : compare_guint(&one->multiprocessors, &two->multiprocessors);
}

static Family *find_family(GArray *families, const GpuDesign *design)
{
    for (guint i = 0; i < families->len; i++) {
        Family *family = &g_array_index(families, Family, i);

        if (family->multiprocessors == design->multiprocessors &&
            family->vector_units == design->vector_units) {
            return family;
        }
    }
    return NULL;
}

static GArray *families_of(const GArray *designs, const GpuLadder *ladder)
{
    GArray *families = g_array_new(FALSE, FALSE, sizeof(Family));

    for (guint i = 0; i < designs->len; i++) {
        const GpuDesign *design = &g_array_index(designs, GpuDesign, i);
        Family *family = find_family(families, design);
        guint step = 0;

        while (ladder->shared_bytes[step] !=
               (uint64_t) design->shared_kilobytes * KILOBYTE) {
            step++;
        }
        if (family == NULL) {
            const Family fresh = {.multiprocessors = design->multiprocessors,
                                  .vector_units = design->vector_units,
                                  .from = step,
                                  .to = step};

            g_array_append_val(families, fresh);
            family = &g_array_index(families, Family, families->len - 1);
            for (guint j = 0; j < GPU_LADDER_STEPS; j++) {
                family->designs[j] = G_MAXUINT;
            }
        }
        family->from = MIN(family->from, step);
        family->to = MAX(family->to, step);
        family->designs[step] = i;
    }
    g_array_sort(families, compare_families);
    return families;
}

static gsize place(const GpuCodesign *self, guint design, guint code, guint size)
{
    return ((gsize) design * self->plan.code_count + code) * self->plan.sizes.count +
           size;
}

/* Where to begin: with the tiles of the family with fewer vector units and as many
 * multiprocessors, which are good ones here, too. */
static void start_from(const Sweep *self, guint family, guint code, GpuFound *found)
{
    const guint codes = self->codesign->plan.code_count;
    const Family *at = &g_array_index(self->families, Family, family);

    for (guint i = 0; i < GPU_LADDER_STEPS; i++) {
        found[i].seconds = INFINITY;
    }
    for (guint i = family; i-- > 0;) {
        const Family *other = &g_array_index(self->families, Family, i);

        if (other->multiprocessors == at->multiprocessors) {
            const GpuFound *known =
                self->starts + ((gsize) i * codes + code) * GPU_LADDER_STEPS;

            for (guint step = other->from; step <= other->to; step++) {
                found[step] = known[step];
            }
            return;
        }
    }
}

static void search_family(const Sweep *self, GpuTileTable *table, guint i, guint size)
{
    GpuCodesign *codesign = self->codesign;
    const GpuCodesignPlan *plan = &codesign->plan;
    const Family *family = &g_array_index(self->families, Family, i);
    const GpuDesign design = {.multiprocessors = family->multiprocessors,
                              .vector_units = family->vector_units,
                              .shared_kilobytes = 1};
    GpuTilingMachine machine;

    gpu_design_machine(&design, &plan->rules, &machine);
    for (guint code = 0; code < plan->code_count; code++) {
        GpuFound *found =
            self->starts + ((gsize) i * plan->code_count + code) * GPU_LADDER_STEPS;

        start_from(self, i, code, found);
        gpu_tile_table_search(
            table,
            &(GpuTileQuery){.machine = &machine,
                            .point_seconds = plan->codes[code].point_seconds,
                            .from = family->from,
                            .to = family->to},
            found);
        for (guint step = family->from; step <= family->to; step++) {
            if (family->designs[step] != G_MAXUINT) {
                codesign->found[place(codesign, family->designs[step], code, size)] =
                    found[step];
            }
        }
    }
}

static void search_size(Sweep *self, guint size)
{
    const GpuCodesignPlan *plan = &self->codesign->plan;
    const uint64_t space = plan->sizes.at[size].space;
    const GpuTilingProblem problem = {.dimension = plan->codes[0].stencil->dimension,
                                      .space = {space, space, space},
                                      .steps = plan->sizes.at[size].steps};
    g_autoptr(GpuTileTable) table =
        gpu_tile_table_new(&problem, &self->ladder, plan->rules.form);

    for (guint i = 0; i < self->families->len; i++) {
        const Family *family = &g_array_index(self->families, Family, i);

        gpu_tile_table_set_units(table, family->multiprocessors, family->vector_units);
        search_family(self, table, i, size);
        if (self->step != NULL) {
            self->step(self->data, ++self->done,
                       self->families->len * plan->sizes.count);
        }
    }
}

static void sweep(GpuCodesign *codesign, GpuCodesignStep step, gpointer data)
{
    Sweep self = {.codesign = codesign, .step = step, .data = data};

    ladder_init(&self.ladder, &codesign->plan);
    self.families = families_of(codesign->designs, &self.ladder);
    self.starts = g_new0(GpuFound, (gsize) self.families->len *
                                       codesign->plan.code_count * GPU_LADDER_STEPS);
    for (guint size = 0; size < codesign->plan.sizes.count; size++) {
        search_size(&self, size);
    }
    g_array_unref(self.families);
    g_free(self.starts);
}

GpuCodesign *
gpu_codesign_new(const GpuCodesignPlan *plan, GpuCodesignStep step, gpointer data)
{
    GpuCodesign *self = g_new0(GpuCodesign, 1);

    g_assert(plan->code_count > 0 && plan->sizes.count > 0);
    self->plan = *plan;
    self->designs =
        g_array_sized_new(FALSE, FALSE, sizeof(GpuDesign), plan->designs->len);
    g_array_append_vals(self->designs, plan->designs->data, plan->designs->len);
    self->codes = g_new(GpuCodesignCode, plan->code_count);
    for (guint i = 0; i < plan->code_count; i++) {
        self->codes[i] = plan->codes[i];
    }
    self->plan.designs = self->designs;
    self->plan.codes = self->codes;
    self->found = g_new0(GpuFound, place(self, self->designs->len, 0, 0));
    if (self->designs->len > 0) {
        sweep(self, step, data);
    }
    return self;
}

void gpu_codesign_free(GpuCodesign *self)
{
    g_array_unref(self->designs);
    g_free(self->codes);
    g_free(self->found);
    g_free(self);
}

const GpuCodesignPlan *gpu_codesign_plan(const GpuCodesign *self)
{
    return &self->plan;
}

const GpuDesign *gpu_codesign_design(const GpuCodesign *self, guint design)
{
    return &g_array_index(self->designs, GpuDesign, design);
}

double
gpu_codesign_seconds(const GpuCodesign *self, guint design, guint code, guint size)
{
    return self->found[place(self, design, code, size)].seconds;
}

const GpuTile *
gpu_codesign_tile(const GpuCodesign *self, guint design, guint code, guint size)
{
    return &self->found[place(self, design, code, size)].tile;
}
