// Orders of the numbers of tiles, by their older name.
#pragma once

#include <tt-metalium/tilize_utils.hpp>
