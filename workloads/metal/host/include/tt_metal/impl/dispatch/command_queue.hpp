// Command queues, by their older name.
#pragma once

#include <tt-metalium/command_queue.hpp>
