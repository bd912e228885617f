// All chips of the machine as a mesh.
#pragma once

#include <tt-metalium/mesh_device.hpp>

namespace tt::tt_metal::distributed
{

class SystemMesh
{
  public:
    static SystemMesh &instance();
    // One row.
    const MeshShape &shape() const;

  private:
    SystemMesh();

    MeshShape shape_;
};

}  // namespace tt::tt_metal::distributed
