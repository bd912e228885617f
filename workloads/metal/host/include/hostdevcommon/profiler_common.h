// What hosts and kernels know of the profiler: nothing here.
#pragma once

#include <cstdint>
