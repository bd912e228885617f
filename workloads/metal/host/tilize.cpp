// Matrices in rows, and in tiles of four faces.
#include <tt-metalium/tilize_utils.hpp>

namespace gridloom
{

using namespace tt::constants;

std::vector<std::size_t> tiled_places(std::uint32_t rows, std::uint32_t columns)
{
    const std::size_t size = static_cast<std::size_t>(rows) * columns;
    std::vector<std::size_t> places(size);

    if (rows % TILE_HEIGHT != 0 || columns % TILE_WIDTH != 0) {
        refuse("a matrix of {} x {} is not made of tiles of {} x {}", rows, columns,
               TILE_HEIGHT, TILE_WIDTH);
    }
    for (std::size_t i = 0; i < size; ++i) {
        const std::size_t tile = i / TILE_HW;
        const std::size_t face = i % TILE_HW / FACE_HW;
        const std::size_t element = i % FACE_HW;
        const std::size_t row = tile / (columns / TILE_WIDTH) * TILE_HEIGHT +
                                face / 2 * FACE_HEIGHT + element / FACE_WIDTH;
        const std::size_t column = tile % (columns / TILE_WIDTH) * TILE_WIDTH +
                                   face % 2 * FACE_WIDTH + element % FACE_WIDTH;
        places[i] = row * columns + column;
    }
    return places;
}

}  // namespace gridloom
