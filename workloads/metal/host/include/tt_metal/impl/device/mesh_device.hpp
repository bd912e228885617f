// A mesh of chips, by its older name.
#pragma once

#include <tt-metalium/mesh_device.hpp>
