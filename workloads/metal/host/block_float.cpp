// Tiles whose elements share an exponent in each row of a face.
#include <algorithm>
#include <bit>
#include <cmath>
#include <gridloom/block_float.hpp>
#include <tt-metalium/constants.hpp>

namespace gridloom
{

using namespace tt::constants;

namespace
{

constexpr std::size_t rows_of_tile =
    TILE_HW / FACE_WIDTH;  // of faces, with an exponent each

// Where an element that comes face by face lies in its tile.
std::size_t place_in_tile(std::size_t element, bool is_row_major)
{
    const std::size_t face = element / FACE_HW;
    const std::size_t row = face / 2 * FACE_HEIGHT + element % FACE_HW / FACE_WIDTH;
    const std::size_t column = face % 2 * FACE_WIDTH + element % FACE_WIDTH;

    return is_row_major ? row * TILE_WIDTH + column : element;
}

std::size_t words_of_tile(int bits)
{
    return (rows_of_tile + TILE_HW * static_cast<std::size_t>(bits) / 8) / 4;
}

// To the nearest, and between two of them to the even one, at most to the largest.
std::uint8_t element_of(float value, int exponent, int bits)
{
    const double unit = std::ldexp(1.0, exponent - 127 - (bits - 2));
    const auto most = (1 << (bits - 1)) - 1;
    const int magnitude =
        std::min(static_cast<int>(std::nearbyint(std::abs(value) / unit)), most);
    const bool is_negative = std::signbit(value) && magnitude > 0;

    return static_cast<std::uint8_t>(magnitude | (is_negative ? 1 << (bits - 1) : 0));
}

int exponent_of(float value)
{
    return static_cast<int>(std::bit_cast<std::uint32_t>(value) >> 23 & 0xFF);
}

}  // namespace

std::vector<std::uint32_t>
pack_tiles(std::span<const float> values, int bits, bool is_row_major)
{
    const std::size_t bytes_of_tile = 4 * words_of_tile(bits);
    const auto per_byte = static_cast<std::size_t>(8 / bits);
    std::vector<std::uint32_t> words(values.size() / TILE_HW * words_of_tile(bits));
    auto *const bytes = reinterpret_cast<std::uint8_t *>(words.data());

    if (values.size() % TILE_HW != 0) {
        refuse("{} elements are not made of tiles of {}", values.size(), TILE_HW);
    }
    for (std::size_t row = 0; row < values.size() / FACE_WIDTH; ++row) {
        const std::size_t tile = row / rows_of_tile;
        std::uint8_t *const start = bytes + tile * bytes_of_tile;
        const auto value = [&](std::size_t i) {
            const std::size_t element = row % rows_of_tile * FACE_WIDTH + i;
            return values[tile * TILE_HW + place_in_tile(element, is_row_major)];
        };
        int exponent = 0;
        for (std::size_t i = 0; i < FACE_WIDTH; ++i) {
            exponent = std::max(exponent, exponent_of(value(i)));
        }
        start[row % rows_of_tile] = static_cast<std::uint8_t>(exponent);
        for (std::size_t i = 0; exponent > 0 && i < FACE_WIDTH; ++i) {
            const std::size_t element = row % rows_of_tile * FACE_WIDTH + i;
            const unsigned shift = static_cast<unsigned>(element % per_byte) * 4;
            start[rows_of_tile + element / per_byte] = static_cast<std::uint8_t>(
                start[rows_of_tile + element / per_byte] |
                element_of(value(i), exponent, bits) << shift);
        }
    }
    return words;
}

std::vector<float>
unpack_tiles(std::span<const std::uint32_t> tiles, int bits, bool is_row_major)
{
    const std::size_t count = tiles.size() / words_of_tile(bits);
    const auto per_byte = static_cast<std::size_t>(8 / bits);
    std::vector<float> values(count * TILE_HW);

    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t tile = i / TILE_HW;
        const std::size_t element = i % TILE_HW;
        const auto *const bytes = reinterpret_cast<const std::uint8_t *>(
            tiles.data() + tile * words_of_tile(bits));
        const int exponent = bytes[element / FACE_WIDTH];
        const int packed = bytes[rows_of_tile + element / per_byte] >>
                           static_cast<int>(element % per_byte) * 4;
        const int magnitude = packed & ((1 << (bits - 1)) - 1);
        const double size = std::ldexp(magnitude, exponent - 127 - (bits - 2));
        const bool is_negative = (packed >> (bits - 1) & 1) != 0;
        values[tile * TILE_HW + place_in_tile(element, is_row_major)] =
            static_cast<float>(is_negative ? -size : size);
    }
    return values;
}

}  // namespace gridloom
