// Kernels of a program, and their runtime arguments.
#include <filesystem>
#include <tt-metalium/host_api.hpp>

#include "program_state.hpp"
#include "source.hpp"

namespace tt::tt_metal
{

using gridloom::refuse;

void SetRootDir(const std::string &folder)
{
    gridloom::set_root_folder(folder);
}

Program CreateProgram()
{
    return {};
}

namespace
{

CoreRangeSet set_of(const CoreSpecification &cores)
{
    if (const auto *core = std::get_if<CoreCoord>(&cores)) {
        return CoreRange(*core);
    }
    if (const auto *range = std::get_if<CoreRange>(&cores)) {
        return *range;
    }
    return std::get<CoreRangeSet>(cores);
}

gridloom::Kernel new_kernel(const CoreSpecification &cores, const KernelChoice &config)
{
    return {.path = {},
            .text = {},
            .name = {},
            .cores = set_of(cores),
            .config = config,
            .args = {},
            .common_args = {},
            .arg_names = {},
            .common_arg_names = {},
            .views = {},
            .grid_view = {},
            .common_view = {}};
}

}  // namespace

KernelHandle CreateKernel(Program &program,
                          const std::string &path,
                          const CoreSpecification &cores,
                          const KernelChoice &config)
{
    gridloom::Kernel kernel = new_kernel(cores, config);

    kernel.path = gridloom::find_source(path);
    kernel.name = std::filesystem::path(path).stem().string();
    return program.state().add_kernel(std::move(kernel));
}

KernelHandle CreateKernelFromString(Program &program,
                                    const std::string &text,
                                    const CoreSpecification &cores,
                                    const KernelChoice &config)
{
    gridloom::Kernel kernel = new_kernel(cores, config);

    kernel.text = text;
    kernel.name = fmt::format("text_{}", program.state().kernels.size());
    return program.state().add_kernel(std::move(kernel));
}

void SetRuntimeArgs(const Program &program,
                    KernelHandle kernel,
                    const CoreSpecification &cores,
                    std::span<const std::uint32_t> args)
{
    for (const CoreCoord &core : corerange_to_cores(set_of(cores))) {
        program.state().kernel(kernel).set_args(core, {args.begin(), args.end()});
    }
}

void SetRuntimeArgs(const Program &program,
                    KernelHandle kernel,
                    const CoreSpecification &cores,
                    std::initializer_list<std::uint32_t> args)
{
    SetRuntimeArgs(program, kernel, cores, std::span(args.begin(), args.size()));
}

void SetRuntimeArgs(const Program &program,
                    KernelHandle kernel,
                    const std::vector<CoreCoord> &cores,
                    const std::vector<std::vector<std::uint32_t>> &args)
{
    if (cores.size() != args.size()) {
        refuse("runtime arguments of {} cores are given for {}", args.size(),
               cores.size());
    }
    for (std::size_t i = 0; i < cores.size(); ++i) {
        program.state().kernel(kernel).set_args(cores[i], args[i]);
    }
}

void SetCommonRuntimeArgs(const Program &program,
                          KernelHandle kernel,
                          std::span<const std::uint32_t> args)
{
    program.state().kernel(kernel).set_common_args({args.begin(), args.end()});
}

void SetCommonRuntimeArgs(const Program &program,
                          KernelHandle kernel,
                          std::initializer_list<std::uint32_t> args)
{
    SetCommonRuntimeArgs(program, kernel, std::span(args.begin(), args.size()));
}

RuntimeArgsData &
GetRuntimeArgs(const Program &program, KernelHandle kernel, const CoreCoord &core)
{
    return program.state().kernel(kernel).view(core);
}

std::vector<std::vector<RuntimeArgsData>> &GetRuntimeArgs(const Program &program,
                                                          KernelHandle handle)
{
    gridloom::Kernel &kernel = program.state().kernel(handle);

    kernel.grid_view.clear();
    for (auto &[core, words] : kernel.args) {
        if (kernel.grid_view.size() <= core.x) {
            kernel.grid_view.resize(core.x + 1);
        }
        if (kernel.grid_view[core.x].size() <= core.y) {
            kernel.grid_view[core.x].resize(core.y + 1);
        }
        kernel.grid_view[core.x][core.y] = {words.data(), words.size()};
    }
    return kernel.grid_view;
}

RuntimeArgsData &GetCommonRuntimeArgs(const Program &program, KernelHandle kernel)
{
    return program.state().kernel(kernel).common_view;
}

CBHandle CreateCircularBuffer(Program &program,
                              const CoreSpecification &cores,
                              const CircularBufferConfig &config)
{
    auto &buffers = program.state().buffers;
    const CoreRangeSet set = set_of(cores);

    if (config.buffer_indices().empty() || set.empty()) {
        refuse("a circular buffer has no {}", set.empty() ? "cores" : "index");
    }
    for (const auto &other : buffers) {
        for (const std::uint8_t index : config.buffer_indices()) {
            if (other.config.buffer_indices().contains(index) &&
                other.cores.intersects(set)) {
                refuse("circular buffer {} is created twice on some of {}", index, set);
            }
        }
    }
    buffers.push_back({set, config});
    return buffers.size() - 1;
}

const CircularBufferConfig &GetCircularBufferConfig(Program &program, CBHandle buffer)
{
    return program.state().buffer(buffer).config;
}

void UpdateCircularBufferTotalSize(Program &program,
                                   CBHandle buffer,
                                   std::uint32_t bytes)
{
    program.state().buffer(buffer).config.set_total_size(bytes);
}

void UpdateCircularBufferPageSize(Program &program,
                                  CBHandle buffer,
                                  std::uint8_t index,
                                  std::uint32_t bytes)
{
    program.state().buffer(buffer).config.set_page_size(index, bytes);
}

void UpdateDynamicCircularBufferAddress(Program &program,
                                        CBHandle buffer,
                                        const Buffer &memory)
{
    program.state().buffer(buffer).config.set_globally_allocated_address(memory);
}

void UpdateDynamicCircularBufferAddressAndTotalSize(Program &program,
                                                    CBHandle buffer,
                                                    const Buffer &memory,
                                                    std::uint32_t bytes)
{
    program.state().buffer(buffer).config.set_globally_allocated_address_and_total_size(
        memory, bytes);
}

std::uint32_t CreateSemaphore(Program &program,
                              const std::variant<CoreRange, CoreRangeSet> &cores,
                              std::uint32_t value)
{
    const auto *range = std::get_if<CoreRange>(&cores);

    return program.state().add_semaphore(
        range ? CoreRangeSet(*range) : std::get<CoreRangeSet>(cores), value);
}

std::uint32_t CreateSemaphore(Program &program,
                              const std::variant<CoreRange, CoreRangeSet> &cores,
                              std::uint32_t value,
                              CoreType type)
{
    if (type != CoreType::WORKER) {
        refuse("only worker cores have semaphores here");
    }
    return CreateSemaphore(program, cores, value);
}

GlobalSemaphore CreateGlobalSemaphore(IDevice *device,
                                      const CoreRangeSet &cores,
                                      std::uint32_t value,
                                      BufferType type)
{
    return {device, cores, value, type};
}

GlobalSemaphore CreateGlobalSemaphore(IDevice &device,
                                      const CoreRangeSet &cores,
                                      std::uint32_t value,
                                      BufferType type)
{
    return {&device, cores, value, type};
}

}  // namespace tt::tt_metal
