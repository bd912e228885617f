// Work shared out among cores, by its older name.
#pragma once

#include <tt-metalium/work_split.hpp>
