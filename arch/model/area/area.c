/* Adds up silicon. */
#include "arch/model/area/area.h"

#include <math.h>

#include "arch/error.h"

enum {
    KILOBYTE = 1024,
};

/* What there is as many of as what. */
typedef enum {
    OF_CORES,
    OF_DRAM_TILES,
    OF_ETHERNET_TILES,
    OF_THE_CHIP,
} Owner;

typedef struct {
    const char *name;
    const char *title;
    const char *key;
    Owner owner;
} Part;

typedef struct {
    const char *family;
    const char *sram_key;
    const Part *parts; /* the first one is SRAM, in mm2 for each kilobyte */
    guint part_count;
} Plan;

static const Part tensix_parts[] = {
    {"sram", "SRAM", "area.sram_mm2_per_kilobyte", OF_CORES},
    {"fpu", "FPUs", "area.fpu_mm2", OF_CORES},
    {"sfpu", "SFPUs", "area.sfpu_mm2", OF_CORES},
    {"riscv", "RISC-V cores", "area.riscv_mm2", OF_CORES},
    {"routers", "routers and NIUs", "area.router_mm2", OF_CORES},
    {"tile_rest", "rest of tiles", "area.tile_rest_mm2", OF_CORES},
    {"dram", "DRAM tiles", "area.dram_tile_mm2", OF_DRAM_TILES},
    {"ethernet", "Ethernet tiles", "area.ethernet_tile_mm2", OF_ETHERNET_TILES},
    {"pcie", "PCIe tile", "area.pcie_tile_mm2", OF_THE_CHIP},
    {"rest", "rest of the die", "area.rest_mm2", OF_THE_CHIP},
};

static const Part wse_parts[] = {
    {"sram", "SRAM", "area.sram_mm2_per_kilobyte", OF_CORES},
    {"cores", "cores of PEs", "area.core_mm2", OF_CORES},
    {"routers", "routers", "area.router_mm2", OF_CORES},
    {"rest", "rest of the wafer", "area.rest_mm2", OF_THE_CHIP},
};

_Static_assert(G_N_ELEMENTS(tensix_parts) <= ARCH_AREA_PARTS_MOST, "all have a place");
_Static_assert(G_N_ELEMENTS(wse_parts) <= ARCH_AREA_PARTS_MOST, "all have a place");

static const Plan plans[] = {
    {"tensix", "l1.capacity_bytes", tensix_parts, G_N_ELEMENTS(tensix_parts)},
    {"wse", "memory.capacity_bytes", wse_parts, G_N_ELEMENTS(wse_parts)},
};

static const Plan *plan_of(const ArchParams *params)
{
    for (gsize i = 0; i < G_N_ELEMENTS(plans); i++) {
        if (g_str_equal(plans[i].family, arch_params_family(params))) {
            return &plans[i];
        }
    }
    return NULL;
}

/* "gpu, tensix and wse": GPUs have a model of their own. */
static char *known_families(void)
{
    g_autoptr(GString) names = g_string_new("gpu");

    for (gsize i = 0; i < G_N_ELEMENTS(plans); i++) {
        g_string_append(names, i + 1 < G_N_ELEMENTS(plans) ? ", " : " and ");
        g_string_append(names, plans[i].family);
    }
    return g_strdup(names->str);
}

static uint64_t list_length(const ArchParams *params, const char *path)
{
    gsize count = 0;

    (void) arch_params_list(params, path, &count);
    return count;
}

/* Tiles that are switched off are there all the same. */
static uint64_t core_count(const ArchParams *params)
{
    if (arch_params_has(params, "grid.tensix_columns")) {
        return list_length(params, "grid.tensix_columns") *
               list_length(params, "grid.tensix_rows");
    }
    return arch_params_uint(params, "chip.advertised_pe_count");
}

