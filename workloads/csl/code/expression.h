/* Code of expressions and statements, and of places that they name. */
#pragma once

#include "workloads/csl/code/generator.h"

/* The value; in registers `wanted` if the machine computes it (CSL_ANYWHERE_ELSE: the
 * generator chooses). */
CslNumber csl_generate(CslGenerator *self, const CslTyped *typed, guint wanted);
/* The same, in a register in any case. */
guint csl_generate_register(CslGenerator *self, const CslTyped *typed);
void csl_generate_into(CslGenerator *self, const CslTyped *typed, guint to);
CslNumber csl_compute(
    CslGenerator *self, const char *name, ArchWseType type, CslNumber a, CslNumber b);
void csl_move(CslGenerator *self, const CslType *type, guint to, CslNumber number);
/* Jumps if the condition is false. */
void csl_generate_unless(CslGenerator *self, const CslTyped *condition, guint label);

CslCodeSpot csl_locate_code(CslGenerator *self, const CslTyped *typed);
CslNumber csl_load(CslGenerator *self, const CslCodeSpot *from, guint wanted);
void csl_store(CslGenerator *self, const CslCodeSpot *to, CslNumber number);
/* The byte address as a number. */
CslNumber csl_address(CslGenerator *self, const CslCodeSpot *of);
/* Stores what is not a number: arrays and structs. */
void csl_store_whole(CslGenerator *self, const CslCodeSpot *to, const CslTyped *typed);

CslNumber csl_generate_convert(CslGenerator *self, const CslTyped *typed, guint wanted);

void csl_generate_statement(CslGenerator *self, const CslTyped *typed);
