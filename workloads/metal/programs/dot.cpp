// The dot product of two vectors in the cores' L1: each core multiplies and adds its
// own tiles, partial sums are added along a tree of cores, and all cores get the total.
// The same as workloads/dot.lua, in tt-metal's API. Words: dtype rows cols tiles
// granularity routing.
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>

#include "core_tree.hpp"
#include "kernels/dot_layout.hpp"
#include "numbers.hpp"

using namespace tt;
using namespace tt::tt_metal;

namespace
{

struct Setting {
    DataFormat format;
    CoreCoord grid;
    std::uint32_t tiles;  // of a core
    bool is_scalar;
    std::string routing;
};

using Buffer = std::shared_ptr<distributed::MeshBuffer>;

Program build(const Setting &set,
              const CoreTree &tree,
              const std::vector<Buffer> &buffers,
              const IDevice &device)
{
    const CoreRange cores({0, 0}, {set.grid.x - 1, set.grid.y - 1});
    const bool is_fpu = set.format == DataFormat::Float16_b;
    Program program = CreateProgram();

    add_buffer(program, set.grid, dot::CB_A, set.tiles, set.format, buffers[0].get());
    add_buffer(program, set.grid, dot::CB_B, set.tiles, set.format, buffers[1].get());
    if (is_fpu) {
        add_buffer(program, set.grid, dot::CB_PRODUCT, 1, set.format);
        add_buffer(program, set.grid, dot::CB_RUNNING, 2, set.format);
    }
    add_reduction(program, tree, set.format, *buffers[2]);
    const auto kernels = add_kernels(program, cores, "dot", set.format,
                                     {tree.slots(), set.is_scalar, is_fpu, set.tiles});
    for (const CoreCoord &core : cores) {
        for (const KernelHandle kernel : kernels) {
            SetRuntimeArgs(program, kernel, core,
                           tree.arguments(device, core, {false, 0}));
        }
    }
    return program;
}

// Compares the total on every core with the sum in double precision; each rounding is
// of a sum no larger than the sum of magnitudes.
bool check(const Setting &set,
           const CoreTree &tree,
           const std::vector<float> &a,
           const std::vector<float> &b,
           const std::vector<float> &totals)
{
    const std::size_t tile = totals.size() / (set.grid.x * set.grid.y);
    const double roundings = 40.0 + set.tiles + static_cast<double>(tree.nodes.size());
    double exact = 0;
    double magnitude = 0;

    for (std::size_t i = 0; i < a.size(); ++i) {
        exact += static_cast<double>(a[i]) * b[i];
        magnitude += std::fabs(static_cast<double>(a[i]) * b[i]);
    }
    const double bound =
        roundings * (set.format == DataFormat::Float32 ? 0x1p-23 : 0x1p-7) * magnitude;
    bool is_right = std::fabs(totals[0] - exact) <= bound;
    for (std::size_t i = 0; i < totals.size(); i += tile) {
        is_right = is_right && std::bit_cast<std::uint32_t>(totals[i]) ==
                                   std::bit_cast<std::uint32_t>(totals[0]);
    }
    fmt::print("total {}, in double precision {}, off by {:.3e} of the magnitudes\n",
               totals[0], exact, std::fabs(totals[0] - exact) / magnitude);
    fmt::print("bits 0x{:08x}\n", std::bit_cast<std::uint32_t>(totals[0]));
    return is_right;
}

void run(const Setting &set, distributed::MeshDevice &mesh, bool &is_right)
{
    distributed::MeshCommandQueue &queue = mesh.mesh_command_queue();
    const std::uint32_t tile_bytes = tile_size(set.format);
    const CoreTree tree(set.routing, set.grid);
    const std::size_t count = 1024 * std::size_t(set.tiles) * set.grid.x * set.grid.y;
    const std::vector<float> a = random_numbers(count, 1, set.format);
    const std::vector<float> b = random_numbers(count, 2, set.format);
    const std::vector<Buffer> buffers = {
        tiles_in_l1(&mesh, set.grid, set.tiles, tile_bytes),
        tiles_in_l1(&mesh, set.grid, set.tiles, tile_bytes),
        tiles_in_l1(&mesh, set.grid, 1, tile_bytes)};
    distributed::MeshWorkload workload;
    std::vector<std::uint32_t> totals;
    auto words = packed(a, set.format);

    distributed::EnqueueWriteMeshBuffer(queue, buffers[0], words, false);
    words = packed(b, set.format);
    distributed::EnqueueWriteMeshBuffer(queue, buffers[1], words, false);
    workload.add_program(distributed::MeshCoordinateRange(mesh.shape()),
                         build(set, tree, buffers, mesh));
    distributed::EnqueueMeshWorkload(queue, workload, false);
    distributed::EnqueueReadMeshBuffer(queue, totals, buffers[2], true);
    is_right = check(set, tree, a, b, unpacked(totals, set.format));
}

}  // namespace

int main(int argc, char **argv)
{
    const Words words(argc, argv,
                      {{"dtype", "fp32"},
                       {"rows", "7"},
                       {"cols", "8"},
                       {"tiles", "64"},
                       {"granularity", "scalar"},
                       {"routing", "naive"}});
    const Setting set{.format = words["dtype"] == "bf16" ? DataFormat::Float16_b
                                                         : DataFormat::Float32,
                      .grid = {words.number("cols"), words.number("rows")},
                      .tiles = words.number("tiles"),
                      .is_scalar = words["granularity"] == "scalar",
                      .routing = words["routing"]};
    auto mesh = distributed::MeshDevice::create_unit_mesh(0);
    bool is_right = false;

    run(set, *mesh, is_right);
    fmt::print("{}\n", is_right ? "Test Passed" : "Test FAILED");
    mesh->close();
    return is_right ? 0 : 1;
}
