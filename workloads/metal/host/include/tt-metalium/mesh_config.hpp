// Which chips make a mesh.
#pragma once

#include <tt-metalium/mesh_device.hpp>
