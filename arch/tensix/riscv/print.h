/* What compiled kernels print: a text with places for values, which the call gives as
 * an array of three words each: what it is (b bool, c char, i and u integers, f float,
 * d double, p pointer, s text that ends with a zero, t part of a tile), low word, high
 * word. */
#pragma once

#include <glib.h>

#include "arch/tensix/riscv/kernel.h"

/* The whole text of a print; the caller frees it. Places are {}, {1}, {:x}, {:#010x},
 * {:.2f}, {:>8} and the like, as in fmt. NULL, with an error, if the call gives an
 * address that it does not have. */
char *riscv_print_text(const RiscvKernel *self, ArchTensixCore *core, GError **error);
