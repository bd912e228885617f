/* The names of circular buffers. */
#pragma once

#include <tt-metalium/circular_buffer_names.hpp>
