// Marks for a profiler of host programs, by their older name.
#pragma once

#include <tracy/Tracy.hpp>
