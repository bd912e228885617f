/* Code of one class of PEs. */
#pragma once

#include "arch/wse_program.h"
#include "workloads/csl/meaning/program.h"

/* The program of a class; NULL after a report. */
ArchWseProgram *
csl_generate_class(CslProgram *source, CslPeClass *pe, const ArchParams *params);
