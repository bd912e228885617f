/* Routes of a CSL program on the layout of a wafer. */
#pragma once

#include "arch/wse_layout.h"
#include "workloads/csl/meaning/program.h"

/* Sets how the router of every PE treats each color. Reports what the wafer refuses. */
void csl_set_routes(CslProgram *self, ArchWseLayout *layout);
