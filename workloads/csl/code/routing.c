/* Turns color configurations of CSL into those of the wafer's routers. */
#include "workloads/csl/code/routing.h"

#include <string.h>

#include "sim/narrow.h"

enum {
    STEPS = 16, /* of rows that are looked at for the same content */
};

static uint8_t directions(uint8_t set)
{
    static const ArchWseDirection of[] = {
        [CSL_NORTH] = ARCH_WSE_NORTH, [CSL_SOUTH] = ARCH_WSE_SOUTH,
        [CSL_EAST] = ARCH_WSE_EAST,   [CSL_WEST] = ARCH_WSE_WEST,
        [CSL_RAMP] = ARCH_WSE_RAMP,
    };
    guint bits = 0;

    for (guint i = 0; i < G_N_ELEMENTS(of); i++) {
        if ((set & 1U << i) != 0) {
            bits |= 1U << of[i];
        }
    }
    return sim_u8(bits);
}

static const CslValue *find(CslProgram *self, const CslStruct *from, const char *name)
{
    return csl_struct_find(from, csl_name(self, name));
}

static uint16_t number(CslProgram *self, const CslStruct *from, const char *name)
{
    const CslValue *value = find(self, from, name);

    return value == NULL ? 0 : sim_u16((int64_t) value->integer);
}

static bool is_set(CslProgram *self, const CslStruct *from, const char *name)
{
    return number(self, from, name) != 0;
}

/* CSL's max_counter is what the router calls limit 1, and its limit1 the maximum. */
static ArchWseFilter filter_of(CslProgram *self, const CslStruct *given)
{
    const CslValue *kind = find(self, given, "kind");
    const CslStruct *chosen =
        kind == NULL || kind->type->kind != CSL_KIND_STRUCT ? given : kind->members;
    ArchWseFilter filter = {
        .kind = ARCH_WSE_FILTER_COUNTER,
        .is_data_counted = is_set(self, given, "count_data"),
        .is_control_counted = is_set(self, given, "count_control"),
        .is_control_filtered = is_set(self, given, "filter_control"),
        .is_control_exact = true,
        .initial = number(self, given, "init_counter"),
        .limit1 = number(self, given, "max_counter"),
        .limit2 = number(self, given, "limit2"),
        .maximum = number(self, given, "limit1"),
    };

    if (is_set(self, chosen, "range")) {
        filter.kind = ARCH_WSE_FILTER_RANGE;
        filter.limit1 = number(self, given, "min_idx");
        filter.limit2 = number(self, given, "max_idx");
    } else if (is_set(self, chosen, "sparse_counter")) {
        filter.kind = ARCH_WSE_FILTER_TWICE;
    }
    return filter;
}

static ArchWseColorConfig config_of(CslProgram *self, const CslColorConfig *given)
{
    ArchWseColorConfig config = {
        .position_count = 1,
        .positions = {{directions(given->rx), directions(given->tx)}},
        .current = given->position,
        .pop_mode = (ArchWsePopMode) given->pop_mode,
        .is_ring = given->is_ring,
        .is_torn_down = given->has_teardown,
        .is_unrouted_allowed = true,
        .is_swapped_x = given->swaps_x,
        .is_swapped_y = given->swaps_y,
    };

    for (guint i = 0; i < G_N_ELEMENTS(given->positions); i++) {
        const CslSwitchPosition *position = &given->positions[i];

        if (position->is_invalid || (position->rx == 0 && position->tx == 0)) {
            break;
        }
        config.positions[config.position_count++] =
            (ArchWsePosition){directions(position->rx), directions(position->tx)};
    }
    if (given->filter != NULL) {
        config.filter = filter_of(self, given->filter);
    }
    return config;
}

static void set_color(CslProgram *self,
                      ArchWseLayout *layout,
                      ArchWseTiles tiles,
                      guint color,
                      const ArchWseColorConfig *config)
{
    g_autoptr(GError) error = NULL;

    if (!arch_wse_layout_set_color_config(layout, tiles, color, config, &error)) {
        csl_report(self->to, CSL_ERROR, (CslPlace){0}, "%s", error->message);
    }
}

/* Each configuration of the layout block once. The caller frees the array of
 * ArchWseColorConfig. */
static GArray *configs_of(CslProgram *self)
{
    const GArray *from = self->layout->configs;
    GArray *configs = g_array_new(FALSE, FALSE, sizeof(ArchWseColorConfig));

    for (guint i = 0; i < from->len; i++) {
        const ArchWseColorConfig config =
            config_of(self, &g_array_index(from, CslColorConfig, i));

        g_array_append_val(configs, config);
    }
    return configs;
}

/* Rows with the same content, in even steps. */
typedef struct {
    guint first;
    guint last;
    guint step;
} Rows;

