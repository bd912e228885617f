/* Makes a syntax tree of a file. */
#pragma once

#include "workloads/csl/syntax/diagnostic.h"
#include "workloads/csl/syntax/node.h"

/* Deeper nesting is an error, not an overflow of the stack. */
#define CSL_NESTING_MOST 500

/* The tree of a whole file with its names bound (bind.h). Names are interned in
 * `names`. Reports what is wrong, several errors in one go; the tree then lacks those
 * parts, and only its syntax can be used. Never NULL. `source` must outlive the tree.
 */
CslTree *csl_parse(const CslSource *source, GStringChunk *names, CslDiagnostics *to);
