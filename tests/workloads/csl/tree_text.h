/* A syntax tree as text that tests compare. */
#pragma once

#include "workloads/csl/syntax/parser.h"

/* Each node as (KIND name token children...), absent children as -. The caller frees
 * it. */
char *csl_tree_text(const CslNode *node);
