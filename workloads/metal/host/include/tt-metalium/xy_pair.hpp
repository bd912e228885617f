// A place in a grid.
#pragma once

#include <umd/device/types/xy_pair.hpp>
