// Parts of tiles, to be printed.
#pragma once

#include "gridloom/interface.h"

struct SliceRange {
    uint8_t h0, h1, hs, w0, w1, ws;

    static constexpr SliceRange hw0_32_16() { return {0, 32, 16, 0, 32, 16}; }
    static constexpr SliceRange hw0_32_8() { return {0, 32, 8, 0, 32, 8}; }
    static constexpr SliceRange hw0_32_4() { return {0, 32, 4, 0, 32, 4}; }
    static constexpr SliceRange h0_w0_32() { return {0, 1, 1, 0, 32, 1}; }
    static constexpr SliceRange h0_32_w0() { return {0, 32, 1, 0, 1, 1}; }
    static constexpr SliceRange h1_w0_32() { return {1, 2, 1, 0, 32, 1}; }
    static constexpr SliceRange hw041() { return {0, 4, 1, 0, 4, 1}; }
};

enum dprint_tslice_ptr_t : uint8_t { TSLICE_RD_PTR = 0, TSLICE_WR_PTR = 1 };
enum dprint_tslice_cb_t : uint8_t { TSLICE_INPUT_CB = 0, TSLICE_OUTPUT_CB = 1 };

// A part of a tile in a circular buffer, every so many rows and columns of it.
template <int = 64> struct TileSlice {
    uint32_t address;
    uint32_t format;
    SliceRange range;
    uint8_t has_lines;  // a new one for each row
    uint8_t has_faces;  // rows are the tile's, not those of memory

    FORCE_INLINE TileSlice(uint32_t cb, int tile, const SliceRange &part, dprint_tslice_cb_t, dprint_tslice_ptr_t from,
                           bool lines = true, bool faces = true)
        : address(pointer(cb, from) + static_cast<uint32_t>(tile) * gridloom::tile_bytes[cb]),
          format(gridloom::formats[cb]), range(part), has_lines(lines), has_faces(faces)
    {
    }
    FORCE_INLINE TileSlice(uint32_t cb, int tile, const SliceRange &part, bool lines = true, bool faces = true)
        : TileSlice(cb, tile, part, TSLICE_INPUT_CB, TSLICE_RD_PTR, lines, faces)
    {
    }

  private:
    static FORCE_INLINE uint32_t pointer(uint32_t cb, dprint_tslice_ptr_t from)
    {
        return gridloom::call(
            from == TSLICE_WR_PTR ? gridloom::Call::cb_write_pointer : gridloom::Call::cb_read_pointer, cb);
    }
};

TileSlice(uint32_t, int, const SliceRange &, dprint_tslice_cb_t, dprint_tslice_ptr_t, bool, bool)->TileSlice<64>;
TileSlice(uint32_t, int, const SliceRange &, dprint_tslice_cb_t, dprint_tslice_ptr_t, bool)->TileSlice<64>;
TileSlice(uint32_t, int, const SliceRange &, dprint_tslice_cb_t, dprint_tslice_ptr_t)->TileSlice<64>;
TileSlice(uint32_t, int, const SliceRange &, bool, bool)->TileSlice<64>;
TileSlice(uint32_t, int, const SliceRange &, bool)->TileSlice<64>;
TileSlice(uint32_t, int, const SliceRange &)->TileSlice<64>;

#define TSLICE(cb, tile, range, ...) TileSlice(cb, tile, range __VA_OPT__(, ) __VA_ARGS__)