static uint64_t owner_count(const ArchParams *params, Owner owner)
{
    switch (owner) {
    case OF_CORES:
        return core_count(params);
    case OF_DRAM_TILES:
        return list_length(params, "dram.tile_columns");
    case OF_ETHERNET_TILES:
        return list_length(params, "ethernet.tile_columns");
    case OF_THE_CHIP:
        return 1;
    }
    g_return_val_if_reached(0);
}

/* A value set by the user has no range and is used as it is. */
static double number_of(const ArchParams *params, const char *path, double share)
{
    const ArchParam *param = arch_params_find(params, path);
    g_autofree char *text = NULL;

    if (param->range == NULL || isnan(share)) {
        return arch_params_real(params, path);
    }
    text = arch_range_sample(param->range, share);
    return g_ascii_strtod(text, NULL);
}

/* Where in its range a part is taken from; NAN: as the file has it. */
static double share_of(ArchAreaView view, bool is_sram, Owner owner)
{
    if (view == ARCH_AREA_AS_FILED || owner != OF_CORES) {
        return NAN;
    }
    return is_sram == (view == ARCH_AREA_LARGE_SRAM) ? 1.0 : 0.0;
}

static void add_part(ArchArea *self,
                     const ArchParams *params,
                     const Plan *plan,
                     guint index,
                     ArchAreaView view)
{
    const Part *part = &plan->parts[index];
    const bool is_sram = index == 0;
    double each = number_of(params, part->key, share_of(view, is_sram, part->owner));

    if (is_sram) {
        each *= (double) arch_params_uint(params, plan->sram_key) / KILOBYTE;
        self->sram_mm2 = each;
    }
    const double all = each * (double) owner_count(params, part->owner);

    self->parts[self->part_count++] =
        (ArchAreaPart){.name = part->name, .title = part->title, .mm2 = all};
    self->mm2 += all;
    if (part->owner == OF_CORES) {
        self->core_mm2 += each;
    } else {
        self->outside_mm2 += all;
    }
}

bool arch_area_of(const ArchParams *params,
                  ArchAreaView view,
                  ArchArea *area,
                  GError **error)
{
    const Plan *plan = plan_of(params);
    ArchArea made = {0};

    if (plan == NULL) {
        g_autofree char *known = known_families();

        g_set_error(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                    "%s: the area of chips of family %s is not modelled; known are %s",
                    arch_params_name(params), arch_params_family(params), known);
        return false;
    }
    if (!arch_params_has(params, "area.die_mm2")) {
        return sim_fail(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                        "%s: its file has no section [area]", arch_params_name(params));
    }
    made.die_mm2 = arch_params_real(params, "area.die_mm2");
    made.core_count = core_count(params);
    for (guint i = 0; i < plan->part_count; i++) {
        add_part(&made, params, plan, i, view);
    }
    *area = made;
    return true;
}

uint64_t arch_area_cores_in(const ArchArea *self, double mm2)
{
    /* A chip that fills its area to the last digit holds its own cores. */
    static const double rounding = 1e-9;
    const double left = mm2 - self->outside_mm2;
    const double count = floor(left / self->core_mm2 * (1 + rounding));

    /* Also of what is no number, and of cores that take no room. */
    if (!(left > 0) || !(count >= 1) || count > 1e15) {
        return 0;
    }
    return (uint64_t) count;
}

const char *arch_area_sram_key(const ArchParams *params)
{
    const Plan *plan = plan_of(params);

    return plan == NULL ? NULL : plan->sram_key;
}

const char *arch_area_view_title(ArchAreaView view)
{
    static const char *const titles[ARCH_AREA_VIEWS] = {
        "areas as assumed", "SRAM small, logic large", "SRAM large, logic small"};

    return titles[view];
}

const char *arch_area_view_name(ArchAreaView view)
{
    static const char *const names[ARCH_AREA_VIEWS] = {"as_filed", "small_sram",
                                                       "large_sram"};

    return names[view];
}
