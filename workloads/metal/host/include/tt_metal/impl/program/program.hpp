// Programs, by their older name.
#pragma once

#include <tt-metalium/program.hpp>
