// Sizes of tiles, by their older name.
#pragma once

#include <tt-metalium/constants.hpp>
