// A chip, by its older name.
#pragma once

#include <tt-metalium/device.hpp>
