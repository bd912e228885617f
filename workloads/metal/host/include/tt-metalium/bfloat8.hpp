// Tiles of numbers of 8 bits that share exponents.
#pragma once

#include <cstdint>
#include <gridloom/block_float.hpp>
#include <span>
#include <tt_stl/span.hpp>
#include <vector>

template <typename T>
std::vector<std::uint32_t>
pack_as_bfp8_tiles(ttsl::Span<const T> values, bool row_major_input, bool is_exp_a)
{
    return gridloom::pack_tiles_of(values, 8, row_major_input, is_exp_a);
}
inline std::vector<std::uint32_t> pack_fp32_vec_as_bfp8_tiles(
    const std::vector<float> &values, bool row_major_input, bool is_exp_a)
{
    return gridloom::pack_tiles_of(values, 8, row_major_input, is_exp_a);
}
inline std::vector<float> unpack_bfp8_tiles_into_float_vec(
    std::span<const std::uint32_t> tiles, bool row_major_output, bool /* is_exp_a */)
{
    return gridloom::unpack_tiles(tiles, 8, row_major_output);
}
