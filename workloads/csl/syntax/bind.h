/* Finds out which declaration each name of a file means. */
#pragma once

#include "workloads/csl/syntax/diagnostic.h"
#include "workloads/csl/syntax/node.h"

/* Numbers the globals of a file and the locals of each function and block, and writes
 * binding and slot into every NAME. Locals are numbered from 0 in their frame; the node
 * that owns the frame gets its size. Reports globals, parameters and locals that are
 * declared twice. Names that nothing declares stay CSL_UNBOUND: dead code may use them.
 */
void csl_tree_bind(CslTree *tree, CslDiagnostics *to);
