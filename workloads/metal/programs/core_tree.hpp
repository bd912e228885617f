// A tree of cores along which sums are added, and what it adds to a program.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <vector>

#include "kernels/reduction_layout.hpp"

// Where each core sends its sum; nothing: it is the root.
using Pattern = std::function<std::optional<CoreCoord>(CoreCoord core, CoreCoord grid)>;

inline Pattern pattern_named(const std::string &name)
{
    if (name == "naive") {  // left along the rows, then up the first column
        return [](CoreCoord core, CoreCoord) -> std::optional<CoreCoord> {
            if (core.x > 0) {
                return CoreCoord(core.x - 1, core.y);
            }
            return core.y > 0 ? std::optional(CoreCoord(0, core.y - 1)) : std::nullopt;
        };
    }
    if (name == "center") {  // along the rows to the middle column, then along it
        return [](CoreCoord core, CoreCoord grid) -> std::optional<CoreCoord> {
            const std::size_t x = grid.x / 2, y = grid.y / 2;
            if (core.x != x) {
                return CoreCoord(core.x < x ? core.x + 1 : core.x - 1, core.y);
            }
            return core.y != y ? std::optional(
                                     CoreCoord(x, core.y < y ? core.y + 1 : core.y - 1))
                               : std::nullopt;
        };
    }
    if (name == "direct") {  // all to the first core
        return [](CoreCoord core, CoreCoord) -> std::optional<CoreCoord> {
            return core.x + core.y > 0 ? std::optional(CoreCoord(0, 0)) : std::nullopt;
        };
    }
    throw std::invalid_argument("routing is naive, center or direct, not " + name);
}

class CoreTree
{
  public:
    struct Node {
        CoreCoord core;
        std::optional<std::size_t> parent;
        std::vector<std::size_t> children;  // low subtrees first
        std::size_t height = 0;
    };

    CoreTree(const std::string &routing, CoreCoord cores) : grid(cores)
    {
        const Pattern pattern = pattern_named(routing);

        for (std::size_t y = 0; y < grid.y; ++y) {
            for (std::size_t x = 0; x < grid.x; ++x) {
                const auto to = pattern({x, y}, grid);
                nodes.push_back(
                    {.core = {x, y},
                     .parent = to ? std::optional(index(*to)) : std::nullopt});
            }
        }
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i].parent) {
                nodes[*nodes[i].parent].children.push_back(i);
            }
            std::size_t height = 0;
            for (auto at = nodes[i].parent; at; at = nodes[*at].parent) {
                nodes[*at].height = std::max(nodes[*at].height, ++height);
            }
        }
        for (Node &node : nodes) {
            std::stable_sort(node.children.begin(), node.children.end(),
                             [this](std::size_t a, std::size_t b) {
                                 return nodes[a].height < nodes[b].height;
                             });
            inputs = std::max(inputs, node.children.size());
        }
    }

    std::uint32_t slots() const
    {
        return std::clamp<std::uint32_t>(inputs, 1, reduction::MOST_SLOTS);
    }

    // A core's runtime arguments: `first_words`, then those of reduction::Argument.
    std::vector<std::uint32_t> arguments(const tt::tt_metal::IDevice &device,
                                         CoreCoord core,
                                         std::vector<std::uint32_t> first_words) const
    {
        const Node &node = nodes[index(core)];
        const auto place = [&device](CoreCoord logical) {
            return device.worker_core_from_logical_core(logical);
        };
        const CoreCoord first = place({0, 0}), last = place({grid.x - 1, grid.y - 1});
        CoreCoord parent(0, 0);
        std::size_t siblings = 0, order = 0;

        if (node.parent) {
            const auto &children = nodes[*node.parent].children;
            parent = place(nodes[*node.parent].core);
            siblings = children.size();
            order = std::find(children.begin(), children.end(), index(core)) -
                    children.begin();
        }
        std::vector<std::uint32_t> words = std::move(first_words);
        for (std::size_t word :
             {node.children.size(), std::size_t(!node.parent), parent.x, parent.y,
              siblings, order, first.x, first.y, last.x, last.y, nodes.size()}) {
            words.push_back(static_cast<std::uint32_t>(word));
        }
        for (std::size_t k = slots(); k < node.children.size(); ++k) {
            const CoreCoord child = place(nodes[node.children[k]].core);
            words.insert(words.end(), {static_cast<std::uint32_t>(child.x),
                                       static_cast<std::uint32_t>(child.y)});
        }
        return words;
    }

    CoreCoord grid;
    std::vector<Node> nodes;
    std::size_t inputs = 0;

  private:
    std::size_t index(CoreCoord core) const
    {
        return core.y * grid.x + core.x;
    }
};

