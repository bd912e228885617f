// Matrices in rows, and in tiles of four faces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <gridloom/failure.hpp>
#include <tt-metalium/constants.hpp>
#include <vector>

namespace gridloom
{

// Where the tiled matrix has each element of the one in rows, in the order of tiles:
// tiles row by row, in each of them four faces, in each of them rows.
std::vector<std::size_t> tiled_places(std::uint32_t rows, std::uint32_t columns);

template <typename T> void check_matrix(const std::vector<T> &matrix, std::size_t size)
{
    if (matrix.size() < size) {
        refuse("a matrix of {} elements has a vector of {}", size, matrix.size());
    }
}

}  // namespace gridloom

template <typename T>
std::vector<T>
tilize_nfaces(const std::vector<T> &matrix, std::uint32_t rows, std::uint32_t columns)
{
    const auto places = gridloom::tiled_places(rows, columns);
    std::vector<T> tiled(places.size());

    gridloom::check_matrix(matrix, places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        tiled[i] = matrix[places[i]];
    }
    return tiled;
}

template <typename T>
std::vector<T>
untilize_nfaces(const std::vector<T> &tiled, std::uint32_t rows, std::uint32_t columns)
{
    const auto places = gridloom::tiled_places(rows, columns);
    std::vector<T> matrix(places.size());

    gridloom::check_matrix(tiled, places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        matrix[places[i]] = tiled[i];
    }
    return matrix;
}

// Tiles row by row, each with its elements in rows.
template <typename T>
std::vector<T>
tilize_swizzled(const std::vector<T> &matrix, std::uint32_t rows, std::uint32_t columns)
{
    std::vector<T> tiled;

    gridloom::check_matrix(matrix, gridloom::tiled_places(rows, columns).size());
    for (std::uint32_t row = 0; row < rows; row += 32) {
        for (std::uint32_t column = 0; column < columns; column += 32) {
            for (std::uint32_t i = 0; i < 32; ++i) {
                const auto line = matrix.begin() + (row + i) * columns + column;
                tiled.insert(tiled.end(), line, line + 32);
            }
        }
    }
    return tiled;
}

template <typename T>
std::vector<T> untilize_swizzled(const std::vector<T> &tiled,
                                 std::uint32_t rows,
                                 std::uint32_t columns)
{
    std::vector<T> matrix(tiled.size());
    std::size_t next = 0;

    gridloom::check_matrix(tiled, gridloom::tiled_places(rows, columns).size());
    for (std::uint32_t row = 0; row < rows; row += 32) {
        for (std::uint32_t column = 0; column < columns; column += 32) {
            for (std::uint32_t i = 0; i < 1024; ++i) {
                matrix[(row + i / 32) * columns + column + i % 32] = tiled[next++];
            }
        }
    }
    return matrix;
}

// Older programs say `tilize` for the form without faces.
template <typename T>
std::vector<T>
tilize(const std::vector<T> &matrix, std::uint32_t rows, std::uint32_t columns)
{
    return tilize_swizzled(matrix, rows, columns);
}
template <typename T>
std::vector<T>
untilize(const std::vector<T> &tiled, std::uint32_t rows, std::uint32_t columns)
{
    return untilize_swizzled(tiled, rows, columns);
}
