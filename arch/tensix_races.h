/* The data races of programs on Tensix cores, where ArchTensixOptions asks for them. */
#pragma once

#include <glib.h>

#include "arch/tensix.h"

/* One text for each pair of places in scripts that race, by the cycle of its first
 * race; empty if there are none or nobody asked. It covers the programs that have
 * ended. The caller frees the array of texts. */
GPtrArray *arch_tensix_races(const ArchTensix *self);
