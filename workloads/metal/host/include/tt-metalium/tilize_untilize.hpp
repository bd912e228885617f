// Matrices in tiles, by their older name.
#pragma once

#include <tt-metalium/tilize_utils.hpp>
