// Memory and programs of a device, by their older name.
#pragma once

#include <gridloom/older.hpp>
#include <tt-metalium/tt_metal.hpp>
