// Divisions that round up, by their older name.
#pragma once

#include <tt-metalium/math.hpp>
