/* Programs on the cores: their kernels as coroutines behind RISC-Vs. */
#pragma once

#include "workloads/host/family.h"

extern const HostProgram device_program;
