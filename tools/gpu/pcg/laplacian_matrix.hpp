/* The 7-point Laplacian of a grid as a stored matrix. */
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tools/gpu/grid.hpp"

namespace gpu
{

/* Rows of at most 7 numbers; a row's columns increase. */
struct LaplacianRow {
    int count = 0;
    int32_t columns[7];
    double values[7];

    LaplacianRow(const Grid &grid, size_t row)
    {
        size_t nx = (size_t) grid.nx;
        size_t x = row % nx;
        size_t y = row / nx % (size_t) grid.ny;
        size_t z = row / grid.plane();

        add(z > 0, row - grid.plane(), -1);
        add(y > 0, row - nx, -1);
        add(x > 0, row - 1, -1);
        add(true, row, 6);
        add(x + 1 < nx, row + 1, -1);
        add(y + 1 < (size_t) grid.ny, row + nx, -1);
        add(z + 1 < (size_t) grid.nz, row + grid.plane(), -1);
    }

  private:
    void add(bool is_inside, size_t column, double value)
    {
        if (is_inside) {
            columns[count] = (int32_t) column;
            values[count++] = value;
        }
    }
};

/* Compressed rows, and slices of rows of one length: in those, numbers of a slice lie
 * column after column, and rows end with column -1. */
template <typename T> struct LaplacianMatrix {
    std::vector<int32_t> offsets; /* of rows, or of slices; one more at the end */
    std::vector<int32_t> columns;
    std::vector<T> values;
    size_t nonzeros = 0;

    double bytes() const
    {
        return (double) (offsets.size() * sizeof(int32_t) +
                         columns.size() * (sizeof(int32_t) + sizeof(T)));
    }
};

template <typename T> LaplacianMatrix<T> laplacian_rows(const Grid &grid)
{
    LaplacianMatrix<T> matrix;
    size_t rows = grid.cells();

    matrix.offsets.resize(rows + 1);
    for (size_t row = 0; row < rows; row++) {
        matrix.nonzeros += (size_t) LaplacianRow(grid, row).count;
        matrix.offsets[row + 1] = (int32_t) matrix.nonzeros;
    }
    matrix.columns.resize(matrix.nonzeros);
    matrix.values.resize(matrix.nonzeros);
    parallel_for(rows, [&](size_t row) {
        LaplacianRow numbers(grid, row);
        size_t at = (size_t) matrix.offsets[row];

        for (size_t i = 0; i < (size_t) numbers.count; i++) {
            matrix.columns[at + i] = numbers.columns[i];
            matrix.values[at + i] = (T) numbers.values[i];
        }
    });
    return matrix;
}

template <typename T>
LaplacianMatrix<T> laplacian_slices(const Grid &grid, size_t height)
{
    LaplacianMatrix<T> matrix;
    size_t rows = grid.cells();
    size_t slices = (rows + height - 1) / height;

    matrix.offsets.resize(slices + 1);
    for (size_t slice = 0; slice < slices; slice++) {
        int width = 0;

        for (size_t row = slice * height; row < std::min(rows, (slice + 1) * height);
             row++) {
            int count = LaplacianRow(grid, row).count;

            width = std::max(width, count);
            matrix.nonzeros += (size_t) count;
        }
        matrix.offsets[slice + 1] =
            matrix.offsets[slice] + (int32_t) ((size_t) width * height);
    }
    matrix.columns.assign((size_t) matrix.offsets[slices], -1);
    matrix.values.assign((size_t) matrix.offsets[slices], T(0));
    parallel_for(rows, [&](size_t row) {
        LaplacianRow numbers(grid, row);
        size_t at = (size_t) matrix.offsets[row / height] + row % height;

        for (size_t i = 0; i < (size_t) numbers.count; i++) {
            matrix.columns[at + i * height] = numbers.columns[i];
            matrix.values[at + i * height] = (T) numbers.values[i];
        }
    });
    return matrix;
}

}  // namespace gpu
