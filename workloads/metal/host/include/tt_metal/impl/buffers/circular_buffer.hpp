// Circular buffers, by their older name.
#pragma once

#include <tt-metalium/circular_buffer_config.hpp>
