/* Launches functions on PEs of a running wafer. */
#include "arch/error.h"
#include "arch/wse/folding.h"
#include "arch/wse/region.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

/* What a launch is on the PEs of one kind. */
typedef struct {
    bool is_looked_up;
    uint16_t entry; /* from 1 on; 0: there is none */
    guint *variables;
} Way;

static uint16_t find_entry(const ArchWseProgram *program, const char *function)
{
    for (guint i = 0; i < program->entries->len; i++) {
        if (g_str_equal(g_array_index(program->entries, WseTask, i).name, function)) {
            return sim_u16(i + 1);
        }
    }
    return 0;
}

static bool
look_up(Way *way, const WseKind *kind, const ArchWseLaunch *launch, GError **error)
{
    const ArchWseProgram *program = kind->program;

    way->is_looked_up = true;
    way->variables = g_new(guint, launch->count + 1);
    way->entry = find_entry(program, launch->function);
    if (way->entry == 0) {
        return arch_refuse(error, "program %s has no function %s for the host",
                           program->name, launch->function);
    }
    for (guint i = 0; i < launch->count; i++) {
        if (!arch_wse_program_find_variable(program, launch->names[i],
                                            &way->variables[i])) {
            return arch_refuse(error, "program %s has no variable %s", program->name,
                               launch->names[i]);
        }
    }
    return true;
}

static void call(const WseFabric *fabric,
                 guint x,
                 guint y,
                 const Way *way,
                 const ArchWseLaunch *launch)
{
    const SimTime now = sim_engine_now(fabric->engine);
    uint32_t number = 0;
    WseRegion *region = wse_fabric_find(fabric, x, y, &number);
    WsePe *pe = wse_region_pe(region, number);
    int32_t *variables = wse_pe_variables(pe, &fabric->block);

    for (guint i = 0; i < launch->count; i++) {
        variables[way->variables[i]] = launch->values[i];
    }
    pe->launched = way->entry;
    pe->is_over = false;
    pe->activated |= UINT64_C(1) << WSE_LAUNCH_TASK;
    wse_region_call(region, number, sim_u32(now + 1 - fabric->start), WSE_DUE_CE);
}

static void way_clear(gpointer data)
{
    Way *self = data;

    g_free(self->variables);
}

static bool check(const WseFabric *fabric,
                  const ArchWseLaunch *launch,
                  GArray *ways,
                  GError **error)
{
    const ArchWseTiles *tiles = &launch->tiles;
    const ArchWseLayout *layout = fabric->layout;

    if (fabric->is_fresh) {
        return arch_refuse(error, "a launch of %s before the start", launch->function);
    }
    if (tiles->x1 >= layout->columns || tiles->y1 >= layout->rows || tiles->dx == 0 ||
        tiles->dy == 0) {
        return arch_refuse(error, "a launch on PEs up to %u,%u of %ux%u", tiles->x1,
                           tiles->y1, layout->columns, layout->rows);
    }
    for (guint y = tiles->y0; y <= tiles->y1; y += tiles->dy) {
        for (guint x = tiles->x0; x <= tiles->x1; x += tiles->dx) {
            const uint32_t kind = fabric->kind_of[wse_layout_pe(layout, x, y)];
            Way *way = &g_array_index(ways, Way, kind);

            if (!way->is_looked_up &&
                !look_up(way, &g_array_index(fabric->kinds, WseKind, kind), launch,
                         error)) {
                return false;
            }
        }
    }
    return true;
}

bool wse_fabric_launch(WseFabric *self, const ArchWseLaunch *launch, GError **error)
{
    const ArchWseTiles *tiles = &launch->tiles;
    g_autoptr(GArray) ways = g_array_new(FALSE, TRUE, sizeof(Way));

    g_array_set_clear_func(ways, way_clear);
    g_array_set_size(ways, self->kinds->len);
    if (!check(self, launch, ways, error)) {
        return false;
    }
    wse_folding_end(self);
    wse_watch_go_on(self, sim_u32(sim_engine_now(self->engine) + 1 - self->start));
    for (guint y = tiles->y0; y <= tiles->y1; y += tiles->dy) {
        for (guint x = tiles->x0; x <= tiles->x1; x += tiles->dx) {
            const uint32_t kind = self->kind_of[wse_layout_pe(self->layout, x, y)];

            call(self, x, y, &g_array_index(ways, Way, kind), launch);
        }
    }
    self->is_driven = true;
    return true;
}
