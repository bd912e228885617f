// Programs, each with the chips that it runs on.
#pragma once

#include <tt-metalium/mesh_coord.hpp>
#include <tt-metalium/program.hpp>
#include <unordered_map>

namespace tt::tt_metal::distributed
{

class MeshWorkload
{
  public:
    void add_program(const MeshCoordinateRange &chips, Program &&program);
    std::unordered_map<MeshCoordinateRange, Program> &get_programs()
    {
        return programs_;
    }
    const std::unordered_map<MeshCoordinateRange, Program> &get_programs() const
    {
        return programs_;
    }

  private:
    std::unordered_map<MeshCoordinateRange, Program> programs_;
};

}  // namespace tt::tt_metal::distributed
