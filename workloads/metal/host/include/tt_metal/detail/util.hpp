// Sizes of tiles, by their older name.
#pragma once

#include <tt-metalium/tt_metal.hpp>
