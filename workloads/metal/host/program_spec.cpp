// Programs that are made from data.
#include <algorithm>
#include <tt-metalium/experimental/metal2_host_api/program.hpp>
#include <tt-metalium/host_api.hpp>

#include "program_state.hpp"

namespace tt::tt_metal::experimental
{

using gridloom::refuse;

namespace
{

// The cores of all work units that have the kernel.
CoreRangeSet nodes_of(const ProgramSpec &spec, const KernelSpecName &kernel)
{
    CoreRangeSet nodes;

    for (const WorkUnitSpec &unit : spec.work_units) {
        if (std::ranges::find(unit.kernels, kernel) != unit.kernels.end()) {
            nodes = nodes.merge(
                std::visit([](const auto &some) { return CoreRangeSet(some); },
                           unit.target_nodes));
        }
    }
    if (nodes.empty()) {
        refuse("kernel {} is in no work unit of {}", *kernel, spec.name);
    }
    return nodes;
}

template <typename Config> void compile_as(const KernelSpec &spec, Config &config)
{
    config.defines = spec.compiler_options.defines;
    config.named_compile_args = {spec.compile_time_args.begin(),
                                 spec.compile_time_args.end()};
    config.opt_level = spec.compiler_options.opt_level;
}

[[noreturn]] void refuse_generation(const KernelSpec &spec)
{
    refuse("kernel {} is configured for a second-generation chip", *spec.unique_id);
}

KernelChoice config_of(const KernelSpec &spec)
{
    if (spec.num_threads != 1) {
        refuse("kernel {} has {} threads, a processor has one", *spec.unique_id,
               spec.num_threads);
    }
    if (const auto *mover = std::get_if<DataMovementHardwareConfig>(&spec.hw_config)) {
        const auto *first = std::get_if<DataMovementGen1Config>(mover);
        if (!first) {
            refuse_generation(spec);
        }
        DataMovementConfig config{.processor = first->processor,
                                  .noc = first->noc,
                                  .noc_mode = first->noc_mode};
        compile_as(spec, config);
        return config;
    }
    const auto *first = std::get_if<ComputeGen1Config>(
        &std::get<ComputeHardwareConfig>(spec.hw_config));
    if (!first) {
        refuse_generation(spec);
    }
    ComputeConfig config{
        .math_fidelity = first->fpu_math_fidelity,
        .fp32_dest_acc_en = first->enable_32_bit_dest,
        .dst_full_sync_en = !first->double_buffer_dest,
        .bfp8_pack_precise = first->bfp_pack_precision_mode == Precision::Precise,
        .math_approx_mode = first->sfpu_precision_mode == Precision::Approximate};
    compile_as(spec, config);
    return config;
}

gridloom::Kernel &kernel_of(Program &program, const KernelSpecName &name)
{
    auto &kernels = program.state().kernels;
    const auto found = std::ranges::find(kernels, *name, &gridloom::Kernel::name);

    if (found == kernels.end()) {
        refuse("there is no kernel {} in the program", *name);
    }
    return *found;
}

template <typename Values>
const auto &
value_of(const Values &values, const std::string &name, const std::string &kernel)
{
    const auto found = values.find(name);

    if (found == values.end()) {
        refuse("kernel {} gets no value for its argument {}", kernel, name);
    }
    return found->second;
}

void set_args(gridloom::Kernel &kernel, const KernelRunArgs &args)
{
    std::vector<std::uint32_t> common;

    for (const CoreCoord &core : corerange_to_cores(kernel.cores)) {
        std::vector<std::uint32_t> words;
        for (const std::string &name : kernel.arg_names) {
            const auto &nodes = value_of(args.runtime_arg_values, name, kernel.name);
            const auto found = nodes.find(core);
            if (found == nodes.end()) {
                refuse("kernel {} gets no value for its argument {} on core {}",
                       kernel.name, name, core);
            }
            words.push_back(found->second);
        }
        if (!words.empty()) {
            kernel.set_args(core, std::move(words));
        }
    }
    for (const std::string &name : kernel.common_arg_names) {
        common.push_back(value_of(args.common_runtime_arg_values, name, kernel.name));
    }
    kernel.set_common_args(std::move(common));
}

}  // namespace

Program MakeProgramFromSpec(distributed::MeshDevice &, const ProgramSpec &spec, bool)
{
    Program program;

    program.state().name = spec.name;
    for (const KernelSpec &kernel : spec.kernels) {
        const CoreRangeSet nodes = nodes_of(spec, kernel.unique_id);
        const auto *path = std::get_if<std::filesystem::path>(&kernel.source);
        const KernelHandle handle =
            path ? CreateKernel(program, path->string(), nodes, config_of(kernel))
                 : CreateKernelFromString(
                       program, std::get<KernelSpec::SourceCode>(kernel.source).code,
                       nodes, config_of(kernel));
        gridloom::Kernel &made = program.state().kernel(handle);
        made.name = *kernel.unique_id;
        made.arg_names = kernel.runtime_arg_schema.runtime_arg_names;
        made.common_arg_names = kernel.runtime_arg_schema.common_runtime_arg_names;
    }
    return program;
}

distributed::MeshWorkload
MakeMeshWorkloadFromSpec(distributed::MeshDevice &device, const ProgramSpec &spec, bool)
{
    distributed::MeshWorkload workload;

    workload.add_program(distributed::MeshCoordinateRange(device.shape()),
                         MakeProgramFromSpec(device, spec));
    return workload;
}

void SetProgramRunArgs(Program &program, const ProgramRunArgs &args, bool)
{
    for (const KernelRunArgs &kernel : args.kernel_run_args) {
        set_args(kernel_of(program, kernel.kernel), kernel);
    }
}

void UpdateProgramRunArgs(Program &program, const ProgramRunArgs &args, bool)
{
    SetProgramRunArgs(program, args);
}

}  // namespace tt::tt_metal::experimental
