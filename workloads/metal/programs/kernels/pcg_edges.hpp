// Edges of tiles, as data movers exchange them with the neighbours: lines to the north
// and south, to the west and east lines of each square of the transposed tile.
#pragma once

#include "pcg_layout.hpp"
#include "reduction_mover.hpp"

namespace pcg
{

constexpr uint32_t tiles = get_compile_time_arg_val(TILES);
constexpr uint32_t iterations = get_compile_time_arg_val(ITERATIONS);
constexpr uint32_t enough = get_compile_time_arg_val(ENOUGH);
constexpr uint32_t tile_bytes = get_tile_size(CB_P);
constexpr uint32_t line_bytes = tile_bytes / LINES;

constexpr uint32_t lines_of(Side side)
{
    return side < WEST ? 1 : SQUARES;
}

// Number `i` of the lines at the edge towards a side.
constexpr uint32_t line_of(Side side, uint32_t i)
{
    const bool is_first = side == NORTH || side == WEST;

    if (side < WEST) {
        return is_first ? 0 : LINES - 1;
    }
    return i * SQUARE_LINES + (is_first ? 0 : SQUARE_LINES - 1);
}

inline uint32_t semaphore(uint32_t which, uint32_t side = 0)
{
    return get_semaphore(reduction::slots + reduction::SEMAPHORES + which + side);
}

class Edges
{
  public:
    Edges()
    {
        for (uint32_t side = 0; side < SIDES; side++) {
            const uint32_t at = NEIGHBOURS + 3 * side;

            has[side] = get_arg_val<uint32_t>(at) != 0;
            there[side] = get_noc_addr(get_arg_val<uint32_t>(at + 1),
                                       get_arg_val<uint32_t>(at + 2), 0);
            pages[side] = get_write_ptr(CB_SHIFTED + side);
        }
    }

    // Reader: sends the edges of all tiles; `first` counts the earlier tiles of this
    // launch.
    void send(uint32_t first)
    {
        for (uint32_t k = 0; k < tiles; k++) {
            cb_wait_front(CB_TURNED_OUT, 1);
            const uint32_t plain = p + k * tile_bytes,
                           turned = get_read_ptr(CB_TURNED_OUT);

            send_side<NORTH>(first + k, plain);
            send_side<SOUTH>(first + k, plain);
            send_side<WEST>(first + k, turned);
            send_side<EAST>(first + k, turned);
            noc_async_write_barrier();
            for (uint32_t side = 0; side < SIDES; side++) {
                tell(side, ARRIVED);
            }
            cb_pop_front(CB_TURNED_OUT, 1);
        }
    }

    // Writer: completes each tile when the next one is on its way.
    void fill(uint32_t first)
    {
        announce();
        for (uint32_t tile = first; tile < first + tiles; tile++) {
            if (tile + 1 < first + tiles) {
                announce();
            }
            complete<NORTH>(tile);
            complete<SOUTH>(tile);
            complete<WEST>(tile);
            complete<EAST>(tile);
        }
    }

  private:
    bool has[SIDES];
    uint64_t there[SIDES];
    uint32_t pages[SIDES];  // of tiles shifted to a side, the same on every core
    uint32_t p = get_read_ptr(CB_P);

    // Counts up the neighbour's semaphore for the side of this core.
    void tell(uint32_t side, uint32_t which)
    {
        if (has[side]) {
            noc_semaphore_inc(
                there[side] | semaphore(which, opposite(static_cast<Side>(side))), 1);
        }
    }

    uint32_t page_of(Side side, uint32_t tile)
    {
        return pages[side] + tile % AHEAD * tile_bytes;
    }

    template <Side side> void send_side(uint32_t tile, uint32_t from)
    {
        if (!has[side]) {
            return;
        }
        const uint64_t page = there[side] | page_of(opposite(side), tile);
        noc_semaphore_wait_min(reduction::word_at(semaphore(READY, side)), tile + 1);
        for (uint32_t i = 0; i < lines_of(side); i++) {
            noc_async_write(from + line_of(side, i) * line_bytes,
                            page + line_of(opposite(side), i) * line_bytes, line_bytes);
        }
    }

    // Once the next tile is shifted to a side, the neighbour may write into it. The
    // page stays as it is until compute has used it, because that works in order.
    void announce()
    {
        for (uint32_t side = 0; side < SIDES; side++) {
            cb_wait_front(CB_SHIFTED + side, 1);
            cb_pop_front(CB_SHIFTED + side, 1);
            tell(side, READY);
        }
    }

    // Hands a tile to compute: with the neighbour's lines, or with 0 at the end of the
    // grid.
    template <Side side> void complete(uint32_t tile)
    {
        if (has[side]) {
            noc_semaphore_wait_min(reduction::word_at(semaphore(ARRIVED, side)),
                                   tile + 1);
        } else {
            for (uint32_t i = 0; i < lines_of(side); i++) {
                volatile tt_l1_ptr uint32_t *line = reduction::word_at(
                    page_of(side, tile) + line_of(side, i) * line_bytes);
                for (uint32_t word = 0; word < line_bytes / 4; word++) {
                    line[word] = 0;
                }
            }
        }
        cb_reserve_back(CB_FILLED + side, 1);
        cb_push_back(CB_FILLED + side, 1);
    }
};

}  // namespace pcg
