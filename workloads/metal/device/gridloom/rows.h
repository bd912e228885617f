// Tiles from rows of a matrix, and rows from tiles.
#pragma once

#include "gridloom/dst.h"
#include "gridloom/tile.h"

namespace ckernel
{

ALWI void tilize_init(uint32_t cb, uint32_t, uint32_t, uint32_t = 0)
{
    copy_tile_init(cb);
}

ALWI void tilize_init_short_with_dt(uint32_t before, uint32_t cb, uint32_t, uint32_t)
{
    copy_tile_to_dst_init_short_with_dt(before, cb);
}

// `width` tiles, which lie as 32 rows in `cb`.
ALWI void tilize_block(uint32_t cb, uint32_t width, uint32_t out, uint32_t tile = 0, uint32_t page = 0)
{
    for (uint32_t i = 0; i < width; i++) {
        tile_regs_acquire();
        GRIDLOOM_COMPUTE(FPU_THREADS, "tilize_tile", cb, tile + i, 0, width);
        tile_regs_commit();
        tile_regs_wait();
        pack_tile<true>(0, out, page + i);
        tile_regs_release();
    }
}

ALWI void tilize_uninit(uint32_t, uint32_t) {}

ALWI void tilize_uninit_with_dt(uint32_t before, uint32_t cb, uint32_t)
{
    reconfig_data_format_srca(before, cb);
}

// The same with half of Dst at a time.
ALWI void fast_tilize_init(uint32_t cb, uint32_t, uint32_t, uint32_t = 0)
{
    copy_tile_init(cb);
}

ALWI void fast_tilize_init_with_dt(uint32_t cb, uint32_t, uint32_t)
{
    copy_tile_init(cb);
}

ALWI void fast_tilize_block(uint32_t cb, uint32_t width, uint32_t out, uint32_t tile = 0, uint32_t page = 0)
{
    constexpr uint32_t most = DST_ACCUM_MODE ? 4 : 8;

    for (uint32_t from = 0; from < width; from += most) {
        const uint32_t count = width - from < most ? width - from : most;

        tile_regs_acquire();
        for (uint32_t i = 0; i < count; i++) {
            GRIDLOOM_COMPUTE(FPU_THREADS, "tilize_tile", cb, tile + from + i, i, width);
        }
        tile_regs_commit();
        tile_regs_wait();
        for (uint32_t i = 0; i < count; i++) {
            pack_tile<true>(i, out, page + from + i);
        }
        tile_regs_release();
    }
}

ALWI void fast_tilize_uninit(uint32_t, uint32_t, uint32_t = 0) {}

template <uint32_t = 8, uint32_t = 8, auto...> ALWI void pack_untilize_init(uint32_t cb, uint32_t, uint32_t = 0)
{
    copy_tile_init(cb);
}

template <uint32_t = 8, uint32_t = 8, auto...> ALWI void pack_untilize_dest_init(uint32_t, auto...) {}

ALWI void pack_untilize_uninit(uint32_t = 0) {}

// Tiles of Dst, `columns` of them side by side, into rows of `whole` tiles.
template <uint32_t columns = 8, uint32_t whole = columns, bool is_diagonal = false, bool is_narrow = false,
          uint32_t numbers = 32, uint32_t first = 0, auto...>
ALWI void pack_untilize_dest(uint32_t out, uint32_t rows = 1, uint32_t column = 0, uint32_t first_row = 0, auto...)
{
    static_assert(!is_diagonal && !is_narrow && numbers == 32,
                  "Gridloom packs whole tiles into rows: workloads/doc/metal.md");
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t i = 0; i < columns; i++) {
            GRIDLOOM_COMPUTE(PACKS, "pack_untilize_tile", first + (first_row + row) * columns + i, out,
                             row * whole + column * columns + i, whole);
        }
    }
}

template <uint32_t columns = 8, uint32_t whole = columns>
ALWI void pack_untilize_block(uint32_t cb, uint32_t rows, uint32_t out, uint32_t column = 0)
{
    for (uint32_t row = 0; row < rows; row++) {
        tile_regs_acquire();
        for (uint32_t i = 0; i < columns; i++) {
            copy_tile(cb, i, i);
        }
        tile_regs_commit();
        tile_regs_wait();
        pack_untilize_dest<columns, whole>(out, 1, column);
        tile_regs_release();
    }
}

ALWI void untilize_init(uint32_t cb, uint32_t = 0)
{
    copy_tile_init(cb);
}

template <uint32_t = 1> ALWI void untilize_block(uint32_t cb, uint32_t width, uint32_t out)
{
    for (uint32_t i = 0; i < width; i++) {
        tile_regs_acquire();
        copy_tile(cb, i, 0);
        tile_regs_commit();
        tile_regs_wait();
        GRIDLOOM_COMPUTE(PACKS, "pack_untilize_tile", 0, out, i, width);
        tile_regs_release();
    }
}

ALWI void untilize_uninit(uint32_t = 0) {}

}  // namespace ckernel
