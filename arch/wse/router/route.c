/* Checks routes, completes their positions, and compares them. */
#include "arch/wse/router/route.h"

#include <string.h>

#include "arch/error.h"
#include "arch/wse/router/direction.h"
#include "sim/narrow.h"

static bool is_in_list(const ArchParams *params, const char *path, guint number)
{
    gsize count = 0;
    const uint64_t *list = arch_params_list(params, path, &count);

    for (gsize i = 0; i < count; i++) {
        if (list[i] == number) {
            return true;
        }
    }
    return false;
}

static bool is_choice(const ArchParams *params, const char *path, const char *word)
{
    return g_str_equal(arch_params_text(params, path), word);
}

static bool check_count(const ArchParams *params,
                        guint color,
                        const ArchWseColorConfig *config,
                        GError **error)
{
    const guint colors = sim_u32(arch_params_uint(params, "router.color_count"));
    const guint most =
        sim_u32(arch_params_uint(params, "router.switch_position_count"));

    if (color >= colors) {
        return arch_refuse(error, "no such color, 0..%u", colors - 1);
    }
    if (config->position_count < 1 || config->position_count > most) {
        return arch_refuse(error, "%u switch positions, 1..%u", config->position_count,
                           most);
    }
    if (config->position_count > 1 &&
        !is_in_list(params, "router.switch_colors", color)) {
        return arch_refuse(error, "%u switch positions, but %s switches only colors %s",
                           config->position_count, arch_params_name(params),
                           arch_params_find(params, "router.switch_colors")->value);
    }
    return config->current < config->position_count ||
           arch_refuse(error, "current position %u, 0..%u", config->current,
                       config->position_count - 1);
}

static bool check_position(const ArchParams *params,
                           guint number,
                           ArchWsePosition position,
                           bool is_unrouted_allowed,
                           GError **error)
{
    if (((position.rx | position.tx) & ~WSE_ALL_DIRECTIONS) != 0) {
        return arch_refuse(error, "position %u has a direction that does not exist",
                           number);
    }
    if (number == 0) {
        return (position.rx != 0 && position.tx != 0) || is_unrouted_allowed ||
               arch_refuse(error, "position 0 needs both rx and tx");
    }
    if (position.rx == 0 && position.tx == 0) {
        return arch_refuse(error, "position %u has neither rx nor tx", number);
    }
    if (position.rx != 0 && position.tx != 0 &&
        is_choice(params, "router.position_fields", "one")) {
        return arch_refuse(error,
                           "position %u has both rx and tx, on %s it may have one",
                           number, arch_params_name(params));
    }
    if ((position.rx & (position.rx - 1)) != 0) {
        g_autofree char *rx = wse_directions_text(position.rx);

        return arch_refuse(
            error, "position %u has rx %s, a single direction is allowed", number, rx);
    }
    return true;
}

void wse_route_resolve(WseRoute *self,
                       const ArchWsePosition *positions,
                       bool is_cumulative)
{
    for (guint i = 0; i < self->position_count; i++) {
        const guint from = is_cumulative && i > 0 ? i - 1 : 0;

        self->rx[i] = positions[i].rx != 0 ? positions[i].rx : self->rx[from];
        self->tx[i] = positions[i].tx != 0 ? positions[i].tx : self->tx[from];
        self->sources |= self->rx[i];
    }
}

bool wse_route_make(const ArchParams *params,
                    guint color,
                    const ArchWseColorConfig *config,
                    WseRoute *route,
                    GError **error)
{
    if (!check_count(params, color, config, error)) {
        return false;
    }
    for (guint i = 0; i < config->position_count; i++) {
        if (!check_position(params, i, config->positions[i],
                            config->is_unrouted_allowed, error)) {
            return false;
        }
    }
    if (config->host != ARCH_WSE_NO_HOST &&
        (config->position_count != 1 || config->positions[0].rx != 1 << ARCH_WSE_RAMP ||
         config->positions[0].tx != 1 << ARCH_WSE_RAMP)) {
        return arch_refuse(error, "a color of the host goes from RAMP to RAMP");
    }
    *route = (WseRoute){
        .color = sim_u8(color),
        .position_count = sim_u8(config->position_count),
        .current = sim_u8(config->current),
        .pop_mode = sim_u8(config->pop_mode),
        .is_ring = config->is_ring,
        .is_torn_down = config->is_torn_down,
        .swaps = sim_u8((config->is_swapped_x ? WSE_SWAP_X : 0) |
                        (config->is_swapped_y ? WSE_SWAP_Y : 0)),
        .host = sim_u8(config->host),
        .filter = config->filter,
    };
    wse_route_resolve(route, config->positions,
                      is_choice(params, "router.switch_rule", "cumulative"));
    return true;
}

uint8_t wse_route_outputs(const WseRoute *self)
{
    uint8_t outputs = 0;

    for (guint i = 0; i < self->position_count; i++) {
        outputs |= self->tx[i];
    }
    return outputs;
}

guint wse_route_hash(gconstpointer route)
{
    const WseRoute *self = route;
    guint hash = self->color;

    for (guint i = 0; i < self->position_count; i++) {
        hash = hash * 31 + self->rx[i];
        hash = hash * 31 + self->tx[i];
    }
    hash = hash * 31 + self->current;
    hash = hash * 31 + self->filter.initial;
    hash = hash * 31 + self->filter.limit1;
    return hash * 31 + self->filter.limit2;
}

static bool is_filter_equal(const ArchWseFilter *one, const ArchWseFilter *two)
{
    return one->kind == two->kind && one->is_data_counted == two->is_data_counted &&
           one->is_control_counted == two->is_control_counted &&
           one->is_control_filtered == two->is_control_filtered &&
           one->is_control_exact == two->is_control_exact &&
           one->initial == two->initial && one->limit1 == two->limit1 &&
           one->limit2 == two->limit2 && one->maximum == two->maximum;
}

gboolean wse_route_equal(gconstpointer one, gconstpointer two)
{
    const WseRoute *a = one;
    const WseRoute *b = two;

    return a->color == b->color && a->position_count == b->position_count &&
           memcmp(a->rx, b->rx, sizeof a->rx) == 0 &&
           memcmp(a->tx, b->tx, sizeof a->tx) == 0 && a->current == b->current &&
           a->pop_mode == b->pop_mode && a->is_ring == b->is_ring &&
           a->is_torn_down == b->is_torn_down && a->host == b->host &&
           a->swaps == b->swaps && a->sources == b->sources && a->names == b->names &&
           is_filter_equal(&a->filter, &b->filter);
}
