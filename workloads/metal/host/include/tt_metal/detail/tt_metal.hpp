// Memory and programs of a device, by their older name.
#pragma once

#include <tt-metalium/tt_metal.hpp>
