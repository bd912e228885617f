/* Code of calls: of functions, through pointers, and of the machine's own. */
#pragma once

#include "workloads/csl/code/generator.h"

/* Calls that end functions and lead back to them. */
GHashTable *csl_find_tails(const CslPeClass *pe);
CslNumber csl_generate_call(CslGenerator *self, const CslTyped *typed, guint wanted);
CslNumber
csl_generate_call_pointer(CslGenerator *self, const CslTyped *typed, guint wanted);
/* The instance of a function without comptime arguments, or NULL. */
const CslInstance *csl_plain_instance(const CslGenerator *self,
                                      const CslGlobal *function);
/* The number of a function in pointers. */
int64_t csl_function_number(CslGenerator *self, const CslGlobal *function);
void csl_generate_thunks(CslGenerator *self);
/* A function of the machine's own (`extern fn gridloom_...`). */
CslNumber csl_generate_machine(CslGenerator *self, const CslTyped *typed, guint wanted);