// L1 of a grid of cores: so many tiles each, down each column of cores.
inline std::shared_ptr<tt::tt_metal::distributed::MeshBuffer>
tiles_in_l1(tt::tt_metal::distributed::MeshDevice *mesh,
            CoreCoord grid,
            std::uint32_t tiles,
            std::uint32_t tile_bytes)
{
    using namespace tt::tt_metal;
    const auto cores = static_cast<std::uint32_t>(grid.x * grid.y);
    const ShardSpecBuffer shards(CoreRange({0, 0}, {grid.x - 1, grid.y - 1}),
                                 {32 * tiles, 32}, ShardOrientation::COL_MAJOR,
                                 {32, 32}, {tiles * cores, 1});

    return distributed::MeshBuffer::create(
        distributed::ReplicatedBufferConfig{.size =
                                                DeviceAddr(cores) * tiles * tile_bytes},
        {.page_size = tile_bytes,
         .buffer_type = BufferType::L1,
         .sharding_args =
             BufferShardingArgs(shards, TensorMemoryLayout::HEIGHT_SHARDED)},
        mesh);
}

// Adds a circular buffer of tiles on all cores of a grid, in a buffer if there is one.
inline void add_buffer(tt::tt_metal::Program &program,
                       CoreCoord grid,
                       std::uint32_t index,
                       std::uint32_t tiles,
                       tt::DataFormat format,
                       const tt::tt_metal::distributed::MeshBuffer *where = nullptr)
{
    using namespace tt::tt_metal;
    const std::uint32_t bytes = tt::tile_size(format);
    CircularBufferConfig config(tiles * bytes,
                                {{static_cast<std::uint8_t>(index), format}});

    config.set_page_size(index, bytes);
    if (where != nullptr) {
        config.set_globally_allocated_address(*where->get_backing_buffer());
    }
    CreateCircularBuffer(program, CoreRange({0, 0}, {grid.x - 1, grid.y - 1}), config);
}

// Adds the buffers and semaphores of a sum over all cores; the total goes to `result`.
inline void add_reduction(tt::tt_metal::Program &program,
                          const CoreTree &tree,
                          tt::DataFormat format,
                          const tt::tt_metal::distributed::MeshBuffer &result)
{
    const CoreRange cores({0, 0}, {tree.grid.x - 1, tree.grid.y - 1});
    const bool is_fpu = format == tt::DataFormat::Float16_b;

    add_buffer(program, tree.grid, reduction::CB_PARTIAL, 1, format);
    add_buffer(program, tree.grid, reduction::CB_INCOMING, tree.slots(), format);
    add_buffer(program, tree.grid, reduction::CB_SUM, 2, format);
    add_buffer(program, tree.grid, reduction::CB_OUT, 1, format);
    add_buffer(program, tree.grid, reduction::CB_RESULT, 1, format, &result);
    if (is_fpu) {
        add_buffer(program, tree.grid, reduction::CB_ONES, 1, format);
    }
    for (std::uint32_t i = 0; i < tree.slots() + reduction::SEMAPHORES; ++i) {
        tt::tt_metal::CreateSemaphore(program, cores,
                                      i == tree.slots() + reduction::ONE);
    }
}

// Adds the kernels NAME_reader.cpp, NAME_writer.cpp and NAME_compute.cpp on a rectangle
// of cores. FP32 goes into Dst as it is.
inline std::array<tt::tt_metal::KernelHandle, 3>
add_kernels(tt::tt_metal::Program &program,
            const CoreRange &cores,
            const std::string &name,
            tt::DataFormat format,
            const std::vector<std::uint32_t> &compile_args)
{
    using namespace tt::tt_metal;
    const bool is_fp32 = format == tt::DataFormat::Float32;
    const auto mode =
        is_fp32 ? UnpackToDestMode::UnpackToDestFp32 : UnpackToDestMode::Default;

    return {
        CreateKernel(program, "kernels/" + name + "_reader.cpp", cores,
                     ReaderDataMovementConfig(compile_args)),
        CreateKernel(program, "kernels/" + name + "_writer.cpp", cores,
                     WriterDataMovementConfig(compile_args)),
        CreateKernel(program, "kernels/" + name + "_compute.cpp", cores,
                     ComputeConfig{.math_fidelity = MathFidelity::HiFi4,
                                   .fp32_dest_acc_en = is_fp32,
                                   .unpack_to_dest_mode = std::vector<UnpackToDestMode>(
                                       NUM_CIRCULAR_BUFFERS, mode),
                                   .compile_args = compile_args})};
}
