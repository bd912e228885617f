/* Checks programs of PEs as a whole; private to this folder. */
#pragma once

#include "workloads/csl/meaning/evaluator.h"

/* Memory, and what libraries keep for themselves. Reports errors. */
void csl_check_class(CslProgram *program, const CslPeClass *pe);

/* Warns of colors that tasks send or receive on whenever they run, and that no PE
 * routes. `routed`: a bit for each color that the layout configures on some PE. */
void csl_check_routes(CslProgram *program, uint32_t routed);
