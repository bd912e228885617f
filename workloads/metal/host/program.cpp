// Kernels, circular buffers and semaphores that start together.
#include <algorithm>
#include <atomic>
#include <gridloom/failure.hpp>
#include <tt-metalium/program.hpp>

#include "program_state.hpp"

namespace tt::tt_metal
{

Program::Program() : state_(std::make_unique<gridloom::ProgramState>())
{
}

Program::~Program() = default;
Program::Program(Program &&) noexcept = default;
Program &Program::operator=(Program &&) noexcept = default;

std::uint64_t Program::get_id() const
{
    return state().id;
}

void Program::set_runtime_id(std::uint64_t id)
{
    state().runtime_id = id;
}

std::uint64_t Program::get_runtime_id() const
{
    return state().runtime_id;
}

gridloom::ProgramState &Program::state() const
{
    if (!state_) {
        gridloom::refuse("a program is used that was moved into a workload");
    }
    return *state_;
}

ReaderDataMovementConfig::ReaderDataMovementConfig(
    std::vector<std::uint32_t> arguments,
    std::map<std::string, std::string> names,
    std::unordered_map<std::string, std::uint32_t> named_arguments,
    KernelBuildOptLevel level)
    : DataMovementConfig{.processor = DataMovementProcessor::RISCV_1,
                         .noc = NOC::NOC_0,
                         .compile_args = std::move(arguments),
                         .defines = std::move(names),
                         .named_compile_args = std::move(named_arguments),
                         .opt_level = level}
{
}

WriterDataMovementConfig::WriterDataMovementConfig(
    std::vector<std::uint32_t> arguments,
    std::map<std::string, std::string> names,
    std::unordered_map<std::string, std::uint32_t> named_arguments,
    KernelBuildOptLevel level)
    : DataMovementConfig{.processor = DataMovementProcessor::RISCV_0,
                         .noc = NOC::NOC_1,
                         .compile_args = std::move(arguments),
                         .defines = std::move(names),
                         .named_compile_args = std::move(named_arguments),
                         .opt_level = level}
{
}

}  // namespace tt::tt_metal

namespace gridloom
{

using namespace tt::tt_metal;

namespace
{

constexpr std::uint32_t semaphores_of_core = 16;
constexpr std::uint64_t buffer_alignment = 32;

}  // namespace

const char *Kernel::processor() const
{
    if (std::holds_alternative<ComputeConfig>(config)) {
        return "compute";
    }
    const auto number = std::get<DataMovementConfig>(config).processor;
    if (number > DataMovementProcessor::RISCV_1) {
        refuse("kernel {} is to run on data-movement processor {}, a core has 0 and 1",
               name, static_cast<int>(number));
    }
    return number == DataMovementProcessor::RISCV_0 ? "brisc" : "ncrisc";
}

void Kernel::set_args(const CoreCoord &core, std::vector<std::uint32_t> words)
{
    if (!cores.contains(core)) {
        refuse(
            "runtime arguments are set for kernel {} on core {}, where it does not run",
            name, core);
    }
    if (words.size() + common_args.size() > max_runtime_args) {
        refuse("kernel {} has {} runtime arguments and {} common ones on core {}, at "
               "most {} "
               "together",
               name, words.size(), common_args.size(), core, max_runtime_args);
    }
    const auto found = args.find(core);
    if (found != args.end() && found->second.size() != words.size()) {
        refuse("kernel {} has {} runtime arguments on core {}; their number cannot "
               "change to "
               "{}",
               name, found->second.size(), core, words.size());
    }
    if (found != args.end()) {
        // What GetRuntimeArgs() has handed out stays valid.
        std::ranges::copy(words, found->second.begin());
    } else {
        args.emplace(core, std::move(words));
    }
}

void Kernel::set_common_args(std::vector<std::uint32_t> words)
{
    std::size_t most = 0;

    for (const auto &[core, own] : args) {
        most = std::max(most, own.size());
    }
    if (words.size() + most > max_runtime_args) {
        refuse("kernel {} has {} runtime arguments and {} common ones, at most {} "
               "together",
               name, most, words.size(), max_runtime_args);
    }
    common_args = std::move(words);
    common_view = {common_args.data(), common_args.size()};
}

RuntimeArgsData &Kernel::view(const CoreCoord &core)
{
    const auto found = args.find(core);

    if (found == args.end()) {
        refuse("kernel {} has no runtime arguments on core {}", name, core);
    }
    return views[core] = {found->second.data(), found->second.size()};
}

ProgramState::ProgramState()
{
    static std::atomic<std::uint64_t> next{1};

    id = next++;
}

KernelHandle ProgramState::add_kernel(Kernel kernel)
{
    const std::string_view processor = kernel.processor();

    if (kernel.cores.empty()) {
        refuse("kernel {} has no cores", kernel.name);
    }
    for (const Kernel &other : kernels) {
        const Cores shared = other.cores.intersection(kernel.cores);
        if (other.processor() == processor && !shared.empty()) {
            refuse("kernels {} and {} are both to run on {} of core {}", other.name,
                   kernel.name, processor, shared.ranges().front().start_coord);
        }
    }
    kernels.push_back(std::move(kernel));
    return static_cast<KernelHandle>(kernels.size() - 1);
}

std::uint32_t ProgramState::add_semaphore(const Cores &cores, std::uint32_t value)
{
    std::uint32_t id_of_cores = 0;
    const auto is_taken = [&](const Semaphore &other) {
        return other.id == id_of_cores && other.cores.intersects(cores);
    };

    while (std::ranges::any_of(semaphores, is_taken)) {
        ++id_of_cores;
    }
    if (id_of_cores >= semaphores_of_core) {
        refuse("a core has {} semaphores, and all of them are taken on some of {}",
               semaphores_of_core, cores);
    }
    semaphores.push_back({cores, id_of_cores, value});
    return id_of_cores;
}

Kernel &ProgramState::kernel(KernelHandle handle)
{
    if (handle >= kernels.size()) {
        refuse("there is no kernel {} in a program of {}", handle, kernels.size());
    }
    return kernels[handle];
}

CircularBuffer &ProgramState::buffer(CBHandle handle)
{
    if (handle >= buffers.size()) {
        refuse("there is no circular buffer {} in a program of {}", handle,
               buffers.size());
    }
    return buffers[handle];
}

std::vector<std::uint64_t> ProgramState::place_buffers(std::uint64_t first) const
{
    const auto aligned = [](std::uint64_t address) {
        return (address + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
    };
    std::map<CoreCoord, std::uint64_t> ends;
    std::vector<std::uint64_t> addresses;

    for (const CircularBuffer &buffer : buffers) {
        if (const auto global = buffer.config.globally_allocated_address()) {
            addresses.push_back(*global + buffer.config.address_offset());
            continue;
        }
        const auto cores = corerange_to_cores(buffer.cores);
        std::uint64_t address = aligned(first);
        for (const CoreCoord &core : cores) {
            const auto end = ends.find(core);
            address = std::max(address, end == ends.end() ? 0 : end->second);
        }
        addresses.push_back(address);
        for (const CoreCoord &core : cores) {
            ends[core] = aligned(address + buffer.config.total_size());
        }
    }
    return addresses;
}

}  // namespace gridloom
