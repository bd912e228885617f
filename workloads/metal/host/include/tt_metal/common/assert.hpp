// Conditions that must hold, by their older name.
#pragma once

#include <tt_stl/assert.hpp>
