/* What the spelling of a literal stands for; private to the parser. */
#pragma once

#include <stdbool.h>

#include "workloads/csl/syntax/node.h"

/* A number as the lexer takes it: decimal, 0x or 0b. False above 127 bits. */
bool csl_literal_integer(const char *spelling, uint32_t length, CslInteger *to);
double csl_literal_real(const char *spelling, uint32_t length);
/* What stands between quotes, with escapes replaced. */
const CslText *csl_literal_text(CslArena *arena, const char *spelling, uint32_t length);
