// Memory of a device, by its older name.
#pragma once

#include <tt-metalium/buffer.hpp>
