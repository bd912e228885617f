// What a program is made of, before it starts.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tt-metalium/circular_buffer_config.hpp>
#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/kernel_types.hpp>
#include <tt-metalium/runtime_args_data.hpp>
#include <variant>
#include <vector>

#include "machine.hpp"

namespace gridloom
{

using KernelConfig =
    std::variant<tt::tt_metal::DataMovementConfig, tt::tt_metal::ComputeConfig>;
using Cores = tt::tt_metal::CoreRangeSet;

struct Kernel {
    std::string path;  // or empty, and the text
    std::string text;
    std::string name;
    Cores cores;
    KernelConfig config;
    std::map<tt::tt_metal::CoreCoord, std::vector<std::uint32_t>> args;
    std::vector<std::uint32_t> common_args;
    // Of Metal 2.0: the names of the first words of both.
    std::vector<std::string> arg_names;
    std::vector<std::string> common_arg_names;
    // What GetRuntimeArgs() has handed out.
    std::map<tt::tt_metal::CoreCoord, tt::tt_metal::RuntimeArgsData> views;
    std::vector<std::vector<tt::tt_metal::RuntimeArgsData>> grid_view;
    tt::tt_metal::RuntimeArgsData common_view;

    // "brisc", "ncrisc" or "compute".
    const char *processor() const;
    void set_args(const tt::tt_metal::CoreCoord &core,
                  std::vector<std::uint32_t> words);
    void set_common_args(std::vector<std::uint32_t> words);
    tt::tt_metal::RuntimeArgsData &view(const tt::tt_metal::CoreCoord &core);
};

struct CircularBuffer {
    Cores cores;
    tt::tt_metal::CircularBufferConfig config;
};

struct Semaphore {
    Cores cores;
    std::uint32_t id;
    std::uint32_t value;
};

class ProgramState
{
  public:
    ProgramState();

    std::uint64_t id;
    std::uint64_t runtime_id = 0;
    std::string name = "program";
    std::vector<Kernel> kernels;
    std::vector<CircularBuffer> buffers;
    std::vector<Semaphore> semaphores;

    tt::tt_metal::KernelHandle add_kernel(Kernel kernel);
    std::uint32_t add_semaphore(const Cores &cores, std::uint32_t value);
    Kernel &kernel(tt::tt_metal::KernelHandle handle);
    CircularBuffer &buffer(tt::tt_metal::CBHandle handle);

    // Addresses of all circular buffers: upward from `first` in the order of creation,
    // each above all others of its cores.
    std::vector<std::uint64_t> place_buffers(std::uint64_t first) const;
    // The program as a request has it. Fails where buffers do not fit below `l1_limit`.
    std::string json(const Machine &machine, std::uint64_t l1_limit) const;
};

}  // namespace gridloom
