// Checks that throw std::runtime_error with the program's own words.
#pragma once

#include <tt_stl/assert.hpp>
