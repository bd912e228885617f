// Conjugate gradients with the Jacobi preconditioner on the 7-point Laplacian of a 3D
// grid: all iterations in one launch, in BF16. The same as workloads/pcg.lua with
// variant=fused, in tt-metal's API. Words: rows cols tiles iterations tolerance
// granularity routing; hex=FILE for the solution's bits.
#include <fstream>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>

#include "core_tree.hpp"
#include "kernels/pcg_layout.hpp"
#include "numbers.hpp"

using namespace tt;
using namespace tt::tt_metal;

namespace
{

constexpr DataFormat format = DataFormat::Float16_b;
constexpr std::uint32_t tile_bytes = 2048;

struct Setting {
    CoreCoord grid;
    std::uint32_t tiles;  // of a core
    std::uint32_t iterations;
    double tolerance;  // norm of the residual to stop at; 0: do all iterations
    bool is_scalar;
    std::string routing;
};

using Buffer = std::shared_ptr<distributed::MeshBuffer>;

struct Buffers {
    Buffer x, r, constants, result, history;
};

// Cores that hold the lines and numbers before and after.
std::vector<std::uint32_t>
neighbours(const IDevice &device, CoreCoord core, CoreCoord grid)
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

// Adds two circular buffers in the same memory.
void add_pair(Program &program, CoreCoord grid, std::uint8_t one, std::uint8_t other)
{
    CreateCircularBuffer(
        program, CoreRange({0, 0}, {grid.x - 1, grid.y - 1}),
        CircularBufferConfig(pcg::AHEAD * tile_bytes, {{one, format}, {other, format}})
            .set_page_size(one, tile_bytes)
            .set_page_size(other, tile_bytes));
}

void add_buffers(Program &program, const Setting &set, const Buffers &buffers)
{
    const auto add = [&](std::uint32_t index, std::uint32_t tiles,
                         const Buffer &where = nullptr) {
        add_buffer(program, set.grid, index, tiles, format, where.get());
    };

    add(pcg::CB_X, set.tiles, buffers.x);
    add(pcg::CB_R, set.tiles, buffers.r);
    add(pcg::CB_CONSTANTS, 2, buffers.constants);
    add(pcg::CB_P, set.tiles);
    add(pcg::CB_Q, set.tiles);
    for (const std::uint32_t index :
         {pcg::CB_PRODUCT, pcg::CB_RUNNING, pcg::CB_SUM, pcg::CB_BACK}) {
        add(index, 2);
    }
    for (const std::uint32_t index :
         {pcg::CB_ALPHA, pcg::CB_BETA, pcg::CB_DELTA, pcg::CB_SIXTH, pcg::CB_TERM}) {
        add(index, 1);
    }
    add_pair(program, set.grid, pcg::CB_TURNED, pcg::CB_TURNED_OUT);
    for (std::uint8_t side = 0; side < pcg::SIDES; ++side) {
        add_pair(program, set.grid, pcg::CB_SHIFTED + side, pcg::CB_FILLED + side);
    }
}

// The largest square of a norm, in BF16, that is small enough, plus 1; 0: there is
// none.
std::uint32_t enough(double tolerance)
{
    std::uint32_t bits = 0;

    while (tolerance > 0 && std::sqrt(static_cast<double>(
                                std::bit_cast<float>(bits << 16))) <= tolerance) {
        ++bits;
    }
    return bits;
}

Program build(const Setting &set,
              const CoreTree &tree,
              const Buffers &buffers,
              const IDevice &device)
{
    const CoreRange cores({0, 0}, {set.grid.x - 1, set.grid.y - 1});
    const std::vector<std::uint32_t> compile_args = {
        tree.slots(), set.is_scalar,  true,
        set.tiles,    set.iterations, enough(set.tolerance)};
    Program program = CreateProgram();

    add_buffers(program, set, buffers);
    add_reduction(program, tree, format, *buffers.result);
    for (std::uint32_t i = 0; i < pcg::SEMAPHORES; ++i) {
        CreateSemaphore(program, cores, 0);
    }
    const KernelHandle kernels[] = {
        CreateKernel(program, "kernels/pcg_reader.cpp", cores,
                     ReaderDataMovementConfig(compile_args)),
        CreateKernel(program, "kernels/pcg_writer.cpp", cores,
                     WriterDataMovementConfig(compile_args)),
        CreateKernel(program, "kernels/pcg_compute.cpp", cores,
                     ComputeConfig{.math_fidelity = MathFidelity::HiFi4,
                                   .compile_args = compile_args})};
    for (const CoreCoord &core : cores) {
        std::vector<std::uint32_t> words = neighbours(device, core, set.grid);
        const auto sums = tree.arguments(device, core);
        const bool is_first = core.x == 0 && core.y == 0;

        words.push_back(static_cast<std::uint32_t>(buffers.result->address()));
        words.push_back(
            is_first ? static_cast<std::uint32_t>(buffers.history->address()) : 0);
        words.insert(words.end(), sums.begin(), sums.end());
        for (const KernelHandle kernel : kernels) {
            SetRuntimeArgs(program, kernel, core, words);
        }
    }
    return program;
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

double dot(const std::vector<double> &a, const std::vector<double> &b)
{
    double sum = 0;

    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

// Norms of the residual, from before the first iteration on.
std::vector<double>
solve_in_double(const Grid &grid, const std::vector<float> &b, std::uint32_t iterations)
{
    std::vector<double> r(b.begin(), b.end());
    std::vector<double> p(r.size());
    std::vector<double> norms = {std::sqrt(dot(r, r))};
    double delta = dot(r, r) / 6;

    for (std::size_t i = 0; i < r.size(); ++i) {
        p[i] = r[i] / 6;
    }
    for (std::uint32_t k = 0; k < iterations; ++k) {
        const std::vector<double> q = grid.product(p);
        const double alpha = delta / dot(p, q);
        for (std::size_t i = 0; i < r.size(); ++i) {
            r[i] -= alpha * q[i];
        }
        const double next = dot(r, r) / 6;
        norms.push_back(std::sqrt(dot(r, r)));
        for (std::size_t i = 0; i < r.size(); ++i) {
            p[i] = r[i] / 6 + next / delta * p[i];
        }
        delta = next;
    }
    return norms;
}

// Compares norms with those of double precision, and prints the residual of the
// solution.
bool check(const Setting &set,
           const std::vector<float> &b,
           const std::vector<float> &x,
           const std::vector<float> &squares)
{
    const Grid grid(set);
    const std::vector<double> exact = solve_in_double(grid, b, set.iterations);
    std::vector<double> rest = grid.product({x.begin(), x.end()});
    bool is_right = true;
    bool is_done = false;
    std::string norms;
    std::string doubles;

    for (std::uint32_t k = 0; k <= set.iterations && !is_done; ++k) {
        const double norm = std::sqrt(static_cast<double>(squares[2 * k]));
        norms += fmt::format(" {:.17g}", norm);
        doubles += fmt::format(" {}", exact[k]);
        is_right = is_right && std::fabs(norm - exact[k]) <= 0.05 * exact[0];
        is_done = norm <= set.tolerance;
    }
    fmt::print("norms{}\nin double precision{}\n", norms, doubles);
    for (std::size_t i = 0; i < rest.size(); ++i) {
        rest[i] = b[i] - rest[i];
    }
    fmt::print("residual {} of the solution\n", std::sqrt(dot(rest, rest)));
    return is_right;
}

Buffer upload(distributed::MeshDevice &mesh,
              const Setting &set,
              std::uint32_t tiles,
              std::vector<float> numbers)
{
    const Buffer buffer = tiles_in_l1(&mesh, set.grid, tiles, tile_bytes);
    auto words = packed(numbers, format);

    distributed::EnqueueWriteMeshBuffer(mesh.mesh_command_queue(), buffer, words,
                                        false);
    return buffer;
}

// -1 and 6, a tile each, for every core.
std::vector<float> constants_for(std::size_t cores)
{
    std::vector<float> numbers(cores * 2048);

    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = i / 1024 % 2 == 0 ? -1.0F : 6.0F;
    }
    return numbers;
}

bool run(const Setting &set, distributed::MeshDevice &mesh, const std::string &hex)
{
    const std::size_t cores = set.grid.x * set.grid.y;
    const std::vector<float> b = random_numbers(cores * set.tiles * 1024, 1, format);
    const CoreTree tree(set.routing, set.grid);
    const Buffers buffers = {
        .x = upload(mesh, set, set.tiles, std::vector<float>(b.size())),
        .r = upload(mesh, set, set.tiles, b),
        .constants = upload(mesh, set, 2, constants_for(cores)),
        .result = tiles_in_l1(&mesh, set.grid, 1, tile_bytes),
        .history = tiles_in_l1(&mesh, set.grid, 1 + set.iterations / 512, tile_bytes)};
    distributed::MeshCommandQueue &queue = mesh.mesh_command_queue();
    distributed::MeshWorkload workload;
    std::vector<std::uint32_t> solution;
    std::vector<std::uint32_t> norms;

    workload.add_program(distributed::MeshCoordinateRange(mesh.shape()),
                         build(set, tree, buffers, mesh));
    distributed::EnqueueMeshWorkload(queue, workload, false);
    distributed::EnqueueReadMeshBuffer(queue, solution, buffers.x, true);
    distributed::EnqueueReadMeshBuffer(queue, norms, buffers.history, true);
    if (!hex.empty()) {
        std::ofstream file(hex);
        for (const std::uint32_t word : solution) {
            file << fmt::format("{:08x}\n", word);
        }
    }
    return check(set, b, unpacked(solution, format), unpacked(norms, format));
}

}  // namespace

int main(int argc, char **argv)
{
    const Words words(argc, argv,
                      {{"rows", "7"},
                       {"cols", "8"},
                       {"tiles", "64"},
                       {"iterations", "10"},
                       {"tolerance", "0"},
                       {"granularity", "tile"},
                       {"routing", "naive"},
                       {"hex", ""}});
    const Setting set{.grid = {words.number("cols"), words.number("rows")},
                      .tiles = words.number("tiles"),
                      .iterations = words.number("iterations"),
                      .tolerance = std::stod(words["tolerance"]),
                      .is_scalar = words["granularity"] == "scalar",
                      .routing = words["routing"]};
    auto mesh = distributed::MeshDevice::create_unit_mesh(0);
    const bool is_right = run(set, *mesh, words["hex"]);

    fmt::print("{}\n", is_right ? "Test Passed" : "Test FAILED");
    mesh->close();
    return is_right ? 0 : 1;
}
