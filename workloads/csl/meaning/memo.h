/* Remembers values of expressions in layouts, which ask the same for many PEs. */
#pragma once

#include "workloads/csl/meaning/evaluator.h"

/* Writes numbers from *count + 1 into the slots of CALL and AGGREGATE nodes that are
 * worth remembering, and counts on; 0 stays in others. */
void csl_memo_bind(CslNode *node, uint32_t *count);

/* What such a node evaluates to: remembered, or evaluated by `evaluate`. */
CslValue csl_recall(CslEvaluator *self,
                    const CslNode *node,
                    CslValue (*evaluate)(CslEvaluator *self, const CslNode *node));
