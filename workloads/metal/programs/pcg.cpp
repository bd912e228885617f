// Conjugate gradients with the Jacobi preconditioner on the 7-point Laplacian of a 3D
// grid, as workloads/pcg.lua, in tt-metal's API: variant=fused in BF16, all iterations
// in one launch, or variant=split in FP32, a launch for each operation. Words: variant
// rows cols tiles iterations tolerance granularity routing; hex=FILE for the solution's
// bits.
#include <fstream>

#include "pcg_fused.hpp"
#include "pcg_split.hpp"

namespace
{

// Compares norms with those of double precision, and prints the residual of the
// solution.
bool check(const Setting &set, const std::vector<float> &b, const Solution &solution)
{
    const Grid grid(set);
    const std::vector<double> exact = solve_in_double(grid, b, set.iterations);
    const std::vector<float> x = unpacked(solution.x, set.format);
    std::vector<double> rest = grid.product({x.begin(), x.end()});
    bool is_right = true;
    std::string norms;
    std::string doubles;

    for (std::size_t k = 0; k < solution.norms.size(); ++k) {
        norms += fmt::format(" {:.17g}", solution.norms[k]);
        doubles += fmt::format(" {}", exact[k]);
        is_right =
            is_right && std::fabs(solution.norms[k] - exact[k]) <= 0.05 * exact[0];
    }
    for (std::size_t i = 0; i < rest.size(); ++i) {
        rest[i] = b[i] - rest[i];
    }
    fmt::print("norms{}\nin double precision{}\n", norms, doubles);
    fmt::print("residual {} of the solution\n", std::sqrt(dot_in_double(rest, rest)));
    return is_right;
}

bool run(const Setting &set, const std::string &hex)
{
    auto mesh = tt::tt_metal::distributed::MeshDevice::create_unit_mesh(0);
    const std::size_t count = 1024 * std::size_t(set.tiles) * set.grid.x * set.grid.y;
    const std::vector<float> b = random_numbers(count, 1, set.format);
    const Solution solution = set.format == tt::DataFormat::Float32
                                  ? SplitSolver(set, *mesh, b).solve()
                                  : solve_fused(set, *mesh, b);
    mesh->close();
    if (!hex.empty()) {
        std::ofstream file(hex);
        for (const std::uint32_t word : solution.x) {
            file << fmt::format("{:08x}\n", word);
        }
    }
    return check(set, b, solution);
}

}  // namespace

int main(int argc, char **argv)
{
    const Words words(argc, argv,
                      {{"variant", "fused"},
                       {"rows", "7"},
                       {"cols", "8"},
                       {"tiles", "64"},
                       {"iterations", "10"},
                       {"tolerance", "0"},
                       {"granularity", "tile"},
                       {"routing", "naive"},
                       {"hex", ""}});
    const Setting set{.format = words["variant"] == "split" ? tt::DataFormat::Float32
                                                            : tt::DataFormat::Float16_b,
                      .grid = {words.number("cols"), words.number("rows")},
                      .tiles = words.number("tiles"),
                      .iterations = words.number("iterations"),
                      .tolerance = std::stod(words["tolerance"]),
                      .is_scalar = words["granularity"] == "scalar",
                      .routing = words["routing"]};
    const bool is_right = run(set, words["hex"]);

    fmt::print("{}\n", is_right ? "Test Passed" : "Test FAILED");
    return is_right ? 0 : 1;
}
