/* The error domain of the hardware models. */
#include "arch/error.h"

G_DEFINE_QUARK(arch_error_quark, arch_error)
