// Kernels, by their older name.
#pragma once

#include <tt-metalium/kernel_types.hpp>
