// PCG in one launch: all iterations and all operations, in BF16.
#pragma once

#include "pcg_problem.hpp"

struct FusedBuffers {
    MeshBufferPointer x, r, constants, result, history;
};

inline void add_buffers(tt::tt_metal::Program &program,
                        const Setting &set,
                        const FusedBuffers &buffers)
{
    const auto add = [&](std::uint32_t index, std::uint32_t tiles,
                         const MeshBufferPointer &where = nullptr) {
        add_buffer(program, set.grid, index, tiles, set.format, where.get());
    };

    add(pcg::CB_X, set.tiles, buffers.x);
    add(pcg::CB_R, set.tiles, buffers.r);
    add(pcg::CB_CONSTANTS, 2, buffers.constants);
    add(pcg::CB_P, set.tiles);
    add(pcg::CB_Q, set.tiles);
    add(pcg::CB_PRODUCT, 2);
    add(pcg::CB_RUNNING, 2);
    for (const std::uint32_t index :
         {pcg::CB_ALPHA, pcg::CB_BETA, pcg::CB_DELTA, pcg::CB_SIXTH}) {
        add(index, 1);
    }
    add_product_buffers(program, set);
}

// The largest square of a norm, in BF16, that is small enough, plus 1; 0: there is
// none.
inline std::uint32_t enough(double tolerance)
{
    std::uint32_t bits = 0;

    while (tolerance > 0 && std::sqrt(static_cast<double>(
                                std::bit_cast<float>(bits << 16))) <= tolerance) {
        ++bits;
    }
    return bits;
}

inline tt::tt_metal::Program build_fused(const Setting &set,
                                         const CoreTree &tree,
                                         const FusedBuffers &buffers,
                                         const tt::tt_metal::IDevice &device)
{
    using namespace tt::tt_metal;
    Program program = CreateProgram();

    add_buffers(program, set, buffers);
    add_reduction(program, tree, set.format, *buffers.result);
    for (std::uint32_t i = 0; i < pcg::SEMAPHORES; ++i) {
        CreateSemaphore(program, set.cores(), 0);
    }
    const auto kernels = add_kernels(program, set.cores(), "pcg", set.format,
                                     {tree.slots(), set.is_scalar, true, set.tiles,
                                      set.iterations, enough(set.tolerance)});
    for (const CoreCoord &core : set.cores()) {
        std::vector<std::uint32_t> words = neighbours(device, core, set.grid);
        const bool is_first = core.x == 0 && core.y == 0;

        words.push_back(static_cast<std::uint32_t>(buffers.result->address()));
        words.push_back(
            is_first ? static_cast<std::uint32_t>(buffers.history->address()) : 0);
        words = tree.arguments(device, core, std::move(words));
        for (const KernelHandle kernel : kernels) {
            SetRuntimeArgs(program, kernel, core, words);
        }
    }
    return program;
}

inline Solution solve_fused(const Setting &set,
                            tt::tt_metal::distributed::MeshDevice &mesh,
                            const std::vector<float> &b)
{
    using namespace tt::tt_metal;
    const CoreTree tree(set.routing, set.grid);
    const FusedBuffers buffers = {
        .x = upload(mesh, set, set.tiles, std::vector<float>(b.size())),
        .r = upload(mesh, set, set.tiles, b),
        .constants = upload(mesh, set, 2, constants_for(tree.nodes.size())),
        .result = tiles_in_l1(&mesh, set.grid, 1, set.tile_bytes()),
        .history =
            tiles_in_l1(&mesh, set.grid, 1 + set.iterations / 512, set.tile_bytes())};
    distributed::MeshCommandQueue &queue = mesh.mesh_command_queue();
    distributed::MeshWorkload workload;
    std::vector<std::uint32_t> squares;
    Solution solution;

    workload.add_program(distributed::MeshCoordinateRange(mesh.shape()),
                         build_fused(set, tree, buffers, mesh));
    distributed::EnqueueMeshWorkload(queue, workload, false);
    distributed::EnqueueReadMeshBuffer(queue, solution.x, buffers.x, true);
    distributed::EnqueueReadMeshBuffer(queue, squares, buffers.history, true);
    for (std::uint32_t k = 0; k <= set.iterations; ++k) {
        const float square = std::bit_cast<float>(squares[k] << 16);
        solution.norms.push_back(std::sqrt(static_cast<double>(square)));
        if (solution.norms.back() <= set.tolerance) {
            break;
        }
    }
    return solution;
}
