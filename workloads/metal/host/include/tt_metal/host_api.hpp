// Devices, programs and buffers of one chip, by its older name.
#pragma once

#include <gridloom/older.hpp>
#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tt_metal.hpp>
