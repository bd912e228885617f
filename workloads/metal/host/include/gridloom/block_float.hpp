// Tiles whose elements share an exponent in each row of a face.
#pragma once

#include <cstdint>
#include <gridloom/failure.hpp>
#include <span>
#include <vector>

namespace gridloom
{

// Elements have a sign and `bits` - 1 further bits: 8 or 4 in all. Tiles come one after
// another, their elements in rows or face by face.
std::vector<std::uint32_t>
pack_tiles(std::span<const float> values, int bits, bool is_row_major);
std::vector<float>
unpack_tiles(std::span<const std::uint32_t> tiles, int bits, bool is_row_major);

template <typename T>
std::vector<std::uint32_t>
pack_tiles_of(const T &values, int bits, bool is_row_major, bool is_exp_a)
{
    if (is_exp_a) {
        refuse("tiles with exponents of 5 bits are not in Gridloom");
    }
    return pack_tiles(std::vector<float>(values.begin(), values.end()), bits,
                      is_row_major);
}

}  // namespace gridloom
