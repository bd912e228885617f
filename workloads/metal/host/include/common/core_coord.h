// Places of cores, by their older name.
#pragma once

#include <tt-metalium/core_coord.hpp>
