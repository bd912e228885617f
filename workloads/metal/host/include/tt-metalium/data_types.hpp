// Where and how a kernel runs.
#pragma once

#include <tt-metalium/kernel_types.hpp>
