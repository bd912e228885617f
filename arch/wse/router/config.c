/* Reads and writes routes and switches as the words of registers. */
#include "arch/wse/router/config.h"

#include "arch/wse/router/route.h"
#include "sim/narrow.h"

enum {
    SET_MASK = 0x1f, /* directions */
    RX_SHIFT = 5,
    SWAP_Y = 1 << 10,
    SWAP_X = 1 << 11,
    POP_SHIFT = 12,
    POP_MASK = 3,
    TORN_DOWN = 1 << 14,
    POSITION_BITS = 4,
    POSITION_MASK = 7,
    NO_POSITION = 5,
    IS_RX = 8,
    RING = 1 << 12,
    CURRENT_SHIFT = 13,
    CURRENT_MASK = 3,
    KEPT_MASK = 0x1fff, /* of a word of switches: all but the position */
    IS_WRITTEN = 1 << 15,
};

/* Directions in the order of the registers. */
static const ArchWseDirection order[ARCH_WSE_DIRECTIONS] = {
    ARCH_WSE_WEST, ARCH_WSE_EAST, ARCH_WSE_SOUTH, ARCH_WSE_NORTH, ARCH_WSE_RAMP,
};

static uint32_t set_to_word(uint32_t set)
{
    uint32_t word = 0;

    for (guint i = 0; i < ARCH_WSE_DIRECTIONS; i++) {
        word |= (set >> order[i] & 1) << i;
    }
    return word;
}

static uint8_t set_of_word(uint32_t word)
{
    uint32_t set = 0;

    for (guint i = 0; i < ARCH_WSE_DIRECTIONS; i++) {
        set |= (word >> i & 1) << order[i];
    }
    return sim_u8(set);
}

/* The routes of position 0 as they are now; a reroute by other means is another. */
static ArchWsePosition base_of(const WseRoute *route, const WseColor *color)
{
    return (ArchWsePosition){.rx = color->rx != 0 ? color->rx : route->rx[0],
                             .tx = color->tx != 0 ? color->tx : route->tx[0]};
}

/* What a position changes; 0 for what stays. */
static ArchWsePosition change_at(const WseRoute *route, guint at, bool is_cumulative)
{
    const guint from = is_cumulative ? at - 1 : 0;

    return (ArchWsePosition){
        .rx = route->rx[at] != route->rx[from] ? route->rx[at] : 0,
        .tx = route->tx[at] != route->tx[from] ? route->tx[at] : 0,
    };
}

static uint32_t swaps_to_word(const WseRoute *route)
{
    return ((route->swaps & WSE_SWAP_X) != 0 ? SWAP_X : 0U) |
           ((route->swaps & WSE_SWAP_Y) != 0 ? SWAP_Y : 0U);
}

bool wse_config_swaps(const WseRoute *route, uint32_t word)
{
    return swaps_to_word(route) != (word & (SWAP_X | SWAP_Y));
}

uint32_t wse_config_routes(const WseRoute *route, const WseColor *color)
{
    const ArchWsePosition base = base_of(route, color);

    return set_to_word(base.tx) | set_to_word(base.rx) << RX_SHIFT |
           swaps_to_word(route) | sim_u32(route->pop_mode) << POP_SHIFT |
           (color->is_torn_down ? TORN_DOWN : 0U);
}

/* One direction; of several, which the layout may have set, the first. */
static uint32_t position_word(ArchWsePosition position)
{
    if (position.rx != 0) {
        return IS_RX | (uint32_t) __builtin_ctz(set_to_word(position.rx));
    }
    return position.tx == 0 ? NO_POSITION
                            : (uint32_t) __builtin_ctz(set_to_word(position.tx));
}

uint32_t
wse_config_switches(const WseRoute *route, const WseColor *color, bool is_cumulative)
{
    uint32_t word = (route->is_ring ? RING : 0U) | sim_u32(color->position)
                                                       << CURRENT_SHIFT;

    if ((route->switches & IS_WRITTEN) != 0) {
        return (word & ~(uint32_t) KEPT_MASK) | (route->switches & KEPT_MASK);
    }
    for (guint i = 1; i < ARCH_WSE_POSITIONS; i++) {
        const uint32_t position =
            i < route->position_count
                ? position_word(change_at(route, i, is_cumulative))
                : NO_POSITION;

        word |= position << (i - 1) * POSITION_BITS;
    }
    return word;
}

/* The positions that a word of switches has; returns their number. */
static guint read_positions(uint32_t word, ArchWsePosition *positions)
{
    guint count = 1;

    for (guint i = 1; i < ARCH_WSE_POSITIONS && count == i; i++) {
        const uint32_t field = word >> (i - 1) * POSITION_BITS;
        const uint32_t number = field & POSITION_MASK;

        if (number < NO_POSITION) {
            const uint8_t set = sim_u8(1u << order[number]);

            *((field & IS_RX) != 0 ? &positions[i].rx : &positions[i].tx) = set;
            count++;
        }
    }
    return count;
}

void wse_config_set_routes(WseRoute *route,
                           WseColor *color,
                           uint32_t word,
                           bool is_cumulative)
{
    ArchWsePosition positions[ARCH_WSE_POSITIONS] = {{0}};

    if ((route->switches & IS_WRITTEN) != 0) {
        (void) read_positions(route->switches, positions);
    } else {
        for (guint i = 1; i < route->position_count; i++) {
            positions[i] = change_at(route, i, is_cumulative);
        }
    }
    positions[0].tx = set_of_word(word & SET_MASK);
    positions[0].rx = set_of_word(word >> RX_SHIFT & SET_MASK);
    route->rx[0] = 0;
    route->tx[0] = 0;
    route->pop_mode = sim_u8(word >> POP_SHIFT & POP_MASK);
    color->rx = 0;
    color->tx = 0;
    color->is_torn_down = (word & TORN_DOWN) != 0;
    wse_route_resolve(route, positions, is_cumulative);
}

void wse_config_set_switches(WseRoute *route,
                             WseColor *color,
                             uint32_t word,
                             bool is_cumulative)
{
    ArchWsePosition positions[ARCH_WSE_POSITIONS] = {base_of(route, color)};
    const guint count = read_positions(word, positions);

    route->switches = sim_u16((word & KEPT_MASK) | IS_WRITTEN);
    color->rx = 0;
    color->tx = 0;
    route->position_count = sim_u8(count);
    route->is_ring = (word & RING) != 0;
    wse_route_resolve(route, positions, is_cumulative);
    color->position = sim_u8(MIN(word >> CURRENT_SHIFT & CURRENT_MASK, count - 1));
}