static ArchWseTiles tiles_of(Rows rows, guint first, guint last)
{
    return (ArchWseTiles){first, rows.first, last, rows.last, 1, rows.step};
}

static bool
are_equal(const CslLayout *layout, const uint32_t *content, guint row, guint other)
{
    return memcmp(content + (size_t) layout->width * row,
                  content + (size_t) layout->width * other,
                  layout->width * sizeof *content) == 0;
}

/* The row `first` and those that follow it; they are done then. */
static Rows
take_rows(const CslLayout *layout, const uint32_t *content, bool *is_done, guint first)
{
    Rows rows = {first, first, 1};

    for (guint step = 1; step <= STEPS && first + step < layout->height; step++) {
        if (!is_done[first + step] && are_equal(layout, content, first, first + step)) {
            rows.step = step;
            break;
        }
    }
    is_done[first] = true;
    while (rows.last + rows.step < layout->height && !is_done[rows.last + rows.step] &&
           are_equal(layout, content, first, rows.last + rows.step)) {
        rows.last += rows.step;
        is_done[rows.last] = true;
    }
    return rows;
}

/* Colors that the layout block sets, for runs of PEs with the same ones. */
static void set_layout_colors(CslProgram *self,
                              ArchWseLayout *layout,
                              const GArray *configs,
                              Rows rows)
{
    const CslLayout *from = self->layout;
    const uint32_t *row = from->colors + (size_t) from->width * rows.first;
    guint x = 0;

    while (x < from->width) {
        guint end = x + 1;

        while (end < from->width && row[end] == row[x]) {
            end++;
        }
        for (uint32_t at = row[x]; at != CSL_NO_INDEX;) {
            const CslColorList *list =
                &g_array_index(from->color_lists, CslColorList, at);

            set_color(self, layout, tiles_of(rows, x, end - 1), list->color,
                      &g_array_index(configs, ArchWseColorConfig, list->config));
            at = list->before;
        }
        x = end;
    }
}

/* Colors of the host's streams: see <memcpy/memcpy>. */
static void set_streams(CslProgram *self,
                        ArchWseLayout *layout,
                        ArchWseTiles tiles,
                        const CslPeClass *pe)
{
    for (guint i = 0; i < pe->effects->len; i++) {
        const CslEffect *effect = &g_array_index(pe->effects, CslEffect, i);
        ArchWseColorConfig config = {
            .position_count = 1,
            .positions = {{1U << ARCH_WSE_RAMP, 1U << ARCH_WSE_RAMP}},
        };

        if (g_strcmp0(effect->name, "@gridloom_host_color") != 0) {
            continue;
        }
        config.host = csl_struct_at(effect->arguments, 1)->value.integer != 0
                          ? ARCH_WSE_HOST_SENDS
                          : ARCH_WSE_HOST_TAKES;
        set_color(self, layout, tiles,
                  sim_u32((int64_t) csl_struct_at(effect->arguments, 0)->value.integer),
                  &config);
    }
}

/* Colors that PEs set for themselves, for runs of PEs of one class. */
static void set_own_colors(CslProgram *self, ArchWseLayout *layout, Rows rows)
{
    const CslLayout *from = self->layout;
    const uint32_t *row = from->tiles + (size_t) from->width * rows.first;
    guint x = 0;

    while (x < from->width) {
        const CslTile *tile =
            row[x] == CSL_NO_INDEX ? NULL : &g_array_index(from->all, CslTile, row[x]);
        guint end = x + 1;

        while (end < from->width && row[end] == row[x]) {
            end++;
        }
        if (tile != NULL && tile->pe_class != CSL_NO_INDEX) {
            const CslPeClass *pe = self->classes->pdata[tile->pe_class];
            const ArchWseTiles tiles = tiles_of(rows, x, end - 1);

            for (guint i = 0; i < pe->colors->len; i++) {
                const CslLocalColor *local =
                    &g_array_index(pe->colors, CslLocalColor, i);
                const ArchWseColorConfig config = config_of(self, &local->config);

                set_color(self, layout, tiles, local->color, &config);
            }
            set_streams(self, layout, tiles, pe);
        }
        x = end;
    }
}

void csl_set_routes(CslProgram *self, ArchWseLayout *layout)
{
    const CslLayout *from = self->layout;
    g_autoptr(GArray) configs = configs_of(self);
    g_autofree bool *is_done = g_new0(bool, from->height + 1);
    g_autofree bool *is_own_done = g_new0(bool, from->height + 1);

    for (guint y = 0; y < from->height; y++) {
        if (!is_done[y]) {
            set_layout_colors(self, layout, configs,
                              take_rows(from, from->colors, is_done, y));
        }
        if (!is_own_done[y]) {
            set_own_colors(self, layout, take_rows(from, from->tiles, is_own_done, y));
        }
    }
}
