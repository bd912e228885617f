// PCG with a launch for each operation, in FP32: vectors stay in L1, the norm comes to
// the host in every iteration.
#pragma once

#include "kernels/dot_layout.hpp"
#include "kernels/update_layout.hpp"
#include "pcg_problem.hpp"

class SplitSolver
{
  public:
    SplitSolver(const Setting &settings,
                tt::tt_metal::distributed::MeshDevice &device,
                const std::vector<float> &b)
        : set(settings), mesh(device), tree(settings.routing, settings.grid)
    {
        using namespace tt::tt_metal;

        constants = upload(mesh, set, 2, constants_for(tree.nodes.size()));
        x = upload(mesh, set, set.tiles, std::vector<float>(b.size()));
        r = upload(mesh, set, set.tiles, b);
        for (MeshBufferPointer *vector : {&p, &q, &z}) {
            *vector = tiles_in_l1(&mesh, set.grid, set.tiles, set.tile_bytes());
        }
        for (MeshBufferPointer *number : {&pq, &rr, &delta[0], &delta[1]}) {
            *number = tiles_in_l1(&mesh, set.grid, 1, set.tile_bytes());
        }
        norm = distributed::MeshBuffer::create(
            distributed::ReplicatedBufferConfig{.size = reduction::NUMBER_BYTES},
            {.page_size = reduction::NUMBER_BYTES, .buffer_type = BufferType::DRAM},
            &mesh);
        build_all();
    }

    Solution solve()
    {
        Solution solution;
        std::uint32_t now = 0;

        run({&make_z, &make_p, &rz[0], &make_rr});
        solution.norms.push_back(read_norm());
        for (std::uint32_t i = 0; i < set.iterations && !is_done(solution); ++i) {
            run({&rz[now], &product, &make_pq, &step_x[now], &step_r[now], &make_rr});
            solution.norms.push_back(read_norm());
            now = 1 - now;
            if (!is_done(solution)) {
                run({&make_z, &rz[now], &turn[now]});
            }
        }
        tt::tt_metal::distributed::EnqueueReadMeshBuffer(mesh.mesh_command_queue(),
                                                         solution.x, x, true);
        return solution;
    }

  private:
    using Workload = tt::tt_metal::distributed::MeshWorkload;

    Setting set;
    tt::tt_metal::distributed::MeshDevice &mesh;
    CoreTree tree;
    MeshBufferPointer constants, x, r, p, q, z, pq, rr, delta[2], norm;
    // Of pairs, one for each delta that is the new one.
    Workload make_z, make_p, make_pq, make_rr, product, rz[2], step_x[2], step_r[2],
        turn[2];

    bool is_done(const Solution &solution) const
    {
        return solution.norms.back() <= set.tolerance;
    }

    void run(const std::vector<Workload *> &workloads)
    {
        for (Workload *workload : workloads) {
            tt::tt_metal::distributed::EnqueueMeshWorkload(mesh.mesh_command_queue(),
                                                           *workload, false);
        }
    }

    double read_norm()
    {
        std::vector<std::uint32_t> words;

        tt::tt_metal::distributed::EnqueueReadMeshBuffer(mesh.mesh_command_queue(),
                                                         words, norm, true);
        return std::sqrt(static_cast<double>(std::bit_cast<float>(words[0])));
    }

    void build_all()
    {
        add(make_z, update_program(update::SCALE, z, r, r, pq, pq));
        add(make_p, update_program(update::SCALE, p, r, r, pq, pq));
        add(product, product_program());
        add(make_pq, dot_program(p, q, pq));
        add(make_rr, dot_program(r, r, rr, norm->address()));
        for (std::uint32_t i = 0; i < 2; ++i) {
            add(rz[i], dot_program(r, z, delta[i]));
            add(step_x[i], update_program(update::ADD, x, x, p, delta[i], pq));
            add(step_r[i], update_program(update::SUBTRACT, r, r, q, delta[i], pq));
            add(turn[i], update_program(update::ADD, p, z, p, delta[i], delta[1 - i]));
        }
    }

    void add(Workload &workload, tt::tt_metal::Program program)
    {
        workload.add_program(
            tt::tt_metal::distributed::MeshCoordinateRange(mesh.shape()),
            std::move(program));
    }

    void add_vector(tt::tt_metal::Program &program,
                    std::uint32_t index,
                    const MeshBufferPointer &vector,
                    std::uint32_t tiles) const
    {
        add_buffer(program, set.grid, index, tiles, set.format, vector.get());
    }

    // out = a / 6, or a plus or minus above / below times b.
    tt::tt_metal::Program update_program(update::Kind kind,
                                         const MeshBufferPointer &out,
                                         const MeshBufferPointer &a,
                                         const MeshBufferPointer &b,
                                         const MeshBufferPointer &above,
                                         const MeshBufferPointer &below) const
    {
        tt::tt_metal::Program program = tt::tt_metal::CreateProgram();

        add_vector(program, update::CB_A, a, set.tiles);
        add_vector(program, update::CB_OUT, out, set.tiles);
        add_vector(program, update::CB_B, b, set.tiles);
        add_vector(program, update::CB_ABOVE, above, 1);
        add_vector(program, update::CB_BELOW, below, 1);
        add_vector(program, update::CB_PRODUCT, nullptr, 2);
        for (const auto kernel :
             add_kernels(program, set.cores(), "update", set.format, {set.tiles})) {
            SetRuntimeArgs(program, kernel, set.cores(), {kind});
        }
        return program;
    }

    tt::tt_metal::Program dot_program(const MeshBufferPointer &a,
                                      const MeshBufferPointer &b,
                                      const MeshBufferPointer &to,
                                      std::uint64_t norm_at = 0) const
    {
        tt::tt_metal::Program program = tt::tt_metal::CreateProgram();

        add_vector(program, dot::CB_A, a, set.tiles);
        add_vector(program, dot::CB_B, b, set.tiles);
        add_reduction(program, tree, set.format, *to);
        const auto kernels =
            add_kernels(program, set.cores(), "dot", set.format,
                        {tree.slots(), set.is_scalar, false, set.tiles});
        for (const CoreCoord &core : set.cores()) {
            const auto words = tree.arguments(
                mesh, core, {a == b, static_cast<std::uint32_t>(norm_at)});
            for (const tt::tt_metal::KernelHandle kernel : kernels) {
                SetRuntimeArgs(program, kernel, core, words);
            }
        }
        return program;
    }

    // q = A p
    tt::tt_metal::Program product_program() const
    {
        tt::tt_metal::Program program = tt::tt_metal::CreateProgram();

        add_vector(program, pcg::CB_P, p, set.tiles);
        add_vector(program, pcg::CB_Q, q, set.tiles);
        add_vector(program, pcg::CB_CONSTANTS, constants, 2);
        add_product_buffers(program, set);
        for (std::uint32_t i = 0;
             i < tree.slots() + reduction::SEMAPHORES + pcg::SEMAPHORES; ++i) {
            CreateSemaphore(program, set.cores(), 0);
        }
        const auto kernels =
            add_kernels(program, set.cores(), "laplacian", set.format,
                        {tree.slots(), set.is_scalar, false, set.tiles, 1, 0});
        for (const CoreCoord &core : set.cores()) {
            for (const tt::tt_metal::KernelHandle kernel : kernels) {
                SetRuntimeArgs(program, kernel, core, neighbours(mesh, core, set.grid));
            }
        }
        return program;
    }
};
