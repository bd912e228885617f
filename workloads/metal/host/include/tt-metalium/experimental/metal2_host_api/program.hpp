// Programs that are made from data.
#pragma once

#include <tt-metalium/experimental/metal2_host_api/program_run_args.hpp>
#include <tt-metalium/experimental/metal2_host_api/program_spec.hpp>
#include <tt-metalium/mesh_device.hpp>
#include <tt-metalium/program.hpp>

namespace tt::tt_metal::experimental
{

Program MakeProgramFromSpec(distributed::MeshDevice &device,
                            const ProgramSpec &spec,
                            bool skip_validation = false);
distributed::MeshWorkload MakeMeshWorkloadFromSpec(distributed::MeshDevice &device,
                                                   const ProgramSpec &spec,
                                                   bool skip_validation = false);
// Sets all arguments of the kernels that it names.
void SetProgramRunArgs(Program &program,
                       const ProgramRunArgs &args,
                       bool skip_validation = false);
void UpdateProgramRunArgs(Program &program,
                          const ProgramRunArgs &args,
                          bool skip_validation = false);

}  // namespace tt::tt_metal::experimental
