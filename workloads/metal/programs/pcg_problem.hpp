// The problem that PCG solves: its settings, its grid and its solution in double
// precision.
#pragma once

#include "core_tree.hpp"
#include "kernels/pcg_layout.hpp"
#include "numbers.hpp"

struct Setting {
    tt::DataFormat format;
    CoreCoord grid;
    std::uint32_t tiles;  // of a core
    std::uint32_t iterations;
    double tolerance;  // norm of the residual to stop at; 0: do all iterations
    bool is_scalar;
    std::string routing;

    CoreRange cores() const
    {
        return CoreRange({0, 0}, {grid.x - 1, grid.y - 1});
    }
    std::uint32_t tile_bytes() const
    {
        return tt::tile_size(format);
    }
};

// What a solver leaves: the numbers of x as they lie in memory, and norms of the
// residual from before the first iteration on.
struct Solution {
    std::vector<std::uint32_t> x;
    std::vector<double> norms;
};

using MeshBufferPointer = std::shared_ptr<tt::tt_metal::distributed::MeshBuffer>;

// Cores that hold the lines and numbers before and after.
inline std::vector<std::uint32_t>
neighbours(const tt::tt_metal::IDevice &device, CoreCoord core, CoreCoord grid)
{
    const std::pair<int, int> steps[pcg::SIDES] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    std::vector<std::uint32_t> words = {grid.x * grid.y > 1};

    for (const auto &[dx, dy] : steps) {
        const CoreCoord to(core.x + dx, core.y + dy);
        const bool is_there = to.x < grid.x && to.y < grid.y;  // -1 is a large number
        const CoreCoord place =
            is_there ? device.worker_core_from_logical_core(to) : CoreCoord(0, 0);
        words.insert(words.end(), {is_there, static_cast<std::uint32_t>(place.x),
                                   static_cast<std::uint32_t>(place.y)});
    }
    return words;
}

// Adds the buffers with which a product with the matrix is computed.
inline void add_product_buffers(tt::tt_metal::Program &program, const Setting &set)
{
    using namespace tt::tt_metal;
    const auto add_pair = [&](std::uint8_t one,
                              std::uint8_t other) {  // in the same memory
        CreateCircularBuffer(
            program, set.cores(),
            CircularBufferConfig(pcg::AHEAD * set.tile_bytes(),
                                 {{one, set.format}, {other, set.format}})
                .set_page_size(one, set.tile_bytes())
                .set_page_size(other, set.tile_bytes()));
    };

    add_buffer(program, set.grid, pcg::CB_SUM, 2, set.format);
    add_buffer(program, set.grid, pcg::CB_BACK, 2, set.format);
    add_buffer(program, set.grid, pcg::CB_TERM, 1, set.format);
    add_pair(pcg::CB_TURNED, pcg::CB_TURNED_OUT);
    for (std::uint8_t side = 0; side < pcg::SIDES; ++side) {
        add_pair(pcg::CB_SHIFTED + side, pcg::CB_FILLED + side);
    }
}

inline MeshBufferPointer upload(tt::tt_metal::distributed::MeshDevice &mesh,
                                const Setting &set,
                                std::uint32_t tiles,
                                const std::vector<float> &numbers)
{
    const auto buffer = tiles_in_l1(&mesh, set.grid, tiles, set.tile_bytes());
    auto words = packed(numbers, set.format);

    tt::tt_metal::distributed::EnqueueWriteMeshBuffer(mesh.mesh_command_queue(), buffer,
                                                      words, false);
    return buffer;
}

// -1 and 6, a tile each, for every core.
inline std::vector<float> constants_for(std::size_t cores)
{
    std::vector<float> numbers(cores * 2048);

    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = i / 1024 % 2 == 0 ? -1.0F : 6.0F;
    }
    return numbers;
}

// The grid, in the order in which cores hold it: lines along x, 64 to a tile, of 16
// numbers along y; a tile for each z.
class Grid
{
  public:
    explicit Grid(const Setting &set)
        : nx(64 * set.grid.x), ny(16 * set.grid.y), nz(set.tiles), rows(set.grid.y)
    {
    }
    // A v in double precision; numbers beyond the grid are 0.
    std::vector<double> product(const std::vector<double> &v) const
    {
        std::vector<double> result(v.size());

        for (std::size_t x = 0; x < nx; ++x) {
            for (std::size_t y = 0; y < ny; ++y) {
                for (std::size_t z = 0; z < nz; ++z) {
                    result[at(x, y, z)] = 6 * v[at(x, y, z)] - get(v, x - 1, y, z) -
                                          get(v, x + 1, y, z) - get(v, x, y - 1, z) -
                                          get(v, x, y + 1, z) - get(v, x, y, z - 1) -
                                          get(v, x, y, z + 1);
                }
            }
        }
        return result;
    }

  private:
    std::size_t nx, ny, nz, rows;

    std::size_t at(std::size_t x, std::size_t y, std::size_t z) const
    {
        return ((x / 64 * rows + y / 16) * nz + z) * 1024 + x % 64 * 16 + y % 16;
    }
    double
    get(const std::vector<double> &v, std::size_t x, std::size_t y, std::size_t z) const
    {
        return x < nx && y < ny && z < nz ? v[at(x, y, z)] : 0.0;
    }
};

inline double dot_in_double(const std::vector<double> &a, const std::vector<double> &b)
{
    double sum = 0;

    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

// Norms of the residual, from before the first iteration on.
inline std::vector<double>
solve_in_double(const Grid &grid, const std::vector<float> &b, std::uint32_t iterations)
{
    std::vector<double> r(b.begin(), b.end());
    std::vector<double> p(r.size());
    std::vector<double> norms = {std::sqrt(dot_in_double(r, r))};
    double delta = dot_in_double(r, r) / 6;

    for (std::size_t i = 0; i < r.size(); ++i) {
        p[i] = r[i] / 6;
    }
    for (std::uint32_t k = 0; k < iterations; ++k) {
        const std::vector<double> q = grid.product(p);
        const double alpha = delta / dot_in_double(p, q);
        for (std::size_t i = 0; i < r.size(); ++i) {
            r[i] -= alpha * q[i];
        }
        const double next = dot_in_double(r, r) / 6;
        norms.push_back(std::sqrt(dot_in_double(r, r)));
        for (std::size_t i = 0; i < r.size(); ++i) {
            p[i] = r[i] / 6 + next / delta * p[i];
        }
        delta = next;
    }
    return norms;
}
