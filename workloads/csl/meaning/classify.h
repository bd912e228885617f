/* Makes the classes of PEs that a layout asks for; private to this folder. */
#pragma once

#include "workloads/csl/meaning/evaluator.h"

/* Gives every tile of the layout its class. A class is made once for all tiles that
 * agree in the params that its code reads. Reports errors of each. */
void csl_classify(CslEvaluator *self);
