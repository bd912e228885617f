// A moment in a command queue.
#pragma once

#include <tt-metalium/mesh_event.hpp>
