/* How much memory this process has needed. */
#pragma once

#include <stdint.h>

/* The most that was resident at any time. */
uint64_t peak_memory_bytes(void);
