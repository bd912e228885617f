// Numbers of 16 bits, by their older name.
#pragma once

#include <tt-metalium/bfloat16.hpp>
