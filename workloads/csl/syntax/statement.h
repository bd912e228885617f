/* What declarations use of statements; private to the parser. */
#pragma once

#include "workloads/csl/syntax/parser_state.h"

/* comptime { ... } */
CslNode *csl_parse_comptime_block(CslParser *self);
/* Skips the rest of a statement with an error: behind ; or a block, or before }. */
void csl_parser_recover(CslParser *self);
