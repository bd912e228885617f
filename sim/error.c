/* The error domain of the simulation engine. */
#include "sim/error.h"

G_DEFINE_QUARK(sim_error_quark, sim_error)
